"""The training of a classifier as a run: its predictions on the way, its loss, and its twin.

The twin is the same network with its unlabelled terms switched off, trained beside it with the same
seed for as many iterations: what it knows comes from the labelled points alone.

The film and the charts are recorded at iterations that are chosen beforehand, and do not depend on
how fast the computer is. Between them the present predictions are shown as often as there is time.
"""

from collections.abc import Iterator
from time import monotonic, thread_time
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from sslviz.recordings.training import (
    PICTURE_SECONDS,
    PREDICTION_SECONDS,
    TrainingRecording,
    compact_shares,
    iterations_in_time,
)

# Seconds of computing, which do not depend on what else a busy server does.
STEP_SECONDS = 0.07  # of training between two predictions, so that a picture is never far away
# Recorded moments of a training at most, iterations between two at least, points predicted in each.
RECORDED, SHORTEST_GAP, RECORDED_ROWS = 60, 5, 500


class NetworkMoment(NamedTuple):
    """Predictions after some iterations; in frames the probabilities are whole 255ths (uint8)."""

    iteration: int
    P: np.ndarray  # (n, C) class probabilities; rows of zeros are not predicted yet
    field: np.ndarray | None = None  # (m, C) uint8 probabilities at the places of the plane


class NetworkLoss(NamedTuple):
    """The loss terms, averaged since the last recorded moment, and the accuracies after it."""

    iteration: int
    terms: tuple[float, ...]
    accuracy: float  # on the held-out points predicted after it; nan if there are none
    twin_accuracy: float  # nan without a twin


class NetworkRun(TrainingRecording):
    """A training of `model.epochs` epochs on X and y; `moment` holds the present predictions.

    `truth` (n,) are class indices, -1 where unknown or given: accuracy is measured on the others.
    `places` (m, d) is where predictions are made besides the points. `picture` is what the
    objective shows of its inside.
    """

    def __init__(
        self,
        model: Any,
        X: np.ndarray,
        y: np.ndarray,
        truth: np.ndarray,
        places: np.ndarray | None = None,
    ):
        n_classes = len(np.unique(y[y >= 0]))
        super().__init__(model, X, places, n_classes)
        self._truth = truth
        self.training: Any = model.training(X, y)
        twin = without_unlabelled(model)
        self.twin: Any = None if twin is None else twin.training(X, y)
        self._twin_labels = np.full(len(X), -1)
        self._rows, self._next, self._complete_at = len(X), 0, -1
        self.moment = NetworkMoment(0, np.zeros((len(X), n_classes)))
        self.picture: dict[str, np.ndarray] = {}
        self._picture_at, self._picture_time = -1, -np.inf
        self._gap = max(self.iterations // RECORDED, SHORTEST_GAP)
        self._turn, self._recorded_P = 0, self.moment.P
        self._filmed_at = -1  # the iteration of the last frame, if it shows all points as they are
        self._sums = np.zeros(len(self.training.objective.names))  # of losses since the last moment
        self._recorded_at = 0
        self._record()

    def _iterate(self) -> Iterator[dict[str, float]]:
        """The mean loss terms of one step after another.

        A step is as long as `STEP_SECONDS`, or shorter if it ends at a moment to be recorded.
        """
        count, end = 1, self.iterations
        while (at := self.training.iteration) < end:
            begun, taken = thread_time(), min(count, self._gap - at % self._gap, end - at)
            with self._training_lock:
                means = self.training.advance(taken)
                if self.twin is not None:
                    self.twin.advance(taken)
            self._sums += taken * np.array(list(means.values()))
            in_time = iterations_in_time(taken, thread_time() - begun, STEP_SECONDS)
            count = min(in_time, 2 * count)
            yield means

    def take(self, step: dict[str, float] | None) -> None:
        if step is None:
            self.complete()
        elif not self.taken:  # after the first iteration: no point is without a prediction later
            self._predict(whole=True)
            self._recorded_P = self.moment.P
        elif self.iteration % self._gap == 0:
            self._record()
            self._renew_chart()
        else:
            self._predict()

    def complete(self) -> None:
        """Predict all points, where some have waited for their turn, and look inside."""
        if self._complete_at != self.iteration:
            self._predict(whole=True)
        if self._filmed_at != self.iteration:
            self._add_moment(np.arange(len(self._X)), self.moment)
        if self._picture_at != self.iteration:
            with self._training_lock:
                self._look_inside(anyway=True)

    def _record(self) -> None:
        """Predict the points whose turn it is for the film and the charts."""
        n = len(self._X)
        rows = (self._turn + np.arange(min(RECORDED_ROWS, n))) % n
        self._turn = int(rows[-1] + 1) % n
        with self._training_lock:
            self.moment = self._predicted(rows)
            self._look_inside(anyway=False)
        self._recorded_P = self._recorded_P.copy()
        self._recorded_P[rows] = self.moment.P[rows]
        self._complete_at = self.iteration if len(rows) == n else -1
        self._add_moment(rows, self.moment._replace(P=self._recorded_P))

    def _add_moment(self, rows: np.ndarray, moment: NetworkMoment) -> None:
        """A frame, and losses with accuracies on the points just predicted: others are older."""
        self.frames.add(self.iteration, moment._replace(P=compact_shares(moment.P)))
        self._filmed_at = self.iteration if len(rows) == len(self._X) else -1
        if (past := self.iteration - self._recorded_at) > 0:
            # in single precision, so that sums in another order give the same charts
            terms = tuple((self._sums / past).astype(np.float32).tolist())
            self._sums, self._recorded_at = np.zeros_like(self._sums), self.iteration
        elif self.losses.frames and self.losses.iterations[-1] == self.iteration:
            terms = self.losses.frames[-1].terms
        else:
            return
        labels = np.where(moment.P.any(axis=1), moment.P.argmax(1), -1)
        scores = (self._share_right(found, rows) for found in (labels, self._twin_labels))
        self.losses.add(self.iteration, NetworkLoss(self.iteration, terms, *scores))

    def _predict(self, whole: bool = False) -> None:
        """Predict the points whose turn it is and all places."""
        with self._training_lock:
            begun, n = thread_time(), len(self._X)
            rows = np.arange(n) if whole else (self._next + np.arange(self._rows)) % n
            self.moment = self._predicted(rows)
            rate = len(rows) / max(thread_time() - begun, 1e-6)
            self._next = int(rows[-1] + 1) % n
            self._rows = int(np.clip(PREDICTION_SECONDS * rate, min(10, n), n))
            self._complete_at = self.iteration if len(rows) == n else -1
            self._look_inside(whole)

    def _predicted(self, rows: np.ndarray) -> NetworkMoment:
        """The present moment with new predictions of some points; the lock is held."""
        predict, P = self.training.snapshot(), self.moment.P.copy()
        P[rows] = predict(self._X[rows])
        if self.twin is not None:
            self._twin_labels[rows] = self.twin.snapshot()(self._X[rows]).argmax(axis=1)
        field = None if self._places is None else compact_shares(predict(self._places))
        return NetworkMoment(self.iteration, P, field)

    def _look_inside(self, anyway: bool) -> None:
        """What the objective shows of its inside, after an epoch but at most twice a second.

        It costs as much to draw as the map, which is to change as often as possible.
        """
        length, recent = self.training.per_epoch, monotonic() - self._picture_time < PICTURE_SECONDS
        if anyway or (self.iteration // length != self._picture_at // length and not recent):
            self.picture = self.training.objective.picture()
            self._picture_at, self._picture_time = self.iteration, monotonic()

    @property
    def takes_turns(self) -> bool:
        """Whether a step predicts only some of the points."""
        return self._rows < len(self._X)

    @property
    def accuracy(self) -> float:
        """Of the predictions so far; nan if none can be compared with a class."""
        return self._share_right(np.where(self.moment.P.any(axis=1), self.moment.P.argmax(1), -1))

    @property
    def twin_accuracy(self) -> float:
        """Of the network without unlabelled terms; nan if there is none."""
        return self._share_right(self._twin_labels)

    def _share_right(self, labels: np.ndarray, rows: np.ndarray | slice = slice(None)) -> float:
        labels, truth = labels[rows], self._truth[rows]
        scored = (labels >= 0) & (truth >= 0)
        return float((labels == truth)[scored].mean()) if scored.any() else np.nan


def without_unlabelled(model: Any) -> Any:
    """The model with its unlabelled terms off; None if it has none, or they are off already."""
    off = type(model).unlabelled_off
    if all(getattr(model, name) == value for name, value in off.items()):
        return None
    return clone(model).set_params(**off)
