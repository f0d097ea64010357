"""Dictionary learning recorded round by round: stopped at any round, continued, resumed later.

Moment 0 is the start, where atoms usually are points; moment i follows round i.
"""

import threading
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from sslviz.abilities import GroupNorms, Joins, StopsEarly
from sslviz.content_hash import digest
from sslviz.labels import UNLABELLED
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run

CELLS_KEPT = 3_000_000  # entries of the dictionaries in all frames together
FRAMES_KEPT = (4, 40)


class DictionaryRecording(NamedTuple):
    """A run of t rounds, of which k moments are kept as frames."""

    moments: np.ndarray  # (k,) of 0 … t, the first and the last among them
    D: np.ndarray  # (k, atoms, d)
    W: np.ndarray  # (k, C, atoms) how strongly atoms indicate classes
    scores: np.ndarray  # (k, n, C) the highest is the prediction
    P: np.ndarray  # (k, n, C) class probabilities that follow, one-hot where labelled
    groups: np.ndarray  # (k, C + 1, atoms) norms of the coefficients of each class; or (k, 0, 0)
    joined: np.ndarray  # (k, n) the class that an unlabelled point has joined with, or -1
    used: np.ndarray  # (t + 1,) atoms in a code, on average
    size: np.ndarray  # (t + 1,) ‖a‖₁, on average; of the codes in the objective if it has no end
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

    def __init__(self, model: Any, X: Any, y: Any):
        self._learning = model.learning(X, y)
        super().__init__(iter(self._learning))
        self.title, self.total = type(model).title, model.get_params().get("max_iter")
        self._guard = threading.Lock()  # between a round that ends and a page that draws
        self._objective: list[float] = []
        self._terms: list[Any] = []
        self._measures: list[tuple[float, float, float]] = []  # atoms used, size, error
        self._fitted = self._learning.fitted()
        self._frames = Frames(frame_count(self._fitted.components_.size, CELLS_KEPT, *FRAMES_KEPT))
        self._keep()

    @property
    def X(self) -> np.ndarray:
        """The points in the scale of the method."""
        return self._learning.problem.X

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
            measures = np.array(self._measures).T
            names = self._terms[0]._fields if self._terms else ()
            terms = dict(zip(names, np.array(self._terms).T, strict=True))
        parts = (np.stack(part) for part in zip(*frames, strict=True))
        fields = (np.array(moments), *parts, *measures, terms)
        return DictionaryRecording._make(fields)

    def status(self) -> str:
        """How many rounds are done."""
        count = f"round {self.rounds} of {self.total}"
        if self.done:
            return f"{self.title}: {self.rounds} rounds in {self.seconds:.1f} s."
        return f"{self.title} {'stopped after' if self.paused else 'is learning:'} {count}."

    def _keep(self) -> None:
        model, X = self._fitted, self.X
        A, D = model.counted_codes(), model.components_
        size = float(np.square(X).sum()) or 1.0
        error = float(np.square(X - A @ D).sum()) / size
        objective_codes = model.learnt_codes_ if isinstance(model, StopsEarly) else A
        used, length = (A != 0).sum(axis=1).mean(), np.abs(objective_codes).sum(axis=1).mean()
        self._measures.append((float(used), float(length), error))
        joined = model.joined_labels_ if isinstance(model, Joins) else np.full(len(X), UNLABELLED)
        groups = model.group_norms() if isinstance(model, GroupNorms) else np.empty((0, 0))
        parts = D, model.atom_weights(), model.training_scores(), model.label_distributions_
        frame = tuple(part.astype(np.float32) for part in (*parts, groups))
        self._frames.add(self.rounds, (*frame, joined))


class Trail(NamedTuple):
    """The settings that a run has come through by warm starts; the last are its own."""

    where: str  # names data, labels and what else must be equal to continue
    settings: tuple[dict[str, Any], ...]
    run: Any

    @property
    def done(self) -> tuple[dict[str, Any], ...]:
        """The settings with the rounds that were really done."""
        last = self.settings[-1]
        if "max_iter" in last and not self.run.done:
            last = last | {"max_iter": max(self.run.rounds, 1)}
        return (*self.settings[:-1], last)


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
