r"""SupGraphDL: dictionary learning with a graph of the points, a graph of the features and labels.

    J = ‖X − AD‖² + α tr(D L_f Dᵀ) + β tr(AᵀLA) + γ‖Y − A_lWᵀ‖² + γμ‖W‖²,   ‖a‖₀ ≤ T,  ‖d‖ ≤ 1

Supervised graph-regularised dictionary learning: neighbouring points should have similar codes (L),
and atoms similar values at neighbouring features, such as pixels that are bright in the same images
(L_f). Labelled points also train a linear classifier W of the codes. Codes are found point by
point, by OMP with a pull towards the codes of the neighbours; atoms one by one, exactly; W is a
ridge regression. New points are coded on D alone. The label term is our reading: the paper's own is
not public.

**What to look for:** α blurs the atoms, along the pixel graph and not in all directions. β makes
neighbours use the same atoms. Neither helps on USPS with 20 labels per class: accuracy is 83.5%
with both graphs and 84.5% without, since new points are coded without their neighbours.

Yankelevsky, Elad. Structure-aware classification using supervised dictionary learning. ICASSP 2017.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.l0_base import L0Dictionary
from sslviz.dictionary.stages.joint_rounds import first_joint
from sslviz.dictionary.stages.laplacians import Graph, knn_graph
from sslviz.dictionary.stages.two_graph_rounds import (
    graph_of_features,
    smoothness_basis,
    two_graph_rounds,
)
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.validation import clip_to_available, row_of

MAX_FEATURES = 4000  # eigenvectors of more take minutes


@stage("atoms and codes")
def learn_sup_graph_dl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A and W after the last, and the objective after each."""
    return run_rounds(two_graph_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SupGraphDL(L0Dictionary):
    """Supervised dictionary learning with a graph of the points and a graph of the features.

    X is scaled to unit rows. Graphs have Gaussian weights of the mean edge length and mean degree
    1. There are at most as many atoms as labelled points.

    Attributes: `components_` (atoms, d) with norm ≤ 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `weights_` (n, n) and `feature_graph_` (d, d) the graphs, `objective_` after each round,
    `classes_`, `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "SupGraphDL"
    paper = "Yankelevsky & Elad, ICASSP 2017"
    formula = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\alpha\operatorname{tr}(DL_fD^\top)}+"
        r"\textcolor{3}{\beta\operatorname{tr}(A^\top LA)}+"
        r"\textcolor{4}{\gamma\|Y-A_lW^\top\|^2}+\textcolor{5}{\gamma\mu\|W\|^2}",
        r"\|a\|_0\le T,\;\|d\|\le1",
        r"D\in\mathbb R^{p\times d}",
        r"L,L_f\text{ of }k\text{-NN graphs}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"beta": 0.0}  # atoms still use all points
    _rounds, _learn = staticmethod(two_graph_rounds), staticmethod(learn_sup_graph_dl)

    n_atoms: own.Atoms = 200
    n_nonzero: own.NonZeros = 8
    alpha: own.FeatureSmoothness = 0.1
    beta: own.PointSmoothness = 0.1
    gamma: own.LabelWeight = 0.05
    mu: own.RelativeRidge = 0.1
    n_neighbors: own.TwoGraphNeighbours = 5
    max_iter: own.Rounds = 10

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: ten rounds with 200 atoms, eigenvectors of the features."""
        return n * (n_features + n_classes + 200) / 1_200_000 + (n_features / 1500) ** 3

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        count, seed = self._start(target)
        cached = check_memory(self.memory).cache
        start = cached(first_joint)(X, target, count, self.n_nonzero, self.mu, seed)
        points, features = self._build_graphs(X)
        values, vectors = self._basis(features)
        names = ("n_nonzero", "alpha", "beta", "gamma", "mu", "max_iter")
        arguments = {name: getattr(self, name) for name in names}
        arguments |= {"start": start, "L": points.L}
        arguments |= {"eigenvalues": values, "eigenvectors": vectors}
        return CheckedInput(X, target, classes, arguments, tuple(start), (points, features))

    def _basis(self, features: Graph) -> tuple[np.ndarray, np.ndarray | None]:
        """Eigenvalues and eigenvectors of L_f, which atoms need unless alpha is 0."""
        d = features.L.shape[0]
        if self.alpha == 0:
            return np.zeros(d), None
        if d > MAX_FEATURES:
            raise ValueError(
                f"SupGraphDL: alpha={self.alpha:g} needs the eigenvectors of the graph of {d} "
                f"features, more than {MAX_FEATURES}; reduce the features or set alpha=0"
            )
        return check_memory(self.memory).cache(smoothness_basis)(features.L)

    def _build_graphs(self, X: np.ndarray) -> tuple[Graph, Graph]:
        cached = check_memory(self.memory).cache
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        G = knn(X, k, self.memory, device=self.device)
        points = cached(knn_graph)(G, width("mean", graph=G))
        return points, cached(graph_of_features)(X, self.n_neighbors)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        self.weights_, self.feature_graph_ = (graph.weights for graph in problem.graph)

    def _neighbours(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if np.ndim(sample) == 0:
            return row_of(self.weights_, int(sample))
        return super()._neighbours(sample)  # new points are coded on their own
