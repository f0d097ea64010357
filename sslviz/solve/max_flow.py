r"""The largest flow between two groups of points, and with it the cheapest cut that parts them.

    max flow = min cut = min over S ∋ sources, S ∌ sinks of Σ_{i ∈ S, j ∉ S} w_ij

Dinic's algorithm: a breadth-first search layers the points by their distance from the sources along
edges that are not full; a depth-first search sends flow forward from layer to layer until no such
way is left; then the layers are drawn again. Each round the way from source to sink grows longer.

Capacities are real numbers: an edge that is full to within `FULL` of its weight counts as full, so
that ties, which rounding would break at random, stay ties.

Dinic. Algorithm for solution of a problem of maximum flow in networks with power estimation. 1970.
Ford, Fulkerson. Maximal flow through a network. 1956.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

FULL = 1e-12


class Cut(NamedTuple):
    """Every cheapest cut puts `source` on one side and `sink` on the other; the rest is free."""

    value: float  # the weight of the edges cut, each counted once
    source: np.ndarray  # (n,) mask: the smallest side that holds the sources
    sink: np.ndarray  # (n,) mask: the smallest side that holds the sinks


def min_cut(W: sparse.csr_array, sources: np.ndarray, sinks: np.ndarray) -> Cut:
    """The cheapest cut of a symmetric graph W of weights ≥ 0 between two groups of its points."""
    W = sparse.csr_array(W)
    W.sort_indices()
    n = W.shape[0]
    T = W.T.tocsr()
    same = all(np.array_equal(getattr(W, p), getattr(T, p)) for p in ("indptr", "indices", "data"))
    if not same or (len(W.data) and not (np.isfinite(W.data).all() and W.data.min() >= 0)):
        raise ValueError("a cut needs a symmetric graph of finite weights that are not negative")
    side = np.zeros(n, np.int8)
    side[sources], side[sinks] = 1, -1
    if (side[sources] < 0).any():
        raise ValueError("a point cannot be both a source and a sink of a cut")
    # Symmetric and sorted: the entries in column order are the reverse edges in row order.
    numbered = sparse.csr_array((np.arange(W.nnz), W.indices, W.indptr), shape=W.shape)
    back = numbered.T.tocsr().data.astype(np.int64)
    source, sink = _flow(
        W.indptr.astype(np.int64), W.indices.astype(np.int64), back, W.data.astype(float), side
    )
    rows = np.repeat(source, np.diff(W.indptr))
    return Cut(float(W.data[rows & ~source[W.indices]].sum()), source, sink)


@njit(cache=True)
def _flow(
    indptr: np.ndarray, indices: np.ndarray, back: np.ndarray, w: np.ndarray, side: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Saturate all ways from side 1 to side -1; the points then reached from either."""
    left = w.copy()  # what still fits through each edge, by direction
    closed = FULL * w
    nowhere = np.zeros(len(side), np.int64)
    while True:
        layer, met = _layers(indptr, indices, back, left, closed, side, 1)
        if not met:
            sink, _ = _layers(indptr, indices, back, left, closed, side, -1)
            return layer >= 0, sink >= 0
        _block(indptr, indices, back, left, closed, side, layer, nowhere)


@njit(cache=True)
def _layers(
    indptr: np.ndarray,
    indices: np.ndarray,
    back: np.ndarray,
    left: np.ndarray,
    closed: np.ndarray,
    side: np.ndarray,
    start: int,
) -> tuple[np.ndarray, bool]:
    """(n,) steps from side `start` along open edges (against them from side -1), -1 if none.

    Points of the other side are met but not passed; whether any was.
    """
    n = len(side)
    layer, queue = np.full(n, -1, np.int64), np.empty(n, np.int64)
    size, met = 0, False
    for point in range(n):
        if side[point] == start:
            layer[point], queue[size] = 0, point
            size += 1
    at = 0
    while at < size:
        point = queue[at]
        at += 1
        if side[point] == -start:
            met = True
            continue
        for e in range(indptr[point], indptr[point + 1]):
            way = e if start > 0 else back[e]
            if layer[indices[e]] < 0 and left[way] > closed[way]:
                layer[indices[e]] = layer[point] + 1
                queue[size] = indices[e]
                size += 1
    return layer, met


@njit(cache=True)
def _block(
    indptr: np.ndarray,
    indices: np.ndarray,
    back: np.ndarray,
    left: np.ndarray,
    closed: np.ndarray,
    side: np.ndarray,
    layer: np.ndarray,
    next_edge: np.ndarray,
) -> None:
    """Send flow along the layers until every way to side -1 has a full edge."""
    n = len(side)
    path = np.empty(n, np.int64)
    for point in range(n):
        next_edge[point] = indptr[point]  # edges before it lead nowhere in this round
    for source in range(n):
        if side[source] != 1:
            continue
        length, point = 0, source
        while True:
            if side[point] == -1:
                keep = _send(path[:length], left, closed, back)
                length = keep
                point = indices[back[path[keep]]]
                continue
            e = next_edge[point]
            if e < indptr[point + 1]:
                other = indices[e]
                if layer[other] == layer[point] + 1 and left[e] > closed[e]:
                    path[length] = e
                    length, point = length + 1, other
                else:
                    next_edge[point] += 1
            elif length == 0:
                break
            else:  # a dead end: one step back, and never here again
                length -= 1
                point = indices[back[path[length]]]
                next_edge[point] += 1


@njit(cache=True)
def _send(path: np.ndarray, left: np.ndarray, closed: np.ndarray, back: np.ndarray) -> int:
    """Fill the narrowest edge of the path; the place of the first edge that is full now."""
    most = np.inf
    for e in path:
        most = min(most, left[e])
    first = -1
    for place in range(len(path)):
        e = path[place]
        left[e] -= most
        left[back[e]] += most
        if first < 0 and left[e] <= closed[e]:
            first = place
    return first
