"""The training of a network that clusters, as a run: its predictions on the way, and its loss."""

import threading
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from sslviz.abilities import Pretrains
from sslviz.metrics import confident_argmax, match_clusters
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run

# Iterations of a step: short ones in the first epoch, when predictions change most.
FIRST_STEPS, LATER_STEPS = 10, 50
FRAMES, FRAMES_KEPT_AT_LEAST = 60, 4
FRAME_NUMBERS = 8_000_000  # of all frames together
LOSSES = 300  # steps of the loss curves


class Moment(NamedTuple):
    """Predictions after some iterations; in frames the probabilities are whole 255ths (uint8)."""

    iteration: int
    P: np.ndarray  # (n, C) cluster probabilities of the points; all zero before there are clusters
    order: np.ndarray  # (C,) the class that each cluster is matched to
    field: np.ndarray | None = None  # (m, C) uint8 probabilities at the places of the plane


class Loss(NamedTuple):
    """The loss terms, averaged over the iterations of a step, and the clusters after it."""

    iteration: int
    terms: tuple[float, ...]
    used: int  # clusters with at least one point
    accuracy: float


class ClusteringRun(Run):
    """A training of `model.epochs` epochs on X; `moment` holds the present predictions.

    `order` (C,) are the classes that clusters are matched to at first; `places` (m, d) is where
    predictions are made besides the points. A finished run `before` of fewer epochs is continued.
    Where the method pretrains, `training` is None and there are no clusters until that is over.
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
    ):
        self.epochs, self._model = model.epochs, model
        self._X, self._truth, self._n_classes, self._places = X, truth, n_classes, places
        self._training_lock = threading.Lock()
        self.pretraining: Any = model.pretraining(X) if isinstance(model, Pretrains) else None
        self.training: Any = model.training(X) if self.pretraining is None else None
        size = (len(X) + (0 if places is None else len(places))) * len(order)
        self.frames = Frames(frame_count(size, FRAME_NUMBERS, FRAMES_KEPT_AT_LEAST, FRAMES))
        self.losses = Frames(LOSSES)
        self.moment = Moment(0, np.zeros((len(X), len(order))), order)
        if before is not None and self.training is not None:
            self.training.restore(before.training.state())
            self.frames, self.losses = copy(before.frames), copy(before.losses)
            self.moment = before.moment
        elif self.training is not None:
            self._predict()
        super().__init__(self._iterate())

    def _iterate(self) -> Iterator[dict[str, float]]:
        """The mean loss terms of one step after another."""
        if self.pretraining is not None:
            yield from self._advance(self.pretraining)
            self.training = self._model.training(self._X, self.pretraining)
            self.losses = Frames(LOSSES)
            self._predict()
        yield from self._advance(self.training)

    def _advance(self, training: Any) -> Iterator[dict[str, float]]:
        """Whole epochs, until all are done or, at the end of one, the objective has converged."""
        end, epoch = self.epochs * training.per_epoch, training.per_epoch
        while training.iteration < end:
            if training.iteration % epoch == 0 and training.objective.converged:
                return
            count = FIRST_STEPS if training.iteration < epoch else LATER_STEPS
            with self._training_lock:
                means = training.advance(min(count, epoch - training.iteration % epoch))
            yield means

    def take(self, step: dict[str, float] | None) -> None:
        if step is None:
            return
        if self.training is not None:
            self._predict()
        self.losses.add(self.iteration, Loss(self.iteration, tuple(step.values()), *self.score))

    def _predict(self) -> None:
        """Predict all points and places; a frame of it is kept."""
        predict, order = self.training.snapshot(), self.moment.order
        P = predict(self._X)
        sure = confident_argmax(P).any(axis=1)  # the others would match clusters at random
        labels, truth = P.argmax(axis=1)[sure], self._truth[sure]
        order = match_clusters(labels, truth, len(order), self._n_classes, order)
        field = None if self._places is None else _compact(predict(self._places))
        self.moment = Moment(self.iteration, P, order, field)
        self.frames.add(self.iteration, self.moment._replace(P=_compact(P)))

    @property
    def iteration(self) -> int:
        """Of the present part."""
        return (self.training or self.pretraining).iteration

    @property
    def iterations(self) -> int:
        """Of each part, if it does not converge before."""
        return self.epochs * (self.training or self.pretraining).per_epoch

    @property
    def terms(self) -> dict[str, np.ndarray]:
        """The loss terms of the present part by name, each (t,)."""
        names = (self.training or self.pretraining).objective.names
        columns = np.array([loss.terms for loss in self.losses.frames]).reshape(-1, len(names)).T
        return dict(zip(names, columns, strict=True))

    @property
    def score(self) -> tuple[int, float]:
        """Clusters used and clustering accuracy of the present predictions; nan if unknown."""
        labels, known = self.moment.P.argmax(axis=1), self._truth >= 0
        best = match_clusters(labels, self._truth, len(self.moment.order), self._n_classes, None)
        right = (best[labels] == self._truth)[known]
        return len(np.unique(labels)), float(right.mean()) if len(right) else np.nan

    @property
    def share(self) -> float:
        share = self.iteration / self.iterations
        if self.pretraining is not None:
            share = share / 2 if self.training is None else (1 + share) / 2
        return 1.0 if self.done else min(share, 1.0)

    def status(self) -> str:
        part = "Pretraining of the autoencoder" if self.training is None else "Training"
        at = f"iteration {self.iteration:,} of {self.iterations:,}"
        if self.done and self.iteration < self.iterations:
            return f"Converged after {self.iteration:,} iterations: labels hardly change any more."
        if self.done:
            return f"Trained for {self.iteration:,} iterations."
        if self.paused:
            return f"{part}: stopped at {at}." if self.taken else f"Not trained yet: {at}."
        left = self.seconds * (1 / self.share - 1) if self.taken and self.share else 0.0
        return f"**{part}:** {at}" + (f", about {left:.0f} s left." if left else ".")

    def settle(self) -> Any:
        """A copy of the model, fitted with what it has learnt so far."""
        with self._training_lock:
            return copy(self._model).settle(self.training)

    def perturb(self, points: np.ndarray, radii: np.ndarray, probes: Sequence[float]) -> list[Any]:
        """How predictions of points change within their radius, for every probe distance ξ."""
        from sslviz.training.vat import perturbation_report

        with self._training_lock:
            network = self.training.objective.predictor()
        return [perturbation_report(network, self._X[points], radii, xi) for xi in probes]

    @property
    def n_parameters(self) -> int:
        """Weights of the network."""
        return int(self.training.objective.theta.numel())


def _compact(P: np.ndarray) -> np.ndarray:
    return np.rint(255 * P).astype(np.uint8)
