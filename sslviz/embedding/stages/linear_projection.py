"""Linear projections of many points: centred in blocks, and with a reproducible sign."""

from collections.abc import Iterator

import numpy as np

CENTRING_BLOCK = 2**20  # numbers centred at once: a few MB, so that no copy of X is made


def centred_blocks(X: np.ndarray, mean: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Rows of X − mean in float64, a block at a time."""
    step = max(1, CENTRING_BLOCK // X.shape[1])
    for i in range(0, len(X), step):
        rows = slice(i, min(i + step, len(X)))
        yield rows, np.subtract(X[rows], mean, dtype=np.float64)


def project(X: np.ndarray, mean: np.ndarray, components: np.ndarray) -> np.ndarray:
    """(n, p) coordinates of X − mean along the rows of `components`."""
    Z = np.empty((len(X), len(components)))
    for rows, centred in centred_blocks(X, mean):
        Z[rows] = centred @ components.T
    return Z


def sign_of_first_large(A: np.ndarray) -> np.ndarray:
    """(columns,) ±1: the signs that make the first large entry of each column positive.

    Large is nine tenths of the largest, so that entries equal up to rounding do not swap roles.
    """
    large = np.abs(A) >= 0.9 * np.abs(A).max(axis=0)
    first = A[large.argmax(axis=0), np.arange(A.shape[1])]
    return np.where(first < 0, -1.0, 1.0)
