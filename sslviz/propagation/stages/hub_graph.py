"""Label propagation among hubs: a graph of geodesic distances over labelled points and hubs only.

    w_ij = exp(−d_G(i, j)²/σ²)      for the k_hub nearest j of i among labelled points and hubs

The nearest seeds of every point, from one search, hold all that is needed: the rows of the seeds
themselves are the neighbour lists of this graph.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.graph.underflow import rescale_underflowing
from sslviz.graph.weights import relative_degrees, transitions, undirected, width
from sslviz.memo import stage
from sslviz.propagation.label_propagation import absorption


class Spread(NamedTuple):
    """What the propagation among the seeds leaves, in the order of the seeds."""

    graph: sparse.csr_array  # (m, m) geodesic lengths that a walker may follow
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
    # Itself is first but for equal points of lower index, and missing where these are very many.
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
    device: str = "auto",
) -> Spread:
    """Absorption probabilities of the seeds; `target` (n,) holds class indices, -1 for none.

    σ = "mean" is the mean over the directed edges of the seeds' graph.
    """
    G = seed_graph(found, distances, seeds, k_hub)
    # Seeds that are all islands to each other have no edges, and any width will do.
    value = width(sigma, graph=G) if G.nnz else 1.0
    weights = None
    if graph == "undirected":
        G = undirected(G)
        weights = relative_degrees(G, value)
    P = rescale_underflowing(transitions(G, value), G, value, target[seeds] >= 0)
    F = absorption(P, target[seeds], weights, n_targets=n_classes, device=device)
    return Spread(G, value, F)
