"""Opinions travelling along the graph: F ← A F + B, again and again.

Both propagation methods are this sweep; they differ in A and B, and `fit` computes its limit.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch


class Sweep(NamedTuple):
    """One pass over all points, as the page draws it and the tests check it."""

    iteration: int
    change: float  # the largest move of any entry
    F: torch.Tensor  # (n, C)


def sweeps(A: torch.Tensor, B: torch.Tensor) -> Iterator[Sweep]:
    """Sweeps from F = B on, without end."""
    F, iteration = B, 0
    while True:
        F, before = A @ F + B, F
        iteration += 1
        yield Sweep(iteration, float((F - before).abs().max()), F)
