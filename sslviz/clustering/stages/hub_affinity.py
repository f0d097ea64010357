r"""Hubs, distances between them along the graph, and the spectrum of their affinity.

    S = D^{-1/2} W D^{-1/2},   w_ij = exp(−d_G(i, j)²/σ²)     for the k₁ nearest hubs j of hub i

The stages of SGSC: pure functions of arrays, CSR graphs of lengths and numbers. Hubs are numbered
0 … h−1 by falling degree; only `nearest_hubs` refers to points.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from scipy.special import softmax
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from sslviz.clustering.stages.component_eigs import largest_eigenpairs
from sslviz.graph.hubness import hubs
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import normalised, undirected
from sslviz.memo import stage
from sslviz.params import split_rule

DISTANCES_AT_ONCE = 2**24  # held while all pairs of hubs are measured: 128 MB


class HubLists(NamedTuple):
    """The hubs, and the nearest hubs of points and hubs along the graph."""

    hubs: np.ndarray  # (h,) points, by falling degree
    nearest: np.ndarray  # (n,) nearest hub of every point as 0 … h−1, -1 where no path leads to one
    others: np.ndarray  # (h, k) nearest other hubs of every hub, nearest first, padded with -1
    lengths: np.ndarray  # (h, k) their distances, padded with inf


@stage("hubs")
def nearest_hubs(G: sparse.csr_array, *, n_hubs: int, k: int) -> HubLists:
    """The `n_hubs` points with most neighbours and, along G, the nearest of them."""
    chosen = hubs(G, n_hubs)  # G is symmetric: its in-degree is the number of neighbours
    found, distances = geodesic(G, chosen, k + 1)
    rank = np.full(G.shape[0] + 1, -1)  # the last entry is that of -1: none found
    rank[chosen] = np.arange(n_hubs)
    mine, lengths = found[chosen], distances[chosen]
    # A hub is nearest to itself, after its duplicates of lower index, which may fill the list.
    first = np.argsort(mine == chosen[:, None], axis=1, kind="stable")[:, :k]
    nearest = rank[found[:, 0]]
    nearest[chosen] = np.arange(n_hubs)
    return HubLists(
        chosen,
        nearest,
        rank[np.take_along_axis(mine, first, axis=1)],
        np.take_along_axis(lengths, first, axis=1),
    )


def hub_graph(others: np.ndarray, lengths: np.ndarray, k_hub: int) -> sparse.csr_array:
    """(h, h) lengths: an edge if either hub counts the other among its k_hub nearest."""
    others, lengths = others[:, :k_hub], lengths[:, :k_hub]
    there = others >= 0
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    shape = (len(others), len(others))
    return undirected(sparse.csr_array((lengths[there], others[there], indptr), shape=shape))


def hub_distances(G: sparse.csr_array, chosen: np.ndarray) -> np.ndarray:
    """(h, h) distances along G between all pairs of hubs, inf where there is no path."""
    rows = max(1, DISTANCES_AT_ONCE // G.shape[0])
    starts = range(0, len(chosen), rows)
    return np.concatenate(
        [dijkstra(G, directed=True, indices=chosen[i : i + rows])[:, chosen] for i in starts]
    )


@stage("paths between hubs")
def all_pairs_median(G: sparse.csr_array, chosen: np.ndarray) -> float:
    """The median distance along G over the connected pairs of hubs."""
    above = hub_distances(G, chosen)[np.triu_indices(len(chosen), 1)]
    return positive_median(above[np.isfinite(above)])


def positive_median(lengths: np.ndarray) -> float:
    """The median; of the positive lengths only where it is 0, and 1 where there are none."""
    middle = float(np.median(lengths)) if len(lengths) else 0.0
    if middle > 0:
        return middle
    positive = lengths[lengths > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def hub_width(sigma: float | str, links: sparse.csr_array, all_pairs: float | None) -> float:
    """σ as a number: itself, or the rule "edges" or "all", with a factor ("0.5 all")."""
    if not isinstance(sigma, str):
        return float(sigma)
    factor, rule = split_rule(sigma)
    if rule == "edges":
        return factor * positive_median(links.data)
    assert rule == "all" and all_pairs is not None
    return factor * all_pairs


@stage("spectrum")
def spectrum(
    links: sparse.csr_array, *, sigma: float, count: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """The `count` largest eigenvalues of S, (h, count) unit eigenvectors, and its components."""
    return largest_eigenpairs(normalised(links, sigma), count=count)


def unit_rows(V: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a row of zeros stays."""
    length = np.linalg.norm(V, axis=1, keepdims=True)
    return np.divide(V, length, out=np.zeros_like(V), where=length > 0)


@stage("k-means")
def kmeans_centres(U: np.ndarray, *, n_clusters: int, seed: int) -> np.ndarray:
    """(C, d) centres of the rows of U by k-means++, the centre with most rows first."""
    with threadpool_limits(1, user_api="openmp"):  # sums in the same order on every machine
        found = KMeans(n_clusters, n_init=10, random_state=seed).fit(U)
    sizes = np.bincount(found.labels_, minlength=n_clusters)
    return found.cluster_centers_[np.argsort(-sizes, kind="stable")]


def soft_assignments(U: np.ndarray, centres: np.ndarray, *, gamma: float) -> np.ndarray:
    r"""(h, C) q_ij ∝ (1 + ‖u_i − μ_j‖²/γ)^{−(γ+1)/2}, in logarithms, so that γ = 1e-60 is exact.

    For γ → 0 the limit is q_ij ∝ 1/‖u_i − μ_j‖, and 1 at the centre itself.
    """
    squares = np.square(U[:, None] - centres).sum(axis=2)
    with np.errstate(divide="ignore"):
        logs = np.logaddexp(0.0, np.log(squares) - np.log(gamma))
    return softmax(-(gamma + 1) / 2 * logs, axis=1)
