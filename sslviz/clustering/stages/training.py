"""The training loop: Adam on an objective, advanced by any number of iterations and resumable.

A `TrainingRun` stops after every call of `advance`, so a caller pauses or cancels between calls.
Its whole state is a dictionary of plain arrays: saved, restored and advanced again, it continues
bit by bit as if it had never stopped. That needs no saved random generator, because everything an
iteration draws depends on the seed and on the iteration's number alone (`BatchSampler`).

Nothing here knows what is learnt. A method states that in its `Objective`: the terms of the loss on
a batch, and a `Predictor` made of the parameters so far.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import add
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch.optim.adam import adam

from sslviz.device import one_thread, to_numpy, to_torch

EPOCH_ITERATIONS = 100
BLOCK_POINTS = 2**13  # points passed through a network at once


class Predictor(Protocol):
    """A network with fixed parameters, unaffected by further training."""

    @property
    def device(self) -> torch.device:
        """Where its parameters are."""

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) of points in float64."""


class Objective(Protocol):
    """What is minimised: a loss of several terms over parameters that lie in one tensor."""

    names: tuple[str, ...]  # of the terms
    weights: tuple[float, ...]  # their factors in the loss
    seed: int
    theta: torch.Tensor  # all parameters
    parts: list[torch.Tensor]  # views of theta that require gradients, in the order of theta

    @property
    def converged(self) -> bool:
        """Whether more training would change nothing."""

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """The terms of the loss on the batch of an iteration, counted from 0."""

    def predictor(self) -> Predictor:
        """The network as trained so far, copied."""

    def state(self) -> dict[str, torch.Tensor]:
        """What training changes beside theta, such as running averages."""


def predict_in_blocks(predictor: Predictor, X: np.ndarray) -> np.ndarray:
    """(m, C) probabilities of points."""
    return map_in_blocks(predictor.probabilities, X, predictor.device)


def map_in_blocks(
    function: Callable[[torch.Tensor], torch.Tensor], X: np.ndarray, device: torch.device
) -> np.ndarray:
    """A function of points in float64, applied to some thousand rows at a time."""
    with torch.no_grad(), one_thread():
        blocks = [
            to_numpy(function(to_torch(block, device, torch.float64)))
            for block in np.array_split(X, max(1, -(-len(X) // BLOCK_POINTS)))
        ]
    return np.vstack(blocks)


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
    """An objective being minimised by Adam, at iteration `iteration`, on the points X."""

    def __init__(self, objective: Objective, X: np.ndarray, *, rate: float = 0.002):
        self.objective, self.X, self.rate, self.iteration = objective, X, rate, 0
        theta = objective.theta
        self._mean, self._square = torch.zeros_like(theta), torch.zeros_like(theta)
        self._sums = np.zeros((0, len(objective.names)))  # of the terms, one row per epoch

    @property
    def per_epoch(self) -> int:
        """Iterations of an epoch."""
        return EPOCH_ITERATIONS

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
        while self.iteration < count * EPOCH_ITERATIONS and not self.objective.converged:
            self.advance(self._epoch_end() - self.iteration)
            yield self.epoch

    def _epoch_end(self) -> int:
        return (self.iteration // EPOCH_ITERATIONS + 1) * EPOCH_ITERATIONS

    def _advance_within_epoch(self, stop: int) -> None:
        epoch = self.iteration // EPOCH_ITERATIONS
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
        loss = reduce(add, (w * term for w, term in zip(objective.weights, terms, strict=True)))
        gradients = torch.autograd.grad(loss, objective.parts)
        gradient = torch.cat([g.reshape(-1) for g in gradients])
        done = torch.as_tensor(float(self.iteration))
        with torch.no_grad():
            adam(
                [objective.theta], [gradient], [self._mean], [self._square], [], [done],
                foreach=False, amsgrad=False, beta1=0.9, beta2=0.999, lr=self.rate,
                weight_decay=0.0, eps=1e-8, maximize=False,
            )  # fmt: skip
        self.iteration += 1
        return torch.stack([term.detach() for term in terms]).double()

    @property
    def losses(self) -> np.ndarray:
        """(epochs, terms) means over every epoch; the last may be incomplete."""
        done = np.full(len(self._sums), EPOCH_ITERATIONS)
        if self.iteration % EPOCH_ITERATIONS:
            done[-1] = self.iteration % EPOCH_ITERATIONS
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


class BatchSampler:
    """Batches from pools of points, and random directions, by seed and iteration alone."""

    def __init__(self, pools: Sequence[int], sizes: Sequence[int], device: torch.device):
        self.pools, self.sizes, self.device = tuple(pools), tuple(sizes), device
        self._drawn: tuple[Any, list[torch.Tensor]] = (None, [])

    def batch(self, seed: int, iteration: int) -> list[torch.Tensor]:
        """Positions in every pool: each pass through a pool has a new random order."""
        epoch, at = divmod(iteration, EPOCH_ITERATIONS)
        if self._drawn[0] != (seed, epoch):
            rng = _generator(seed, epoch, stream=0)
            rows = [
                to_torch(_shuffled_passes(pool, size, rng), self.device)
                for pool, size in zip(self.pools, self.sizes, strict=True)
            ]
            self._drawn = (seed, epoch), rows
        return [rows[at] for rows in self._drawn[1]]

    def directions(self, seed: int, iteration: int, shape: tuple[int, ...]) -> torch.Tensor:
        """Standard normal numbers in float32."""
        rng = _generator(seed, iteration, stream=1)
        return to_torch(rng.standard_normal(shape, dtype=np.float32), self.device)


def _shuffled_passes(pool: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """(iterations of an epoch, size) positions in a pool."""
    count = size * EPOCH_ITERATIONS
    passes = [rng.permutation(pool) for _ in range(-(-count // pool) if count else 0)]
    positions = np.concatenate(passes)[:count] if passes else np.zeros(0, np.int64)
    return positions.reshape(EPOCH_ITERATIONS, size)


def _generator(seed: int, number: int, stream: int) -> np.random.Generator:
    """Philox is counter-based: any place of its sequence is reached at once."""
    return np.random.Generator(np.random.Philox(key=[seed, stream], counter=[0, 0, 0, number]))
