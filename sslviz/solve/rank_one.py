r"""The best approximation of a matrix by one of rank one, and the K-SVD sweep that is made of it.

    min_{a, d} ‖E − a d‖²,  ‖d‖ = 1:   a = σ₁ u₁,  d = v₁ᵀ,  the first singular vectors of E

They are those of the smaller of E Eᵀ and Eᵀ E. Power iteration starts from the present a or d plus
a small generic vector, so that no direction is missing, and ends when the residual is rounding; a
matrix with which it converges slowly is squared, which doubles its speed. No LAPACK call, which
would cost more than the whole update for the ten to eighty users of an atom.

Aharon, Elad, Bruckstein. K-SVD: an algorithm for designing overcomplete dictionaries for sparse
representation. IEEE TSP 2006.
"""

import numpy as np
from numba import njit

GENERIC_SHARE = 1e-3  # of the start that is a vector without any structure
STEPS_BEFORE_SQUARING = 24
MAX_SQUARINGS = 60  # a ratio of eigenvalues below 1 by one rounding error needs 52
RESIDUAL_TOL = 4e-16  # of the eigenvalue: what rounding leaves


@njit(cache=True, nogil=True)
def sweep_atoms_and_codes(R: np.ndarray, A: np.ndarray, D: np.ndarray) -> None:
    """Replace every used atom and its coefficients, in place, by the best pair; R = X − A D.

    Codes keep their supports. Each update is optimal with the other atoms fixed: ‖R‖² never rises.
    """
    for j in range(len(D)):
        users = np.flatnonzero(A[:, j])
        if len(users) == 0:
            continue
        atom = D[j]
        E = np.empty((len(users), R.shape[1]))
        for m in range(len(users)):
            i = users[m]
            for k in range(E.shape[1]):
                E[m, k] = R[i, k] + A[i, j] * atom[k]
        coefficients = A[users, j]
        _rank_one(E, coefficients, atom)
        for m in range(len(users)):
            i = users[m]
            A[i, j] = coefficients[m]
            for k in range(E.shape[1]):
                R[i, k] = E[m, k] - coefficients[m] * atom[k]


@njit(cache=True, nogil=True)
def _rank_one(E: np.ndarray, a: np.ndarray, d: np.ndarray) -> None:
    """Write the best a and d into their arrays, which hold a start; d keeps its side."""
    rows, columns = E.shape
    old = d.copy()
    if rows == 1:
        d[:] = E[0]
    elif rows <= columns:
        u = _top_eigenvector(_gram(E), a)
        d[:] = 0.0
        for m in range(rows):
            for k in range(columns):
                d[k] += u[m] * E[m, k]
    else:
        d[:] = _top_eigenvector(_gram(np.ascontiguousarray(E.T)), d)
    length = np.sqrt(_inner(d, d))
    if not length > 0:  # nothing to approximate
        d[:] = old
        a[:] = 0.0
        return
    d /= length if _inner(d, old) >= 0 else -length
    for m in range(rows):
        a[m] = _inner(E[m], d)


@njit(cache=True, nogil=True)
def _top_eigenvector(K: np.ndarray, start: np.ndarray) -> np.ndarray:
    """A unit eigenvector of the largest eigenvalue of a matrix K ⪰ 0; zeros if K = 0."""
    v = start / max(np.sqrt(_inner(start, start)), 1e-300)
    for m in range(len(v)):
        v[m] += GENERIC_SHARE * np.sin(1.0 + 7.0 * m)
    w = np.empty_like(v)
    for _ in range(MAX_SQUARINGS):
        trace = 0.0
        for m in range(len(K)):
            trace += K[m, m]
        if not trace > 0:
            return np.zeros_like(v)
        K = K / trace
        for _ in range(STEPS_BEFORE_SQUARING):
            for m in range(len(v)):
                w[m] = _inner(K[m], v)
            value, square = _inner(v, w) / _inner(v, v), 0.0
            for m in range(len(v)):
                square += (w[m] - value * v[m]) ** 2
            done = square <= RESIDUAL_TOL**2 * value * value * _inner(v, v) * len(v)
            v[:] = w / np.sqrt(_inner(w, w))
            if done:
                return v
        K = _gram(K)
    return v


@njit(cache=True, nogil=True)
def _gram(E: np.ndarray) -> np.ndarray:
    """E Eᵀ."""
    K = np.empty((len(E), len(E)))
    for m in range(len(E)):
        for k in range(m + 1):
            K[m, k] = K[k, m] = _inner(E[m], E[k])
    return K


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _inner(x: np.ndarray, y: np.ndarray) -> float:
    """xᵀy, summed in the order that is fastest."""
    total = 0.0
    for k in range(len(x)):
        total += x[k] * y[k]
    return total
