"""SGSC judged as in the thesis: on its hubs only."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from sslviz.clustering.parameters import Clusters, GraphNeighbours, HubNeighbours, Hubs, HubWidth
from sslviz.clustering.sgsc import SGSC
from sslviz.labels import UNLABELLED


class HubLabels(ClusterMixin, BaseEstimator):
    """`labels_` of the hubs; every other point is left out."""

    def __init__(
        self,
        n_clusters: Clusters = 8,
        k_graph: GraphNeighbours = 10,
        k_hub: HubNeighbours = 10,
        n_hubs: Hubs = 500,
        sigma: HubWidth = "edges",
        *,
        memory: Any = None,
        random_state: int | None = None,
    ):
        self.n_clusters = n_clusters
        self.k_graph = k_graph
        self.k_hub = k_hub
        self.n_hubs = n_hubs
        self.sigma = sigma
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: Any = None) -> "HubLabels":
        model = SGSC(**self.get_params(deep=False)).fit(X)
        self.labels_ = np.full(len(X), UNLABELLED)
        self.labels_[model.hubs_] = model.hub_labels_
        return self
