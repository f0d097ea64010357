"""Comparison of methods: the same points and the same random choices of labels for all of them.

A single choice of labels may favour a method by chance. Means over several choices estimate its
accuracy; differences within the same choice tell which of two methods is better.

An embedding predicts by 1-NN on its coordinates, as in the tables (experiments/scoring.py).
"""

import warnings
from collections.abc import Iterator, Sequence
from inspect import signature
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.experiments.sampling import Sample
from sslviz.experiments.scoring import predictions
from sslviz.labels import UNLABELLED, hide
from sslviz.nearest_label import one_nn

LABELS_PER_CLASS = (1, 2, 3, 5, 10, 20, 50)  # along a learning curve


class MethodSpec(NamedTuple):
    """A method with its parameters; without a method it is 1-NN on the labelled points."""

    title: str
    method: type | None
    params: dict[str, Any]

    @property
    def named(self) -> tuple[str, str | None, dict[str, Any]]:
        """Title, name and parameters, for a memory of stages."""
        return self.title, self.method.__name__ if self.method else None, self.params

    def answer(self, X: np.ndarray, y: np.ndarray, memory: Any = None) -> np.ndarray:
        """(n,) predicted classes, given labels kept; -1 where undetermined."""
        if self.method is None:
            found = one_nn(X, y, X)
        else:
            chance = (
                {"random_state": 0} if "random_state" in signature(self.method).parameters else {}
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # each of many fits would repeat them
                model = self.method(**chance | self.params, memory=memory).fit(X, y)
            found = predictions(model, Sample(X, y, y))
        return np.where(y != UNLABELLED, y, found)


class Trial(NamedTuple):
    """One method on one choice of labels."""

    method: str  # its title
    per_class: int
    seed: int
    accuracy: float  # on the hidden points, undetermined ones count as wrong; nan where it failed
    undetermined: float
    seconds: float
    failed: str = ""  # why


class MethodSummary(NamedTuple):
    """The trials of one method at one number of labels."""

    accuracies: np.ndarray  # (draws,) by seed, nan if missing
    undetermined: float
    seconds: float  # median: the first fit may compute what later ones reuse
    failed: str

    @property
    def mean(self) -> float:
        return float(np.nanmean(self.accuracies)) if self.drawn else np.nan

    @property
    def std(self) -> float:
        """Over the draws; nan for fewer than two."""
        return float(np.nanstd(self.accuracies, ddof=1)) if self.drawn > 1 else np.nan

    @property
    def drawn(self) -> int:
        return int(np.isfinite(self.accuracies).sum())

    def against(self, other: "MethodSummary") -> tuple[int, int]:
        """In how many of the draws of both it is better, and in how many worse."""
        both = self.accuracies - other.accuracies
        return int((both > 0).sum()), int((both < 0).sum())


def label_counts(truth: np.ndarray, present: int) -> list[int]:
    """Labels per class that leave points of the smallest class hidden, and the present number."""
    least = np.unique(truth[truth != UNLABELLED], return_counts=True)[1].min()
    return sorted({size for size in LABELS_PER_CLASS if size < least} | {present})


def trial(
    spec: MethodSpec,
    X: np.ndarray,
    truth: np.ndarray,
    *,
    per_class: int,
    seed: int,
    memory: Any = None,
) -> Trial:
    """Fit to one choice of labels; an error of the method is kept in `failed`.

    Points whose truth is -1 are of unknown class: the method sees them, the accuracy does not.
    """
    y = hide(truth, per_class=per_class, random_state=seed)
    hidden, begun = (y == UNLABELLED) & (truth != UNLABELLED), perf_counter()
    try:
        found = spec.answer(X, y, memory)[hidden]
    except (ValueError, np.linalg.LinAlgError) as error:
        seconds = perf_counter() - begun
        return Trial(spec.title, per_class, seed, np.nan, np.nan, seconds, str(error))
    seconds = perf_counter() - begun
    right = float(np.mean(found == truth[hidden])) if hidden.any() else np.nan
    silent = float(np.mean(found == UNLABELLED)) if hidden.any() else 0.0
    return Trial(spec.title, per_class, seed, right, silent, seconds)


def trial_order(sizes: Sequence[int], present: int, draws: int) -> Iterator[tuple[int, int]]:
    """(labels per class, seed): all draws at the present number first, then the other numbers."""
    yield from ((present, seed) for seed in range(draws))
    yield from ((size, seed) for seed in range(draws) for size in sizes if size != present)


def summaries(
    trials: Sequence[Trial], titles: Sequence[str], per_class: int, draws: int
) -> list[MethodSummary]:
    """A summary for each title, at one number of labels per class."""
    found = []
    for title in titles:
        own = [t for t in trials if t.method == title and t.per_class == per_class]
        accuracies = np.full(draws, np.nan)
        for t in own:
            accuracies[t.seed] = t.accuracy
        silent = [t.undetermined for t in own if not t.failed]
        found.append(
            MethodSummary(
                accuracies,
                float(np.mean(silent)) if silent else np.nan,
                float(np.median([t.seconds for t in own])) if own else np.nan,
                next((t.failed for t in own if t.failed), ""),
            )
        )
    return found
