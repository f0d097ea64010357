"""A fitted method on a problem: its predictions, scored against the hidden labels.

Pages draw numbers and views from a `Result`; families with more to show extend it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from sslviz.params import params_of
from sslviz.ui.problem import UNKNOWN, Problem
from sslviz.ui.views import percent

# The help of a baseline that is shown beside a method.
DEFAULT_SETTINGS = "With its default settings, whatever it is set to on its own page."


@dataclass(frozen=True)
class Look:
    """How a page colours and marks the points."""

    colour: str = "mix"
    mistakes: bool = False
    record: bool = False


@dataclass(frozen=True)
class Result:
    """Predictions of one method, in class indices of the data set."""

    problem: Problem
    model: Any
    labels: np.ndarray  # (n,) -1 undetermined
    F: np.ndarray  # (n, C) class probabilities or shares
    look: Look = field(default_factory=Look)
    recording: Any = None
    name: str = ""  # replaces the title where two results have the same
    # Told about while none is clicked; None: a typical one.
    default_point: int | None = field(default=None, kw_only=True)

    @property
    def title(self) -> str:
        return self.name or type(self.model).title

    @property
    def y(self) -> np.ndarray:
        return self.problem.y

    @property
    def truth(self) -> np.ndarray:
        return self.problem.dataset.y

    @property
    def classes(self) -> tuple[str, ...]:
        return self.problem.classes

    @cached_property
    def hidden(self) -> np.ndarray:
        """(n,) points whose label is not given."""
        return self.problem.y < 0

    @cached_property
    def held_out(self) -> np.ndarray:
        """(n,) hidden points of known class: on these accuracy is measured."""
        return self.problem.held_out

    @cached_property
    def true_names(self) -> list[str]:
        """The name of the true class of every point."""
        return self.problem.true_names()

    @cached_property
    def right(self) -> np.ndarray:
        """(n,) whether the prediction is the true class."""
        return self.labels == self.truth

    @cached_property
    def undetermined(self) -> np.ndarray:
        return self.labels < 0

    @cached_property
    def mistakes(self) -> np.ndarray:
        """(n,) held-out points with a wrong prediction; undetermined ones are not among them."""
        return ~self.right & self.held_out & ~self.undetermined

    @cached_property
    def share(self) -> np.ndarray:
        """(n,) confidence: the share of the largest entry in its row of F."""
        return self.F.max(axis=1) / np.maximum(self.F.sum(axis=1), np.finfo(float).tiny)

    def accuracy(self, among: np.ndarray | None = None) -> float:
        """Accuracy on the held-out points, or those of a mask; nan if there are none."""
        mask = self.held_out if among is None else among & self.held_out
        return float(self.right[mask].mean()) if mask.any() else np.nan

    def accuracy_of(self, labels: np.ndarray) -> float:
        """Accuracy of other predictions on the held-out points; nan if there are none."""
        right = (labels == self.truth)[self.held_out]
        return float(right.mean()) if len(right) else np.nan

    @property
    def no_accuracy(self) -> str:
        """What stands in place of an accuracy where there is none."""
        return without_accuracy(self.problem)

    @property
    def shown_accuracy(self) -> str:
        return percent(self.accuracy(), self.no_accuracy)

    @cached_property
    def point(self) -> int:
        """The clicked point, or an example if none is clicked."""
        if self.problem.point is not None:
            return self.problem.point
        return self.typical_point if self.default_point is None else self.default_point

    @property
    def marks_point(self) -> bool:
        """Whether the map marks the point that the panel is about.

        In space only a clicked one: the others turn pale behind its marks.
        """
        return self.problem.point is not None or self.problem.points.shape[1] == 2

    @cached_property
    def typical_point(self) -> int:
        """A hidden point with a right prediction of median confidence."""
        candidates = np.flatnonzero(self.held_out & self.right)
        if not len(candidates):
            candidates = np.flatnonzero(self.hidden)
        if not len(candidates):
            return 0
        order = candidates[np.argsort(self.share[candidates], kind="stable")]
        return int(order[len(order) // 2])

    @cached_property
    def hover(self) -> list[str]:
        """The hover text of every point."""
        return hover_texts(self)

    def refit(self, **changes: Any) -> Any:
        """The method with some parameters changed, fitted to the same problem."""
        model = clone(self.model).set_params(**changes)
        return model.fit(self.problem.dataset.X, self.y)


def fit_result(
    Method: type, parameters: dict[str, Any], problem: Problem, memory: Any, **extra: Any
) -> Result:
    """A classifier fitted to the problem."""
    model = Method(**parameters, memory=memory).fit(problem.dataset.X, problem.y)
    return result_of(model, problem, **extra)


def result_of(model: Any, problem: Problem, **extra: Any) -> Result:
    """The result of a fitted classifier."""
    F = np.asarray(model.label_distributions_)
    return Result(problem, model, np.asarray(model.transduction_), F, **extra)


def hover_texts(result: Result) -> list[str]:
    """Number, true class, predicted class and confidence of every point."""
    names = result.classes
    rows = zip(result.problem.point_texts(), result.labels, result.share, strict=True)
    return [
        f"{text}<br>predicted {names[a] if a >= 0 else 'nothing'} ({s:.0%})" for text, a, s in rows
    ]


def without_accuracy(problem: Problem) -> str:
    """Why there is no accuracy, in a word or two."""
    if problem.truth_hidden:
        return "hidden"
    return "all given" if problem.dataset.known.any() else UNKNOWN


def unscored_text(result: Any) -> str:
    """Why a view that needs the true classes of hidden points is not shown."""
    if result.problem.truth_hidden:
        return "The true classes are hidden, so predictions cannot be compared with them."
    if result.problem.dataset.known.any():
        return "Every known label is given: none is left to compare predictions with."
    return "The true classes are unknown, so predictions cannot be compared with them."


def comparison_table(results: Sequence[Result]) -> dict[str, list[str]]:
    """Accuracies of several methods on one problem, a row for each."""
    hidden, outliers = results[0].hidden, results[0].problem.outliers
    table = {"method": [r.title for r in results]}
    table["accuracy"] = [r.shown_accuracy for r in results]
    if outliers.any():
        table["on outliers"] = [percent(r.accuracy(hidden & outliers), "–") for r in results]
        table["without outliers"] = [percent(r.accuracy(hidden & ~outliers), "–") for r in results]
    table["undetermined"] = [f"{r.undetermined.mean():.1%}" for r in results]
    return table


def difference(one: Result, other: Result) -> np.ndarray:
    """(n,) hidden points on which two predictions differ."""
    return (one.labels != other.labels) & one.hidden


def difference_text(one: Result, other: Result) -> str:
    """On how many points two methods differ, and which of them is right there."""
    apart, hidden = difference(one, other), one.hidden
    text = f"They differ on **{apart.sum():,}** of {hidden.sum():,} hidden points"
    if not one.held_out.any():
        return f"{text}; the true classes are unknown."
    apart = apart & one.held_out
    both_wrong = one.held_out & ~one.right & ~other.right
    of_these = "of these" if one.held_out.sum() == hidden.sum() else "where the class is known,"
    return (
        f"{text}; {of_these} the first "
        f"predicts {(apart & one.right).sum():,} correctly and the second "
        f"{(apart & other.right).sum():,}. Both are wrong on {both_wrong.sum():,}."
    )


def titles_of(models: Sequence[Any]) -> list[str]:
    """The titles of one or two methods; two of the same class are named with their settings."""
    titles = [type(m).title for m in models]
    if len(models) < 2 or titles[0] != titles[1]:
        return titles
    settings = [m.get_params(deep=False) for m in models]
    apart = [p for p in params_of(type(models[0])) if settings[0][p.name] != settings[1][p.name]]
    if not apart:
        return [f"{titles[0]}, left", f"{titles[0]}, right"]
    words = [p.spec.symbol or p.title for p in apart]
    return [
        f"{title}, " + ", ".join(f"{w} = {s[p.name]}" for w, p in zip(words, apart, strict=True))
        for title, s in zip(titles, settings, strict=True)
    ]


def argmax_rows(F: np.ndarray) -> np.ndarray:
    """1 at the largest entry of each row of F and 0 elsewhere; zero rows stay zero."""
    return (F == F.max(axis=1, keepdims=True)) * (F > 0)


def undetermined_text(result: Result, component: np.ndarray) -> str:
    """Why points have no prediction: no label in their component, or a reason of the method.

    `component` (n,) numbers the connected components of the undirected graph.
    """
    silent, y = result.undetermined, result.y
    alone = silent & ~np.isin(component, component[y >= 0])
    sentences = []
    if alone.any():
        count = len(np.unique(component[alone]))
        where = "a separate part" if count == 1 else f"{count} separate parts"
        sentences.append(
            f"{_count(alone)} in {where} of the graph (an *island*, or connected component) "
            "without a label: no path leads to one. Raise k, or choose other labels."
        )
    if (silent & ~alone).any():
        sentences.append(
            f"{_count(silent & ~alone)} connected to labelled ones and still undetermined: "
            f"{_reason(result.model)}."
        )
    return " ".join(sentences)


def _reason(model: Any) -> str:
    because = getattr(model, "undetermined_because", "")
    return because or "the weights on the path to a label are too small to count; raise σ"


def _count(mask: np.ndarray) -> str:
    count = int(mask.sum())
    return "**1 point** is" if count == 1 else f"**{count:,} points** are"
