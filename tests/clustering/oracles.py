"""Algorithm 3 of the thesis word for word: dense matrices, Floyd and Warshall, no shortcuts."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import KMeans


class Literal(NamedTuple):
    """What the algorithm finds; rows in the order of the hubs."""

    graph: np.ndarray  # (n, n) lengths, inf where there is no edge
    ways: np.ndarray  # (n, n) geodesic distances
    hubs: np.ndarray
    links: np.ndarray  # (h, h) lengths, inf where there is no link
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
    ways = lengths.copy()
    np.fill_diagonal(ways, 0)
    for m in range(len(ways)):
        ways = np.minimum(ways, ways[:, m, None] + ways[m])
    return ways


def sgsc(
    X: np.ndarray, C: int, k_graph: int, k_hub: int, h: int, sigma: str, gamma: float
) -> Literal:
    n = len(X)
    graph = union(np.linalg.norm(X[:, None] - X, axis=2), k_graph)
    degree = np.isfinite(graph).sum(axis=1)
    hubs = np.lexsort((np.arange(n), -degree))[:h]
    ways = floyd_warshall(graph)
    between = ways[np.ix_(hubs, hubs)]
    # Ties between equally near hubs go to the point of lower index, not to the better hub.
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
    nearest = np.array([min(range(h), key=lambda j: (ways[i, hubs[j]], hubs[j])) for i in range(n)])
    nearest[hubs] = np.arange(h)
    return Literal(graph, ways, hubs, links, width, values[::-1], U, Q, Q.argmax(axis=1)[nearest])
