"""Batches of points and random directions, drawn by seed and iteration alone.

Nothing remembers where a random sequence stands, so a training can be resumed at any iteration.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from sslviz.device import to_torch

EPOCH_ITERATIONS = 100  # unless an objective states another number


class BatchSampler:
    """Batches from pools of points, and random directions.

    An epoch has `per_epoch` batches, as many as that of the objective.
    """

    def __init__(
        self,
        pools: Sequence[int],
        sizes: Sequence[int],
        device: torch.device,
        *,
        per_epoch: int | None = None,
    ):
        self.pools, self.sizes, self.device = tuple(pools), tuple(sizes), device
        self.per_epoch = per_epoch or EPOCH_ITERATIONS
        self._drawn: tuple[Any, list[torch.Tensor]] = (None, [])

    def batch(self, seed: int, iteration: int) -> list[torch.Tensor]:
        """Positions in every pool: each pass through a pool has a new random order."""
        epoch, at = divmod(iteration, self.per_epoch)
        if self._drawn[0] != (seed, epoch):
            rng = _generator(seed, epoch, stream=0)
            rows = [
                to_torch(_shuffled_passes(pool, size, self.per_epoch, rng), self.device)
                for pool, size in zip(self.pools, self.sizes, strict=True)
            ]
            self._drawn = (seed, epoch), rows
        return [rows[at] for rows in self._drawn[1]]

    def directions(self, seed: int, iteration: int, shape: tuple[int, ...]) -> torch.Tensor:
        """Standard normal numbers in float32."""
        rng = _generator(seed, iteration, stream=1)
        return to_torch(rng.standard_normal(shape, dtype=np.float32), self.device)

    def uniforms(self, seed: int, iteration: int, shape: tuple[int, ...]) -> torch.Tensor:
        """Numbers uniform in [0, 1), in float32."""
        rng = _generator(seed, iteration, stream=2)
        return to_torch(rng.random(shape, dtype=np.float32), self.device)


def _shuffled_passes(pool: int, size: int, iterations: int, rng: np.random.Generator) -> np.ndarray:
    """(iterations, size) positions in a pool."""
    count = size * iterations
    passes = [rng.permutation(pool) for _ in range(-(-count // pool) if count else 0)]
    positions = np.concatenate(passes)[:count] if passes else np.zeros(0, np.int64)
    return positions.reshape(iterations, size)


def _generator(seed: int, number: int, stream: int) -> np.random.Generator:
    """Philox is counter-based: any place of its sequence is reached at once."""
    return np.random.Generator(np.random.Philox(key=[seed, stream], counter=[0, 0, 0, number]))
