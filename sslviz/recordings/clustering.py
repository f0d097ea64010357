"""The training of a network that clusters, as a run: its predictions on the way, and its loss."""

from collections.abc import Iterator, Mapping
from copy import copy
from time import monotonic, thread_time
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from sslviz.abilities import Pretrains
from sslviz.metrics import confident_argmax, match_clusters
from sslviz.recordings.training import (
    PICTURE_SECONDS,
    PREDICTION_SECONDS,
    TrainingRecording,
    compact_shares,
)

LEAST_ROWS = 10  # predicted in a step, even if that is slow


class Moment(NamedTuple):
    """Predictions after some iterations; in frames the probabilities are whole 255ths (uint8)."""

    iteration: int
    P: np.ndarray  # (n, C) cluster probabilities of the points; all zero before there are clusters
    order: np.ndarray  # (C,) the class that each cluster is matched to
    field: np.ndarray | None = None  # (m, C) uint8 probabilities at the places of the plane
    picture: Mapping[str, np.ndarray] = MappingProxyType({})  # of the objective: codes, fakes, …
    name: str = ""  # of its frame; empty: the iteration


class Loss(NamedTuple):
    """The loss terms, averaged over the iterations of a step, and the clusters after it."""

    iteration: int
    terms: tuple[float, ...]
    used: int  # clusters with at least one point; 0 in a pretraining
    accuracy: float


class ClusteringRun(TrainingRecording):
    """A training of `model.epochs` epochs on X; `moment` holds the present predictions.

    `inside` is the moment whose picture is shown: while the run goes on, it changes twice a second.

    `order` (C,) are the classes that clusters are matched to at first; `places` (m, d) is where
    predictions are made besides the points. A finished run `before` of fewer epochs is continued.
    Where the method pretrains, `training` is None and there are no clusters until that is over.
    With labels `given` (n,), -1 for none, cluster c is class c.
    """

    def __init__(
        self,
        model: Any,
        X: np.ndarray,
        truth: np.ndarray,
        n_classes: int,
        order: np.ndarray,
        places: np.ndarray | None = None,
        before: "ClusteringRun | None" = None,
        given: np.ndarray | None = None,
    ):
        super().__init__(model, X, places, len(order))
        self.epochs = model.pretraining_epochs if isinstance(model, Pretrains) else model.epochs
        self._truth, self._n_classes, self._labelled = truth, n_classes, given is not None
        self.pretraining: Any = model.pretraining(X) if isinstance(model, Pretrains) else None
        labels = () if given is None else (given,)
        self.training: Any = model.training(X, *labels) if self.pretraining is None else None
        self.moment = self.inside = Moment(0, np.zeros((len(X), len(order))), order)
        self._inside_time = -np.inf
        self._rows, self._next, self._complete_at = len(X), 0, -1
        self._fresh = np.arange(len(X))  # the points predicted last
        if before is not None and self.training is not None:
            self.training.restore(before.training.state())
            self.frames, self.losses = copy(before.frames), copy(before.losses)
            self.moment = before.moment
        elif self.training is not None:
            self._predict()

    def _iterate(self) -> Iterator[dict[str, float]]:
        """The mean loss terms of one step after another."""
        if self.pretraining is not None:
            yield from self._advance(self.pretraining)
            self.epochs = self._model.epochs
            self.training = self._model.training(self._X, self.pretraining)
            self._clear_losses()
            self._predict()
        yield from self._advance(self.training)

    def take(self, step: dict[str, float] | None) -> None:
        if step is None:
            self.complete()
            return
        if self.training is not None:
            self._predict()
        self.losses.add(self.iteration, Loss(self.iteration, tuple(step.values()), *self.score))
        self._renew_chart()

    def complete(self) -> None:
        """Predict all points, where some have waited for their turn."""
        if self.training is not None and self._complete_at != self.iteration:
            self._predict(whole=True)
            if (losses := self.losses.frames) and losses[-1].iteration == self.iteration:
                self.losses.add(self.iteration, Loss(self.iteration, losses[-1].terms, *self.score))

    @property
    def takes_turns(self) -> bool:
        """Whether a step predicts only some of the points."""
        return self._rows < len(self._X)

    def _predict(self, whole: bool = False) -> None:
        """Predict the points whose turn it is and all places; a frame of it is kept."""
        with self._training_lock:
            self._predict_rows(len(self._X) if whole else self._rows)

    def _predict_rows(self, count: int) -> None:
        begun, n = thread_time(), len(self._X)
        predict, order, P = self.training.snapshot(), self.moment.order, self.moment.P
        rows = (self._next + np.arange(count)) % n
        P = P.copy() if P.shape == (n, len(order)) else np.zeros((n, len(order)))
        P[rows] = predict(self._X[rows])
        rate = count / max(thread_time() - begun, 1e-6)
        self._next, self._fresh = int(rows[-1] + 1) % n, rows
        self._rows = int(np.clip(PREDICTION_SECONDS * rate, min(LEAST_ROWS, n), n))
        self._complete_at = self.iteration if count == n else -1
        sure = confident_argmax(P).any(axis=1)  # the others would match clusters at random
        labels, truth = P.argmax(axis=1)[sure], self._truth[sure]
        if not self._labelled:
            order = match_clusters(labels, truth, len(order), self._n_classes, order)
        field = None if self._places is None else compact_shares(predict(self._places))
        picture = self.training.objective.picture()
        self.moment = Moment(self.iteration, P, order, field, picture)
        if monotonic() - self._inside_time > PICTURE_SECONDS:
            self.inside, self._inside_time = self.moment, monotonic()
        self.frames.add(self.iteration, self.moment._replace(P=compact_shares(P)))

    @property
    def has_clusters(self) -> bool:
        """Whether there are clusters: not those of random initial weights."""
        return self.training is not None and self.moment.iteration > 0

    @property
    def present(self) -> Any:
        return self.training or self.pretraining

    @property
    def part(self) -> str:
        return "Pretraining of the autoencoder" if self.training is None else "Training"

    @property
    def score(self) -> tuple[int, float]:
        """Clusters used and clustering accuracy of the newest predictions; nan if unknown.

        In a pretraining there are no clusters.
        """
        if self.training is None:
            return 0, np.nan
        labels, truth = self.moment.P[self._fresh].argmax(axis=1), self._truth[self._fresh]
        best = match_clusters(labels, truth, len(self.moment.order), self._n_classes, None)
        right = (best[labels] == truth)[truth >= 0]
        return len(np.unique(labels)), float(right.mean()) if len(right) else np.nan

    @property
    def share(self) -> float:
        share = super().share
        if self.pretraining is None or self.done:
            return share
        return share / 2 if self.training is None else (1 + share) / 2
