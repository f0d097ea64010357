r"""Local learning regularisation: every value agrees with a linear model of its neighbours.

    min_F Σ_i ‖F_i − o_i‖² + t Σ_labelled ‖F_i − Y_i‖²,   o_i = w·x_i + b = Σ_j A_ij F_j
    (w, b) = argmin Σ_{j near i} (w·x_j + b − F_j)² + λ‖w‖²

Around every point a ridge regression is fitted to the values of its neighbours, without the point
itself, and evaluated there. The prediction is a weighted sum of the neighbours' values with weights
that add up to 1, some of them negative where the point lies at the rim of its neighbourhood.
Neighbours are mutual: each must be among the nearest of the other; a point without any takes its
nearest. The values that agree best with their local predictions and with the labels solve one
sparse linear system.

**What to look for:** with a large λ the local model is the neighbours' mean and the method smooths
on a graph; with a small λ it extrapolates slopes along a curved surface, so scores above 1 or below
0 are correct. Mutual neighbours isolate outliers; a connected component of the graph without any
label stays undetermined.

Wu, Schölkopf. Transductive classification via local learning regularization. AISTATS 2007.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.graph.neighbours import knn_lists, nearest
from sslviz.graph.parameters import Neighbours
from sslviz.inductive.base import InductiveClassifier
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.validation import check_labelled, clip_to_available, decode_argmax, rows_to_one

DENSE_SHARE = 0.05  # share of nonzero entries above which a dense factorisation is faster
MAX_DENSE_ROWS = 10_000
BLOCK_NUMBERS = 10**7  # numbers of neighbourhoods held at once


@stage("graph")
def mutual(indices: np.ndarray) -> sparse.csr_array:
    """(n, n) with ones where two points are among each other's nearest, `indices` (n, k).

    A row without such a neighbour has a one at its nearest point.
    """
    n, k = indices.shape
    rows = np.repeat(np.arange(n), k)
    listed = sparse.csr_array((np.ones(n * k), (rows, indices.ravel())), shape=(n, n))
    both = sparse.csr_array(listed.multiply(listed.T))
    alone = np.flatnonzero(np.diff(both.indptr) == 0)
    nearest_one = sparse.csr_array((np.ones(len(alone)), (alone, indices[alone, 0])), shape=(n, n))
    return sparse.csr_array(both + nearest_one)


def local_weights(Q: np.ndarray, points: np.ndarray, lam: float) -> np.ndarray:
    """(m, k): the weights, adding up to 1, of `points` (m, k, d) in the ridge prediction at Q.

    1/k + Z(ZᵀZ + λI)⁻¹(q − x̄), Z the points about their mean x̄, through the smaller side of Z.
    """
    middle = points.mean(axis=1)
    Z, z = points - middle[:, None], (Q - middle)[:, :, None]
    k, d = points.shape[1:]
    if d < k:
        tilt = (Z @ np.linalg.solve(Z.transpose(0, 2, 1) @ Z + lam * np.eye(d), z))[:, :, 0]
    else:
        tilt = np.linalg.solve(Z @ Z.transpose(0, 2, 1) + lam * np.eye(k), Z @ z)[:, :, 0]
    # It sums to zero; where λ is small beside ZZᵀ only up to amplified rounding errors.
    return 1 / k + tilt - tilt.mean(axis=1, keepdims=True)


@stage("local models")
def local_predictions(X: np.ndarray, graph: sparse.csr_array, *, lam: float) -> sparse.csr_array:
    """A (n, n): row i holds the weights of i's neighbours in the prediction at x_i."""
    X = np.asarray(X, np.float64)
    counts, data = np.diff(graph.indptr), np.empty(graph.nnz)
    for count in np.unique(counts):
        same = np.flatnonzero(counts == count)
        for rows in np.array_split(same, 1 + len(same) * count * X.shape[1] // BLOCK_NUMBERS):
            entries = graph.indptr[rows][:, None] + np.arange(count)
            data[entries] = local_weights(X[rows], X[graph.indices[entries]], lam)
    return sparse.csr_array((data, graph.indices, graph.indptr), shape=graph.shape)


def agreement(A: sparse.csr_array) -> sparse.csr_array:
    """M = (I − A)ᵀ(I − A), so that Σ‖F − o‖² = tr FᵀMF."""
    R = sparse.eye_array(A.shape[0], format="csr") - A
    return sparse.csr_array(R.T @ R)


@stage("solve")
def label_values(
    A: sparse.csr_array, target: np.ndarray, *, n_classes: int, tradeoff: float
) -> np.ndarray:
    """F (n, C); rows in components without a label are zero."""
    _, component = connected_components(A, directed=False)
    known = np.isin(component, component[target >= 0])
    F = np.zeros((len(target), n_classes))
    Y = (target[:, None] == np.arange(n_classes)).astype(np.float64)[known]
    M = agreement(sparse.csr_array(A[known][:, known]))
    M = sparse.csc_array(M + sparse.diags_array(tradeoff * Y.sum(axis=1)))
    F[known] = solve(M, tradeoff * Y)
    return F


def solve(M: sparse.csc_array, B: np.ndarray) -> np.ndarray:
    """M⁻¹B of a symmetric positive definite M, sparse or nearly dense."""
    n = M.shape[0]
    if M.nnz > DENSE_SHARE * n * n and n <= MAX_DENSE_ROWS:
        factor = cho_factor(M.toarray(), lower=True, overwrite_a=True)
        _check_pivots(factor[0].diagonal() ** 2)
        return cho_solve(factor, B)
    options = {"SymmetricMode": True}
    lu = splu(M, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    _check_pivots(lu.U.diagonal())
    return lu.solve(B)


def _check_pivots(pivots: np.ndarray) -> None:
    """Refuse a pivot that is a rounding error: the solution would be arbitrary."""
    if pivots.min() <= 10 * np.finfo(float).eps * pivots.max():
        raise LinAlgError("singular to rounding")


@dataclass(repr=False, eq=False)
class LLReg(InductiveClassifier):
    """Local learning regularisation on the mutual kNN graph, targets one-hot.

    New points: a ridge regression on the values of their k nearest training points, evaluated at
    the new point; a training point given again is its own first neighbour.

    Attributes: `classes_`, `transduction_` (given labels kept, -1: no label in the component),
    `label_distributions_` (n, C) the values F, negative ones set to 0, rows scaled to 1, `values_`
    (n, C) F itself, `n_neighbors_` the k used.
    """

    title, abbreviation = "Local learning (LLReg)", "LLReg"
    paper = "Wu & Schölkopf, AISTATS 2007"
    formula = (
        r"\min_F\;\textcolor{unlabelled}{\sum_i\|F_i-o_i\|^2}+\textcolor{labelled}{t\sum_{"
        r"\text{labelled}}\|F_i-Y_i\|^2}",
        r"o_i=w\cdot x_i+b",
        r"(w,b)=\arg\min\sum_{j\in\mathcal N_k(i)}(w\cdot x_j+b-F_j)^2+\lambda\|w\|^2",
    )

    n_neighbors: Neighbours = 10
    lam: Annotated[
        float,
        Number(
            "Penalty on slopes in the local models, in the squared units of X. Large: neighbours "
            "are averaged. Small: slopes are extrapolated.",
            valid=(0, inf),
            shown=(1e-3, 1e3),
            log=True,
            above=True,
            label="local smoothness",
            symbol="λ",
        ),
    ] = 1.0
    tradeoff: Annotated[
        float,
        Number(
            "Weight of the squared error at labelled points.",
            valid=(0, inf),
            shown=(1e-2, 1e3),
            log=True,
            above=True,
            label="weight of the labels",
            symbol="t",
        ),
    ] = 1.0

    def fit(self, X: Any, y: Any) -> Self:
        """Solve for the values; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        indices, _ = knn_lists(X, k, self.memory, device=self.device)
        graph = cached(mutual)(np.ascontiguousarray(indices))
        try:
            A = cached(local_predictions)(X, graph, lam=self.lam)
            F = cached(label_values)(A, target, n_classes=len(classes), tradeoff=self.tradeoff)
        except LinAlgError as error:
            raise ValueError(
                f"LLReg: lam={self.lam} vanishes beside the squares of X, or tradeoff="
                f"{self.tradeoff} beside 1, and the labels do not determine the local models; "
                "raise lam, standardise X or take a tradeoff nearer 1"
            ) from error
        self._X, self._A, self.n_neighbors_ = X, A, k
        self._note_targets(target, len(classes))
        self.classes_, self.values_ = classes, F
        self.label_distributions_ = rows_to_one(np.maximum(F, 0))
        answer = decode_argmax(F, classes)
        self.transduction_ = np.where(target >= 0, classes[target], answer)
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The neighbours whose values predict that of `point`, and each one's weight."""
        check_is_fitted(self, "transduction_")
        row = slice(*self._A.indptr[point : point + 2])
        return self._A.indices[row], self._A.data[row]

    def decision_function(self, X: Any) -> np.ndarray:
        """(m, C) local predictions at new points (two classes, all labelled: their difference)."""
        return self._as_scores(self._values(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) the values, negative ones set to 0, rows scaled to 1 (0 where unknown)."""
        return rows_to_one(np.maximum(self._values(X), 0))

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest value; -1 where all neighbours are undetermined."""
        return decode_argmax(self._values(X), self.classes_)

    def _values(self, X: Any) -> np.ndarray:
        Q = self._new_points(X)
        indices, _ = nearest(Q, self._X, self.n_neighbors_, device=self.device)
        points = np.asarray(self._X, np.float64)
        F = np.empty((len(Q), len(self.classes_)))
        for rows in np.array_split(
            np.arange(len(Q)), 1 + Q.size * self.n_neighbors_ // BLOCK_NUMBERS
        ):
            near = indices[rows]
            weights = local_weights(np.asarray(Q[rows], np.float64), points[near], self.lam)
            F[rows] = np.einsum("mk,mkc->mc", weights, self.values_[near])
        return F
