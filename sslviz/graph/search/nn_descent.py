"""Nearest-neighbour descent: nearly the k nearest of very many points in high dimension.

A neighbour of a neighbour is likely a neighbour. The proposals are measured in float64 and sorted
by (distance, index) like exact lists; a few of the neighbours may be missing, replaced by the next
ones. Rows left with fewer than k are searched exactly.

Dong, Moses, Li. Efficient k-nearest neighbor graph construction for generic similarity measures.
WWW 2011.
"""

import numpy as np

from sslviz.graph.search.blocked_product import product_nearest, product_nearest_of
from sslviz.graph.search.distances import as_points, check_k, k_smallest_per_row, lengths
from sslviz.graph.search.error_bound_filter import centre_and_scale

EXTRA_CANDIDATES = 10  # beyond k: they cost little and find most of what k alone would miss
MAX_COORDINATE = 2.0**40  # in units of the typical size: squares stay in the range of float32


def approximate(
    X: np.ndarray, k: int, random_state: int = 0, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances (n, k): k distinct near points of each, never itself."""
    X = as_points(X)
    n = len(X)
    check_k(k, n, n - 1)
    wanted = k + 1 + EXTRA_CANDIDATES
    if n <= 2 * wanted:  # too few for a descent to save anything
        return product_nearest(X, X, k, skip_self=True, device=device)
    from pynndescent import NNDescent  # its import alone compiles for seconds

    centre, exponent, _ = centre_and_scale(X)
    proposed, _ = NNDescent(
        np.clip((X - centre) * 2.0**-exponent, -MAX_COORDINATE, MAX_COORDINATE).astype(np.float32),
        n_neighbors=wanted,
        random_state=random_state,
    ).neighbor_graph
    return _complete_lists(X, proposed.astype(np.int64), k, device)


def _complete_lists(
    X: np.ndarray, proposed: np.ndarray, k: int, device: str
) -> tuple[np.ndarray, np.ndarray]:
    """Measured, sorted lists of exactly k from proposals that may be missing (-1) or repeated."""
    n, wanted = proposed.shape
    cols = np.sort(proposed, axis=1)
    valid = (cols >= 0) & (cols != np.arange(n)[:, None])
    valid[:, 1:] &= cols[:, 1:] != cols[:, :-1]
    short = valid.sum(axis=1) < k
    rows = np.repeat(np.arange(n), wanted)
    distances = np.full(n * wanted, np.inf)
    asked = valid.ravel()
    distances[asked] = lengths(X, X, rows[asked], cols.ravel()[asked])
    indices, kept = k_smallest_per_row(rows, cols.ravel(), distances, n, k)
    if short.any():
        indices[short], kept[short] = product_nearest_of(np.flatnonzero(short), X, k, device=device)
    return indices, kept


def warm() -> None:
    """Compile the descent on a small problem, in a background thread when a server starts."""
    approximate(np.random.default_rng(0).normal(size=(300, 20)), 5)
