r"""Weighted propagation: a node that stands for m points counts as m equal points.

    f_i = Σ_j m_j w_ij f_j / Σ_j m_j w_ij,   w_ij = exp(−d_ij²/σ²)

The copies of a node are all in the same place and have the same f, so their edges among each other
have no effect, and an edge to a node counts once per copy. A node's own multiplicity cancels. With
m = 1 these are label propagation and robust label prediction themselves.

Nodes are few and come as a dense matrix of distances: neighbour lists, weights and the solve are
compiled loops without sparse matrices. The walk is solved by eliminating one node after another,
with sums only and no differences (Grassmann, Taksar, Heyman 1985), so that every entry is accurate
to rounding; a node from which no label can be reached stays zero.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

from sslviz.graph.shortest_paths import geodesic
from sslviz.params import split_rule
from sslviz.propagation.stages.geodesic_voting import nearest_voters


class HubAnswers(NamedTuple):
    """Robust label prediction on nodes with multiplicities."""

    F: np.ndarray  # (p, C) label distributions of the points
    hubs: np.ndarray  # largest score first
    scores: np.ndarray  # (n,) weighted in-degree: how many points list each node


def quantised_lp(
    D: np.ndarray,
    target: np.ndarray,
    m: np.ndarray,
    *,
    k: int,
    sigma: float | str,
    n_classes: int,
) -> np.ndarray:
    """(n, C) absorption probabilities on the undirected k-nearest-neighbour graph of the nodes.

    D (n, n) holds distances, `target` class indices (-1: none), m multiplicities. σ = "mean" is the
    mean length of the directed edges, each counted once whatever the multiplicities.
    """
    near, lengths = neighbour_lists(D, min(k, len(D) - 1))
    return absorb_on_lists(near, lengths, target, m, *_factor_and_sigma(sigma), n_classes)


def quantised_rlp(
    D: np.ndarray,
    target: np.ndarray,
    m: np.ndarray,
    points: np.ndarray,
    *,
    k_graph: int,
    k_hub: int,
    n_hubs: int,
    n_votes: int,
    sigma: float | str,
    n_classes: int,
) -> HubAnswers:
    """Label distributions of `points`: a hub's own, for others the vote of nearest hubs and labels.

    Hubs have the largest in-degree, multiplicities included, and the vote of a hub counts m times;
    that of a labelled point counts once. There are never more hubs than unlabelled nodes.
    """
    near, _ = neighbour_lists(D, min(k_graph, len(D) - 1))
    scores = np.bincount(near.ravel(), np.repeat(m, near.shape[1]), minlength=len(D))
    free = np.flatnonzero(target < 0)
    hubs = free[np.argsort(-scores[free], kind="stable")[:n_hubs]]
    seeds = np.sort(np.concatenate([np.flatnonzero(target >= 0), hubs]))
    G = sparse.csr_array(undirected_csr(near, D), shape=D.shape)
    paths = geodesic(G, seeds, max(k_hub, n_votes) + 1)
    F = np.zeros((len(D), n_classes))
    links, lengths = links_among(*paths, seeds, k_hub)
    F[seeds] = absorb_on_lists(
        links, lengths, target[seeds], m[seeds], *_factor_and_sigma(sigma), n_classes
    )
    own = F.max(axis=1) > 0
    voted = points[~own[points]]
    if len(voted):
        voters, _ = nearest_voters(G, paths, own, n_votes, voted)
        F[voted] = weighted_votes(voters, np.where(own, F.argmax(axis=1), -1), m, n_classes)
    return HubAnswers(F[points], hubs, scores)


def weighted_votes(
    voters: np.ndarray, ballot: np.ndarray, m: np.ndarray, n_classes: int
) -> np.ndarray:
    """(p, C) shares of the votes, each counting m; `voters` (p, k) nearest first, -1 for none.

    Where classes are tied the one whose voter is nearest wins, its share one rounding step larger.
    """
    F = np.zeros((len(voters), n_classes))
    for row, mine in zip(F, voters, strict=True):
        cast = ballot[mine[mine >= 0]]
        counts = np.bincount(cast, m[mine[mine >= 0]], minlength=n_classes)
        if len(cast):
            winner = cast[(counts[cast] == counts.max()).argmax()]
            row[:] = counts / counts.sum()
            if (counts == counts.max()).sum() > 1:
                row[winner] = np.nextafter(row[winner], 2)
    return F


def _factor_and_sigma(sigma: float | str) -> tuple[float, float]:
    """A factor of the mean edge length, and σ itself where it is a number, else 0."""
    return (split_rule(sigma)[0], 0.0) if isinstance(sigma, str) else (1.0, float(sigma))


@njit(cache=True)
def neighbour_lists(D: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) nearest other nodes and their distances, ties by lower index."""
    n = len(D)
    near, lengths = np.empty((n, k), np.int64), np.empty((n, k))
    for i in range(n):
        filled = 0
        for j in range(n):
            d = D[i, j]
            if j == i or (filled == k and d >= lengths[i, k - 1]):
                continue
            at = filled if filled < k else k - 1
            while at > 0 and lengths[i, at - 1] > d:
                near[i, at], lengths[i, at] = near[i, at - 1], lengths[i, at - 1]
                at -= 1
            near[i, at], lengths[i, at] = j, d
            filled = min(filled + 1, k)
    return near, lengths


@njit(cache=True)
def undirected_csr(near: np.ndarray, D: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The undirected graph of these lists as the three arrays of CSR, columns in order."""
    n, k = near.shape
    linked = np.zeros((n, n), np.bool_)
    for i in range(n):
        for a in range(k):
            linked[i, near[i, a]] = linked[near[i, a], i] = True
    indptr = np.zeros(n + 1, np.int64)
    indices, lengths = np.empty(2 * n * k, np.int64), np.empty(2 * n * k)
    end = 0
    for i in range(n):
        for j in range(n):
            if linked[i, j]:
                indices[end], lengths[end] = j, D[i, j]
                end += 1
        indptr[i + 1] = end
    return lengths[:end], indices[:end], indptr


@njit(cache=True)
def links_among(
    found: np.ndarray, distances: np.ndarray, seeds: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """(s, k) nearest other seeds of each seed, as positions among them, padded with -1."""
    near, lengths = np.full((len(seeds), k), -1), np.full((len(seeds), k), np.inf)
    for a, seed in enumerate(seeds):
        filled = 0
        for b in range(found.shape[1]):
            other = found[seed, b]
            if other >= 0 and other != seed and filled < k:
                near[a, filled] = np.searchsorted(seeds, other)
                lengths[a, filled] = distances[seed, b]
                filled += 1
    return near, lengths


@njit(cache=True)
def absorb_on_lists(
    near: np.ndarray,
    lengths: np.ndarray,
    target: np.ndarray,
    m: np.ndarray,
    factor: float,
    sigma: float,
    n_classes: int,
) -> np.ndarray:
    """(n, C) absorption probabilities on the undirected graph of these lists (-1: no entry).

    σ is `sigma`, or where that is 0 `factor` times the mean length of the entries.
    """
    n, k = near.shape
    L = np.full((n, n), np.inf)
    total, count = 0.0, 0
    for i in range(n):
        for a in range(k):
            if near[i, a] >= 0:
                j = near[i, a]
                L[i, j] = min(L[i, j], lengths[i, a])
                L[j, i] = min(L[j, i], lengths[i, a])
                total += lengths[i, a]
                count += 1
    if sigma == 0:
        sigma = factor * total / count if total > 0 else 1.0
    free = np.flatnonzero(target < 0)
    at = np.full(n, -1)
    for a, node in enumerate(free):
        at[node] = a
    P, B = np.zeros((len(free), len(free))), np.zeros((len(free), n_classes))
    for a, node in enumerate(free):
        nearest = L[node].min() / sigma
        for j in range(n):
            if L[node, j] < np.inf:  # the nearest has weight 1: never 0/0
                r = L[node, j] / sigma
                w = m[j] * np.exp(-(r - nearest) * (r + nearest))
                if at[j] >= 0:
                    P[a, at[j]] += w
                else:
                    B[a, target[j]] += w
    eliminate(P, B)
    F = np.zeros((n, n_classes))
    for i in range(n):
        if target[i] >= 0:
            F[i, target[i]] = 1.0
        else:
            for c in range(n_classes):
                F[i, c] = B[at[i], c]
    return F


@njit(cache=True)
def eliminate(P: np.ndarray, B: np.ndarray) -> None:
    """Turn B into the smallest F ≥ 0 with d F = P F + B, d the row sums of both; P is lost."""
    n, classes = B.shape
    for k in range(n - 1, -1, -1):
        out = B[k].sum() + P[k, :k].sum()
        if out == 0:  # no label can be reached
            continue
        for j in range(k):
            P[k, j] /= out
        for c in range(classes):
            B[k, c] /= out
        for i in range(k):
            if P[i, k] > 0:
                p = P[i, k]
                for j in range(k):
                    P[i, j] += p * P[k, j]
                for c in range(classes):
                    B[i, c] += p * B[k, c]
    for k in range(1, n):
        for j in range(k):
            if P[k, j] > 0:
                for c in range(classes):
                    B[k, c] += P[k, j] * B[j, c]
