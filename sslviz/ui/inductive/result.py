"""A method fitted and asked: its answers, its field over the plane, and what both are worth."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from sklearn.base import clone

import sslviz
from sslviz.data.plane_grid import Plane
from sslviz.figures.maps.decision_field import margins_over_runner_up
from sslviz.recordings.mixture import MixtureRecording
from sslviz.ui.inductive.spanning_tree_view import nearest_given, reach
from sslviz.ui.messages import show_metrics
from sslviz.ui.problem import Problem
from sslviz.ui.result import DEFAULT_SETTINGS, Result, percent
from sslviz.ui.server import memory

ALONE: dict[str, dict[str, Any]] = {  # what takes the unlabelled points out of the problem
    "SSDR": {"gamma2": 0.0, "as_printed": False},  # as printed, they count even at price zero
    "LapRLS": {"lam2": 0.0},
    "LapSVM": {"lam2": 0.0},
    "S3VM": {"lam2": 0.0},
}
MANY = 0.05  # of the points may feel no label before it is said


class FieldResult(NamedTuple):
    """What a fitted method says."""

    model: Any
    answer: Result  # under the classes' own numbers
    cells: tuple[np.ndarray, np.ndarray, np.ndarray] | None  # leads (b, a, C) over x (a) and y (b)
    full: float  # the lead that has full colour
    scores: np.ndarray | None  # (n,) or (n, C) of the points, where a picture needs them
    film: MixtureRecording | None
    inside: np.ndarray | None  # (n,) unlabelled points in the margin

    @property
    def kind(self) -> str:
        return type(self.model).__name__

    @property
    def enough(self) -> float:
        """The lead that labels ask for; of a mixture log odds of 20 to 1."""
        return 3.0 if self.film is not None else 1.0

    @property
    def width(self) -> float | None:
        """σ of the kernel, where there is one."""
        linear = getattr(self.model, "kernel", "rbf") == "linear"
        return None if linear else getattr(self.model, "sigma_", None)

    @property
    def exponent(self) -> float:
        """e of the kernel exp(−d²/(e σ²))."""
        return 2.0 if self.kind in ("SSDR", "SDSC") else 1.0


def relabel(y: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Labels under the numbers that the classes are fitted under; -1 stays."""
    return np.where(y < 0, -1, order[y])


def answered(model: Any, problem: Problem, order: np.ndarray) -> Result:
    """The answers of a model fitted to classes numbered by `order`, in their own numbers.

    `order` is its own inverse.
    """
    F = np.asarray(model.label_distributions_)[:, order]
    return _answer(type(model).title, F, relabel(model.transduction_, order), problem)


def _answer(title: str, F: np.ndarray, labels: np.ndarray, problem: Problem) -> Result:
    return Result(problem, None, labels, F, name=title)


def filmed(
    model: Any, film: MixtureRecording, problem: Problem, plane: Plane | None
) -> FieldResult:
    """A mixture on its way: the last step is its answer, so that it is not fitted."""
    F = film.F[-1].astype(np.float64)
    answer = _answer(type(model).title, F, F.argmax(axis=1), problem)
    found = FieldResult(model, answer, None, 1.0, None, film, None)
    if plane is None:
        return found
    return found._replace(cells=(film_leads(film, plane)[-1], plane.x, plane.y), full=found.enough)


def film_leads(film: MixtureRecording, plane: Plane) -> list[np.ndarray]:
    """The leads (b, a, C) over the plane at every frame of a mixture's film."""
    return [
        plane.cells(margins_over_runner_up(s))
        for s in (film.scores if plane.exact else np.log(film.F + 1e-30))
    ]


def evaluate_field(
    model: Any, problem: Problem, plane: Plane | None, order: np.ndarray
) -> FieldResult:
    """A fitted model, asked for all that the page draws."""
    answer = answered(model, problem, order)
    X, kind = problem.dataset.X, type(model).__name__
    lead, scores, inside = None, None, None
    places = plane.places if plane is not None and plane.exact else None
    if places is None or kind in ("LapRLS", "LapSVM", "S3VM"):
        scores = model.values_ if kind == "LLReg" else model.decision_function(X)
    if places is not None:
        lead = margins_over_runner_up(model.decision_function(places))[:, order]
    elif plane is not None and scores is not None:
        lead = np.where(
            answer.labels[:, None] < 0, np.nan, margins_over_runner_up(scores)[:, order]
        )
    if kind in ("LapSVM", "S3VM") and scores is not None:
        own = scores if scores.ndim == 1 else scores[np.arange(len(X)), scores.argmax(axis=1)]
        inside = (problem.y < 0) & (np.abs(own) < 1)
    found = FieldResult(model, answer, None, 1.0, scores, None, inside)
    if plane is None or lead is None:
        return found
    most = float(np.nanmax(lead, initial=0.0))
    full = min(found.enough, most) if most > 0 else found.enough
    return found._replace(cells=(plane.cells(lead), plane.x, plane.y), full=full)


def show_accuracy(found: FieldResult, problem: Problem, order: np.ndarray) -> None:
    """Accuracy beside baselines, and what is particular to the method."""
    hidden, truth = problem.y < 0, problem.dataset.y
    short = type(found.model).title.rpartition("(")[2].rstrip(")")
    numbers = [(short, percent(found.answer.accuracy(hidden)), "Hidden labels found.")]
    if (alone := _alone(found, problem, order)) is not None:
        meaning = "The same method at price or weight zero: the difference is what they add."
        if found.kind == "S3VM":
            meaning += " They still set the balance of the classes."
        numbers.append(("Without unlabelled points", percent(alone.accuracy(hidden)), meaning))
    near, distance = nearest_given(problem.dataset.X, problem.y)
    spread = sslviz.LabelPropagation(memory=memory()).fit(problem.dataset.X, problem.y)
    for title, labels, meaning in (
        ("1-NN", near, "The baseline to beat: the class of the nearest given label."),
        (
            "Label propagation",
            spread.transduction_,
            f"No field: labels travel along the graph. {DEFAULT_SETTINGS}",
        ),
    ):
        share = float((labels == truth)[hidden].mean()) if hidden.any() else np.nan
        numbers.append((title, percent(share), meaning))
    if found.inside is not None:
        held, given = (~hidden)[found.model.support_].sum(), (~hidden).sum()
        meaning = "Given labels that hold the field up, ringed; others could move a little."
        numbers.append(("Support vectors", f"{held} of {given}", meaning))
        count = f"{found.inside.sum():,} of {hidden.sum():,}"
        meaning = "Unlabelled points with |f| < 1, by the winning class's machine."
        numbers.append(("In the margin", count, meaning))
    if (silent := int((found.answer.labels < 0).sum())) > 0:
        meaning = "Points on islands of the graph without a label: grey, and not guessed."
        numbers.append(("Undetermined", f"{silent:,} of {len(truth):,}", meaning))
    show_metrics(numbers)
    if found.width is None or not hidden.any():
        return
    lost = float((distance > reach(found.width, found.exponent))[hidden].mean())
    if lost > MANY:
        st.warning(
            f"**{lost:.0%}** of the points feel no label at all: the kernel is too narrow, and "
            "what they answer is little more than rounding. Raise σ.",
            icon=":material/blur_off:",
        )


def _alone(found: FieldResult, problem: Problem, order: np.ndarray) -> Result | None:
    """What the method says without unlabelled points, where it can do without."""
    if found.film is not None:  # its first step knows none
        F = found.film.F[0]
        return _answer(found.answer.title, F, F.argmax(axis=1), problem)
    if found.kind not in ALONE:
        return None
    without = clone(found.model).set_params(**ALONE[found.kind])
    without.fit(problem.dataset.X, relabel(problem.y, order))
    return answered(without, problem, order)
