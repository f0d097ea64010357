r"""The best atoms for given codes, one atom after the other.

    min_D ‖X − A D‖²,  ‖d_j‖ ≤ 1:   d_j ← into the ball( d_j + (AᵀX − AᵀA D)_j / (AᵀA)_jj )

With the others held fixed this is the exact answer for atom j, so no step can raise the objective.
Only AᵀA and AᵀX are needed: what they were summed over no longer matters.

Mairal, Bach, Ponce, Sapiro. Online dictionary learning for sparse coding. ICML 2009, Algorithm 2.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def improve(S: np.ndarray, B: np.ndarray, D: np.ndarray, sweeps: int, tol: float) -> int:
    """Change D in place until a sweep gains less than the share `tol` of all so far; the sweeps.

    S = AᵀA, B = AᵀX. Atoms that nobody uses stay as they are.
    """
    gained = 0.0
    for sweep in range(1, sweeps + 1):
        gain = 0.0
        for j in range(len(D)):
            if S[j, j] > 0:
                gain += S[j, j] * _improve_one(S[j], B[j], D, j)
        gained += gain
        if gain <= tol * gained:
            return sweep
    return sweeps


@njit(cache=True, nogil=True)
def _improve_one(s: np.ndarray, b: np.ndarray, D: np.ndarray, j: int) -> float:
    """The best atom j for the others; the square of how far it moved."""
    new = b.copy()
    for k in range(len(D)):
        if s[k] != 0:
            atom, share = D[k], s[k]
            for m in range(len(new)):
                new[m] -= share * atom[m]
    square = 0.0
    for m in range(len(new)):
        new[m] = D[j, m] + new[m] / s[j]
        square += new[m] * new[m]
    moved, length = 0.0, max(np.sqrt(square), 1.0)
    for m in range(len(new)):
        new[m] /= length
        moved += (new[m] - D[j, m]) ** 2
        D[j, m] = new[m]
    return moved
