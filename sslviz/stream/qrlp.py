r"""Online quantised RLP: hubs among the centroids vote, each for all the points it stands for.

    N(c) = Σ {m_i : c is one of the k_1 nearest of i},   H = the h centroids of largest N
    votes for y = Σ {m_v : v one of x's kᵥ nearest of L ∪ H along the graph, of class y}

Robust label prediction on the summary of a stream. Centroids that many points have among their
nearest neighbours are hubs and get their labels by propagation. A new point that is not a hub takes
the majority of the nearest labels and hubs along the graph; a hub that stands for m points has m
votes, a labelled point one. The number of hubs and of links among them is tuned before the stream
for three sizes of the cover; during the stream the nearest size is used.

**What to look for:** an outlier that became a centroid stands for one point and is not a hub. A
heavy hub outvotes all labels around it: where one centroid stands for half the stream, its error
affects every answer. On images compare with 1-NN on the labels, and try *lazy* merging.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 5,
Algorithm 2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.memo import stage
from sslviz.propagation.parameters import HubParameters
from sslviz.stream.cover_base import COVER_ARRAYS, CoverClassifier, Nodes
from sslviz.stream.parameters import CentroidHubCount, EdgeWidth, Merging, OwnNode
from sslviz.stream.stages.pretuning import Pretuned, pretune
from sslviz.stream.stages.replay import replay
from sslviz.stream.stages.weighted_propagation import HubAnswers, quantised_rlp


@dataclass(repr=False, eq=False)
class OnlineQRLP(HubParameters, CoverClassifier):
    """Robust label prediction on labelled points and the centroids of a doubling cover.

    n_hubs = "auto" tunes the number of hubs and k_hub on the points of the first `partial_fit`
    (stream/stages/pretuning.py); without unlabelled points among them, half of the centroids
    are hubs. There are never more hubs than unlabelled nodes. `predict` gives the answer of
    `observe` and learns nothing.

    Attributes: `classes_`, `cover_`, `centroids_`, `multiplicities_`, `radius_`,
    `labelled_points_`, `labelled_classes_`, `last_distribution_` (C,) the last answer of `observe`,
    `pretuned_` the table of tuned sizes, or None; after `fit` also `transduction_` and
    `label_distributions_`, the answers given on arrival.
    """

    title, abbreviation = "Online quantised RLP", "QRLP"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part I, section 5"
    formula = (
        r"N(c)=\sum\{m_i:c\in\mathcal N_{k_1}(i)\}",
        r"\textcolor{hub}{H}=\text{the }h\text{ centroids of largest }N,\;"
        r"\text{linked to }k_2\text{ others}",
        r"\text{votes for }y=\sum\{m_v:v\text{ of class }y\text{ among the }k_v"
        r"\text{ nearest of }\textcolor{labelled}{L}\cup\textcolor{hub}{H}\}",
        r"\#\text{centroids}\le n_c",
    )
    _state_added = (*COVER_ARRAYS, "pretuned")

    n_hubs: CentroidHubCount = "auto"
    own_node: OwnNode = True
    merge: Merging = "doubling"
    sigma: EdgeWidth = "mean"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 1.2e-3 * n  # with 50 centroids

    def centroid_hubs(self) -> HubAnswers:
        """The hubs of the present graph; `hubs` and `scores` are of centroids only."""
        check_is_fitted(self, "classes_")
        labels = len(self._target)
        nodes = self._nodes()
        found = self._predict_nodes(nodes, np.arange(labels, len(nodes.target)))
        return HubAnswers(found.F, found.hubs - labels, found.scores[labels:])

    def state(self) -> dict[str, np.ndarray]:
        """Everything kept of the stream, as plain arrays: `np.savez(file, **model.state())`."""
        check_is_fitted(self, "classes_")
        table = np.empty((0, 3), np.int64) if self.pretuned_ is None else self.pretuned_.table()
        return super().state() | {"pretuned": table}

    def restore(self, state: Any) -> "OnlineQRLP":
        """Go on from a `state`, as if the stream had never been interrupted."""
        super().restore(state)
        table = state["pretuned"]
        self.pretuned_: Pretuned | None = Pretuned.of(table) if len(table) else None
        return self

    def _begin(self, n_features: int, classes: np.ndarray) -> None:
        super()._begin(n_features, classes)
        self.pretuned_ = None

    def _tune(self, nodes: Nodes) -> None:
        if self.n_hubs == "auto":
            self.pretuned_ = pretune(
                nodes.D, nodes.target, capacity=self.capacity, features=self.n_features_in_,
                k_graph=self.k_graph, n_votes=self.n_votes, sigma=self.sigma,
                n_classes=len(self.classes_),
            )  # fmt: skip

    def _sizes(self) -> tuple[int, int]:
        """k_hub and the number of hubs for the present size of the cover."""
        centroids = len(self._births)
        if self.pretuned_ is not None:
            return self.pretuned_.at(centroids)
        return self.k_hub, (centroids + 1) // 2 if self.n_hubs == "auto" else int(self.n_hubs)

    def _predict_nodes(self, nodes: Nodes, points: np.ndarray) -> HubAnswers:
        k_hub, n_hubs = self._sizes()
        return quantised_rlp(
            nodes.D, nodes.target, nodes.m, points,
            k_graph=self.k_graph, k_hub=k_hub, n_hubs=n_hubs, n_votes=self.n_votes,
            sigma=self.sigma, n_classes=len(self.classes_),
        )  # fmt: skip

    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        return self._predict_nodes(nodes, points).F

    @staticmethod
    def _stage() -> Callable:
        return replay_qrlp


@stage("stream")
def replay_qrlp(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, **settings: Any
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The answers along a whole stream, and the state at its end."""
    return replay(OnlineQRLP(**settings), X, target, n_classes)
