r"""The spanning-tree rule for the width of a Gaussian: σ = d₀/3.

d₀ is the first edge, in Kruskal's order over all pairs, that joins two components holding different
labels, so that the weight of two points d₀ apart is nearly zero: e^{-9}.

Zhu, Ghahramani, Lafferty. Semi-supervised learning using Gaussian fields and harmonic functions.
ICML 2003, section 6.
"""

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sslviz.graph.median_distance import distance_factors
from sslviz.graph.search.distances import as_points, lengths
from sslviz.labels import UNLABELLED, known_classes

PAIRS_PER_BLOCK = 2**21  # distances held at once


def first_label_conflict(
    X: np.ndarray, y: np.ndarray, graph: sparse.csr_array | None = None
) -> float:
    """d₀: the shortest length at which points at most so far apart link two different labels.

    Kruskal's first conflict t on some edges (those of `graph` to begin with) is that of all pairs
    once no shorter pair joins two of the components below t; while one does, the shortest pair out
    of every component is added, as in Borůvka's algorithm.
    """
    X, y = as_points(X), np.asarray(y)
    if y.shape != (len(X),):
        raise ValueError(f"y of shape {y.shape} does not hold a label for each of {len(X)} points")
    if len(known_classes(y)) < 2:
        raise ValueError("sigma='mst' needs labels of at least two classes")
    edges, length = np.empty((2, 0), np.int64), np.empty(0)
    if graph is not None:
        coo = graph.tocoo()
        edges, length = np.stack([coo.row, coo.col]).astype(np.int64), coo.data
    while True:
        t, component = _kruskal(edges, length, y)
        exits, d = _shortest_exits(X, component)
        shorter = d < t
        if not shorter.any():
            return t
        edges = np.concatenate([edges, exits[:, shorter]], axis=1)
        length = np.concatenate([length, d[shorter]])


def _kruskal(edges: np.ndarray, length: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The first conflict among these edges (or inf) and the components of all shorter ones."""
    levels = np.unique(length)

    def components(shortest: int) -> np.ndarray:
        """Components of the graph of the edges with the `shortest` smallest lengths."""
        used = edges[:, length <= levels[shortest - 1]] if shortest else edges[:, :0]
        shape = (len(y), len(y))
        links = sparse.coo_array((np.ones(used.shape[1]), (used[0], used[1])), shape=shape)
        return connected_components(links.tocsr(), directed=False)[1]

    low, high = 0, len(levels) + 1  # no conflict with `low` lengths, one with `high`
    while high - low > 1:
        half = (low + high) // 2
        low, high = (low, half) if _has_conflict(components(half), y) else (half, high)
    return (float(levels[high - 1]) if high <= len(levels) else np.inf), components(low)


def _has_conflict(component: np.ndarray, y: np.ndarray) -> bool:
    """Whether some component holds two different labels."""
    known = y != UNLABELLED
    pairs = np.unique(
        np.stack([component[known], np.unique(y[known], return_inverse=True)[1]]), axis=1
    )
    return bool((pairs[0, 1:] == pairs[0, :-1]).any())


def _shortest_exits(X: np.ndarray, component: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every component its shortest pair with a point outside: ends (2, c) and lengths (c,)."""
    n = len(X)
    nearest, best = np.zeros(n, np.int64), np.full(n, np.inf)
    for i, block in _squares(X):
        rows, cols = np.arange(i, i + len(block)), np.arange(i, n)
        block[component[rows][:, None] == component[cols]] = np.inf
        for mine, others, values in ((rows, cols, block), (cols, rows, block.T)):
            at = values.argmin(axis=1)
            found = values[np.arange(len(mine)), at]
            better = found < best[mine]
            nearest[mine[better]], best[mine[better]] = others[at[better]], found[better]
    rows = np.flatnonzero(best < np.inf)
    d = lengths(X, X, rows, nearest[rows])
    order = np.lexsort((d, component[rows]))
    _, first = np.unique(component[rows][order], return_index=True)
    chosen = order[first]
    return np.stack([rows[chosen], nearest[rows[chosen]]]), d[chosen]


def _squares(X: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Blocks of squared distances on one common scale: rows from i on against columns from i on."""
    left, right = distance_factors(X)
    i = 0
    while i < len(X):
        step = max(1, PAIRS_PER_BLOCK // (len(X) - i))
        yield i, left[i : i + step] @ right[i:].T
        i += step
