r"""Online quantised LP: label propagation over a summary of the stream answers every new point.

    C_t = cover of x_1 … x_t,   f_i = Σ_j m_j w_ij f_j / Σ_j m_j w_ij,   w_ij = exp(−d_ij²/σ²)

All labels are kept, but of the unlabelled points only n_c centroids c, each standing for the m
points around it. A new point becomes a node of its own among labels and centroids, and takes the
class in which a random walk from it most likely ends. The answer is given at once; then the point
joins the cover.

**What to look for:** time per point and memory stay the same, however long the stream is. An answer
is never corrected later. In the plane fifty centroids are nearly as good as all points. On images
the cover collapses (doubling) or stops changing (lazy), and 1-NN on the labels, which ignores the
stream, is hard to beat: compare with it. With *the new point is a node* off, as printed, a point
takes its centroid's answer, and fine borders are lost. Where the classes move slowly the method
follows without new labels, as long as the cover is fine enough. But labels and centroids are never
forgotten: when another class moves to where they are, answers become wrong.

Valko, Kveton, Huang, Ting. Online semi-supervised learning on quantized graphs. UAI 2010.
Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 3.2.3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sslviz.graph.parameters import Neighbours
from sslviz.memo import stage
from sslviz.stream.cover_base import CoverClassifier, Nodes
from sslviz.stream.parameters import EdgeWidth, Merging, OwnNode
from sslviz.stream.stages.replay import replay
from sslviz.stream.stages.weighted_propagation import quantised_lp


@dataclass(repr=False, eq=False)
class OnlineQLP(CoverClassifier):
    """Label propagation on labelled points and the centroids of a doubling cover.

    The graph is the undirected kNN graph of the nodes; with fewer nodes than `k_graph` + 1 all are
    linked. `predict` gives the answer of `observe` and learns nothing.

    Attributes: `classes_`, `cover_`, `centroids_`, `multiplicities_`, `radius_`,
    `labelled_points_`, `labelled_classes_`, `last_distribution_` (C,) the last answer of `observe`;
    after `fit` also `transduction_` and `label_distributions_`, the answers given on arrival.
    """

    title, abbreviation = "Online quantised LP", "QLP"
    paper = "Valko, Kveton, Huang & Ting, UAI 2010; Wada 2019"
    formula = (
        r"f_i=\sum_jm_jw_{ij}f_j\,/\sum_jm_jw_{ij}",
        r"w_{ij}=e^{-d_{ij}^2/\sigma^2},\;j\in\mathcal N_k(i)",
        r"\#\text{centroids}\le n_c",
    )

    k_graph: Neighbours = 5
    own_node: OwnNode = True
    merge: Merging = "doubling"
    sigma: EdgeWidth = "mean"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 1e-4 * n  # with 50 centroids

    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        F = quantised_lp(
            nodes.D, nodes.target, nodes.m,
            k=self.k_graph, sigma=self.sigma, n_classes=len(self.classes_),
        )  # fmt: skip
        return F[points]

    @staticmethod
    def _stage() -> Callable:
        return replay_qlp


@stage("stream")
def replay_qlp(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, **settings: Any
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The answers along a whole stream, and the state at its end."""
    return replay(OnlineQLP(**settings), X, target, n_classes)
