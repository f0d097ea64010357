r"""Label propagation: each point takes the label that a random walk on the graph meets first.

    P = D⁻¹W,   w_ij = exp(−d_ij²/σ²),   F_u = P_uu F_u + P_ul Y_l   ⇔   L_uu F_u = W_ul Y_l

From every unlabelled point a walker (a random walk) follows edges, short ones more often than long
ones, until it reaches a labelled point. F holds the probability of ending in each class. So the
value of every unlabelled point is the weighted mean of its neighbours' values: F is a harmonic
function. Points from which no label can be reached stay undetermined.

**What to look for:** labels spread along chains of close points and around gaps. If k is too large,
an edge bridges the gap and labels of one class spread over the other. On the *directed* graph, as
printed in the thesis, a few labels absorb most walks; on the undirected graph walks end more
evenly, and accuracy is usually higher. *Class mass* rescales the columns of F so that classes
appear as often as among the given labels.

*Linear* weights take no σ: w_ij ≥ 0 are the shares, summing to 1, in which the k neighbours of
point i mix to a point as near to it as possible. A walk on the directed graph follows them as they
are (linear neighbourhood propagation), on the undirected graph w_ij + w_ji. Four labels per class,
undirected: digits 0.97 (Gaussian 0.96), 3000 of USPS 0.89 (0.86), directed 0.90 and 0.69; two moons
with one label per class 0.72 (0.99), since an outlier in the gap has neighbours on both sides.

Zhu, Ghahramani. Learning from labeled and unlabeled data with label propagation. 2002.
Zhu, Ghahramani, Lafferty. Semi-supervised learning using Gaussian fields and harmonic functions.
ICML 2003. Wang, Zhang. Label propagation through linear neighborhoods. ICML 2006.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.device import pick_device, to_torch
from sslviz.graph.linear_neighbourhoods import convex_graph
from sslviz.graph.neighbours import knn_lists
from sslviz.graph.underflow import rescale_underflowing
from sslviz.graph.weights import relative_degrees, transitions
from sslviz.params import Choice, Flag
from sslviz.propagation.base import Prepared, WeightedGraphClassifier
from sslviz.propagation.stages.absorption import absorption, basins
from sslviz.propagation.stages.out_of_sample import extend_mixed
from sslviz.propagation.stages.sweeps import Sweep, sweeps
from sslviz.validation import decode_argmax, row_of, rows_to_one

# `steps` ends when no probability changes by this much in a sweep, or after so many sweeps.
CHANGE_TOLERANCE, MAX_SWEEPS = 1e-6, 1000


@dataclass(repr=False, eq=False)
class LabelPropagation(WeightedGraphClassifier):
    """Absorption probabilities of a random walk on the kNN graph, weights exp(−d²/σ²).

    New points take the weighted mean of their nearest training points (stages/out_of_sample.py).
    With linear weights `sigma` has no effect, and new points are mixed as training points are.

    Attributes: `classes_`, `transduction_` (-1: no label can be reached), `label_distributions_`
    (n, C) absorption probabilities, not renormalised, `class_weights_` (C,) the factors of class
    mass normalisation (ones without), `sigma_` and `n_neighbors_` the values used.
    """

    title = "Label propagation"
    paper = "Zhu & Ghahramani 2002; Zhu, Ghahramani & Lafferty, ICML 2003"
    formula = (
        r"F_u=P_{uu}F_u+P_{ul}\,\textcolor{labelled}{Y_l}",
        r"P=D^{-1}W",
        r"w_{ij}=e^{-d_{ij}^2/\sigma^2},\;j\in\mathcal N_k(i)",
    )
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "sigma": ("weights", ("gaussian",))
    }

    graph: Annotated[
        str,
        Choice(
            "Whether an edge can be walked in both directions.",
            ("undirected", "directed"),
            (
                "an edge if either point lists the other as a neighbour",
                "as printed: only from a point to its own neighbours",
            ),
            label="edges",
        ),
    ] = "undirected"
    class_mass: Annotated[
        bool,
        Flag("Rescale so that classes appear as often as among the given labels."),
    ] = False
    weights: Annotated[
        str,
        Choice(
            "How often a walk takes each edge.",
            ("gaussian", "linear"),
            (
                "short edges more often, by a Gaussian of the length",
                "by the shares in which its neighbours mix to the point (linear neighbourhoods)",
            ),
        ),
    ] = "gaussian"

    @property
    def formula_in_force(self) -> tuple[str, ...]:
        if self.weights == "gaussian":
            return self.formula
        mixed = r"\min_{w_i}\|x_i-\textstyle\sum_jw_{ij}x_j\|^2,\;\sum_jw_{ij}=1"
        return (*self.formula[:-1], mixed + r",\;j\in\mathcal N_k(i)")

    @property
    def undetermined_because(self) -> str:
        if self.graph == "directed":
            return "edges are directed, and no path along them leads from these points to a label"
        return super().undetermined_because

    def fit(self, X: Any, y: Any) -> "LabelPropagation":
        """Solve for the limit of the random walk; y holds -1 for unlabelled points."""
        prepared = self._prepare(X, y, directed=self.graph == "directed")
        return self._finish(prepared, *self._walk(prepared))

    def steps(self, X: Any, y: Any) -> Iterator[Sweep]:
        """Sweeps F ← P F with the labels held fixed; run to the end, it leaves `fit`'s result."""
        prepared = self._prepare(X, y, directed=self.graph == "directed")
        P, weights = self._walk(prepared)
        device = pick_device(self.device)
        A = sparse.csr_array(sparse.diags_array((prepared.target < 0).astype(float)) @ P)
        for sweep in sweeps(to_torch(A, device), to_torch(prepared.one_hot, device)):
            yield sweep
            if sweep.change < CHANGE_TOLERANCE or sweep.iteration == MAX_SWEEPS:
                break
        self._finish(prepared, P, weights)

    def _walk(self, prepared: Prepared) -> tuple[sparse.csr_array, np.ndarray | None]:
        """The steps P of the walk, and the degrees of the points if the graph is undirected."""
        if self.weights == "linear":
            lists = knn_lists(prepared.X, prepared.k, self.memory, device=self.device)[0]
            W = check_memory(self.memory).cache(convex_graph)(prepared.X, lists)
            return (W, None) if self.graph == "directed" else _both_ways(W)
        G, sigma = prepared.graph, prepared.sigma
        weights = relative_degrees(G, sigma) if self.graph == "undirected" else None
        P = rescale_underflowing(transitions(G, sigma), G, sigma, prepared.target >= 0)
        return P, weights

    def _finish(
        self, prepared: Prepared, P: sparse.csr_array, weights: np.ndarray | None
    ) -> "LabelPropagation":
        target, classes = prepared.target, prepared.classes
        F = check_memory(self.memory).cache(absorption)(
            P, target, weights, n_targets=len(classes), device=self.device
        )
        free = target < 0
        self._keep(prepared)
        self._P, self._target, self._weights = P, target, weights
        self.class_weights_ = _class_weights(F, free) if self.class_mass else np.ones(F.shape[1])
        self.label_distributions_, self._scores = F, F * self.class_weights_
        self.transduction_ = decode_argmax(np.where(free[:, None], self._scores, F), classes)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) class probabilities of new points; a row is 0 where no label is reached."""
        if self.weights == "gaussian":
            return super().predict_proba(X)
        Q = self._check_new(X)
        return rows_to_one(
            extend_mixed(Q, self._X, self._scores, k=self.n_neighbors_, device=self.device)
        )

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points that a walk at `point` may step to, and the probability of each."""
        check_is_fitted(self, "transduction_")
        return row_of(self._P, point)

    def absorbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The labelled points, and (n, l) the probability that a walk from a point ends at each."""
        check_is_fitted(self, "transduction_")
        found = check_memory(self.memory).cache(basins)(
            self._P, self._target, self._weights, device=self.device
        )
        return np.flatnonzero(self._target >= 0), found


def _both_ways(W: sparse.csr_array) -> tuple[sparse.csr_array, np.ndarray]:
    """The steps of a walk with weights W + Wᵀ, and the degrees."""
    W = sparse.csr_array(W + W.T)
    degrees = W.sum(axis=1)
    return sparse.csr_array(sparse.diags_array(1.0 / degrees) @ W), degrees


def _class_weights(F: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Class mass normalisation: (share among the labels) / (mass among the unlabelled points)."""
    share, mass = F[~free].mean(axis=0), F[free].sum(axis=0)
    return np.divide(share, mass, out=np.ones_like(share), where=mass > 0)
