"""Spectral clustering of hubs along the graph, stage by stage (Algorithm 3 of SGSC).

Stages whose inputs have not changed are taken from the memory.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.clustering.stages.hub_affinity import (
    all_pairs_median,
    hub_graph,
    hub_width,
    kmeans_centres,
    nearest_hubs,
    soft_assignments,
    spectrum,
    unit_rows,
)
from sslviz.graph.neighbours import knn, nearest
from sslviz.graph.power_lengths import power_lengths
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected
from sslviz.memo import stage

SPARE_EIGENVALUES = 10  # beyond the C-th: a gap shows only with some eigenvalues after it
LISTED_HUBS = 25  # with a memory, one search lists this many hubs and serves every smaller k_hub


class HubClustering(NamedTuple):
    """The hubs, the graph between them and their clusters; hubs in order of falling degree."""

    hubs: np.ndarray  # (h,)
    nearest: np.ndarray  # (n,) nearest hub of every point along the graph, 0 … h−1
    degrees: np.ndarray  # (n,) number of neighbours of every point
    links: sparse.csr_array  # (h, h) distances between hubs
    sigma: float
    eigenvalues: np.ndarray  # the C + 10 largest
    n_components: int  # connected components of the hub graph
    U: np.ndarray  # (h, C) rows of length 1
    centres: np.ndarray  # (C, C) k-means centres of these rows
    Q: np.ndarray  # (h, C) cluster probabilities, rows sum to 1

    @property
    def labels(self) -> np.ndarray:
        """(h,) the most probable cluster of each hub."""
        return self.Q.argmax(axis=1)


def cluster_hubs(
    X: np.ndarray,
    *,
    n_clusters: int,
    k_graph: int,
    k_hub: int,
    n_hubs: int,
    sigma: float | str,
    gamma: float,
    power: float,
    seed: int,
    device: str = "auto",
    memory: Any = None,
) -> HubClustering:
    """Hubs, their graph, its leading eigenvectors, and k-means on these.

    Every point may be a hub at most; every other hub a neighbour.
    """
    cached = check_memory(memory).cache
    h = min(n_hubs, len(X))
    if h < n_clusters:
        raise ValueError(f"n_hubs={h} hubs cannot form n_clusters={n_clusters} clusters")
    G = cached(undirected)(_neighbour_graph(X, k_graph, memory, device))
    lengths = power_lengths(G, power)
    G = lengths.raised_graph(G)
    k = min(k_hub, h - 1)
    listed = k if memory is None else min(max(k, LISTED_HUBS), h - 1)
    lists = cached(nearest_hubs)(G, n_hubs=h, k=listed)
    links = hub_graph(lists.others, lengths.restored(lists.lengths), k)
    over_all = isinstance(sigma, str) and sigma.endswith("all")
    middle = lengths.restored(cached(all_pairs_median)(G, lists.hubs)) if over_all else None
    width = hub_width(sigma, links, middle)
    count = min(n_clusters + SPARE_EIGENVALUES, h)
    eigenvalues, V, n_components = cached(spectrum)(links, sigma=width, count=count)
    U = unit_rows(V[:, :n_clusters])
    followed = _with_straight_distance(X, lists.nearest, lists.hubs, device)
    if n_components > n_clusters:
        _warn_components(n_components, n_clusters, k, h)
        U = U[cached(_representatives)(X, G, lists.hubs, U.any(axis=1), device)]
    centres = cached(kmeans_centres)(U, n_clusters=n_clusters, seed=seed)
    Q = soft_assignments(U, centres, gamma=gamma)
    degrees = np.diff(G.indptr)
    return HubClustering(
        lists.hubs, followed, degrees, links, width, eigenvalues, n_components, U, centres, Q
    )


def _neighbour_graph(X: np.ndarray, k: int, memory: Any, device: str) -> sparse.csr_array:
    if k > len(X) - 1:
        warnings.warn(
            f"k_graph={k} but a point has {len(X) - 1} others; taking {len(X) - 1}",
            UserWarning,
            stacklevel=5,
        )
    return knn(X, min(k, len(X) - 1), memory, device=device)


def _warn_components(components: int, clusters: int, k: int, h: int) -> None:
    warnings.warn(
        f"the {h} hubs form {components} connected components (islands), more than "
        f"n_clusters={clusters}: hubs of the smaller ones follow the nearest hub of the larger. "
        f"Raise k_hub={k}, k_graph or n_hubs",
        UserWarning,
        stacklevel=5,
    )


def _with_straight_distance(
    X: np.ndarray, found: np.ndarray, hubs: np.ndarray, device: str
) -> np.ndarray:
    """Nearest hubs; where no path leads to one (-1), by Euclidean distance."""
    unreached = np.flatnonzero(found < 0)
    if not len(unreached):
        return found
    found = found.copy()
    found[unreached] = nearest(X[unreached], X[hubs], 1, device=device)[0][:, 0]
    return found


@stage("components")
def _representatives(
    X: np.ndarray, G: sparse.csr_array, hubs: np.ndarray, has_row: np.ndarray, device: str
) -> np.ndarray:
    """(h,) for each hub the hub whose row of eigenvectors it takes.

    Itself if it has a nonzero row, else the nearest hub that has: along the graph, or by Euclidean
    distance where no path leads to one.
    """
    kept = np.flatnonzero(has_row)
    rank = np.full(len(X) + 1, -1)
    rank[hubs[kept]] = np.arange(len(kept))
    along = rank[geodesic(G, hubs[kept], 1)[0][hubs, 0]]
    chosen = kept[_with_straight_distance(X[hubs], along, kept, device)]
    chosen[kept] = kept
    return chosen
