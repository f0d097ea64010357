r"""A kernel centred on the mean of the unlabelled points in feature space, and its inverse.

    C_ij = ⟨φ(x_i) − φ̄, φ(x_j) − φ̄⟩,   φ̄ = Σ_j share_j φ(x_j),   C share = 0

For a linear kernel the centred points themselves take the place of C: they have fewer columns.

C is singular along the shares, C + 11ᵀ need not be, and (C + 11ᵀ)⁻¹ 1 = share. Neither matrix
depends on a regularisation parameter: computed once, they serve every λ.
"""

import numpy as np
from scipy.linalg.lapack import dpocon, dpotrf, dpotri

from sslviz.memo import stage

MIRROR_ROWS = 256  # rows that are mirrored at a time
MIN_RCOND = 1e-9  # reciprocal condition number below which the inverse is not accurate enough


def is_factorised(C: np.ndarray) -> bool:
    """Whether these are coordinates of points instead of their kernel matrix."""
    return C.shape[1] < len(C)


def unlabelled_shares(free: np.ndarray) -> np.ndarray:
    """(n,) the weight of each point in the mean: equal for unlabelled ones, 0 for the others."""
    return free / max(free.sum(), 1)


@stage("kernel")
def centred_on_unlabelled(K: np.ndarray, free: np.ndarray) -> np.ndarray:
    """C for the kernel K of all pairs; `free` is true for unlabelled points.

    Points with fewer coordinates (n, d), whose products are a linear kernel, become Φ with ΦΦᵀ = C.
    """
    means = unlabelled_shares(free) @ K
    if is_factorised(K):
        return K - means
    means -= 0.5 * (unlabelled_shares(free) @ means)
    C = K - means
    C -= means[:, None]
    return C


@stage("inverse of the kernel")
def shifted_inverse(C: np.ndarray) -> np.ndarray | None:
    """(C + 11ᵀ)⁻¹; None where that matrix is singular up to rounding."""
    P = C + 1.0
    norm = np.abs(P).sum(axis=0).max()
    factor, failed = dpotrf(P.T, lower=1, overwrite_a=1)  # P itself: all that follows is in place
    if failed or dpocon(factor, norm, uplo="L")[0] < MIN_RCOND:
        return None
    dpotri(factor, lower=1, overwrite_c=1)
    for i in range(0, len(P), MIRROR_ROWS):
        rows = slice(i, i + MIRROR_ROWS)
        P[rows, :i] = P[:i, rows].T
        P[rows, rows] = np.triu(P[rows, rows]) + np.triu(P[rows, rows], 1).T
    return P
