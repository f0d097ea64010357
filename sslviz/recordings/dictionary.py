"""Dictionary learning recorded round by round: stopped at any round, continued, resumed later.

Moment 0 is the start, where atoms are points and the classifier is fitted to the labelled codes
alone; moment i follows round i.
"""

import threading
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from sslviz.content_hash import digest
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run

CELLS_KEPT = 3_000_000  # entries of the dictionaries in all frames together
FRAMES_KEPT = (4, 40)
NO_CLASS = -1  # an atom that no class uses
LEAST_WEIGHT = 0.02  # of the largest classifier weight: an atom with less belongs to no class


class DictionaryRecording(NamedTuple):
    """A run of t rounds, of which k moments are kept as frames."""

    moments: np.ndarray  # (k,) of 0 … t, the first and the last among them
    D: np.ndarray  # (k, atoms, d)
    W: np.ndarray  # (k, C, atoms) how strongly atoms indicate classes
    scores: np.ndarray  # (k, n, C) the highest is the prediction
    P: np.ndarray  # (k, n, C) class probabilities that follow, one-hot where labelled
    used: np.ndarray  # (t + 1,) atoms in a code, on average
    error: np.ndarray  # (t + 1,) ‖X − AD‖² / ‖X‖²
    terms: dict[str, np.ndarray]  # (t,) each: the terms of the objective by name

    def accuracy(self, truth: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(k,) share of the points of a mask whose highest score is that of their class."""
        return (self.scores[:, among].argmax(axis=2) == truth[among]).mean(axis=1)

    def some(self, count: int) -> np.ndarray:
        """Numbers of at most `count` frames, evenly spaced, the first and the last among them."""
        last = len(self.moments) - 1
        return np.unique(np.rint(np.linspace(0, last, min(count, last + 1))).astype(int))


class DictionaryRun(Run):
    """The rounds of a dictionary method on X and y, y holding -1 for unlabelled points.

    A model that was fitted before and has `warm_start` continues from its atoms and codes.
    """

    patience = 0.5

    def __init__(self, model: Any, X: Any, y: Any):
        self._learning = model.learning(X, y)
        super().__init__(iter(self._learning))
        self.total, self.title = model.max_iter, type(model).title
        self._guard = threading.Lock()  # between a round that ends and a page that draws
        self._objective: list[float] = []
        self._terms: list[Any] = []
        self._measures: list[tuple[float, float]] = []  # atoms used and error
        self._fitted = self._learning.fitted()
        self._frames = Frames(frame_count(self._fitted.components_.size, CELLS_KEPT, *FRAMES_KEPT))
        self._keep()

    @property
    def rounds(self) -> int:
        """Rounds so far."""
        return len(self._objective)

    def take(self, step: Any | None) -> None:
        if step is None:
            return
        objective = [*self._objective, step.objective]
        model = self._learning.fitted(step.learnt(), objective)
        with self._guard:
            self._objective, self._fitted = objective, model
            self._terms.append(step.terms)
            self._keep()

    def fitted(self) -> Any:
        """The model that `fit` with `max_iter` = `rounds` gives; before the first, the start."""
        with self._guard:
            return copy(self._fitted)

    def recording(self) -> DictionaryRecording:
        """All rounds so far."""
        with self._guard:
            moments, frames = self._frames.iterations, self._frames.frames
            used, error = np.array(self._measures).T
            names = self._terms[0]._fields if self._terms else ()
            terms = dict(zip(names, np.array(self._terms).T, strict=True))
        D, W, scores, P = map(np.stack, zip(*frames, strict=True))
        return DictionaryRecording(np.array(moments), D, W, scores, P, used, error, terms)

    def status(self) -> str:
        """How many rounds are done."""
        count = f"round {self.rounds} of {self.total}"
        if self.done:
            return f"{self.title}: {self.rounds} rounds in {self.seconds:.1f} s."
        return f"{self.title} {'stopped after' if self.paused else 'is learning:'} {count}."

    def _keep(self) -> None:
        model, X = self._fitted, self._learning.problem.X
        A, D = model.codes_, model.components_
        size = float(np.square(X).sum()) or 1.0
        error = float(np.square(X - A @ D).sum()) / size
        self._measures.append((float((A != 0).sum(axis=1).mean()), error))
        parts = D, model.atom_weights(), model.training_scores(), model.label_distributions_
        self._frames.add(self.rounds, tuple(part.astype(np.float32) for part in parts))


class Trail(NamedTuple):
    """The settings that a run has come through by warm starts; the last are its own."""

    where: str  # names data, labels and what else must be equal to continue
    settings: tuple[dict[str, Any], ...]
    run: Any

    @property
    def done(self) -> tuple[dict[str, Any], ...]:
        """The settings with the rounds that were really done."""
        return (*self.settings[:-1], self.settings[-1] | {"max_iter": max(self.run.rounds, 1)})


def next_trail(
    trails: Sequence[Trail],
    where: str,
    settings: dict[str, Any],
    start: Callable[[str, dict[str, Any], Any], Any],
) -> Trail:
    """The run of these settings, continued from the last of `trails` if that is at `where`.

    Runs that were left before their first round have nothing to continue from and are passed over:
    a slider that is dragged leaves many. `start(name, settings, before)` gives the run; `before` is
    the fitted model to continue from, or None.
    """
    last = next((trail for trail in reversed(trails) if trail.run.rounds), None)
    before: Any = None
    path: tuple[dict[str, Any], ...] = (settings,)
    if last is not None and last.where == where:
        if last.settings[-1] == settings:
            return last
        before, path = last.run.fitted(), (*last.done, settings)
    return Trail(where, path, start(digest(where, path), settings, before))


def dominant_classes(W: np.ndarray) -> np.ndarray:
    """(atoms,) the class with the largest weight of each atom, by the classifier W (C, atoms)."""
    largest = W.max(axis=0)
    counts = largest > LEAST_WEIGHT * max(np.abs(W).max(), 1e-12)
    return np.where(counts, W.argmax(axis=0), NO_CLASS)


def active_share(scores: np.ndarray, predicted: np.ndarray) -> float:
    """Share of all pairs of a point and a class that are on the wrong side of their margin."""
    side = np.where(predicted[:, None] == np.arange(scores.shape[1]), 1, -1)
    return float((side * scores < 1).mean())


def in_links(weights: Any, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The points whose graph weights refer to this one, heaviest first; none without a graph.

    A point's neighbours are its row of the weights, its in-links are its column.
    """
    if weights is None:
        return np.empty(0, np.int64), np.empty(0)
    column = weights[:, [point]].tocoo()
    order = np.argsort(-np.abs(column.data), kind="stable")
    return column.row[order].astype(np.int64), column.data[order]


def unlike_neighbours(A: np.ndarray, L: Any) -> float:
    """tr(AᵀLA)/‖A‖²: how much codes differ from those of their neighbours."""
    return float((A * (L @ A)).sum() / (np.square(A).sum() or 1.0))
