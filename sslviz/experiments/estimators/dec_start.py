"""DEC before its second part: k-means on the codes of an autoencoder."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from sslviz.clustering.dec import DEC
from sslviz.clustering.parameters import Clusters


@dataclass(repr=False, eq=False)
class DECStart(ClusterMixin, BaseEstimator):
    """`labels_` by the nearest of the first centres, from which DEC starts."""

    n_clusters: Clusters = 8
    n_codes: int = 10
    hidden: tuple[int, ...] | str = "auto"
    epochs: int = 25
    _: KW_ONLY
    memory: Any = None
    random_state: int | None = None

    def fit(self, X: np.ndarray, y: Any = None) -> "DECStart":
        model = DEC(**self.get_params(deep=False))
        self.labels_ = model.settle(model.training(X)).labels_
        return self
