"""Algorithm 3 of the thesis written out with dense matrices and Floyd-Warshall; shared points."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs


def three_blobs() -> tuple[np.ndarray, np.ndarray]:
    """300 points in three well separated round clusters of equal size."""
    return make_blobs(300, centers=[[0, 0], [6, 0], [0, 6]], cluster_std=0.5, random_state=0)


class Literal(NamedTuple):
    """The result; rows in the order of the hubs."""

    graph: np.ndarray  # (n, n) lengths, inf where there is no edge
    paths: np.ndarray  # (n, n) geodesic distances
    hubs: np.ndarray
    links: np.ndarray  # (h, h) lengths, inf where there is no edge
    sigma: float
    eigenvalues: np.ndarray  # (h,) falling
    U: np.ndarray
    Q: np.ndarray
    labels: np.ndarray  # (n,) of all points


def union(D: np.ndarray, k: int) -> np.ndarray:
    """Keep D_ij if j is among the k nearest of i or i among those of j, ties by lower index."""
    n = len(D)
    off = D + np.diag(np.full(n, np.inf))
    listed = np.zeros((n, n), bool)
    for i in range(n):
        for j in np.lexsort((np.arange(n), off[i]))[:k]:
            listed[i, j] = np.isfinite(off[i, j])
    return np.where(listed | listed.T, D, np.inf)


def floyd_warshall(lengths: np.ndarray) -> np.ndarray:
    paths = lengths.copy()
    np.fill_diagonal(paths, 0)
    for m in range(len(paths)):
        paths = np.minimum(paths, paths[:, m, None] + paths[m])
    return paths


def sgsc(
    X: np.ndarray, C: int, k_graph: int, k_hub: int, h: int, sigma: str, gamma: float
) -> Literal:
    n = len(X)
    graph = union(np.linalg.norm(X[:, None] - X, axis=2), k_graph)
    degree = np.isfinite(graph).sum(axis=1)
    hubs = np.lexsort((np.arange(n), -degree))[:h]
    paths = floyd_warshall(graph)
    between = paths[np.ix_(hubs, hubs)]
    # Ties between equally near hubs go to the point of lower index, not of higher degree.
    order = np.argsort(hubs)
    links = np.empty((h, h))
    links[np.ix_(order, order)] = union(between[np.ix_(order, order)], k_hub)
    pairs = links if sigma == "edges" else between
    lengths = pairs[np.triu_indices(h, 1)]
    width = float(np.median(lengths[np.isfinite(lengths)]))
    W = np.exp(-np.square(links / width))
    root = np.sqrt(W.sum(axis=1))
    values, V = eigh(W / root[:, None] / root)
    U = V[:, ::-1][:, :C]
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    centres = KMeans(C, n_init=20, random_state=0).fit(U).cluster_centers_
    d = np.linalg.norm(U[:, None] - centres, axis=2)
    kernel = 1 / d if gamma == 0 else (1 + d**2 / gamma) ** (-(gamma + 1) / 2)
    Q = kernel / kernel.sum(axis=1, keepdims=True)
    nearest = np.array([min(range(h), key=lambda j: (row[hubs[j]], hubs[j])) for row in paths])
    nearest[hubs] = np.arange(h)
    return Literal(graph, paths, hubs, links, width, values[::-1], U, Q, Q.argmax(axis=1)[nearest])
