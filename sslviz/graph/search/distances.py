r"""Euclidean distances of listed pairs of points, in float64, with the same bits for every caller.

    d(q, x) = √ Σ_j (q_j − x_j)²

Every search of this package ranks by these numbers, so that exact, tree and approximate lists agree
to the last bit and both directions of an edge have one length. Where the squares leave the range of
float64, the difference is first scaled by a power of two, which loses nothing.
"""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import sparse

CHUNK_NUMBERS = 2**17  # in a working array: 1 MB fits the cache of a core
THREADS = min(4, os.cpu_count() or 1)
UNDERFLOW_LIMIT = 2.0**-900  # smaller sums of squares may have lost terms to underflow


def as_points(X: Any, name: str = "X") -> np.ndarray:
    """`X` as rows of finite float64 numbers; its own memory if it is that already."""
    if sparse.issparse(X):
        raise ValueError(f"{name} is sparse, expected an array: use {name}.toarray()")
    if not isinstance(X, np.ndarray):
        X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"{name} has {X.ndim} dimensions, expected 2: points × features")
    if X.size == 0:
        raise ValueError(f"{name} of shape {X.shape} is empty")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"{name} holds {X.dtype} values, expected real numbers")
    points = np.ascontiguousarray(X, dtype=np.float64)
    low, high = points.min(), points.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"{name} holds NaN or infinite values, expected finite numbers")
    if max(-low, high) > np.finfo(float).max / (2 * np.sqrt(X.shape[1])):
        raise ValueError(f"{name} holds values up to {max(-low, high):.3g}: distances overflow")
    return points


def as_query(Q: Any, X: Any, k: int, skip_self: bool) -> tuple[np.ndarray, np.ndarray]:
    """Q and X as points, after making sure that every row of Q has k rows of X to list."""
    points = as_points(X)
    if skip_self and np.shape(Q) != points.shape:
        raise ValueError(f"skip_self: Q of shape {np.shape(Q)} is not X of shape {points.shape}")
    queries = points if Q is X or skip_self else as_points(Q, "Q")
    if queries.shape[1] != points.shape[1]:
        raise ValueError(f"Q has {queries.shape[1]} features, X has {points.shape[1]}")
    check_k(k, len(points), len(points) - skip_self)
    return queries, points


def check_sparse(G: Any) -> None:
    """Refuse a dense matrix as a graph: no edge and an edge of length zero would look alike."""
    if not sparse.issparse(G):
        raise ValueError(f"a graph is a sparse matrix such as knn gives, not {type(G).__name__}")


def check_k(k: int, n: int, most: int) -> None:
    """Refuse a number of neighbours that n points cannot give."""
    whole = isinstance(k, (int, np.integer)) and not isinstance(k, bool)
    if not whole or not 1 <= k <= most:
        raise ValueError(f"k={k!r} is not a number of neighbours from 1 to {most} for n={n} points")


def lengths(Q: np.ndarray, X: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Distances of the pairs Q[rows[p]], X[cols[p]]."""
    result = np.empty(len(rows))
    step = max(1, CHUNK_NUMBERS // X.shape[1])

    def measure(start: int) -> None:
        part = slice(start, start + step)
        difference = Q[rows[part]]
        difference -= X[cols[part]]
        result[part] = _norms(difference)

    starts = range(0, len(rows), step)
    if len(starts) < 4 * THREADS:
        deque(map(measure, starts), maxlen=0)
    else:  # numpy works outside the interpreter's lock
        with ThreadPoolExecutor(THREADS) as pool:
            deque(pool.map(measure, starts), maxlen=0)
    return result


def _norms(difference: np.ndarray) -> np.ndarray:
    """√ of the row sums of squares, at any scale."""
    with np.errstate(over="ignore"):
        squares = np.square(difference).sum(axis=1)
    doubtful = np.flatnonzero((squares < UNDERFLOW_LIMIT) | (squares == np.inf))
    result = np.sqrt(squares, out=squares)
    if len(doubtful):
        rest = difference[doubtful]
        _, exponent = np.frexp(np.abs(rest).max(axis=1))
        scaled = np.ldexp(rest, -exponent[:, None])
        result[doubtful] = np.ldexp(np.sqrt(np.square(scaled).sum(axis=1)), exponent)
    return result


def k_smallest_per_row(
    rows: np.ndarray, cols: np.ndarray, distances: np.ndarray, count: int, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Of pairs sorted by (row, col), the k of each of `count` rows that come first by (d, col)."""
    order = np.lexsort((distances, rows))  # stable: equal distances stay sorted by column
    first = np.searchsorted(rows, np.arange(count))
    chosen = order[first[:, None] + np.arange(k)]
    return cols[chosen], distances[chosen]


def drop_surplus_duplicates(X: np.ndarray, copies: int) -> np.ndarray:
    """The points that a list can contain: of equal points, the first `copies`.

    A list with a later one would contain the earlier ones, equally far and lower in index, first.
    """
    _, group, sizes = np.unique(_keys(X), return_inverse=True, return_counts=True)
    many = np.flatnonzero(sizes[group] > copies)
    if len(many) == 0:
        return np.arange(len(X))
    _, group = np.unique(X[many] + 0.0, axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(group.max() + 1))
    rank = np.arange(len(many)) - starts[group[order]]
    return np.delete(np.arange(len(X)), many[order[rank >= copies]])


def _keys(X: np.ndarray) -> np.ndarray:
    """A number for each point, the same for equal points and hardly ever for others."""
    odd = np.random.default_rng(0).integers(2**63, size=X.shape[1], dtype=np.uint64) * 2 + 1
    step = max(1, CHUNK_NUMBERS // X.shape[1])
    parts = []
    for i in range(0, len(X), step):
        bits = (X[i : i + step] + 0.0).view(np.uint64)  # -0.0 equals 0.0 but has other bits
        parts.append(((bits ^ (bits >> np.uint64(32))) * odd).sum(axis=1))
    return np.concatenate(parts)
