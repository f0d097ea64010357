r"""Soft labels: class shares among the nearest labelled points, near ones weighted more.

    y_i^c = Σ_{j ∈ L_ik, y_j = c} s_ij / Σ_{j ∈ L_ik} s_ij,   s_ij = exp(−d_ij²/2σ²)

L_ik are the k labelled points nearest to i, ties by lower index. The smallest d² is subtracted in
the exponent: that leaves the ratio unchanged and prevents 0/0 at a small σ.

Banijamali, Ghodsi. Semi-supervised representation learning based on probabilistic labeling. 2016.
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.graph.neighbours import K_MAX, nearest
from sslviz.labels import UNLABELLED
from sslviz.memo import stage


class LabelledNeighbours(NamedTuple):
    """The labelled points nearest to each unlabelled one, nearest first."""

    free: np.ndarray  # (u,) the unlabelled points
    indices: np.ndarray  # (u, k)
    distances: np.ndarray  # (u, k)


@stage("neighbours")
def neighbours(
    X: np.ndarray, target: np.ndarray, *, k: int, device: str = "auto"
) -> LabelledNeighbours:
    """The k labelled points nearest to every unlabelled one."""
    free, known = np.flatnonzero(target == UNLABELLED), np.flatnonzero(target != UNLABELLED)
    if len(free) == 0:
        return LabelledNeighbours(free, np.empty((0, k), np.int64), np.empty((0, k)))
    at, distances = nearest(X[free], X[known], k, device=device)
    return LabelledNeighbours(free, known[at], distances)


def labelled_neighbours(
    X: np.ndarray, target: np.ndarray, k: int, memory: Any = None, *, device: str = "auto"
) -> LabelledNeighbours:
    """The k nearest labelled points; a memory keeps K_MAX (or its next doubling) of them."""
    longest = k
    if memory is not None:
        longest = K_MAX
        while longest < k:
            longest *= 2
    longest = min(longest, int(np.count_nonzero(target != UNLABELLED)))
    free, indices, distances = check_memory(memory).cache(neighbours)(
        X, target, k=longest, device=device
    )
    return LabelledNeighbours(free, indices[:, :k], distances[:, :k])


def neighbour_shares(distances: np.ndarray, sigma: float) -> np.ndarray:
    """(u, k) s_ij as shares of their row, which is sorted; rows sum to 1 at any σ > 0."""
    d, shortest = distances, distances[:, :1]
    scale = sigma * np.sqrt(2.0)
    with np.errstate(over="ignore", invalid="ignore"):
        excess = (d - shortest) / scale * ((d + shortest) / scale)  # d² − d₀² without cancellation
    weights = np.exp(-np.where(d > shortest, excess, 0.0))
    return weights / weights.sum(axis=1, keepdims=True)


def soft_labels(
    target: np.ndarray, n_classes: int, neighbours: LabelledNeighbours, weights: np.ndarray
) -> np.ndarray:
    """(n, C): one-hot for labelled points, class shares for the others."""
    Y = (target[:, None] == np.arange(n_classes)).astype(np.float64)
    u = len(neighbours.free)
    cells = np.arange(u)[:, None] * n_classes + target[neighbours.indices]
    counts = np.bincount(cells.ravel(), weights.ravel(), minlength=u * n_classes)
    Y[neighbours.free] = counts.reshape(u, n_classes)
    return Y


def one_hot_maximum(Y: np.ndarray) -> np.ndarray:
    """Winner takes all: the largest entry of each row becomes 1, the first of equal ones."""
    return (Y.argmax(axis=1)[:, None] == np.arange(Y.shape[1])).astype(np.float64)
