"""The formulas of the papers, dense and slow: full searches, dense solves, loops."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra


def neighbour_distances(X: np.ndarray, k: int) -> np.ndarray:
    """(n, n) distances to the k nearest others, inf elsewhere; ties by lower index."""
    X = np.asarray(X, np.float64)
    D = np.stack([np.sqrt(((x - X) ** 2).sum(axis=1)) for x in X])
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    result = np.full_like(D, np.inf)
    np.put_along_axis(result, order, np.take_along_axis(D, order, axis=1), axis=1)
    return result


def weights(
    X: np.ndarray, k: int, *, undirected: bool = True, halved: bool = False, factor: float = 1.0
) -> np.ndarray:
    """exp(−d²/σ²) or exp(−d²/2σ²), σ the mean length of the directed edges; max(W, Wᵀ)."""
    D = neighbour_distances(X, k)
    sigma = factor * D[np.isfinite(D)].mean()
    W = np.exp(-(D**2) / (sigma**2 * (2 if halved else 1)))
    return np.maximum(W, W.T) if undirected else W


def one_hot(y: np.ndarray) -> np.ndarray:
    return (y[:, None] == np.unique(y[y != -1])).astype(float)


def harmonic(W: np.ndarray, y: np.ndarray) -> np.ndarray:
    """F_u = (D_uu − W_uu)⁻¹ W_ul Y_l; every point must be able to reach a label."""
    F, free = one_hot(y), y == -1
    L = np.diag(W.sum(axis=1)) - W
    F[free] = np.linalg.inv(L[np.ix_(free, free)]) @ W[np.ix_(free, ~free)] @ F[~free]
    return F


def spreading_limit(W: np.ndarray, y: np.ndarray, alpha: float) -> np.ndarray:
    """(1 − α)(I − αS)⁻¹ Y, S = D^{-1/2} W D^{-1/2}."""
    d = W.sum(axis=1)
    S = W / np.sqrt(d[:, None] * d)
    return (1 - alpha) * np.linalg.solve(np.eye(len(W)) - alpha * S, one_hot(y))


class Answer(NamedTuple):
    """Algorithm 1 of robust label prediction, as printed."""

    hubs: list[int]
    sigma: float
    F: np.ndarray  # (n, C) of labelled points and hubs, zero elsewhere
    voters: list[list[int]]  # of every point
    labels: np.ndarray  # (n,) -1: undetermined
    tied: np.ndarray  # (n,) the nearest voter decided


def path_lengths(X: np.ndarray, k: int, seeds: list[int]) -> np.ndarray:
    """(m, n) lengths of the shortest paths from each seed along the undirected kNN graph."""
    D = neighbour_distances(X, k)
    D = np.minimum(D, D.T)
    i, j = np.nonzero(np.isfinite(D))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=len(X)))])
    G = sparse.csr_array((D[i, j], j, indptr), shape=D.shape)  # zeros stay stored
    return dijkstra(G, indices=seeds)


def absorption(W: np.ndarray, Y: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Absorption probabilities: the minimal solution, zero where no label can be reached."""
    reach = ~free
    for _ in range(len(W)):
        reach = reach | ((W > 0) @ reach)
    inner, F = free & reach, np.where(free[:, None], 0, Y)
    P = W / np.maximum(W.sum(axis=1, keepdims=True), 1e-300)
    A = np.eye(inner.sum()) - P[np.ix_(inner, inner)]
    F[inner] = np.linalg.solve(A, P[np.ix_(inner, ~free)] @ Y[~free])
    return F


def hub_weights(
    d: np.ndarray, seeds: list[int], k_hub: int, graph: str
) -> tuple[np.ndarray, float]:
    """(m, m) exp(−d_G²/σ²) to each seed's k_hub nearest others; `d` (m, n) are path lengths."""
    m = len(seeds)
    lengths = np.full((m, m), np.inf)
    for a in range(m):
        others = [b for b in range(m) if b != a and np.isfinite(d[b, seeds[a]])]
        others.sort(key=lambda b: (d[b, seeds[a]], seeds[b]))
        for b in others[:k_hub]:
            lengths[a, b] = d[b, seeds[a]]
    edges = lengths[np.isfinite(lengths)]
    sigma = edges.mean() if len(edges) and edges.any() else 1.0
    W = np.exp(-((lengths / sigma) ** 2))
    return (np.maximum(W, W.T) if graph == "undirected" else W), float(sigma)


def vote(voters: list[int], label: dict[int, int]) -> tuple[int, bool]:
    """The class with most votes; where tied, that of the nearest voter of a tied class."""
    if not voters:
        return -1, False
    votes = [label[v] for v in voters]
    best = [c for c in votes if votes.count(c) == max(map(votes.count, votes))]
    return best[0], len(set(best)) > 1


def robust_label_prediction(
    X: np.ndarray,
    y: np.ndarray,
    *,
    k_graph: int = 4,
    k_hub: int = 5,
    n_hubs: int,
    n_votes: int = 3,
    graph: str = "undirected",
) -> Answer:
    """Lines 1 to 7; classes must be 0, 1, …"""
    n, classes = len(X), int(y.max()) + 1
    in_degree = np.isfinite(neighbour_distances(X, k_graph)).sum(axis=0)  # line 1
    unlabelled = [i for i in range(n) if y[i] == -1]
    hubs = sorted(unlabelled, key=lambda i: (-in_degree[i], i))[:n_hubs]  # line 2
    seeds = sorted([i for i in range(n) if y[i] != -1] + hubs)
    d = path_lengths(X, k_graph, seeds)  # lines 3 and 4
    W, sigma = hub_weights(d, seeds, k_hub, graph)
    Y = (y[seeds][:, None] == np.arange(classes)).astype(float)
    F = np.zeros((n, classes))
    F[seeds] = absorption(W, Y, y[seeds] == -1)  # line 5
    label = {i: int(F[i].argmax()) for i in seeds if F[i].any()}  # line 6
    row = {seed: a for a, seed in enumerate(seeds)}
    labels, tied, voters = np.empty(n, int), np.zeros(n, bool), []
    for x in range(n):  # line 7
        near = sorted((d[row[s], x], s) for s in label if np.isfinite(d[row[s], x]))
        voters.append([s for _, s in near[:n_votes]])
        labels[x], tied[x] = vote(voters[x], label)
        if x in label:
            labels[x], tied[x] = label[x], False
    return Answer(hubs, sigma, F, voters, labels, tied)
