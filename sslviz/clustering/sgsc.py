r"""Selective geodesic spectral clustering (SGSC): cluster the hubs; other points follow them.

    w_ij = exp(−d_G(i, j)²/σ²),   S = D^{-1/2} W D^{-1/2},   S V = V Λ,   u_i = v_i/‖v_i‖
    q_ij ∝ (1 + ‖u_i − μ_j‖²/γ)^{−(γ+1)/2}

Spectral clustering of all points is expensive and sensitive to outliers. SGSC clusters only *hubs*:
the h points with most neighbours in the k₀-nearest-neighbour graph. Each hub is connected to the k₁
hubs nearest along that graph: straight lines between so few points would cross the gaps between
clusters. The leading eigenvectors of the hub graph place each hub on a sphere, k-means clusters
these places, and q is the probability of each cluster. Every other point takes the cluster of the
hub nearest along the graph.

**What to look for:** the eigenvalues. As many are 1 as the hub graph has connected components
("islands"), and there is a gap after the C-th if C fits the data. With more components than
clusters the leading eigenvectors are arbitrary and a warning is given: raise k₁ or the number of
hubs. Degree measures density only relative to the neighbourhood, so hubs can be outliers: on four
clusters outliers are twice as frequent among the hubs as among all points. With σ over *edges* the
long edges to a group of outliers get almost no weight, and such a group may become a cluster; σ
over *all* pairs of hubs is more stable there. On digits the two are alike.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part II,
Algorithm 3.
"""

from dataclasses import dataclass
from typing import Any

from sslviz.clustering.base import HubClusterer


@dataclass(repr=False, eq=False)
class SGSC(HubClusterer):
    """Selective geodesic spectral clustering (Algorithm 3), weights exp(−d²/σ²).

    Hubs by degree of the undirected graph, ties by lower index. σ is a number, or the median over
    the edges of the hub graph ("edges") or over all connected pairs of hubs ("all"), with a factor
    or without. Points with no path to a hub take the hub nearest in Euclidean distance. If the hub
    graph has more components than clusters, hubs of the smaller components take the place of the
    nearest hub in the larger ones. Clusters are numbered by their number of hubs, largest first.

    Attributes: `labels_` (n,), `hubs_` (h,) by falling degree, `hub_distributions_` (h, C) Q,
    `hub_labels_` (h,) the largest of each row, `spectral_embedding_` (h, C) rows of length 1,
    `centres_` (C, C), `eigenvalues_` the top C + 10, `n_components_` of the hub graph,
    `hub_graph_` (h, h) CSR of distances along the graph, `nearest_hubs_` (n,) the hub that each
    point follows, `degrees_` (n,), `sigma_` the value used.
    """

    title, abbreviation = "Selective geodesic spectral clustering", "SGSC"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part II"
    formula = (
        r"\textcolor{hub}{\text{hubs}}=\text{the }h\text{ of highest degree in the }k_0"
        r"\text{-NN graph}",
        r"w_{ij}=e^{-d_G(i,j)^2/\sigma^2},\;j\in\mathcal N_{k_1}(i)\text{ among hubs}",
        r"S=D^{-1/2}WD^{-1/2},\;SV=V\Lambda\;(C\text{ largest}),\;u_i=v_i/\|v_i\|",
        r"q_{ij}\propto(1+\|u_i-\mu_j\|^2/\gamma)^{-(\gamma+1)/2}",
    )

    def fit(self, X: Any, y: Any = None) -> "SGSC":
        """Cluster the hubs and give every point the cluster of its nearest hub; y is ignored."""
        found = self._cluster_hubs(self._check(X), self._draw_seed())
        self.hubs_, self.hub_graph_, self.degrees_ = found.hubs, found.links, found.degrees
        self.sigma_, self.n_components_ = found.sigma, found.n_components
        self.eigenvalues_, self.spectral_embedding_ = found.eigenvalues, found.U
        self.centres_, self.hub_distributions_ = found.centres, found.Q
        self.hub_labels_ = found.labels
        self.nearest_hubs_ = found.hubs[found.nearest]
        self.labels_ = self.hub_labels_[found.nearest]
        return self
