"""Distances of one point to a few others, compiled: a stream asks for them at every arrival.

    d(x, c) = √ Σ_j (x_j − c_j)²

Where the sum of squares leaves the range of float64, the difference is scaled first.
"""

import numpy as np
from numba import njit

SMALLEST = 2.0**-900  # a sum of squares below may have lost terms to underflow


@njit(cache=True, fastmath={"reassoc", "contract"})  # the sum in the order that is quickest
def length(a: np.ndarray, b: np.ndarray) -> float:
    """The distance of two vectors; the same whichever comes first."""
    total = 0.0
    for j in range(len(a)):
        step = a[j] - b[j]
        total += step * step
    if total < SMALLEST or total == np.inf:
        return _scaled(a, b)
    return np.sqrt(total)


@njit(cache=True)
def _scaled(a: np.ndarray, b: np.ndarray) -> float:
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
def between(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """(a, b) distances of the rows of A to the rows of B."""
    result = np.empty((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            result[i, j] = length(A[i], B[j])
    return result
