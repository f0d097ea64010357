"""Definitions of the graph stages, written out without any cleverness."""

import heapq
import math
from collections.abc import Iterable

import numpy as np
from scipy import sparse


def assert_equal_lists(found: Iterable[np.ndarray], expected: Iterable[np.ndarray]) -> None:
    """Indices and distances are equal, bit for bit."""
    for mine, reference in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, reference)


def brute_force(
    Q: np.ndarray, X: np.ndarray, k: int, skip_self: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """All distances √Σ(q − x)² in float64, sorted by (distance, index)."""
    Q, X = (np.ascontiguousarray(a, dtype=np.float64) for a in (Q, X))
    D = np.stack([np.sqrt(((q - X) ** 2).sum(axis=1)) for q in Q])
    return _first(D, k, skip_self)


def brute_force_at_any_scale(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Brute force by math.dist, which neither overflows nor underflows, without the diagonal."""
    return _first(np.array([[math.dist(a, b) for b in X] for a in X]), k, skip_self=True)


def _first(D: np.ndarray, k: int, skip_self: bool) -> tuple[np.ndarray, np.ndarray]:
    if skip_self:
        np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(D, order, axis=1)


def dijkstra(G: sparse.csr_array, source: int) -> np.ndarray:
    """Path lengths from one point; stored zeros are edges."""
    distance = np.full(G.shape[0], np.inf)
    distance[source] = 0.0
    heap = [(0.0, source)]
    while heap:
        d, i = heapq.heappop(heap)
        if d > distance[i]:
            continue
        for e in range(G.indptr[i], G.indptr[i + 1]):
            j, through = G.indices[e], d + G.data[e]
            if through < distance[j]:
                distance[j] = through
                heapq.heappush(heap, (through, j))
    return distance


def nearest_seeds(G: sparse.csr_array, seeds: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """One search per seed, then the k first by (distance, index), padded with -1 and inf."""
    seeds = np.sort(seeds)
    D = np.stack([dijkstra(G, s) for s in seeds], axis=1)  # (n, seeds)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    distances = np.take_along_axis(D, order, axis=1)
    found = np.where(np.isfinite(distances), seeds[order], -1)
    missing = ((0, 0), (0, k - order.shape[1]))
    return (
        np.pad(found, missing, constant_values=-1),
        np.pad(distances, missing, constant_values=np.inf),
    )
