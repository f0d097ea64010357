"""An inductive method on a problem: predictions of the points, scores over the plane, baselines."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

import sslviz
from sslviz.abilities import (
    AmplifiedRidge,
    Eigenfunctions,
    GaussianKernel,
    HasMargin,
    Links,
    TrainingValues,
)
from sslviz.data.plane_grid import Plane
from sslviz.figures.maps.decision_field import margins_over_runner_up
from sslviz.kernels.reach import unreached_share
from sslviz.nearest_label import one_nn
from sslviz.recordings.mixture import MixtureRecording
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result

TARGET_LEAD = 1.0  # the lead of the right class that the labels ask for
LOG_ODDS_LEAD = 3.0  # of a mixture: the class is 20 times as probable as the next


@dataclass(frozen=True)
class InductiveLook(Look):
    rings: str = "mistakes"  # around "mistakes", points inside the "margin", or "none"
    part_of: int = 0  # the class whose decision function is shown in parts


@dataclass(frozen=True)
class InductiveResult(Result):
    """A method and what the page compares it with.

    `order` are the numbers that the classes are fitted under; it is its own inverse.
    """

    look: InductiveLook = field(default_factory=InductiveLook)
    plane: Plane | None = None
    order: np.ndarray = field(default_factory=lambda: np.arange(0))
    leads: np.ndarray | None = None  # (b, a, C) lead of each class over the plane
    full_lead: float = TARGET_LEAD  # the lead drawn in full colour
    scores: np.ndarray | None = None  # (n,) or (n, C), where a view needs them
    supervised: np.ndarray | None = None  # (n,) predictions without the unlabelled term
    nearest: np.ndarray | None = None  # (n,) predictions of 1-NN
    propagated: np.ndarray | None = None  # (n,) predictions of label propagation
    renamed: int | None = None  # predictions that change if classes are numbered backwards
    unreached: float = 0.0  # share of the unlabelled points that the kernel of no label reaches

    @property
    def exact(self) -> bool:
        """Whether places of the map are places of the data."""
        return self.plane is not None and self.plane.exact

    @property
    def example(self) -> str:
        """How a panel about one point begins."""
        if self.problem.point is None:
            return f"Example: point {self.point}; **click** another."
        return f"Point {self.point}."

    @cached_property
    def signed(self) -> bool:
        """Whether one signed score separates two classes."""
        return self.scores is not None and self.scores.ndim == 1

    @cached_property
    def margin_points(self) -> np.ndarray | None:
        """(n,) unlabelled points inside the margin, |f| < 1 for the predicted class."""
        if not isinstance(self.model, HasMargin) or self.scores is None:
            return None
        own = self.scores if self.scores.ndim == 1 else self.scores.max(axis=1)
        return self.hidden & (np.abs(own) < 1)

    @cached_property
    def support(self) -> np.ndarray | None:
        """(n,) labelled points that are support vectors."""
        if not isinstance(self.model, HasMargin):
            return None
        return np.isin(np.arange(len(self.y)), self.model.support_vectors()) & ~self.hidden

    @cached_property
    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """The points that the selected one depends on, and their weights."""
        if isinstance(self.model, Links):
            others, weights = self.model.links(self.point)
            return others, np.abs(weights)
        return np.array([], int), np.array([])

    @cached_property
    def ridge(self) -> np.ndarray:
        """(n,) predictions of kernel ridge regression, where the method amplifies it."""
        scores = self.model.ridge_scores()
        labels = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.order[labels]

    @property
    def sigma(self) -> float | None:
        """The width of the Gaussian kernel, where there is one."""
        return gaussian_width(self.model)

    @cached_property
    def eigenfunctions(self) -> np.ndarray:
        """(m, C) at the places of the plane where it is exact, (n, C) at the points elsewhere."""
        if self.plane is not None and self.plane.exact:
            return self.model.eigenfunctions_at(self.plane.places)
        return self.model.eigenfunctions_

    @cached_property
    def parts(self) -> tuple[np.ndarray, np.ndarray]:
        """The two terms of the decision functions, at the same places."""
        at = self.plane.places if self.plane is not None and self.exact else self.problem.dataset.X
        return self.model.parts(at)

    def leads_of_frames(self) -> list[np.ndarray] | None:
        """The leads (b, a, C) over the plane in every frame of the recording."""
        return None if self.plane is None else mixture_leads(self.recording, self.plane)


def gaussian_width(model: Any) -> float | None:
    """σ of a fitted model with a Gaussian kernel."""
    gaussian = isinstance(model, GaussianKernel) and getattr(model, "kernel", "rbf") == "rbf"
    return model.sigma_ if gaussian else None


def relabel(y: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Labels under the numbers that the classes are fitted under; -1 stays."""
    return np.where(y < 0, -1, order[y])


def class_order(problem: Problem, backwards: bool) -> np.ndarray:
    """The numbers that the classes are fitted under."""
    return np.arange(len(problem.dataset.classes))[:: -1 if backwards else 1]


def fitted_result(
    model: Any,
    problem: Problem,
    plane: Plane | None,
    order: np.ndarray,
    look: InductiveLook,
    memory: Any,
) -> InductiveResult:
    """The result of a model fitted to classes numbered by `order`, in their own numbers."""
    X, y = problem.dataset.X, problem.y
    labels = relabel(model.transduction_, order)
    F = np.asarray(model.label_distributions_)[:, order]
    at_places = model.decision_function(plane.places) if plane is not None and plane.exact else None
    leads, full = None, TARGET_LEAD
    scores: Any = None
    if at_places is None or at_places.ndim == 1 or isinstance(model, HasMargin):
        values = isinstance(model, TrainingValues)
        scores = model.values_ if values else model.decision_function(X)
    if plane is not None:
        lead = margins_over_runner_up(scores if at_places is None else at_places)[:, order]
        if at_places is None:
            lead = np.where(labels[:, None] < 0, np.nan, lead)
        largest = float(np.nanmax(lead, initial=0.0))
        full = min(TARGET_LEAD, largest) if largest > 0 else TARGET_LEAD
        leads = plane.cells(lead)
    supervised = None
    if off := type(model).unlabelled_off:
        without = clone(model).set_params(**off).fit(X, relabel(y, order))
        supervised = relabel(without.transduction_, order)
    return InductiveResult(
        problem, model, labels, F, look, None, "", plane, order, leads, full, scores, supervised,
        *_baselines(problem, memory),
        renamed=_changes(model, problem, order) if isinstance(model, Eigenfunctions) else None,
        unreached=_share_without_labels(model, X, y),
    )  # fmt: skip


def mixture_result(
    model: Any,
    recording: MixtureRecording,
    problem: Problem,
    plane: Plane | None,
    look: InductiveLook,
    memory: Any,
) -> InductiveResult:
    """The result of a mixture from its recording: the last frame; the first is supervised."""
    F = recording.F[-1].astype(np.float64)
    leads = None if plane is None else mixture_leads(recording, plane)[-1]
    return InductiveResult(
        problem, model, F.argmax(axis=1), F, look, recording, "", plane,
        class_order(problem, False), leads, LOG_ODDS_LEAD, None, recording.F[0].argmax(axis=1),
        *_baselines(problem, memory),
    )  # fmt: skip


def mixture_leads(recording: MixtureRecording, plane: Plane) -> list[np.ndarray]:
    """The leads (b, a, C) of log probabilities over the plane, in every frame."""
    scores = recording.scores if plane.exact else np.log(recording.F + 1e-30)
    return [plane.cells(margins_over_runner_up(s)) for s in scores]


def _share_without_labels(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Share of the unlabelled points that no label reaches, where only labels have kernels."""
    sigma = gaussian_width(model)
    if sigma is None or isinstance(model, AmplifiedRidge):  # scores pass from point to point
        return 0.0
    return unreached_share(X, y, sigma, model.kernel_exponent)


def _baselines(problem: Problem, memory: Any) -> tuple[np.ndarray, np.ndarray]:
    """Predictions of 1-NN and of label propagation."""
    X, y = problem.dataset.X, problem.y
    propagation = sslviz.LabelPropagation(memory=memory).fit(X, y)
    return memory.cache(one_nn)(X, y, X), propagation.transduction_


def _changes(model: Any, problem: Problem, order: np.ndarray) -> int:
    """Predictions that change if the classes are numbered the other way round."""
    y, last = relabel(problem.y, order), len(order) - 1
    twin = clone(model).fit(problem.dataset.X, np.where(y < 0, -1, last - y))
    return int((last - twin.transduction_ != model.transduction_)[y < 0].sum())
