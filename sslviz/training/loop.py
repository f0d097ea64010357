"""The training loop: Adam on an objective, advanced by any number of iterations and resumable.

A `TrainingRun` stops after every call of `advance`, so a caller pauses or cancels between calls.
Its whole state is a dictionary of plain arrays: saved, restored and advanced again, it continues
bit by bit as if it had never stopped. That needs no saved random generator, because everything an
iteration draws depends on the seed and on the iteration's number alone (`BatchSampler`).

Nothing here knows what is learnt: a method states that in its `Objective`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch.optim.adam import adam

from sslviz.device import one_thread, to_numpy, to_torch
from sslviz.training.objective import Objective
from sslviz.training.prediction import predict_in_blocks


class Epoch(NamedTuple):
    """Means over the iterations of one epoch."""

    iteration: int  # number of the epoch, from 1
    objective: float
    terms: dict[str, float]
    run: "TrainingRun"  # still advancing: read it now, or take its `state`

    @property
    def F(self) -> torch.Tensor:
        """(n, C) present probabilities of the training points."""
        return torch.as_tensor(self.run.probabilities(self.run.X))


class TrainingRun:
    """An objective being minimised by Adam, at iteration `iteration`, on the points X.

    `classes` are the names of the outputs, where they have names.
    """

    def __init__(self, objective: Objective, X: np.ndarray, classes: np.ndarray | None = None):
        self.objective, self.X, self.classes, self.iteration = objective, X, classes, 0
        theta = objective.theta
        self._mean, self._square = torch.zeros_like(theta), torch.zeros_like(theta)
        self._sums = np.zeros((0, len(objective.names)))  # of the terms, one row per epoch

    @property
    def per_epoch(self) -> int:
        """Iterations of an epoch."""
        return self.objective.per_epoch

    def advance(self, iterations: int) -> dict[str, float]:
        """Train for so many iterations; the mean of every term over them."""
        before = self._sums.sum(axis=0)
        target = self.iteration + iterations
        with one_thread():
            while self.iteration < target:
                self._advance_within_epoch(min(target, self._epoch_end()))
        means = (self._sums.sum(axis=0) - before) / max(iterations, 1)
        return dict(zip(self.objective.names, means.tolist(), strict=True))

    def epochs(self, count: int) -> Iterator[Epoch]:
        """Advance to the end of one epoch after the other, until `count` are done or converged."""
        while self.iteration < count * self.per_epoch and not self.objective.converged:
            self.advance(self._epoch_end() - self.iteration)
            yield self.epoch

    def _epoch_end(self) -> int:
        return (self.iteration // self.per_epoch + 1) * self.per_epoch

    def _advance_within_epoch(self, stop: int) -> None:
        epoch = self.iteration // self.per_epoch
        total = torch.zeros(len(self.objective.names), dtype=torch.float64)
        total = total.to(self.objective.theta.device)
        while self.iteration < stop:
            total += self._step()
        if len(self._sums) <= epoch:
            self._sums = np.vstack([self._sums, np.zeros(self._sums.shape[1])])
        self._sums[epoch] += to_numpy(total)

    def _step(self) -> torch.Tensor:
        objective = self.objective
        terms = objective.terms(self.iteration)
        gradient = objective.gradient(terms)
        done = torch.as_tensor(float(self.iteration))
        (beta1, beta2), rate = objective.momenta, objective.rate(self.iteration)
        with torch.no_grad():
            adam(
                [objective.theta], [gradient], [self._mean], [self._square], [], [done],
                foreach=False, amsgrad=False, beta1=beta1, beta2=beta2, lr=rate,
                weight_decay=0.0, eps=1e-8, maximize=False,
            )  # fmt: skip
        self.iteration += 1
        return torch.stack([term.detach() for term in terms]).double()

    @property
    def losses(self) -> np.ndarray:
        """(epochs, terms) means over every epoch; the last may be incomplete."""
        done = np.full(len(self._sums), self.per_epoch)
        if self.iteration % self.per_epoch:
            done[-1] = self.iteration % self.per_epoch
        return self._sums / done[:, None]

    @property
    def epoch(self) -> Epoch:
        """The latest epoch."""
        means = self.losses[-1].tolist()
        objective = float(np.dot(self.objective.weights, means))
        named = dict(zip(self.objective.names, means, strict=True))
        return Epoch(len(self._sums), objective, named, self)

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """(m, C) present probabilities of points."""
        return self.snapshot()(X)

    def snapshot(self) -> Callable[[np.ndarray], np.ndarray]:
        """The present probabilities as a function of points, unaffected by further training."""
        return partial(predict_in_blocks, self.objective.predictor())

    def state(self) -> dict[str, np.ndarray]:
        """Everything that training changes, as arrays that `restore` takes."""
        return {
            "iteration": np.array(self.iteration),
            "seed": np.array(self.objective.seed),
            "sums": self._sums.copy(),
            **{name: to_numpy(tensor).copy() for name, tensor in self._tensors().items()},
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> "TrainingRun":
        """Return to the iteration at which `state` was taken."""
        tensors = self._tensors()
        expected = {"iteration": (), "seed": (), **{n: tuple(t.shape) for n, t in tensors.items()}}
        found = {name: np.shape(state[name]) for name in expected if name in state}
        if found != expected or "sums" not in state:
            raise ValueError(f"a state of shapes {found} is not one of this training: {expected}")
        self.iteration, self.objective.seed = int(state["iteration"]), int(state["seed"])
        self._sums = np.array(state["sums"], dtype=np.float64)
        for name, tensor in tensors.items():
            tensor.copy_(to_torch(state[name], tensor.device).view(tensor.shape))
        return self

    def _tensors(self) -> dict[str, torch.Tensor]:
        own = {"theta": self.objective.theta, "mean": self._mean, "square": self._square}
        return {**own, **self.objective.state()}


def train(objective: Objective, X: np.ndarray, epochs: int) -> tuple[np.ndarray, ...]:
    """The arrays of `TrainingRun.state` after all epochs, in their order."""
    run = TrainingRun(objective, X)
    for _ in run.epochs(epochs):
        pass
    return tuple(run.state().values())
