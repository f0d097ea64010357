r"""Codes with at most T atoms that resemble those of neighbours: one point after the other.

    min_a ‖s − aM‖² + β(L_ii‖a‖² + 2 a·Σ_{j≠i} L_ij a_j),   ‖a‖₀ ≤ T

s is a point, M the atoms; for labelled points the label stands beside the one and the classifier
beside the other. The other codes are fixed: they pull by −β Σ L_ij a_j, and OMP has a ridge βL_ii.
A point for which that finds nothing better keeps its code, so that the objective never rises.
"""

import numpy as np
from numba import njit

from sslviz.solve.omp import pursue_row, pursuit_space


@njit(cache=True, nogil=True)
def pursue_beside_neighbours(
    grams: np.ndarray,
    B: np.ndarray,
    kind: np.ndarray,
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    most: int,
    A: np.ndarray,
) -> None:
    """Improve the codes A in place; row i has the Gram matrix grams[kind[i]] and b = B[i].

    `indptr`, `indices` and `data` are βL in CSR.
    """
    space, new, b = pursuit_space(A.shape[1], most), np.empty(A.shape[1]), np.empty(A.shape[1])
    for i in range(len(A)):
        ridge = 0.0
        b[:] = B[i]
        for k in range(indptr[i], indptr[i + 1]):
            j, weight = indices[k], data[k]
            if j == i:
                ridge += weight
            else:
                for m in range(len(b)):
                    b[m] -= weight * A[j, m]
        new[:] = 0.0
        G = grams[kind[i]]
        pursue_row(G, b, ridge, new, space)
        if _value(G, b, ridge, new) < _value(G, b, ridge, A[i]):
            A[i] = new


@njit(cache=True, nogil=True)
def _value(G: np.ndarray, b: np.ndarray, ridge: float, a: np.ndarray) -> float:
    """aᵀ(G + ridge·I)a − 2b·a for a sparse a."""
    used = np.flatnonzero(a)
    total = 0.0
    for j in used:
        inner = ridge * a[j] - 2 * b[j]
        for k in used:
            inner += G[j, k] * a[k]
        total += a[j] * inner
    return total
