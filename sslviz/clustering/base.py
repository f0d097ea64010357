"""Base classes of the clusterers: input checks, the seed, and the parameters they share.

`fit(X, y=None)` ignores y and leaves `labels_`, a number 0 … C−1 for every point; `fit_predict`
returns them.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from sslviz.abilities import Method
from sslviz.clustering.parameters import (
    MAX_PAIRED_POINTS,
    Clusters,
    GraphNeighbours,
    HubNeighbours,
    Hubs,
    HubWidth,
    KernelTail,
)
from sslviz.clustering.stages.hub_clustering import HubClustering, cluster_hubs
from sslviz.device import pick_device
from sslviz.graph.parameters import EdgePower
from sslviz.params import check_params


class ThesisRow(NamedTuple):
    """Words of Table 11 of the thesis ("Study of Prediction on Manifolds …") about a method."""

    domain: str
    tuning: str
    scales: str
    cost: str
    outliers: str
    dimension: str


@dataclass(repr=False, eq=False)
class Clusterer(ClusterMixin, Method, BaseEstimator):
    """Base of the family.

    X may be float32 or float64 and is passed on unchanged, so that a memory need not hash a copy.
    """

    family = "clustering"
    takes_labels: ClassVar[bool] = (
        False  # whether `fit` and `training` use labels, if there are any
    )
    all_pairs: ClassVar[bool] = False  # whether it holds a number for every pair of points
    condition: ClassVar[str] = ""  # what the data must fulfil beside smoothness and manifolds
    printed: ClassVar[ThesisRow | None] = None

    @classmethod
    def option(cls) -> str:
        return f"{cls.abbreviation}: {cls.title}" if cls.abbreviation else cls.title

    n_clusters: Clusters = 8
    _: KW_ONLY
    device: str = "auto"
    memory: Any = None
    random_state: Any = None

    def check_size(self, n: int) -> None:
        """Refuse more points than a matrix of all pairs is allowed for, if the method needs it."""
        if self.all_pairs and n > MAX_PAIRED_POINTS:
            raise ValueError(
                f"{type(self).__name__}: n={n} points need a matrix of all pairs, "
                f"{8 * n * n / 2**30:.1f} GB; at most {MAX_PAIRED_POINTS} points are allowed, draw "
                "a sample"
            )

    def _check(self, X: Any, *, reset: bool = True) -> np.ndarray:
        """X as a finite C-ordered array; ValueError names what is wrong with X or a parameter."""
        check_params(self)
        pick_device(self.device)  # refuses a wrong name even where no kernel uses the device
        X = validate_data(
            self,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_min_samples=2 if reset else 1,
        )
        if reset and len(X) < self.n_clusters:
            raise ValueError(
                f"{type(self).__name__}: n_samples={len(X)} points cannot form "
                f"n_clusters={self.n_clusters} clusters"
            )
        return X

    def _draw_seed(self) -> int:
        """One number from `random_state`, a new one each time when that is None."""
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))


@dataclass(repr=False, eq=False)
class HubClusterer(Clusterer):
    """Base of the clusterers that begin with spectral clustering of hubs: SGSC and SEDC."""

    k_graph: GraphNeighbours = 10
    k_hub: HubNeighbours = 10
    n_hubs: Hubs = 500
    sigma: HubWidth = "edges"
    gamma: KernelTail = 1e-60
    power: EdgePower = 1.0

    def hub_clustering(self, X: Any) -> HubClustering:
        """The clustering of the hubs of X, without that of the other points."""
        return self._cluster_hubs(self._check(X), self._draw_seed())

    def _cluster_hubs(self, X: np.ndarray, seed: int) -> HubClustering:
        return cluster_hubs(
            X,
            n_clusters=self.n_clusters,
            k_graph=self.k_graph,
            k_hub=self.k_hub,
            n_hubs=self.n_hubs,
            sigma=self.sigma,
            gamma=self.gamma,
            power=self.power,
            seed=seed,
            device=self.device,
            memory=self.memory,
        )
