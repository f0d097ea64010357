r"""Cluster a few popular points by the ways between them, and let everybody else follow.

    w_ij = exp(−d_G(i, j)²/σ²),   S = D^{-1/2} W D^{-1/2},   S V = V Λ,   u_i = v_i/‖v_i‖
    q_ij ∝ (1 + ‖u_i − μ_j‖²/γ)^{−(γ+1)/2}

Spectral clustering of all points is expensive, and outliers lead it astray. Here only *hubs* take
part: the h points with most neighbours on the k_0-nearest-neighbour graph. Each is linked to the
k_1 hubs nearest along that graph, since straight lines between so few points would cross the gaps.
The leading eigenvectors of the links place each hub on a sphere where clusters are heaps, k-means
finds the heaps, and q says how sure each hub is. A point that is no hub takes the cluster of the
hub nearest along the graph.

**What to look for:** eigenvalues. As many ones as the hubs have islands, and a gap after the C-th
if C is right. With more islands than clusters the leading eigenvectors are arbitrary (there is a
warning): link hubs to more, or take more hubs. Degree measures density relative to the
neighbourhood, so outliers are not kept out by themselves: on four clusters there are twice as many
of them among the hubs as elsewhere. With σ over *edges* the long links to a group of outliers weigh
nothing, and sometimes such a group is taken for a cluster; σ over *all* pairs of hubs is steadier
there. On digits both do alike.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part II,
Algorithm 3.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import (
    Clusters,
    GraphNeighbours,
    HubNeighbours,
    Hubs,
    HubWidth,
    Sharpness,
)
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
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected
from sslviz.memo import stage

SHOWN = 10  # eigenvalues beyond the C-th: a gap can be seen only with some on its other side
LIST = 25  # with a memory, the lists of one search serve every k_hub up to this


class HubClustering(NamedTuple):
    """All that SGSC finds, hubs best first."""

    hubs: np.ndarray  # (h,)
    nearest: np.ndarray  # (n,) nearest hub of every point along the graph, 0 … h−1
    degrees: np.ndarray  # (n,) neighbours of every point
    links: sparse.csr_array  # (h, h) lengths between hubs
    sigma: float
    eigenvalues: np.ndarray
    n_components: int
    U: np.ndarray  # (h, C) rows of length 1
    centres: np.ndarray  # (C, C) of the rows
    Q: np.ndarray  # (h, C) rows sum to 1


def hub_clustering(
    X: np.ndarray,
    *,
    n_clusters: int,
    k_graph: int,
    k_hub: int,
    n_hubs: int,
    sigma: float | str,
    gamma: float,
    seed: int,
    device: str = "auto",
    memory: Any = None,
) -> HubClustering:
    """Algorithm 3, stage by stage: what does not depend on a changed value is remembered.

    There are at most as many hubs as points, and links as other hubs.
    """
    cached = check_memory(memory).cache
    h = min(n_hubs, len(X))
    if h < n_clusters:
        raise ValueError(f"n_hubs={h} hubs cannot form n_clusters={n_clusters} clusters")
    G = cached(undirected)(_neighbours(X, k_graph, memory, device))
    k = min(k_hub, h - 1)
    longest = k if memory is None else min(max(k, LIST), h - 1)
    lists = cached(nearest_hubs)(G, n_hubs=h, k=longest)
    links = hub_graph(lists.others, lists.lengths, k)
    asked = isinstance(sigma, str) and sigma.endswith("all")
    width = hub_width(sigma, links, cached(all_pairs_median)(G, lists.hubs) if asked else None)
    count = min(n_clusters + SHOWN, h)
    eigenvalues, V, n_islands = cached(spectrum)(links, sigma=width, count=count)
    U = unit_rows(V[:, :n_clusters])
    followed = _to_a_hub(X, lists.nearest, lists.hubs, device)
    if n_islands > n_clusters:
        _warn(n_islands, n_clusters, k, h)
        U = U[cached(_represented)(X, G, lists.hubs, U.any(axis=1), device)]
    centres = cached(kmeans_centres)(U, n_clusters=n_clusters, seed=seed)
    Q = soft_assignments(U, centres, gamma=gamma)
    degrees = np.diff(G.indptr)
    return HubClustering(
        lists.hubs, followed, degrees, links, width, eigenvalues, n_islands, U, centres, Q
    )


def hub_distributions(X: np.ndarray, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """The hubs (h,), best first, and Q (h, C); options as of `hub_clustering`."""
    found = hub_clustering(X, **options)
    return found.hubs, found.Q


def _neighbours(X: np.ndarray, k: int, memory: Any, device: str) -> sparse.csr_array:
    if k > len(X) - 1:
        warnings.warn(
            f"k_graph={k} but a point has {len(X) - 1} others; taking {len(X) - 1}",
            UserWarning,
            stacklevel=4,
        )
    return knn(X, min(k, len(X) - 1), memory, device=device)


def _warn(islands: int, clusters: int, k: int, h: int) -> None:
    warnings.warn(
        f"the {h} hubs fall into {islands} islands, more than n_clusters={clusters}: the smaller "
        f"ones follow their nearest hub among the larger. Raise k_hub={k}, or k_graph, or n_hubs",
        UserWarning,
        stacklevel=4,
    )


def _to_a_hub(X: np.ndarray, found: np.ndarray, hubs: np.ndarray, device: str) -> np.ndarray:
    """Points from which no hub can be reached go to the one nearest in a straight line."""
    lost = np.flatnonzero(found < 0)
    if not len(lost):
        return found
    found = found.copy()
    found[lost] = nearest(X[lost], X[hubs], 1, device=device)[0][:, 0]
    return found


@stage("components")
def _represented(
    X: np.ndarray, G: sparse.csr_array, hubs: np.ndarray, has_row: np.ndarray, device: str
) -> np.ndarray:
    """(h,) itself for a hub with a row among the leading eigenvectors, else the nearest that has.

    Like every point that is no hub: along the graph, or straight where there is no way.
    """
    kept = np.flatnonzero(has_row)
    rank = np.full(len(X) + 1, -1)
    rank[hubs[kept]] = np.arange(len(kept))
    along = rank[geodesic(G, hubs[kept], 1)[0][hubs, 0]]
    answer = kept[_to_a_hub(X[hubs], along, kept, device)]
    answer[kept] = kept
    return answer


class SGSC(Clusterer):
    """Selective geodesic spectral clustering (Algorithm 3), weights exp(−d²/σ²).

    Hubs by degree of the undirected graph, ties by lower index. σ is a number, or the median over
    the links ("edges") or over all pairs of hubs with a way between them ("all"), with a factor or
    not. Points on an island without any hub take the hub nearest in the Euclidean sense. Where the
    hubs have more islands than clusters, the smaller ones take the place of their nearest hub in
    the larger. Clusters are numbered by their number of hubs, the largest first.

    Attributes: `labels_` (n,), `hubs_` (h,) best first, `hub_distributions_` (h, C) Q,
    `hub_labels_` (h,) the largest of each row, `spectral_embedding_` (h, C) rows of length 1,
    `centres_` (C, C), `eigenvalues_` the top C + 10, `n_components_` islands among the hubs,
    `hub_graph_` (h, h) CSR of lengths along the graph, `nearest_hubs_` (n,) the point each follows,
    `degrees_` (n,), `sigma_` the value used.
    """

    title, family = "Selective geodesic spectral clustering", "clustering"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part II"

    def __init__(
        self,
        n_clusters: Clusters = 8,
        k_graph: GraphNeighbours = 10,
        k_hub: HubNeighbours = 10,
        n_hubs: Hubs = 500,
        sigma: HubWidth = "edges",
        gamma: Sharpness = 1e-60,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.k_graph = k_graph
        self.k_hub = k_hub
        self.n_hubs = n_hubs
        self.sigma = sigma
        self.gamma = gamma
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "SGSC":
        """Cluster the hubs and let every point follow its nearest; y is ignored."""
        X = self._checked(X)
        options = self.get_params(deep=False)
        del options["random_state"]
        found = hub_clustering(X, **options, seed=self._seed())
        self.hubs_, self.hub_graph_, self.degrees_ = found.hubs, found.links, found.degrees
        self.sigma_, self.n_components_ = found.sigma, found.n_components
        self.eigenvalues_, self.spectral_embedding_ = found.eigenvalues, found.U
        self.centres_, self.hub_distributions_ = found.centres, found.Q
        self.hub_labels_ = found.Q.argmax(axis=1)
        self.nearest_hubs_ = found.hubs[found.nearest]
        self.labels_ = self.hub_labels_[found.nearest]
        return self
