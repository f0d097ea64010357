"""The hub graph: label propagation on geodesic distances between labelled points and hubs only.

    w_ij = exp(−d_G(i, j)²/σ²)      for the k_hub nearest j of i among labelled points and hubs

Seeds are the labelled points and the hubs. One search gives the nearest seeds of every point; the
rows of the seeds themselves are the neighbour lists of this graph.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.graph.power_lengths import PLAIN_LENGTHS, PowerLengths
from sslviz.graph.underflow import rescale_underflowing
from sslviz.graph.weights import relative_degrees, transitions, undirected, width
from sslviz.memo import stage
from sslviz.propagation.stages.absorption import absorption


class HubPropagation(NamedTuple):
    """The result of propagation among the seeds, in the order of the seeds."""

    graph: sparse.csr_array  # (m, m) geodesic lengths that a walk may follow
    sigma: float
    F: np.ndarray  # (m, C) absorption probabilities, one-hot for labelled seeds


def seed_graph(
    found: np.ndarray, distances: np.ndarray, seeds: np.ndarray, k_hub: int
) -> sparse.csr_array:
    """(m, m) directed: the k_hub nearest other seeds of each seed, by distance, then by index.

    `found` and `distances` are the (n, more than k_hub) nearest seeds of all points; `seeds` is
    sorted. Fewer are linked where fewer can be reached.
    """
    m = len(seeds)
    others, lengths = found[seeds], distances[seeds]
    # A seed is first in its own list, but for equal points of lower index; with very many of those
    # it is missing.
    last = np.argsort(others == seeds[:, None], axis=1, kind="stable")[:, :k_hub]
    others, lengths = (np.take_along_axis(a, last, axis=1) for a in (others, lengths))
    there = others >= 0
    columns = np.searchsorted(seeds, others[there])
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    graph = sparse.csr_array((lengths[there], columns, indptr), shape=(m, m))
    graph.sort_indices()
    return graph


@stage("solve")
def propagate_on_hubs(
    found: np.ndarray,
    distances: np.ndarray,
    seeds: np.ndarray,
    target: np.ndarray,
    *,
    k_hub: int,
    sigma: float | str,
    graph: str,
    n_classes: int,
    lengths: PowerLengths = PLAIN_LENGTHS,
    device: str = "auto",
) -> HubPropagation:
    """Absorption probabilities of the seeds; `target` (n,) holds class indices, -1 for none.

    `distances` are sums of raised lengths, if `lengths` has a power.
    σ = "mean" is the mean over the directed edges of the seeds' graph.
    """
    G = seed_graph(found, lengths.restored(distances), seeds, k_hub)
    # Where no seed can reach another there are no edges, and σ has no effect.
    value = width(sigma, graph=G) if G.nnz else 1.0
    weights = None
    if graph == "undirected":
        G = undirected(G)
        weights = relative_degrees(G, value)
    P = rescale_underflowing(transitions(G, value), G, value, target[seeds] >= 0)
    F = absorption(P, target[seeds], weights, n_targets=n_classes, device=device)
    return HubPropagation(G, value, F)
