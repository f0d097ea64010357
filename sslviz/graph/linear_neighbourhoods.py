r"""Linear neighbourhoods: every point as a mixture of its nearest neighbours.

    min_w ‖x − Σ_j w_j x_j‖² + r‖w‖²,   Σ_j w_j = 1      (barycentric; convex: also w ≥ 0)

With C_jk = (x_j − x)·(x_k − x) + r δ_jk the solution is C⁻¹1, scaled to sum 1. With w ≥ 0 it is
the minimiser of ½v'Cv − 1'v over v ≥ 0, scaled likewise. r is a small share of the trace, since
neighbours may outnumber dimensions.

Roweis, Saul. Nonlinear dimensionality reduction by locally linear embedding. Science 2000.
Wang, Zhang. Label propagation through linear neighborhoods. ICML 2006.
"""

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from sslviz.graph.neighbours import as_csr
from sslviz.memo import stage

LLE_RIDGE = 1e-3  # of the trace
BLOCK = 2**24  # numbers held at once: 128 MB


def barycentric(Q: np.ndarray, X: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """(m, k): for each row of Q the weights, summing to 1, of its listed rows of X."""
    w = np.linalg.solve(_local_grams(Q, X, indices), np.ones((*indices.shape, 1)))[..., 0]
    return w / w.sum(axis=1, keepdims=True)


def convex(Q: np.ndarray, X: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """(m, k): the same with weights that are not negative.

    The rows without negative barycentric weights are done; the others are solved one by one.
    """
    weights = np.empty(indices.shape)
    step = max(1, BLOCK // (indices.shape[1] * (X.shape[1] + indices.shape[1])))
    for first in range(0, len(Q), step):
        rows = slice(first, first + step)
        C = _local_grams(Q[rows], X, indices[rows])
        v = np.linalg.solve(C, np.ones((*C.shape[:2], 1)))[..., 0]
        for i in np.flatnonzero((v < 0).any(axis=1)):
            v[i] = _least_nonnegative(C[i])
        weights[rows] = v / v.sum(axis=1, keepdims=True)
    return weights


@stage("linear neighbourhoods")
def convex_graph(X: np.ndarray, indices: np.ndarray) -> sparse.csr_array:
    """(n, n) the convex weights of the listed neighbours (n, k); rows sum to 1, no zeros stored."""
    W = as_csr(indices, convex(X, X, indices), len(X))
    W.eliminate_zeros()
    return W


def _least_nonnegative(C: np.ndarray) -> np.ndarray:
    """argmin ½v'Cv − 1'v over v ≥ 0, as least squares with the Cholesky factor of C."""
    scale = np.trace(C)
    root = np.linalg.cholesky(C / scale)
    return nnls(root.T, solve_triangular(root, np.ones(len(C)), lower=True))[0] / scale


def _local_grams(Q: np.ndarray, X: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """(m, k, k) the matrices C of the rows of Q and their listed rows of X."""
    G = np.subtract(X[indices], Q[:, None], dtype=np.float64)  # (m, k, d)
    C = G @ G.transpose(0, 2, 1)
    trace = np.trace(C, axis1=1, axis2=2)
    at = np.arange(indices.shape[1])
    C[:, at, at] += LLE_RIDGE * np.where(trace > 0, trace, 1)[:, None]
    return C
