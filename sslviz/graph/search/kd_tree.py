"""Exactly the k nearest points in few dimensions, through a k-d tree.

The tree proposes more than k points; they are measured and sorted by (distance, index). A list
stands when everything the tree left out is farther than its last entry by more than rounding can
hide. Rows in doubt (ties, mostly) ask for twice as many, and at last the exact search.

Maneewongvatana, Mount. It's okay to be skinny, if your friends are fat. CGC 1999 (scipy's tree).
"""

import numpy as np
from scipy.spatial import cKDTree

from sslviz.graph.search.distances import (
    as_query,
    drop_surplus_duplicates,
    k_smallest_per_row,
    lengths,
)

SPARE = 4  # proposals beyond k at first
TRIES = 4  # the tree is asked this often, each time for twice as many
FEW = 4000  # queries: to start threads would take longer
SAFE = 1e-140  # shorter scaled lengths have squares that may have underflowed inside the tree


def nearest(
    Q: np.ndarray, X: np.ndarray, k: int, *, skip_self: bool = False, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """The same lists as `exact.nearest`; `device` is where rows in doubt are searched."""
    Q, X = as_query(Q, X, k, skip_self)
    columns = drop_surplus_duplicates(X, k + skip_self)
    # Division by a power of two keeps squares inside the tree in range and changes no digit.
    exponent = int(np.frexp(max(np.abs(X).max(), np.abs(Q).max()))[1])
    tree = cKDTree(np.ldexp(X[columns], -exponent))
    indices, distances = np.empty((len(Q), k), np.int64), np.empty((len(Q), k))
    pending = np.arange(len(Q))
    for attempt in range(TRIES):
        count = min(2**attempt * (k + skip_self + SPARE), len(columns))
        places = np.ldexp(Q[pending], -exponent)
        workers = -1 if len(places) > FEW else 1
        far, found = map(np.asarray, tree.query(places, k=range(1, count + 1), workers=workers))
        cols, d = _measured(Q, X, pending, columns[found], k, skip_self)
        # Relative errors of the tree's lengths and of ours are below (d + 2) eps each.
        bound = np.ldexp(d[:, -1], -exponent) * (1 + (4 * X.shape[1] + 16) * np.finfo(float).eps)
        certain = (count == len(columns)) | ((far[:, -1] > bound) & (far[:, -1] > SAFE))
        indices[pending[certain]], distances[pending[certain]] = cols[certain], d[certain]
        pending = pending[~certain]
        if len(pending) == 0:
            return indices, distances
    from sslviz.graph.search import blocked_product  # torch is needed for doubtful rows only

    if skip_self:
        indices[pending], distances[pending] = blocked_product.nearest_of(
            pending, X, k, device=device
        )
    else:
        indices[pending], distances[pending] = blocked_product.nearest(
            Q[pending], X, k, device=device
        )
    return indices, distances


def _measured(
    Q: np.ndarray, X: np.ndarray, rows: np.ndarray, cols: np.ndarray, k: int, skip_self: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The first k of each row's proposals, by exact distance and index, without the row itself."""
    cols = np.sort(cols, axis=1)
    m, count = cols.shape
    pairs, flat = np.repeat(rows, count), cols.ravel()
    d = lengths(Q, X, pairs, flat)
    if skip_self:
        d[pairs == flat] = np.inf
    return k_smallest_per_row(np.repeat(np.arange(m), count), flat, d, m, k)
