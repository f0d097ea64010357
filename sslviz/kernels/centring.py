r"""A kernel about the mean of the unlabelled points in feature space, and its inverse.

    C_ij = ⟨φ(x_i) − φ̄, φ(x_j) − φ̄⟩,   φ̄ = Σ_j share_j φ(x_j),   C share = 0

Of a linear kernel the φ(x_i) − φ̄ themselves are known: a few coordinates serve better than C.

C is singular along the shares, C + 11ᵀ need not be, and (C + 11ᵀ)⁻¹ 1 = share. Neither knows any
price: once there they serve every λ.
"""

import numpy as np
from scipy.linalg.lapack import dpocon, dpotrf, dpotri

from sslviz.memo import stage

BLOCK = 256  # rows that are mirrored at a time
WELL = 1e-9  # reciprocal condition from which on an inverse has digits enough


def is_factorised(C: np.ndarray) -> bool:
    """Whether these are coordinates of points instead of their kernel."""
    return C.shape[1] < len(C)


def shares(free: np.ndarray) -> np.ndarray:
    """(n,) how much each point counts in the mean: unlabelled ones equally, if there are any."""
    return free / max(free.sum(), 1)


@stage("kernel")
def about_unlabelled(K: np.ndarray, free: np.ndarray) -> np.ndarray:
    """C for the kernel K of all pairs; `free` is true for unlabelled points.

    Points with fewer coordinates (n, d), whose products are a linear kernel, become Φ with ΦΦᵀ = C.
    """
    if is_factorised(K):
        return K - shares(free) @ K
    means = shares(free) @ K
    means -= 0.5 * (shares(free) @ means)
    C = K - means
    C -= means[:, None]
    return C


@stage("inverse of the kernel")
def inverse(C: np.ndarray) -> np.ndarray | None:
    """(C + 11ᵀ)⁻¹; none where that is singular to rounding."""
    P = C + 1.0
    norm = np.abs(P).sum(axis=0).max()
    factor, failed = dpotrf(P.T, lower=1, overwrite_a=1)  # P itself: all that follows is in place
    if failed or dpocon(factor, norm, uplo="L")[0] < WELL:
        return None
    dpotri(factor, lower=1, overwrite_c=1)
    for i in range(0, len(P), BLOCK):
        rows = slice(i, i + BLOCK)
        P[rows, :i] = P[:i, rows].T
        P[rows, rows] = np.triu(P[rows, rows]) + np.triu(P[rows, rows], 1).T
    return P
