r"""Sparse self-representation: every point as a weighted sum of a few others.

    min_v ‖x_i − Σ_j v_ij x_j‖² + λ‖v_i‖₁,   v_ii = 0

Points of a class lie near a subspace, so most weights go to points of the same class. The exclusion
of the point itself costs no more than one row of the Gram matrix: it is set to zero for a moment.

Elhamifar, Vidal. Sparse subspace clustering. CVPR 2009.
"""

import numpy as np
from numba import njit
from scipy import sparse

from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes
from sslviz.solve.lasso_homotopy import solve_rows

MAX_REPRESENTED = 5000  # points; every one is an atom for all others
LASSO_TOL = 1e-8  # of the largest correlation


@stage("self-representation")
def self_representation(X: np.ndarray, *, lam: float) -> sparse.csr_array:
    """(n, n) V with an empty diagonal: row i represents point i by the others."""
    n = len(X)
    if n > MAX_REPRESENTED:
        raise ValueError(
            f"SSPDL represents every point by all others: {n} points are not in "
            f"[2, {MAX_REPRESENTED}]; take a subsample"
        )
    V = np.zeros((n, n))
    _represent_all(X @ X.T, lam / 2, V)
    return sparse.csr_array(V)


@njit(cache=True, nogil=True)
def _represent_all(G: np.ndarray, half: float, V: np.ndarray) -> None:
    """Fill V; G is written to and restored."""
    no_ridge = np.zeros(1)
    for i in range(len(G)):
        row = G[i].copy()
        b = row.copy().reshape(1, len(G))
        b[0, i] = 0.0
        G[i], G[:, i] = 0.0, 0.0
        solve_rows(G, b, no_ridge, half, LASSO_TOL, V[i : i + 1])
        G[i], G[:, i] = row, row


def representation_of_new(Q: np.ndarray, X: np.ndarray, lam: float) -> np.ndarray:
    """(m, n) weights with which trained points X represent new points Q."""
    return sparse_codes(Q, X, lam, tol=LASSO_TOL)
