r"""Answer every point of a stream when it comes, by label propagation over a summary of the past.

    C_t = cover of x_1 … x_t,   f_i = Σ_j m_j w_ij f_j / Σ_j m_j w_ij,   w_ij = exp(−d_ij²/σ²)

All labels are kept, but of the unlabelled points only n_c centroids c, each standing for the m
points around it. A new point is put among labels and centroids as a node of its own, walkers run
until they meet a label, and the class most of them end in is said at once. Then the point joins
the cover.

**What to look for:** time per point and memory stay the same, however long the stream. What it
says is never corrected later. In the plane fifty centroids are nearly as good as all points; on
images the cover collapses (doubling) or stands still (lazy), and plain 1-NN on the labels, which
ignores the stream, is hard to beat: keep an eye on it. With *the new point is a node* off, as
printed, a point takes its centroid's answer, and fine borders are lost. Where the world turns
slowly it follows without new labels, as long as the cover is fine enough; but labels and centroids
are never forgotten, and when another class comes where they are, the answers go wrong.

Valko, Kveton, Huang, Ting. Online semi-supervised learning on quantized graphs. UAI 2010.
Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 3.2.3.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sslviz.graph.parameters import Neighbours
from sslviz.stream.base import Nodes, OnlineClassifier
from sslviz.stream.parameters import Capacity, EdgeWidth, Merging, OwnNode
from sslviz.stream.stages.replay import run
from sslviz.stream.stages.weighted_propagation import quantised_lp


class OnlineQLP(OnlineClassifier):
    """Label propagation on labelled points and the centroids of a doubling cover.

    The graph is the undirected kNN graph of the nodes; with fewer nodes than `k_graph` + 1 all are
    linked. `predict` says what `observe` would say of the same point now, and learns nothing.

    Attributes: `classes_`, `cover_`, `centroids_`, `multiplicities_`, `radius_`,
    `labelled_points_`, `labelled_classes_`, `said_` (C,) the last answer as a distribution; after
    `fit` also `transduction_` and `label_distributions_`, what was said of each point on arrival.
    """

    title, family, abbreviation = "Online quantised LP", "stream", "QLP"
    paper = "Valko, Kveton, Huang & Ting, UAI 2010; Wada 2019"

    def __init__(
        self,
        capacity: Capacity = 50,
        k_graph: Neighbours = 5,
        own_node: OwnNode = True,
        merge: Merging = "doubling",
        sigma: EdgeWidth = "mean",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.capacity = capacity
        self.k_graph = k_graph
        self.own_node = own_node
        self.merge = merge
        self.sigma = sigma
        self.device = device
        self.memory = memory

    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        F = quantised_lp(
            nodes.D, nodes.target, nodes.m,
            k=self.k_graph, sigma=self.sigma, n_classes=len(self.classes_),
        )  # fmt: skip
        return F[points]

    @staticmethod
    def _stage() -> Callable:
        return streamed_qlp


def streamed_qlp(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, **settings: Any
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """What is said along a whole stream, and the state in the end."""
    return run(OnlineQLP(**settings), X, target, n_classes)
