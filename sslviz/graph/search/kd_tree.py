"""k-d tree: exactly the k nearest points in few dimensions.

The tree proposes more than k points; they are measured and sorted by (distance, index). A list is
final when every point the tree left out is farther than its last entry by more than the rounding
error. Doubtful rows (mostly ties) ask for twice as many, and in the end use the exact search.

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

EXTRA_PROPOSALS = 4  # proposals beyond k at first
MAX_QUERIES = 4  # each asks for twice as many points
THREADED_QUERIES = 4000  # with fewer, starting threads would take longer
UNDERFLOW_LENGTH = 1e-140  # squares of shorter scaled lengths may underflow in the tree


def tree_nearest(
    Q: np.ndarray, X: np.ndarray, k: int, *, skip_self: bool = False, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances (m, k) of the k rows of X nearest to each row of Q.

    Doubtful rows are searched on `device`.
    """
    Q, X = as_query(Q, X, k, skip_self)
    columns = drop_surplus_duplicates(X, k + skip_self)
    # Division by a power of two keeps squares inside the tree in range and changes no digit.
    exponent = int(np.frexp(max(np.abs(X).max(), np.abs(Q).max()))[1])
    tree = cKDTree(np.ldexp(X[columns], -exponent))
    indices, distances = np.empty((len(Q), k), np.int64), np.empty((len(Q), k))
    pending = np.arange(len(Q))
    for attempt in range(MAX_QUERIES):
        count = min(2**attempt * (k + skip_self + EXTRA_PROPOSALS), len(columns))
        places = np.ldexp(Q[pending], -exponent)
        workers = -1 if len(places) > THREADED_QUERIES else 1
        far, found = map(np.asarray, tree.query(places, k=range(1, count + 1), workers=workers))
        cols, d = _sorted_by_distance(Q, X, pending, columns[found], k, skip_self)
        # Relative errors of the tree's lengths and of ours are below (d + 2) eps each.
        bound = np.ldexp(d[:, -1], -exponent) * (1 + (4 * X.shape[1] + 16) * np.finfo(float).eps)
        certain = (count == len(columns)) | ((far[:, -1] > bound) & (far[:, -1] > UNDERFLOW_LENGTH))
        indices[pending[certain]], distances[pending[certain]] = cols[certain], d[certain]
        pending = pending[~certain]
        if len(pending) == 0:
            return indices, distances
    from sslviz.graph.search import blocked_product  # torch, for doubtful rows only

    if skip_self:
        indices[pending], distances[pending] = blocked_product.product_nearest_of(
            pending, X, k, device=device
        )
    else:
        indices[pending], distances[pending] = blocked_product.product_nearest(
            Q[pending], X, k, device=device
        )
    return indices, distances


def _sorted_by_distance(
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
