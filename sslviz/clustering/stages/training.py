"""A training that can be advanced by any number of iterations, left, saved and gone on with.

Everything an iteration draws depends on the seed and its number alone: no generator has to be
saved, and a course restored from its arrays goes on as if it had never stopped, to the bit.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import add
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch.optim.adam import adam

from sslviz.device import one_thread, to_numpy, to_torch

EPOCH = 100  # iterations
BLOCK = 2**13  # points asked about at once


class Objective(Protocol):
    """What is learnt: a loss of several terms, and what the parameters answer."""

    names: tuple[str, ...]  # of the terms
    weights: tuple[float, ...]  # their factors in the loss
    seed: int
    theta: torch.Tensor  # all parameters
    parts: list[torch.Tensor]  # the same as views that learn, in this order

    @property
    def still(self) -> bool:
        """Whether there is nothing more to learn."""

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """The terms of the loss on the batch of an iteration, counted from 0."""

    def answer(self) -> "Answer":
        """What it has learnt so far, fixed."""

    def state(self) -> dict[str, torch.Tensor]:
        """What it holds beside theta that training changes."""


class Answer(Protocol):
    """What was learnt, and does not change when the lesson goes on."""

    @property
    def device(self) -> torch.device:
        """Where it is."""

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) of points in float64."""


def asked(answer: Answer, X: np.ndarray) -> np.ndarray:
    """(m, C) what it says of points."""
    return in_blocks(answer.probabilities, X, answer.device)


def in_blocks(
    function: Callable[[torch.Tensor], torch.Tensor], X: np.ndarray, device: torch.device
) -> np.ndarray:
    """A function of points, taken of some thousand at a time in float64."""
    with torch.no_grad(), one_thread():
        blocks = [
            to_numpy(function(to_torch(block, device, torch.float64)))
            for block in np.array_split(X, max(1, -(-len(X) // BLOCK)))
        ]
    return np.vstack(blocks)


class Epoch(NamedTuple):
    """What a hundred iterations brought, on average."""

    iteration: int  # number of the epoch, from 1
    objective: float
    terms: dict[str, float]
    course: "TrainingRun"  # goes on: ask it now or take its `state`

    @property
    def F(self) -> torch.Tensor:
        """(n, C) what the network now says of the points it learns from."""
        return torch.as_tensor(self.course.probabilities(self.course.X))


class TrainingRun:
    """A lesson under way: Adam on its loss.

    `iteration` iterations are done; `losses` has a row of terms for every epoch, the last one also
    when it is not complete.
    """

    per_epoch = EPOCH  # iterations

    def __init__(self, lesson: Objective, X: np.ndarray, *, rate: float = 0.002):
        self.lesson, self.X, self.rate, self.iteration = lesson, X, rate, 0
        theta = lesson.theta
        self._mean, self._square = torch.zeros_like(theta), torch.zeros_like(theta)
        self._sums = np.zeros((0, len(lesson.names)))

    def advance(self, iterations: int = EPOCH) -> dict[str, float]:
        """Learn for so many iterations; the mean of every term over them."""
        before = self._sums.sum(axis=0)
        target = self.iteration + iterations
        with one_thread():
            while self.iteration < target:
                stop = min(target, (self.iteration // EPOCH + 1) * EPOCH)
                self._within_epoch(stop)
        means = (self._sums.sum(axis=0) - before) / max(iterations, 1)
        return dict(zip(self.lesson.names, means.tolist(), strict=True))

    def _within_epoch(self, stop: int) -> None:
        epoch = self.iteration // EPOCH
        total = torch.zeros(len(self.lesson.names), dtype=torch.float64)
        total = total.to(self.lesson.theta.device)
        while self.iteration < stop:
            total += self._step()
        if len(self._sums) <= epoch:
            self._sums = np.vstack([self._sums, np.zeros(self._sums.shape[1])])
        self._sums[epoch] += to_numpy(total)

    def _step(self) -> torch.Tensor:
        lesson = self.lesson
        terms = lesson.terms(self.iteration)
        loss = reduce(add, (w * term for w, term in zip(lesson.weights, terms, strict=True)))
        slopes = torch.autograd.grad(loss, lesson.parts)
        slope = torch.cat([g.reshape(-1) for g in slopes])
        done = torch.as_tensor(float(self.iteration))
        with torch.no_grad():
            adam(
                [lesson.theta], [slope], [self._mean], [self._square], [], [done],
                foreach=False, amsgrad=False, beta1=0.9, beta2=0.999, lr=self.rate,
                weight_decay=0.0, eps=1e-8, maximize=False,
            )  # fmt: skip
        self.iteration += 1
        return torch.stack([term.detach() for term in terms]).double()

    @property
    def losses(self) -> np.ndarray:
        """(epochs, terms) means over every epoch."""
        done = np.full(len(self._sums), EPOCH)
        if self.iteration % EPOCH:
            done[-1] = self.iteration % EPOCH
        return self._sums / done[:, None]

    @property
    def epoch(self) -> Epoch:
        """The latest epoch."""
        means = self.losses[-1].tolist()
        objective = float(np.dot(self.lesson.weights, means))
        named = dict(zip(self.lesson.names, means, strict=True))
        return Epoch(len(self._sums), objective, named, self)

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """(m, C) what it says of points now."""
        return self.answering()(X)

    def answering(self) -> Callable[[np.ndarray], np.ndarray]:
        """What it says now as a function of points, which stays when the course goes on."""
        return partial(asked, self.lesson.answer())

    def state(self) -> dict[str, np.ndarray]:
        """Everything that changes, as arrays: enough to go on from here, to the bit."""
        tensors = {**self._tensors(), **self.lesson.state()}
        return {
            "iteration": np.array(self.iteration),
            "seed": np.array(self.lesson.seed),
            "sums": self._sums.copy(),
            **{name: to_numpy(tensor).copy() for name, tensor in tensors.items()},
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> "TrainingRun":
        """Go back, or forward, to where `state` was taken."""
        tensors = {**self._tensors(), **self.lesson.state()}
        expected = {"iteration": (), "seed": (), **{n: tuple(t.shape) for n, t in tensors.items()}}
        found = {name: np.shape(state[name]) for name in expected if name in state}
        if found != expected or "sums" not in state:
            raise ValueError(f"a state of shapes {found} is not one of this course: {expected}")
        self.iteration, self.lesson.seed = int(state["iteration"]), int(state["seed"])
        self._sums = np.array(state["sums"], dtype=np.float64)
        for name, tensor in tensors.items():
            tensor.copy_(to_torch(state[name], tensor.device).view(tensor.shape))
        return self

    def _tensors(self) -> dict[str, torch.Tensor]:
        return {"theta": self.lesson.theta, "mean": self._mean, "square": self._square}


class BatchSampler:
    """Batches out of pools of points, and random directions: functions of seed and iteration."""

    def __init__(self, pools: Sequence[int], sizes: Sequence[int], device: torch.device):
        self.pools, self.sizes, self.device = tuple(pools), tuple(sizes), device
        self._drawn: tuple[Any, list[torch.Tensor]] = (None, [])

    def batch(self, seed: int, iteration: int) -> list[torch.Tensor]:
        """Places in every pool. A pool is gone through in random order, then again in another."""
        epoch, at = divmod(iteration, EPOCH)
        if self._drawn[0] != (seed, epoch):
            rng = _generator(seed, epoch, stream=0)
            rows = [
                to_torch(_passes(pool, size * EPOCH, rng).reshape(EPOCH, size), self.device)
                for pool, size in zip(self.pools, self.sizes, strict=True)
            ]
            self._drawn = (seed, epoch), rows
        return [rows[at] for rows in self._drawn[1]]

    def directions(self, seed: int, iteration: int, shape: tuple[int, ...]) -> torch.Tensor:
        """Standard normal numbers in float32."""
        rng = _generator(seed, iteration, stream=1)
        return to_torch(rng.standard_normal(shape, dtype=np.float32), self.device)


def _passes(pool: int, count: int, rng: np.random.Generator) -> np.ndarray:
    if count == 0:
        return np.zeros(0, np.int64)
    return np.concatenate([rng.permutation(pool) for _ in range(-(-count // pool))])[:count]


def _generator(seed: int, number: int, stream: int) -> np.random.Generator:
    """Philox counts: any place of its sequence can be gone to at once."""
    return np.random.Generator(np.random.Philox(key=[seed, stream], counter=[0, 0, 0, number]))
