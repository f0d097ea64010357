"""Sweeps: the iteration F ← A F + B of label propagation and label spreading.

The two methods differ in A and B; `fit` computes the limit directly.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch


class Sweep(NamedTuple):
    """One pass over all points."""

    iteration: int
    change: float  # the largest change of any entry
    F: torch.Tensor  # (n, C)


def sweeps(A: torch.Tensor, B: torch.Tensor) -> Iterator[Sweep]:
    """Sweeps that start from F = B, without end."""
    F, iteration = B, 0
    while True:
        F, before = A @ F + B, F
        iteration += 1
        yield Sweep(iteration, float((F - before).abs().max()), F)
