r"""Shortest paths: the k nearest seeds of every point along the graph, in one search.

    D(x, s) = min over paths from s to x of the sum of edge lengths

Dijkstra's search with up to k labels (distance, seed) per point instead of one. A seed beyond the
k-th of a point is beyond the k-th of every point reached through it, so its label is dropped: the
work is that of k searches, however many seeds there are. Labels are ordered by distance, then by
index of the seed. All labels are in one binary heap: memory is O(n k).

Dijkstra 1959; Har-Peled. Computing the k nearest-neighbors for all vertices via Dijkstra. 2016.
"""

import numpy as np
from numba import njit
from scipy import sparse

from sslviz.graph.search.distances import check_sparse
from sslviz.graph.weights import undirected
from sslviz.memo import stage


@stage("shortest paths")
def geodesic(
    G: sparse.csr_array,
    seeds: np.ndarray,
    k: int,
    known: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """For every point its k nearest seeds along G, nearest first, ties by lower index of the seed.

    Seeds are indices of points, or a boolean mask of all. Returns (n, k) indices of points, padded
    with -1, and their distances, padded with inf, where fewer seeds are reachable. A seed reaches
    itself at distance 0. G holds lengths, zeros included; a directed graph is walked both ways.
    Where a length is so small that adding it changes nothing, two seeds may tie that are not
    equally far; the one found first then stays.

    `known` is the result for other seeds, with the same k: the new seeds are then added to it, at
    the cost of what they change. A new seed that is not among the k nearest of a point is not among
    those of any point behind it, whichever seeds were there before.
    """
    G = _check_graph(G)
    n = G.shape[0]
    seeds = _seed_indices(seeds, n)
    if len(seeds) and not 0 <= seeds[0] <= seeds[-1] < n:
        raise ValueError(f"seeds from {seeds[0]} to {seeds[-1]} are not all points 0 to {n - 1}")
    if k < 1:
        raise ValueError(f"geodesic: k={k} is not at least 1")
    if known is not None:
        if any(part.shape != (n, k) for part in known):
            raise ValueError(
                f"geodesic: known of shape {known[0].shape} does not fit {n} points, k={k}"
            )
        return _search(G.indptr, G.indices, G.data, seeds, known[0].copy(), known[1].copy())[:2]
    found, distances = _empty_lists(n, k)
    width = min(k, len(seeds))
    if width:
        labels = _search(G.indptr, G.indices, G.data, seeds, *_empty_lists(n, width))
        found[:, :width], distances[:, :width] = labels[:2]
    return found, distances


def geodesic_path(G: sparse.csr_array, source: int, target: int) -> list[int]:
    """The points of one shortest path from source to target; empty if there is none."""
    G = _check_graph(G)
    for name, point in (("source", source), ("target", target)):
        if not 0 <= point < G.shape[0]:
            raise ValueError(f"{name}={point} is not a point 0 to {G.shape[0] - 1}")
    start = np.array([source], np.int64)
    found, _, via = _search(G.indptr, G.indices, G.data, start, *_empty_lists(G.shape[0], 1))
    if found[target, 0] < 0:
        return []
    path = [int(target)]
    while path[-1] != source:
        path.append(int(via[path[-1], 0]))
    return path[::-1]


def _empty_lists(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Lists without any seed."""
    return np.full((n, k), -1, np.int64), np.full((n, k), np.inf)


def _seed_indices(seeds: np.ndarray, n: int) -> np.ndarray:
    """Seeds in rising order, each once."""
    seeds = np.asarray(seeds)
    if seeds.dtype == bool:
        if seeds.shape != (n,):
            raise ValueError(f"seeds: a mask of shape {seeds.shape} does not fit {n} points")
        return np.flatnonzero(seeds)
    if seeds.size and seeds.dtype.kind not in "iu":
        raise ValueError(f"seeds of type {seeds.dtype} are neither indices of points nor a mask")
    return np.unique(seeds.astype(np.int64))


def _check_graph(G: sparse.csr_array) -> sparse.csr_array:
    """G as a symmetric graph with lengths that are not negative, in canonical form."""
    check_sparse(G)
    if G.ndim != 2 or G.shape[0] != G.shape[1]:
        raise ValueError(f"a graph of shape {G.shape} is not square")
    if len(G.data) and not (np.isfinite(G.data).all() and G.data.min() >= 0):
        raise ValueError("the lengths of a graph must be finite and not negative")
    G = sparse.csr_array(G)
    T = G.T.tocsr()
    same = G.has_sorted_indices and all(
        np.array_equal(getattr(G, part), getattr(T, part)) for part in ("indptr", "indices", "data")
    )
    return G if same else undirected(G)


@njit(cache=True)
def _sift_up(heap: np.ndarray, place: np.ndarray, d: np.ndarray, s: np.ndarray, at: int) -> None:
    point = heap[at]
    while at > 0:
        parent = heap[(at - 1) // 2]
        if d[parent] < d[point] or (d[parent] == d[point] and s[parent] <= s[point]):
            break
        heap[at] = parent
        place[parent] = at
        at = (at - 1) // 2
    heap[at] = point
    place[point] = at


@njit(cache=True)
def _sift_down(
    heap: np.ndarray, place: np.ndarray, d: np.ndarray, s: np.ndarray, size: int
) -> None:
    at, point = 0, heap[0]
    while 2 * at + 1 < size:
        child, right = 2 * at + 1, 2 * at + 2
        if right < size:
            a, b = heap[child], heap[right]
            if d[b] < d[a] or (d[b] == d[a] and s[b] < s[a]):
                child = right
        other = heap[child]
        if d[point] < d[other] or (d[point] == d[other] and s[point] <= s[other]):
            break
        heap[at] = other
        place[other] = at
        at = child
    heap[at] = point
    place[point] = at


@njit(cache=True)
def _insert(
    s: np.ndarray,
    d: np.ndarray,
    via: np.ndarray,
    fresh: np.ndarray,
    seed: int,
    distance: float,
    source: int,
) -> int:
    """Insert a label into a point's sorted row, dropping the last; its place, or -1 if refused."""
    last = len(s) - 1
    if distance > d[last] or (distance == d[last] and (seed >= s[last] and s[last] >= 0)):
        return -1
    at = 0
    while d[at] < distance or (d[at] == distance and s[at] <= seed and s[at] >= 0):
        if s[at] == seed:
            return -1
        at += 1
    end = at
    while end < last and s[end] != seed and s[end] >= 0:  # its own longer path, or a free place
        end += 1
    for q in range(end, at, -1):
        s[q], d[q], via[q], fresh[q] = s[q - 1], d[q - 1], via[q - 1], fresh[q - 1]
    s[at], d[at], via[at], fresh[at] = seed, distance, source, True
    return at


@njit(cache=True)
def _search(
    indptr: np.ndarray,
    indices: np.ndarray,
    lengths: np.ndarray,
    seeds: np.ndarray,
    s: np.ndarray,
    d: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, k) seeds, distances and the point each label came from, sorted by (distance, seed).

    s and d hold what was found before and are overwritten; the point a label came from is known for
    new labels only. Fresh labels have not been passed on yet. Each point is in the heap with its
    first fresh label.
    """
    n, k = s.shape
    via, fresh = np.full((n, k), -1, np.int64), np.zeros((n, k), np.bool_)
    first = np.full(n, k, np.int64)  # place of the first fresh label, k if there is none
    next_d, next_s = np.full(n, np.inf), np.full(n, -1, np.int64)  # and its values
    heap, place = np.empty(n, np.int64), np.full(n, -1, np.int64)
    size = 0
    for seed in seeds:
        at = _insert(s[seed], d[seed], via[seed], fresh[seed], seed, 0.0, -1)
        if at >= 0:  # else it is known, or k equal points of lower index are there already
            first[seed], next_d[seed], next_s[seed] = at, 0.0, seed
            heap[size] = seed
            size += 1
            _sift_up(heap, place, next_d, next_s, size - 1)
    while size > 0:
        point = heap[0]
        seed, reached = next_s[point], next_d[point]
        at = first[point]
        fresh[point, at] = False
        while at < k and not fresh[point, at]:
            at += 1
        first[point] = at
        if at < k:
            next_d[point], next_s[point] = d[point, at], s[point, at]
        else:
            place[point] = -1
            size -= 1
            heap[0] = heap[size]
        if size > 0:
            _sift_down(heap, place, next_d, next_s, size)
        for e in range(indptr[point], indptr[point + 1]):
            j = indices[e]
            at = _insert(s[j], d[j], via[j], fresh[j], seed, reached + lengths[e], point)
            if at < 0 or at > first[j]:
                continue
            first[j], next_d[j], next_s[j] = at, d[j, at], seed
            if place[j] < 0:
                place[j], heap[size] = size, j
                size += 1
            _sift_up(heap, place, next_d, next_s, place[j])
    return s, d, via
