r"""The k nearest seeds of every point along the graph: one search from all seeds at once.

    D(x, s) = min over paths from s to x of the sum of edge lengths

Dijkstra's search with up to k labels (distance, seed) per point instead of one. A seed beyond the
k-th of a point is beyond the k-th of everything reached through it, so its label is dropped: the
work is that of k searches, however many seeds there are. Labels are ordered by distance, then by
index of the seed. Every label owns a place in one binary heap: memory is O(n k).

Dijkstra 1959; Har-Peled. Computing the k nearest-neighbors for all vertices via Dijkstra. 2016.
"""

import numpy as np
from numba import njit
from scipy import sparse

from sslviz.graph.weights import undirected


def geodesic(G: sparse.csr_array, seeds: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """For every point its k nearest seeds along G, nearest first, ties by lower index of the seed.

    Returns (n, k) indices of points, padded with -1, and their distances, padded with inf, where
    fewer seeds are reachable. A seed reaches itself at distance 0. G holds lengths, zeros included;
    a directed graph is walked both ways. Lengths so different that their sum rounds to the longer
    one can tie what was nearer with what was farther on the way; what was nearer then stays.
    """
    G = _checked(G)
    n = G.shape[0]
    seeds = np.unique(np.asarray(seeds, dtype=np.int64))
    if len(seeds) and not 0 <= seeds[0] <= seeds[-1] < n:
        raise ValueError(f"seeds from {seeds[0]} to {seeds[-1]} are not all points 0 to {n - 1}")
    if k < 1:
        raise ValueError(f"k={k} seeds asked for, expected at least 1")
    found = np.full((n, k), -1, np.int64)
    distances = np.full((n, k), np.inf)
    width = min(k, len(seeds))
    if width:
        labels = _search(G.indptr, G.indices, G.data, seeds, width)
        found[:, :width], distances[:, :width] = labels[:2]
    return found, distances


def geodesic_path(G: sparse.csr_array, source: int, target: int) -> list[int]:
    """The points of one shortest path from source to target; empty if there is none."""
    G = _checked(G)
    for name, point in (("source", source), ("target", target)):
        if not 0 <= point < G.shape[0]:
            raise ValueError(f"{name}={point} is not a point 0 to {G.shape[0] - 1}")
    found, _, via = _search(G.indptr, G.indices, G.data, np.array([source], np.int64), 1)
    if found[target, 0] < 0:
        return []
    path = [int(target)]
    while path[-1] != source:
        path.append(int(via[path[-1], 0]))
    return path[::-1]


def _checked(G: sparse.csr_array) -> sparse.csr_array:
    """G as a symmetric graph with lengths that are not negative, in canonical form."""
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
def _before(d: np.ndarray, s: np.ndarray, p: int, q: int) -> bool:
    """Whether label p comes before label q."""
    return d[p] < d[q] or (d[p] == d[q] and s[p] < s[q])


@njit(cache=True)
def _up(heap: np.ndarray, place: np.ndarray, d: np.ndarray, s: np.ndarray, at: int) -> None:
    p = heap[at]
    while at > 0:
        parent = (at - 1) // 2
        if not _before(d, s, p, heap[parent]):
            break
        heap[at] = heap[parent]
        place[heap[at]] = at
        at = parent
    heap[at] = p
    place[p] = at


@njit(cache=True)
def _down(heap: np.ndarray, place: np.ndarray, d: np.ndarray, s: np.ndarray, size: int) -> None:
    at, p = 0, heap[0]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _before(d, s, heap[child + 1], heap[child]):
            child += 1
        if not _before(d, s, heap[child], p):
            break
        heap[at] = heap[child]
        place[heap[at]] = at
        at = child
    heap[at] = p
    place[p] = at


@njit(cache=True)
def _slot(d: np.ndarray, s: np.ndarray, first: int, k: int, distance: float, seed: int) -> int:
    """Which of a point's k labels the new one replaces: its seed's, a free one, the last; or -1."""
    last = first
    for p in range(first, first + k):
        if s[p] == seed:
            return p if distance < d[p] else -1
        if s[p] < 0:
            return p
        if _before(d, s, last, p):
            last = p
    better = distance < d[last] or (distance == d[last] and seed < s[last])
    return last if better else -1


@njit(cache=True)
def _search(
    indptr: np.ndarray, indices: np.ndarray, lengths: np.ndarray, seeds: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, k) seeds, distances and the point each label came from, sorted by (distance, seed)."""
    n = len(indptr) - 1
    s, via = np.full(n * k, -1, np.int64), np.full(n * k, -1, np.int64)
    d = np.full(n * k, np.inf)
    heap, place = np.empty(n * k, np.int64), np.full(n * k, -1, np.int64)
    size = 0
    for seed in seeds:
        p = seed * k
        s[p], d[p], heap[size] = seed, 0.0, p
        _up(heap, place, d, s, size)
        size += 1
    while size > 0:
        top = heap[0]
        size -= 1
        if size > 0:
            heap[0] = heap[size]
            _down(heap, place, d, s, size)
        point = top // k
        for e in range(indptr[point], indptr[point + 1]):
            distance = d[top] + lengths[e]
            p = _slot(d, s, indices[e] * k, k, distance, s[top])
            if p < 0:
                continue
            if s[p] < 0:  # a free label joins the heap; a used one only moves up in it
                place[p], heap[size] = size, p
                size += 1
            d[p], s[p], via[p] = distance, s[top], point
            _up(heap, place, d, s, place[p])
    for point in range(n):
        _sort(d, s, via, point * k, k)
    return s.reshape(n, k), d.reshape(n, k), via.reshape(n, k)


@njit(cache=True)
def _sort(d: np.ndarray, s: np.ndarray, via: np.ndarray, first: int, k: int) -> None:
    """Insertion sort of one point's labels; free ones (distance inf) are last already."""
    for p in range(first + 1, first + k):
        q = p
        while q > first and _before(d, s, q, q - 1):
            d[q], d[q - 1] = d[q - 1], d[q]
            s[q], s[q - 1] = s[q - 1], s[q]
            via[q], via[q - 1] = via[q - 1], via[q]
            q -= 1
