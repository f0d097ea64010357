r"""Orthogonal matching pursuit: codes with at most T atoms, chosen one at a time.

    min_a ‖x − aD‖²,  ‖a‖₀ ≤ T:   add atom argmax_j |d_j r|,  r = x − its projection on those added

Only G = D Dᵀ and b = D x are needed. The chosen atoms are orthonormalised (Cholesky of G_SS, one
row per atom): q_k holds the inner products of the k-th orthonormal vector with every atom, and
c = D r falls by (c_j / L_kk) q_k. The coefficients follow at the end from Lᵀa = z. A signal costs
about T²/2 passes over p numbers. It is compiled for the CPU: signals are independent, short, and
choose different atoms, which leaves little to gain on a GPU but the product X Dᵀ.

Equal to scikit-learn's `orthogonal_mp`, also in the order of equal atoms, with three exceptions: T
may exceed the number of atoms; thresholds are relative to the signal; an atom orthogonal to x may
be added, as the definition asks, if it is not orthogonal to r (scikit-learn stops there).

Pati, Rezaiifar, Krishnaprasad. Orthogonal matching pursuit. Asilomar 1993.
Rubinstein, Zibulevsky, Elad. Efficient implementation of the K-SVD algorithm using batch OMP. 2008.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

MIN_CORRELATION = 1e-12  # of the largest |b|: what is left is rounding
MIN_INDEPENDENT_PART = 1e-14  # of an atom's squared length, outside the span of the chosen ones
TIE = 1e-12  # relative difference of |c| below which two atoms are equally good


def omp(X: np.ndarray, D: np.ndarray, n_nonzero: int) -> np.ndarray:
    """(n, atoms) codes of the rows of X by at most `n_nonzero` rows of D, in double precision.

    A code has fewer entries where they reconstruct its row exactly; a zero row has none.
    """
    X, D = _matrix("X", X), _matrix("D", D)
    if X.shape[1] != D.shape[1]:
        raise ValueError(f"omp: rows of X have {X.shape[1]} entries, atoms {D.shape[1]}")
    if n_nonzero < 1:
        raise ValueError(f"omp: n_nonzero={n_nonzero} is not at least 1")
    return omp_gram(D @ D.T, X @ D.T, n_nonzero)


def omp_gram(
    G: np.ndarray, B: np.ndarray, n_nonzero: int, ridge: np.ndarray | float = 0.0
) -> np.ndarray:
    """The codes from G = D Dᵀ and B = X Dᵀ; `ridge`·‖a‖² is added, one number or one per row."""
    rho = np.broadcast_to(np.asarray(ridge, np.float64), len(B)).copy()
    A = np.zeros(B.shape)
    pursue_rows(G, B, rho, n_nonzero, A)
    return A


def _matrix(name: str, M: np.ndarray) -> np.ndarray:
    M = np.ascontiguousarray(M, np.float64)
    if M.ndim != 2 or not np.isfinite(M).all():
        raise ValueError(f"omp: {name} is not a matrix of finite numbers")
    return M


class PursuitSpace(NamedTuple):
    """Arrays reused for every row; p atoms, at most T of them chosen."""

    c: np.ndarray  # (p,) correlations with the residual
    Q: np.ndarray  # (T, p) inner products of the orthonormalised atoms with all
    L: np.ndarray  # (T, T) Cholesky factor
    z: np.ndarray  # (T,) coefficients of the orthonormalised atoms, then of the atoms
    order: np.ndarray  # (p,) the chosen first; the others in the order of equal correlations
    place: np.ndarray  # (p,) of each atom in `order`


@njit(cache=True, nogil=True)
def pursue_rows(G: np.ndarray, B: np.ndarray, ridge: np.ndarray, most: int, A: np.ndarray) -> None:
    """Fill A, which holds zeros."""
    space = pursuit_space(len(G), most)
    for i in range(len(B)):
        pursue_row(G, B[i], ridge[i], A[i], space)


@njit(cache=True, nogil=True)
def pursuit_space(p: int, most: int) -> PursuitSpace:
    T = max(min(p, most), 1)
    return PursuitSpace(
        np.empty(p), np.empty((T, p)), np.empty((T, T)), np.empty(T), np.arange(p), np.arange(p)
    )


@njit(cache=True, nogil=True)
def pursue_row(
    G: np.ndarray, b: np.ndarray, ridge: float, a: np.ndarray, space: PursuitSpace
) -> None:
    """Write the code of one row into a, which holds zeros."""
    c, z, order, place = space.c, space.z, space.order, space.place
    for j in range(len(c)):
        c[j] = b[j]
        order[j] = place[j] = j
    least, n = -1.0, 0
    while n < len(z):
        j, size = _best_atom(c, n, place)
        if n == 0:
            least = MIN_CORRELATION * size
        if not size > least or not _orthonormalise(G, ridge, j, n, space):
            break
        z[n] = c[j] / space.L[n, n]
        row, step = space.Q[n], z[n]
        for k in range(len(c)):
            c[k] -= step * row[k]
        there, other = place[j], order[n]
        order[n], order[there] = j, other
        place[j], place[other] = n, there
        n += 1
        for k in range(n):
            c[order[k]] = 0.0
    for k in range(n - 1, -1, -1):
        for m in range(k + 1, n):
            z[k] -= space.L[m, k] * z[m]
        z[k] /= space.L[k, k]
        a[order[k]] = z[k]


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _best_atom(c: np.ndarray, n: int, place: np.ndarray) -> tuple[int, float]:
    """The atom with the largest |c| and its size; of equal ones, the first in `order`."""
    size = 0.0
    for j in range(len(c)):
        size = max(size, abs(c[j]))
    best, least = -1, size * (1 - TIE)
    for j in range(len(c)):
        if abs(c[j]) >= least and place[j] >= n and (best < 0 or place[j] < place[best]):
            best = j
    return best, size


@njit(cache=True, nogil=True)
def _orthonormalise(G: np.ndarray, ridge: float, j: int, n: int, space: PursuitSpace) -> bool:
    """Fill rows n of Q and L for atom j; False if it depends on the chosen ones."""
    Q, L = space.Q, space.L
    row, p = Q[n], len(space.c)
    for k in range(p):
        row[k] = G[j, k]
    row[j] += ridge
    own = row[j]
    for i in range(n):
        before, share = Q[i], Q[i, j]
        L[n, i] = share
        for k in range(p):
            row[k] -= share * before[k]
    if not row[j] > MIN_INDEPENDENT_PART * own:
        return False
    L[n, n] = root = np.sqrt(row[j])
    for k in range(p):
        row[k] /= root
    return True
