"""Methods side by side: the same points, the same draws of the labels, judged on hidden ones.

One draw may favour a method by luck. So every draw is given to all of them: means over draws tell
how good a method is, and the wins within the same draws who is better.

An embedding answers by its nearest labelled point, as in the tables (experiments/scoring.py).
"""

import warnings
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.experiments.sampling import Sample
from sslviz.experiments.scoring import answers
from sslviz.labels import UNLABELLED, hide
from sslviz.nearest_label import one_nn

SIZES = (1, 2, 3, 5, 10, 20, 50)  # labels per class along a learning curve


class MethodSpec(NamedTuple):
    """A method with its parameters; without a method, the class of the nearest labelled point."""

    title: str
    method: type | None
    params: dict[str, Any]

    @property
    def named(self) -> tuple[str, str | None, dict[str, Any]]:
        """The same in words, for a memory of stages."""
        return self.title, self.method.__name__ if self.method else None, self.params

    def answer(self, X: np.ndarray, y: np.ndarray, memory: Any = None) -> np.ndarray:
        """(n,) a class for every point, given labels kept; -1 where there is none."""
        if self.method is None:
            found = one_nn(X, y, X)
        else:
            known = self.method._get_param_names()  # type: ignore[attr-defined]
            chance = {"random_state": 0} if "random_state" in known else {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a thousand fits would each say the same
                model = self.method(**chance | self.params, memory=memory).fit(X, y)
            found = answers(model, Sample(X, y, y))
        return np.where(y != UNLABELLED, y, found)


class Trial(NamedTuple):
    """One entrant on one draw."""

    entrant: str  # its title
    per_class: int
    seed: int
    accuracy: float  # on the hidden points, undetermined ones count as wrong; nan where it failed
    undetermined: float
    seconds: float
    failed: str = ""  # why


class Standing(NamedTuple):
    """What the trials of one entrant at one number of labels come to."""

    accuracies: np.ndarray  # (draws,) by seed, nan where there is none
    undetermined: float
    seconds: float  # median: the first fit may have made what others use too
    failed: str

    @property
    def mean(self) -> float:
        return float(np.nanmean(self.accuracies)) if self.drawn else np.nan

    @property
    def std(self) -> float:
        """Of single draws; nan for fewer than two."""
        return float(np.nanstd(self.accuracies, ddof=1)) if self.drawn > 1 else np.nan

    @property
    def drawn(self) -> int:
        return int(np.isfinite(self.accuracies).sum())

    def against(self, other: "Standing") -> tuple[int, int]:
        """In how many of the draws that both have it is better, and in how many worse."""
        both = self.accuracies - other.accuracies
        return int((both > 0).sum()), int((both < 0).sum())


def sizes_for(truth: np.ndarray, present: int) -> list[int]:
    """Labels per class that leave something hidden of the smallest class; the present one too."""
    least = np.bincount(truth)[np.unique(truth)].min()
    return sorted({size for size in SIZES if size < least} | {present})


def trial(
    entrant: MethodSpec,
    X: np.ndarray,
    truth: np.ndarray,
    *,
    per_class: int,
    seed: int,
    memory: Any = None,
) -> Trial:
    """Fit to one draw; what a method raises is its own affair and is said in `failed`."""
    y = hide(truth, per_class=per_class, random_state=seed)
    hidden, begun = y == UNLABELLED, perf_counter()
    try:
        found = entrant.answer(X, y, memory)[hidden]
    except (ValueError, np.linalg.LinAlgError) as error:
        seconds = perf_counter() - begun
        return Trial(entrant.title, per_class, seed, np.nan, np.nan, seconds, str(error))
    seconds = perf_counter() - begun
    right = float(np.mean(found == truth[hidden])) if hidden.any() else np.nan
    silent = float(np.mean(found == UNLABELLED)) if hidden.any() else 0.0
    return Trial(entrant.title, per_class, seed, right, silent, seconds)


def order(sizes: Sequence[int], present: int, draws: int) -> Iterator[tuple[int, int]]:
    """(labels per class, seed): all draws at the present number first, then draw by draw."""
    yield from ((present, seed) for seed in range(draws))
    yield from ((size, seed) for seed in range(draws) for size in sizes if size != present)


def standings(
    trials: Sequence[Trial], titles: Sequence[str], per_class: int, draws: int
) -> list[Standing]:
    """One for each title, at one number of labels per class."""
    found = []
    for title in titles:
        own = [t for t in trials if t.entrant == title and t.per_class == per_class]
        accuracies = np.full(draws, np.nan)
        for t in own:
            accuracies[t.seed] = t.accuracy
        silent = [t.undetermined for t in own if not t.failed]
        found.append(
            Standing(
                accuracies,
                float(np.mean(silent)) if silent else np.nan,
                float(np.median([t.seconds for t in own])) if own else np.nan,
                next((t.failed for t in own if t.failed), ""),
            )
        )
    return found
