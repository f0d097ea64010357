"""Comparison of methods on the same points and the same random draws of the labels.

One draw may favour a method by luck, so every draw goes to all methods: the mean over draws
measures a method, and the number of draws won compares two of them. Accuracy is that on the hidden
labels; an embedding is scored by 1-NN, as in the tables (experiments/scoring.py).
"""

import warnings
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.experiments.sampling import Sample
from sslviz.experiments.scoring import predictions
from sslviz.labels import UNLABELLED, hide
from sslviz.nearest_label import one_nn

LABELS_PER_CLASS = (1, 2, 3, 5, 10, 20, 50)  # labels per class along a learning curve


class MethodSpec(NamedTuple):
    """A method with its parameters; None stands for 1-NN on the labelled points."""

    title: str
    method: type | None
    params: dict[str, Any]

    @property
    def named(self) -> tuple[str, str | None, dict[str, Any]]:
        """Title, class name and parameters, as the key of a stage."""
        return self.title, self.method.__name__ if self.method else None, self.params

    def answer(self, X: np.ndarray, y: np.ndarray, memory: Any = None) -> np.ndarray:
        """(n,) predicted class of every point, given labels kept; -1 where undetermined."""
        if self.method is None:
            found = one_nn(X, y, X)
        else:
            known = self.method._get_param_names()  # type: ignore[attr-defined]
            chance = {"random_state": 0} if "random_state" in known else {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # else repeated by every fit
                model = self.method(**chance | self.params, memory=memory).fit(X, y)
            found = predictions(model, Sample(X, y, y))
        return np.where(y != UNLABELLED, y, found)


class Trial(NamedTuple):
    """One method on one draw of the labels."""

    entrant: str  # title of the method
    per_class: int
    seed: int
    accuracy: float  # on hidden points, undetermined ones count as wrong; nan where it failed
    undetermined: float
    seconds: float
    failed: str = ""  # the error message


class Standing(NamedTuple):
    """All trials of one method at one number of labels."""

    accuracies: np.ndarray  # (draws,) by seed, nan where there is no trial
    undetermined: float
    seconds: float  # median: the first fit may include stages that later ones reuse
    failed: str

    @property
    def mean(self) -> float:
        return float(np.nanmean(self.accuracies)) if self.drawn else np.nan

    @property
    def std(self) -> float:
        """Standard deviation over draws; nan for fewer than two."""
        return float(np.nanstd(self.accuracies, ddof=1)) if self.drawn > 1 else np.nan

    @property
    def drawn(self) -> int:
        return int(np.isfinite(self.accuracies).sum())

    def against(self, other: "Standing") -> tuple[int, int]:
        """Number of common draws in which it is more accurate, and in which less."""
        both = self.accuracies - other.accuracies
        return int((both > 0).sum()), int((both < 0).sum())


def sizes_for(truth: np.ndarray, present: int) -> list[int]:
    """Numbers of labels per class below the smallest class, and the present number."""
    least = np.bincount(truth)[np.unique(truth)].min()
    return sorted({size for size in LABELS_PER_CLASS if size < least} | {present})


def trial(
    entrant: MethodSpec,
    X: np.ndarray,
    truth: np.ndarray,
    *,
    per_class: int,
    seed: int,
    memory: Any = None,
) -> Trial:
    """Fit to one draw; an error of the method is stored in `failed`."""
    y = hide(truth, per_class=per_class, random_state=seed)
    hidden, start = y == UNLABELLED, perf_counter()
    try:
        found = entrant.answer(X, y, memory)[hidden]
    except (ValueError, np.linalg.LinAlgError) as error:
        seconds = perf_counter() - start
        return Trial(entrant.title, per_class, seed, np.nan, np.nan, seconds, str(error))
    seconds = perf_counter() - start
    right = float(np.mean(found == truth[hidden])) if hidden.any() else np.nan
    undetermined = float(np.mean(found == UNLABELLED)) if hidden.any() else 0.0
    return Trial(entrant.title, per_class, seed, right, undetermined, seconds)


def order(sizes: Sequence[int], present: int, draws: int) -> Iterator[tuple[int, int]]:
    """(labels per class, seed): all draws at the present number, then the others draw by draw."""
    yield from ((present, seed) for seed in range(draws))
    yield from ((size, seed) for seed in range(draws) for size in sizes if size != present)


def standings(
    trials: Sequence[Trial], titles: Sequence[str], per_class: int, draws: int
) -> list[Standing]:
    """The standing of each method at one number of labels per class."""
    found = []
    for title in titles:
        own = [t for t in trials if t.entrant == title and t.per_class == per_class]
        accuracies = np.full(draws, np.nan)
        for t in own:
            accuracies[t.seed] = t.accuracy
        undetermined = [t.undetermined for t in own if not t.failed]
        found.append(
            Standing(
                accuracies,
                float(np.mean(undetermined)) if undetermined else np.nan,
                float(np.median([t.seconds for t in own])) if own else np.nan,
                next((t.failed for t in own if t.failed), ""),
            )
        )
    return found
