r"""Answer every point of a stream by hubs among the centroids, each voting for all it stands for.

    N(c) = Σ {m_i : c is one of the k_1 nearest of i},   H = the h centroids of largest N
    votes for y = Σ {m_v : v one of x's kᵥ nearest of L ∪ H along the graph, of class y}

Robust label prediction on the summary of a stream. Centroids that many points count among their
nearest are hubs and receive labels by propagation; a new point that is no hub itself takes the
majority of the nearest labels and hubs along the graph, where a hub that stands for m points has m
votes and a label one. How many hubs there should be, and how many links, is tuned before the stream
for three sizes of the cover; during the stream the nearest size is taken.

**What to look for:** an outlier that became a centroid stands for one point and is nobody's hub.
A heavy hub outvotes all labels around it: where one centroid has swallowed half the stream, its
error is everybody's. On images compare with plain 1-NN on the labels, and try *lazy* merging.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 5,
Algorithm 2.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.params import Number
from sslviz.propagation.geodesic_knn import Voters
from sslviz.propagation.robust_label_prediction import HubLinks
from sslviz.stream.base import Nodes, OnlineClassifier
from sslviz.stream.parameters import Capacity, EdgeWidth, Merging, OwnNode
from sslviz.stream.stages.pretuning import Pretuned, pretune
from sslviz.stream.stages.replay import run
from sslviz.stream.stages.weighted_propagation import Hubs, quantised_rlp


class OnlineQRLP(OnlineClassifier):
    """Robust label prediction on labelled points and the centroids of a doubling cover.

    n_hubs = "auto" tunes the number of hubs and k_hub on the points of the first `partial_fit`
    (stream/stages/pretuning.py); with no unlabelled ones among them, every second centroid is a
    hub. There are never more hubs than unlabelled nodes. `predict` says what `observe` would say
    of the same point now, and learns nothing.

    Attributes: `classes_`, `cover_`, `centroids_`, `multiplicities_`, `radius_`,
    `labelled_points_`, `labelled_classes_`, `said_` (C,) the last answer as a distribution,
    `pretuned_` the table of tuned sizes, or None; after `fit` also `transduction_` and
    `label_distributions_`, what was said of each point on arrival.
    """

    title, family, abbreviation = "Online quantised RLP", "stream", "QRLP"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part I, section 5"
    pretuned_: Pretuned | None
    _chosen = ("pretuned",)

    def __init__(
        self,
        capacity: Capacity = 50,
        k_graph: Annotated[
            int,
            Number(
                "Each node is linked to its k nearest: this graph names the hubs and measures "
                "distances.",
                valid=(1, 10**6),
                shown=(2, 20),
                label="neighbours",
                symbol="k₁",
            ),
        ] = 4,
        k_hub: HubLinks = 5,
        n_hubs: Annotated[
            int | str,
            Number(
                "How many of the most popular centroids receive their label by propagation. "
                "Automatic: tuned before the stream by hiding labels.",
                valid=(0, 10**6),
                shown=(0, 200),
                rules=("auto",),
                label="hubs",
                symbol="h",
            ),
        ] = "auto",
        n_votes: Voters = 3,
        own_node: OwnNode = True,
        merge: Merging = "doubling",
        sigma: EdgeWidth = "mean",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.capacity = capacity
        self.k_graph = k_graph
        self.k_hub = k_hub
        self.n_hubs = n_hubs
        self.n_votes = n_votes
        self.own_node = own_node
        self.merge = merge
        self.sigma = sigma
        self.device = device
        self.memory = memory

    def centroid_hubs(self) -> Hubs:
        """The graph of labelled points and centroids now; `hubs` and `scores` of centroids only."""
        check_is_fitted(self, "classes_")
        labels = len(self._target)
        nodes = self._nodes()
        found = self._predicted(nodes, np.arange(labels, len(nodes.target)))
        return Hubs(found.F, found.hubs - labels, found.scores[labels:])

    def state(self) -> dict[str, np.ndarray]:
        """All that is remembered, as plain arrays: `np.savez(file, **model.state())`."""
        check_is_fitted(self, "classes_")
        table = np.empty((0, 3), np.int64) if self.pretuned_ is None else self.pretuned_.table()
        return super().state() | {"pretuned": table}

    def restore(self, state: Any) -> "OnlineQRLP":
        """Go on from a `state`, as if the stream had never been interrupted."""
        super().restore(state)
        self.pretuned_ = Pretuned.of(state["pretuned"]) if len(state["pretuned"]) else None
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
        """k_hub and the number of hubs that suit the cover as it is."""
        centroids = len(self._births)
        if self.pretuned_ is not None:
            return self.pretuned_.at(centroids)
        return self.k_hub, (centroids + 1) // 2 if self.n_hubs == "auto" else int(self.n_hubs)

    def _predicted(self, nodes: Nodes, points: np.ndarray) -> Hubs:
        k_hub, n_hubs = self._sizes()
        return quantised_rlp(
            nodes.D, nodes.target, nodes.m, points,
            k_graph=self.k_graph, k_hub=k_hub, n_hubs=n_hubs, n_votes=self.n_votes,
            sigma=self.sigma, n_classes=len(self.classes_),
        )  # fmt: skip

    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        return self._predicted(nodes, points).F

    @staticmethod
    def _stage() -> Callable:
        return streamed_qrlp


def streamed_qrlp(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, **settings: Any
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """What is said along a whole stream, and the state in the end."""
    return run(OnlineQRLP(**settings), X, target, n_classes)
