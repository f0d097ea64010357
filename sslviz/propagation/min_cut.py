r"""Minimum cut: give every point a class so that as little weight as possible lies between classes.

    min over ŷ of Σ_{i<j} w_ij [ŷ_i ≠ ŷ_j],   ŷ_i = y_i where labelled,   w_ij = exp(−d_ij²/σ²)

For two classes the minimum is found as the maximum flow from the labelled points of one class to
those of the other: the saturated edges are the cut. The minimum cut is often not unique: points
that can lie on either side at the same cost stay undetermined, since a choice would be arbitrary.
With more classes each class is cut from all others; a point has the class whose cut contains it.

**What to look for:** with many labels the cut runs through the gap between the classes. With few,
the cheapest cut is a ring around the labelled points of one class: nearly everything goes to the
other class (two classes) or stays grey (several, each ring holding only its own labels). Nothing in
the objective asks for classes of similar size; label propagation does not fail in this way. Two
classes, fewer neighbours, or a smaller σ make the gap cheaper than the ring.

Blum, Chawla. Learning from labeled and unlabeled data using graph mincuts. ICML 2001.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.graph.weights import gaussian
from sslviz.memo import stage
from sslviz.propagation.base import WeightedGraphClassifier
from sslviz.solve.max_flow import min_cut
from sslviz.validation import decode_argmax


@stage("cut")
def one_vs_rest_cuts(
    W: sparse.csr_array, target: np.ndarray, n_classes: int
) -> tuple[np.ndarray, ...]:
    """(n, C) mask of the points that every minimum cut gives to each class, and its value (C,).

    Each class is cut from all others. No point is claimed twice: of two minimum cuts that overlap,
    each without the other's points would be as cheap, and smaller. Two classes share one cut.
    """
    claimed = np.zeros((len(target), n_classes), bool)
    values = np.empty(n_classes)
    for c in range(n_classes):
        cut = min_cut(W, np.flatnonzero(target == c), np.flatnonzero((target >= 0) & (target != c)))
        claimed[:, c], values[c] = cut.source, cut.value
        if n_classes == 2:
            claimed[:, 1], values[1] = cut.sink, cut.value
            break
    return claimed, values


@dataclass(repr=False, eq=False)
class MinCut(WeightedGraphClassifier):
    """The minimum cut of the undirected kNN graph between the labels, weights exp(−d²/σ²).

    Undetermined are points that may lie on either side of a minimum cut, points that no class
    claims, and components of the graph without a label. New points take the weighted mean of their
    nearest training points (stages/out_of_sample.py).

    Attributes: `classes_`, `transduction_` (-1: undetermined), `label_distributions_` (n, C)
    one-hot, zero where undetermined, `cut_value_` the weight of the edges cut, each counted once (a
    number for two classes; for more (C,), each class against the others), `sigma_` and
    `n_neighbors_` the values used.
    """

    title = "Minimum cut"
    paper = "Blum & Chawla, ICML 2001"
    formula = (
        r"\min_{\hat y}\sum_{i<j}w_{ij}\,[\hat y_i\ne\hat y_j]",
        r"\hat y_i=\textcolor{labelled}{y_i}\text{ where labelled}",
        r"w_{ij}=e^{-d_{ij}^2/\sigma^2},\;j\in\mathcal N_k(i)",
    )
    undetermined_because = "a minimum cut can leave them on either side, or no class claims them"

    def fit(self, X: Any, y: Any) -> "MinCut":
        """Find the minimum cut; y holds -1 for unlabelled points."""
        prepared = self._prepare(X, y)
        classes, W = prepared.classes, gaussian(prepared.graph, prepared.sigma)
        claimed, values = check_memory(self.memory).cache(one_vs_rest_cuts)(
            W, prepared.target, len(classes)
        )
        self._keep(prepared)
        self._W = W
        self.cut_value_ = float(values[0]) if len(classes) == 2 else values
        self.label_distributions_ = self._scores = claimed.astype(np.float64)
        self.transduction_ = decode_argmax(self.label_distributions_, classes)
        return self

    def cut_edges(self, of: int = 0) -> np.ndarray:
        """(m, 2) edges between the points of class index `of` and all others: the cut of it."""
        check_is_fitted(self, "transduction_")
        edges, mine = self._W.tocoo(), self.label_distributions_[:, of] > 0
        across = mine[edges.row] & ~mine[edges.col]
        return np.column_stack([edges.row[across], edges.col[across]])
