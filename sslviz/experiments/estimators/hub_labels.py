"""SGSC scored as in the thesis: on its hubs only."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from sslviz.clustering.parameters import Clusters, GraphNeighbours, HubNeighbours, Hubs, HubWidth
from sslviz.clustering.sgsc import SGSC
from sslviz.labels import UNLABELLED


@dataclass(repr=False, eq=False)
class HubLabels(ClusterMixin, BaseEstimator):
    """`labels_` of the hubs; -1 for every other point."""

    n_clusters: Clusters = 8
    k_graph: GraphNeighbours = 10
    k_hub: HubNeighbours = 10
    n_hubs: Hubs = 500
    sigma: HubWidth = "edges"
    _: KW_ONLY
    memory: Any = None
    random_state: int | None = None

    def fit(self, X: np.ndarray, y: Any = None) -> "HubLabels":
        model = SGSC(**self.get_params(deep=False)).fit(X)
        self.labels_ = np.full(len(X), UNLABELLED)
        self.labels_[model.hubs_] = model.hub_labels_
        return self
