"""Exact kNN and truncated shortest paths compared with scikit-learn and scipy.

    python -m benchmarks.knn

Both use the same cores in turn; the best of a few rounds counts, because other load on the machine
only adds time.
"""

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.sparse.csgraph import dijkstra
from sklearn.neighbors import NearestNeighbors

from sslviz import graph
from sslviz.graph.search import blocked_product

ROUNDS = 5


def main() -> None:
    X = points(10_000)
    neighbours(X, k=10)
    geodesics(X[:3000], seeds=1000, k=5)


def points(n: int) -> np.ndarray:
    """MNIST from $SSLVIZ_DATA, or random points of the same shape."""
    file = Path(os.environ.get("SSLVIZ_DATA", ".")) / "mnist.npz"
    if file.exists():
        print(f"MNIST, {n} images")
        return np.load(file, allow_pickle=False)["X"][:n].astype(np.float64)
    print(f"random points, {n} × 784")
    return np.random.default_rng(0).random((n, 784))


def neighbours(X: np.ndarray, k: int) -> None:
    """Exact lists and scikit-learn's brute force, which must agree."""
    peer = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
    blocked_product.product_nearest(X[:500], X[:500], k)  # start threads and libraries
    (indices, distances), (d, i), seconds = race(
        lambda: blocked_product.product_nearest(X, X, k, skip_self=True), lambda: peer.kneighbors()
    )
    # Where rounding orders a tie the other way, both distances are equal.
    differ = indices != i
    assert np.allclose(distances, d, rtol=1e-7) and differ.mean() < 1e-3
    report(f"kNN {X.shape[0]} × {X.shape[1]}, k={k}", "scikit-learn brute", seconds)
    print(f"  {differ.sum()} of {differ.size} places differ, all by ties")


def geodesics(X: np.ndarray, seeds: int, k: int) -> None:
    """The k nearest seeds of every point, compared with one search per seed in scipy."""
    directed = graph.knn(X, 5)
    G = graph.undirected(directed)
    hubs = np.sort(graph.hubs(directed, seeds))
    graph.geodesic(G, hubs[:2], k)  # compile first

    def peer() -> tuple[np.ndarray, np.ndarray]:
        D = dijkstra(G, indices=hubs)
        order = np.argsort(D, axis=0, kind="stable")[:k]
        return hubs[order].T, np.take_along_axis(D, order, axis=0).T

    mine, theirs, seconds = race(lambda: graph.geodesic(G, hubs, k), peer)
    reached = mine[0] >= 0
    assert np.allclose(mine[1], theirs[1], rtol=1e-12)
    assert (mine[0][reached] == theirs[0][reached]).all()
    report(f"geodesics n={len(X)}, {seeds} seeds, k={k}", "scipy dijkstra", seconds)


def race(ours: Callable, peer: Callable) -> tuple:
    """Both results, and the best seconds of each."""
    best = [np.inf, np.inf]
    results = [None, None]
    for _ in range(ROUNDS):
        for place, run in enumerate((ours, peer)):
            start = perf_counter()
            results[place] = run()
            best[place] = min(best[place], perf_counter() - start)
    return (*results, best)


def report(what: str, peer: str, seconds: list[float]) -> None:
    ours, theirs = seconds
    print(f"{what}: {ours:.3f} s, {peer} {theirs:.3f} s, ratio {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
