"""The training of a network as a run: what clusterers and classifiers that train one share."""

import threading
from collections.abc import Iterator, Sequence
from copy import copy
from time import monotonic, thread_time
from typing import Any

import numpy as np

from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run

# Iterations of a step: short ones in the first epoch, when predictions change most.
FIRST_STEPS, LATER_STEPS = 10, 50
# Seconds of computing, which do not depend on what else a busy server does.
MAX_STEP_SECONDS = 0.1  # of training between two predictions: then a step has fewer iterations
PREDICTION_SECONDS = 0.04  # of a prediction: if there are more points, they take turns
FRAMES, FRAMES_KEPT_AT_LEAST = 60, 4
FRAME_NUMBERS = 8_000_000  # of all frames together
LOSSES = 300  # steps of the loss curves
# Between two changes of what is drawn beside the map: it costs as much, and the map comes first.
CHART_SECONDS, PICTURE_SECONDS = 1.0, 0.5


class TrainingRecording(Run):
    """A training of `model.epochs` epochs, with frames of its predictions and its loss terms.

    A subclass sets `training` and stores what it shows of each step (`take`).
    """

    training: Any  # a TrainingRun; None while there is nothing to predict with
    losses: Frames
    _chart: list[Any]
    _chart_time: float

    def __init__(self, model: Any, X: np.ndarray, places: np.ndarray | None, n_outputs: int):
        self.epochs, self._model, self._X, self._places = model.epochs, model, X, places
        self._training_lock = threading.Lock()
        size = (len(X) + (0 if places is None else len(places))) * n_outputs
        self.frames = Frames(frame_count(size, FRAME_NUMBERS, FRAMES_KEPT_AT_LEAST, FRAMES))
        self._clear_losses()
        super().__init__(self._iterate())

    def _clear_losses(self) -> None:
        self.losses, self._chart, self._chart_time = Frames(LOSSES), [], -np.inf

    def _renew_chart(self) -> None:
        """Take the losses over to the charts, if they have not changed for a while."""
        if monotonic() - self._chart_time > CHART_SECONDS:
            self._chart, self._chart_time = self.losses.frames, monotonic()

    @property
    def chart(self) -> list[Any]:
        """The losses for charts; while the run goes on, they change once a second."""
        return self.losses.frames if self.done or self.paused else self._chart

    def _iterate(self) -> Iterator[dict[str, float]]:
        """The mean loss terms of one step after another."""
        yield from self._advance(self.training)

    def _advance(self, training: Any) -> Iterator[dict[str, float]]:
        """Whole epochs, until all are done or, at the end of one, the objective has converged."""
        end, epoch, in_time = self.epochs * training.per_epoch, training.per_epoch, LATER_STEPS
        while training.iteration < end:
            if training.iteration % epoch == 0 and training.objective.converged:
                return
            most = FIRST_STEPS if training.iteration < epoch else LATER_STEPS
            count, begun = min(most, in_time, epoch - training.iteration % epoch), thread_time()
            with self._training_lock:
                means = training.advance(count)
            in_time = iterations_in_time(count, thread_time() - begun, MAX_STEP_SECONDS)
            yield means

    @property
    def present(self) -> Any:
        """The TrainingRun that is advanced now."""
        return self.training

    @property
    def part(self) -> str:
        """What is done now, the beginning of a sentence."""
        return "Training"

    @property
    def iteration(self) -> int:
        """Of the present part."""
        return self.present.iteration

    @property
    def iterations(self) -> int:
        """Of each part, if it does not converge before."""
        return self.epochs * self.present.per_epoch

    @property
    def terms(self) -> dict[str, np.ndarray]:
        """The loss terms of the present part in the chart by name, each (t,)."""
        names = self.present.objective.names
        columns = np.array([loss.terms for loss in self.chart]).reshape(-1, len(names)).T
        return dict(zip(names, columns, strict=True))

    @property
    def share(self) -> float:
        return 1.0 if self.done else min(self.iteration / self.iterations, 1.0)

    def status(self) -> str:
        at = f"iteration {self.iteration:,} of {self.iterations:,}"
        if self.done and self.iteration < self.iterations:
            return f"Converged after {self.iteration:,} iterations: labels hardly change any more."
        if self.done:
            return f"Trained for {self.iteration:,} iterations."
        if self.paused:
            return f"{self.part}: stopped at {at}." if self.taken else f"Not trained yet: {at}."
        left = self.seconds * (1 / self.share - 1) if self.taken and self.share else 0.0
        return f"**{self.part}:** {at}" + (f", about {left:.0f} s left." if left else ".")

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


def compact_shares(P: np.ndarray) -> np.ndarray:
    """Probabilities in whole 255ths (uint8), a byte each in frames."""
    return np.rint(255 * P).astype(np.uint8)


def iterations_in_time(count: int, seconds: float, wanted: float) -> int:
    """Iterations of a step of the wanted length, after one of `count` that took `seconds`."""
    fitting = count * wanted / max(seconds, 1e-3)
    return int(np.clip(fitting, 1, LATER_STEPS))
