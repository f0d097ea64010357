r"""Cut the graph where it is thinnest: classes are what falls apart when few weak edges are cut.

    min over ŷ of Σ_{i<j} w_ij [ŷ_i ≠ ŷ_j],   ŷ_i = y_i where labelled,   w_ij = exp(−d_ij²/σ²)

Every point gets a class such that as little weight as possible lies on edges between classes. For
two classes it is the largest flow from the labels of one to those of the other: the edges filled to
the brim are the cut (max flow = min cut). The best cut is often not unique: points that can lie on
either side at the same cost are left undetermined, since choosing for them would be a guess. With
more classes each is cut from all others; a point has the class whose cut claims it.

**What to look for:** with many labels the cut runs through the gap. With few, the cheapest cut is
just a ring around the labels of one class: nearly everything goes to the other (two classes), or
stays grey (several, each ring claiming only its own labels). Nothing in the method asks for
balanced sides; the walks of label propagation do not have this failing. Two classes, fewer
neighbours, or a smaller σ make the gap cheaper than the ring.

Blum, Chawla. Learning from labeled and unlabeled data using graph mincuts. ICML 2001.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours, Width
from sslviz.graph.weights import gaussian, undirected, width
from sslviz.memo import stage
from sslviz.propagation.stages.out_of_sample import extend
from sslviz.solve.max_flow import min_cut
from sslviz.validation import check_labelled, clip_to_available, decode_argmax, rows_to_one


@stage("cut")
def one_vs_rest_cuts(
    W: sparse.csr_array, target: np.ndarray, n_classes: int
) -> tuple[np.ndarray, ...]:
    """(n, C) mask of the points that every cheapest cut gives to each class, and its cost (C,).

    Each class is cut from all others. No point is claimed twice: of two cheapest cuts that overlap,
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


class MinCut(ClassifierMixin, BaseEstimator):
    """The cheapest cut of the undirected kNN graph between the labels, weights exp(−d²/σ²).

    Points on neither certain side are undetermined: those that may lie on either side of a cheapest
    cut, those no class claims, and islands without label. New points take the weighted mean of
    their nearest training points (propagation/stages/out_of_sample.py).

    Attributes: `classes_`, `transduction_` (-1: undetermined), `label_distributions_` (n, C)
    one-hot, zero where undetermined, `cut_value_` the weight of the edges cut, each counted once (a
    number for two classes; for more (C,), each class against the others), `sigma_` and
    `n_neighbors_` the values used.
    """

    title, family = "Minimum cut", "propagation"
    paper = "Blum & Chawla, ICML 2001"

    def __init__(
        self,
        n_neighbors: Neighbours = 5,
        sigma: Width = "mean",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "MinCut":
        """Find the cheapest cut; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        G = knn(X, k, self.memory, device=self.device)
        sigma = width(self.sigma, graph=G, X=X, y=target)
        W = gaussian(cached(undirected)(G), sigma)
        claimed, values = cached(one_vs_rest_cuts)(W, target, len(classes))
        self._X, self._W = X, W
        self.n_neighbors_, self.classes_, self.sigma_ = k, classes, sigma
        self.cut_value_ = float(values[0]) if len(classes) == 2 else values
        self.label_distributions_ = claimed.astype(np.float64)
        self.transduction_ = decode_argmax(self.label_distributions_, classes)
        return self

    def cut_edges(self, of: int = 0) -> np.ndarray:
        """(m, 2) edges between what class index `of` claims and all else: what is cut for it."""
        check_is_fitted(self, "transduction_")
        edges, mine = self._W.tocoo(), self.label_distributions_[:, of] > 0
        across = mine[edges.row] & ~mine[edges.col]
        return np.column_stack([edges.row[across], edges.col[across]])

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) opinions of new points, rows summing to 1, or to 0 where there is none."""
        check_is_fitted(self, "transduction_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        F = extend(
            Q,
            self._X,
            self.label_distributions_,
            k=self.n_neighbors_,
            sigma=self.sigma_,
            device=self.device,
        )
        return rows_to_one(F)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where its neighbours have no opinion."""
        return decode_argmax(self.predict_proba(X), self.classes_)
