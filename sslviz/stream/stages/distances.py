"""Distances of one point to a few others, compiled, since every arrival needs them.

    d(x, c) = √ Σ_j (x_j − c_j)²

Where the sum of squares leaves the range of float64, the difference is scaled first.
"""

import numpy as np
from numba import njit

from sslviz.graph.search.distances import UNDERFLOW_LIMIT


@njit(cache=True, fastmath={"reassoc", "contract"})  # sum in the fastest order
def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Euclidean distance of two vectors, equal in both orders of the arguments."""
    total = 0.0
    for j in range(len(a)):
        step = a[j] - b[j]
        total += step * step
    if total < UNDERFLOW_LIMIT or total == np.inf:
        return _scaled_distance(a, b)
    return np.sqrt(total)


@njit(cache=True)
def _scaled_distance(a: np.ndarray, b: np.ndarray) -> float:
    largest = 0.0
    for j in range(len(a)):
        largest = max(largest, abs(a[j] - b[j]))
    if largest == 0:
        return 0.0
    total = 0.0
    for j in range(len(a)):
        total += ((a[j] - b[j]) / largest) ** 2
    return largest * np.sqrt(total)


@njit(cache=True)
def pairwise_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """(a, b) distances of the rows of A to the rows of B."""
    result = np.empty((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            result[i, j] = distance(A[i], B[j])
    return result
