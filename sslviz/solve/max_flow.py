r"""Maximum flow between two groups of points, and with it the minimum cut that separates them.

    max flow = min cut = min over S ∋ sources, S ∌ sinks of Σ_{i ∈ S, j ∉ S} w_ij

Dinic's algorithm: a breadth-first search layers the points by their distance from the sources along
unsaturated edges; a depth-first search sends flow from layer to layer until no path is left; then
the layers are computed again. The distance from source to sink grows in every phase.

Capacities are real numbers (SciPy's `maximum_flow` takes integers only): an edge within the share
`SATURATION_TOL` of its weight counts as saturated, so that ties are not broken by rounding.

Dinic. Algorithm for solution of a problem of maximum flow in networks with power estimation. 1970.
Ford, Fulkerson. Maximal flow through a network. 1956.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

SATURATION_TOL = 1e-12


class Cut(NamedTuple):
    """Every minimum cut has `source` on one side and `sink` on the other; the rest is free."""

    value: float  # the weight of the edges cut, each counted once
    source: np.ndarray  # (n,) mask: the smallest side that holds the sources
    sink: np.ndarray  # (n,) mask: the smallest side that holds the sinks


def min_cut(W: sparse.csr_array, sources: np.ndarray, sinks: np.ndarray) -> Cut:
    """The minimum cut of a symmetric graph W of weights ≥ 0 between two groups of its points."""
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
    source, sink = _saturate(
        W.indptr.astype(np.int64), W.indices.astype(np.int64), back, W.data.astype(float), side
    )
    rows = np.repeat(source, np.diff(W.indptr))
    return Cut(float(W.data[rows & ~source[W.indices]].sum()), source, sink)


@njit(cache=True)
def _saturate(
    indptr: np.ndarray, indices: np.ndarray, back: np.ndarray, w: np.ndarray, side: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Saturate all paths from side 1 to side -1; the points then reached from either."""
    left = w.copy()  # residual capacity of each edge, by direction
    closed = SATURATION_TOL * w
    next_edge = np.zeros(len(side), np.int64)
    while True:
        layer, met = _layers(indptr, indices, back, left, closed, side, 1)
        if not met:
            sink, _ = _layers(indptr, indices, back, left, closed, side, -1)
            return layer >= 0, sink >= 0
        _blocking_flow(indptr, indices, back, left, closed, side, layer, next_edge)


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
    """(n,) steps from side `start` along unsaturated edges, reversed from side -1; -1 if none.

    Also whether any point of the other side was reached; paths end there.
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
            edge = e if start > 0 else back[e]
            if layer[indices[e]] < 0 and left[edge] > closed[edge]:
                layer[indices[e]] = layer[point] + 1
                queue[size] = indices[e]
                size += 1
    return layer, met


@njit(cache=True)
def _blocking_flow(
    indptr: np.ndarray,
    indices: np.ndarray,
    back: np.ndarray,
    left: np.ndarray,
    closed: np.ndarray,
    side: np.ndarray,
    layer: np.ndarray,
    next_edge: np.ndarray,
) -> None:
    """Send flow along the layers until every path to side -1 has a saturated edge."""
    n = len(side)
    path = np.empty(n, np.int64)
    for point in range(n):
        next_edge[point] = indptr[point]  # earlier edges lead nowhere in this phase
    for source in range(n):
        if side[source] != 1:
            continue
        length, point = 0, source
        while True:
            if side[point] == -1:
                keep = _augment(path[:length], left, closed, back)
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
            else:  # a dead end: one step back, never to return in this phase
                length -= 1
                point = indices[back[path[length]]]
                next_edge[point] += 1


@njit(cache=True)
def _augment(path: np.ndarray, left: np.ndarray, closed: np.ndarray, back: np.ndarray) -> int:
    """Saturate the narrowest edge of the path; the position of the first saturated edge."""
    amount = np.inf
    for e in path:
        amount = min(amount, left[e])
    first = -1
    for place in range(len(path)):
        e = path[place]
        left[e] -= amount
        left[back[e]] += amount
        if first < 0 and left[e] <= closed[e]:
            first = place
    return first
