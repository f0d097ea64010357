r"""Temporal label propagation: the oldest point leaves, and its neighbours inherit its edges.

    w_uv ← w_uv + w_ui w_iv / d_i  for all neighbours u, v of the leaving point i,   d_i = Σ_v w_iv

All labels and the last n_c unlabelled points are kept. A new point is linked to its k nearest among
them with w = exp(−d²/σ²) and takes the class in which a random walk from it most likely ends. Then
the oldest point leaves. In an electric network of conductances w this exchange of a star for a mesh
cannot be noticed from outside: the label distributions of all other points stay exactly as they
were, after any number of departures. So labels far in the past still act through points that are
no longer known.

**What to look for:** edges appear between the neighbours of a point that leaves. What is forgotten
is where the points were: a newcomer is linked to points that are present only. Where classes move,
that is right: 400 arrivals of the turning moons are answered without a mistake (QLP 92%), digits
class after class 96% correctly (QLP 83%, 1-NN on the labels 92%). Once the moons have turned to
the labels of the other class it is wrong as all methods are, since labels are never forgotten; and
on digits or USPS in random order it is no better than 1-NN. It costs n_c² weights and a linear
system per point, and an edge is never measured again. σ is that of the first points.

Wagner, Guha, Kasiviswanathan, Mishra. Semi-supervised learning on data streams via temporal label
propagation. ICML 2018.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.graph.parameters import Neighbours
from sslviz.memo import stage
from sslviz.stream.base import OnlineClassifier
from sslviz.stream.parameters import EdgeWidth
from sslviz.stream.stages.distances import pairwise_distances
from sslviz.stream.stages.electric_network import (
    Departure,
    ElectricNetwork,
    NetworkSummary,
    edge_width,
    harmonic_values,
    log_weights,
    network_of,
    summary_of,
    with_label,
    with_node,
    without_node,
)
from sslviz.stream.stages.replay import replay
from sslviz.stream.stages.weighted_propagation import neighbour_lists


@dataclass(repr=False, eq=False)
class TemporalLabelPropagation(OnlineClassifier):
    """Label propagation over the labelled points and the last `capacity` unlabelled ones.

    The points of the first `partial_fit` (of the unlabelled ones, the first `capacity`) form the
    undirected kNN graph, whose mean edge length gives σ. Each later point, labelled or not, is
    linked to its `k_graph` nearest of the points present; these edges are never measured again.
    `predict` gives the answer of `observe` and learns nothing.

    Attributes: `classes_`, `centroids_` (c, d) the kept points, oldest first, `births_` (c,) their
    positions in the stream, `multiplicities_` (all 1: each stands for itself), `network_` with the
    logarithms of the weights, `departure_` the last one of the last batch or None, `sigma_`,
    `labelled_points_`, `labelled_classes_`, `last_distribution_` (C,) the last answer of `observe`;
    after `fit` also `transduction_` and `label_distributions_`, the answers given on arrival.
    """

    title, abbreviation = "Temporal label propagation", "TLP"
    paper = "Wagner, Guha, Kasiviswanathan & Mishra, ICML 2018"
    formula = (
        r"w_{uv}\leftarrow w_{uv}+w_{ui}w_{iv}/d_i\text{ when point }i\text{ leaves}",
        r"d_i=\sum_vw_{iv}",
        r"w=e^{-d^2/\sigma^2}\text{ to the }k\text{ nearest of }n_c\text{ points}",
    )
    _state_added = ("kept", "n_seen", "sigma", "weights", "measured")

    k_graph: Neighbours = 5
    sigma: EdgeWidth = "mean"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 4e-4 * n  # with 50 points kept

    def centroid_distributions(self) -> np.ndarray:
        """(c, C) label distributions of the kept points."""
        check_is_fitted(self, "classes_")
        return harmonic_values(self.network_, self._target, len(self.classes_))

    def network_summary(self) -> NetworkSummary:
        """The strongest edges, and what the last departure has changed."""
        check_is_fitted(self, "classes_")
        return summary_of(self.network_, self.departure_, self._target, len(self.classes_))

    @property
    def centroids_(self) -> np.ndarray:
        return self._kept.copy()

    @property
    def multiplicities_(self) -> np.ndarray:
        return np.ones(len(self._kept), np.int64)

    @property
    def births_(self) -> np.ndarray:
        return np.arange(self.n_seen_ - len(self._kept), self.n_seen_)

    @property
    def owners_(self) -> np.ndarray:
        """(b,) each point of the last batch itself, -1 if it has left again."""
        return np.maximum(np.arange(len(self._kept) - self._batch, len(self._kept)), -1)

    def state(self) -> dict[str, np.ndarray]:
        """Everything kept of the stream, as plain arrays: `np.savez(file, **model.state())`."""
        return super().state() | {
            "kept": self._kept.copy(),
            "n_seen": np.array(self.n_seen_),
            "sigma": np.array(self.sigma_),
            "weights": self.network_.weights.copy(),
            "measured": self.network_.measured.copy(),
        }

    def restore(self, state: Any) -> "TemporalLabelPropagation":
        """Go on from a `state`, as if the stream had never been interrupted."""
        super().restore(state)
        self._kept = np.array(state["kept"], np.float64)
        if len(self._kept) > self.capacity:
            raise ValueError(
                f"TemporalLabelPropagation: a state with {len(self._kept)} points does not fit "
                f"capacity={self.capacity}"
            )
        self.n_seen_, self.sigma_ = int(state["n_seen"]), float(state["sigma"])
        self.network_ = ElectricNetwork(np.array(state["weights"]), np.array(state["measured"]))
        return self

    def _begin(self, n_features: int, classes: np.ndarray) -> None:
        super()._begin(n_features, classes)
        self._kept, self.n_seen_, self._batch = np.empty((0, n_features)), 0, 0
        self.network_ = ElectricNetwork(np.empty((0, 0)), np.empty((0, 0)))
        self.departure_: Departure | None = None

    def _first(self, X: np.ndarray, target: np.ndarray, found: np.ndarray) -> None:
        given, free = target >= 0, np.flatnonzero(target < 0)
        super()._label(X[given], found[target[given]])
        self._kept = X[free[: self.capacity]]
        self.n_seen_ = len(self._kept)
        nodes = np.vstack([self._L, self._kept])
        k = min(self.k_graph, len(nodes) - 1)
        near, lengths = neighbour_lists(pairwise_distances(nodes, nodes), k)
        self.sigma_ = edge_width(lengths, self.sigma)
        self.network_ = network_of(near, lengths, len(self._L), self.sigma_)
        self._keep(X[free[self.capacity :]])
        self._batch = len(free)

    def _edges(self, row: np.ndarray) -> np.ndarray:
        """(l + c,) logarithms of the weights of a new point, -inf beyond its k nearest."""
        d = np.hstack([pairwise_distances(row, self._L), pairwise_distances(row, self._kept)])[0]
        far = np.argsort(d, kind="stable")[self.k_graph :]
        d[far] = np.inf
        return log_weights(d, self.sigma_)

    def _ask(self, row: np.ndarray) -> np.ndarray:
        network = with_node(self.network_, self._edges(row))
        return harmonic_values(network, self._target, len(self.classes_))[-1]

    def _keep(self, X: np.ndarray) -> None:
        self.departure_ = None
        for i in range(len(X)):
            row = X[i : i + 1]
            self.network_ = with_node(self.network_, self._edges(row))
            self._kept = np.vstack([self._kept, row])
            if len(self._kept) > self.capacity:
                self.departure_ = without_node(self.network_, 0)
                self.network_, self._kept = self.departure_.network, self._kept[1:]
        self.n_seen_, self._batch = self.n_seen_ + len(X), len(X)

    def _label(self, X: np.ndarray, y: np.ndarray) -> None:
        self.departure_ = None
        for i in range(len(X)):
            edges = self._edges(X[i : i + 1])
            self.network_ = with_label(self.network_, edges[len(self._L) :])
            super()._label(X[i : i + 1], y[i : i + 1])

    @staticmethod
    def _stage() -> Callable:
        return replay_tlp


@stage("stream")
def replay_tlp(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, **settings: Any
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The answers along a whole stream, and the state at its end."""
    return replay(TemporalLabelPropagation(**settings), X, target, n_classes)
