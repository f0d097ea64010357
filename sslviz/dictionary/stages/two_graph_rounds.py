r"""The rounds of SupGraphDL: codes, atoms, classifier in turn, on graphs of points and features.

    ‖X − AD‖² + α tr(D L_f Dᵀ) + β tr(AᵀLA) + γ‖Y − A_lWᵀ‖² + γμ‖W‖²,   ‖a‖₀ ≤ T,  ‖d‖ ≤ 1

L is the Laplacian of the kNN graph of the points, L_f that of the features: two features, such as
pixels, are close if they have similar values at all points. Both have trace n, that is d: the mean
degree is 1. No step raises the objective.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.dictionary.stages.graph_pursuit import pursue_beside_neighbours
from sslviz.dictionary.stages.joint_rounds import JointDictionary
from sslviz.dictionary.stages.l0_atoms import sweep_smooth
from sslviz.dictionary.stages.l0_rounds import L0Round, indicator, label_probabilities, ridge_map
from sslviz.dictionary.stages.laplacians import Graph, knn_graph
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.solve.ksvd import residuals

SMOOTH_SWEEPS = 3


class TwoGraphTerms(NamedTuple):
    """The terms of the objective with their factors."""

    reconstruction: float  # ‖X − AD‖²
    features: float  # α tr(D L_f Dᵀ)
    graph: float  # β tr(AᵀLA)
    classification: float  # γ‖Y − A_lWᵀ‖²
    ridge: float  # γμ‖W‖²


@stage("graph of features")
def graph_of_features(X: np.ndarray, k: int) -> Graph:
    """The kNN graph of the columns of X with Gaussian weights; one feature has no neighbour."""
    d = X.shape[1]
    if d == 1:
        return Graph(sparse.csr_array((1, 1)), sparse.csr_array((1, 1)), 1.0, 0.0)
    G = knn(np.ascontiguousarray(X.T), min(k, d - 1))
    return knn_graph(G, width("mean", graph=G))


@stage("eigenvectors")
def smoothness_basis(L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (d,) and eigenvectors (columns) of the Laplacian of the features."""
    values, vectors = np.linalg.eigh(L.toarray())
    return np.maximum(values, 0), vectors


def two_graph_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: JointDictionary,
    L: sparse.csr_array,
    eigenvalues: np.ndarray,
    eigenvectors: np.ndarray | None,
    n_nonzero: int,
    alpha: float,
    beta: float,
    gamma: float,
    mu: float,
    max_iter: int,
) -> Iterator[L0Round]:
    """One record per round, from the state `start` on; without eigenvectors α is 0."""
    D, A, W = start
    V = sparse.eye_array(X.shape[1]) if eigenvectors is None else eigenvectors
    given, kind = target >= 0, (target >= 0).astype(np.int64)
    Y, pull = indicator(target, len(W)), sparse.csr_array(beta * L)
    turned = X @ V
    for iteration in range(1, max_iter + 1):
        G = D @ D.T
        grams, B = np.stack([G, G + gamma * W.T @ W]), X @ D.T + gamma * Y @ W
        A = A.copy()
        pursue_beside_neighbours(grams, B, kind, pull.indptr, pull.indices, pull.data, n_nonzero, A)
        basis = D @ V
        sweep_smooth(A.T @ A, A.T @ turned, basis, alpha * eigenvalues, SMOOTH_SWEEPS)
        D = basis @ V.T
        W = ridge_map(A[given], Y[given], mu).T
        terms = TwoGraphTerms(
            float(np.square(residuals(X, A, D)).sum()),
            alpha * float((np.square(basis) @ eigenvalues).sum()),
            float((A * (pull @ A)).sum()),
            gamma * float(np.square(Y[given] - A[given] @ W.T).sum()),
            gamma * mu * float(np.square(W).sum()),
        )
        F = label_probabilities(A, W, target)
        yield L0Round(iteration, sum(terms), terms, D, A, W, F)
