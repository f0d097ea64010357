r"""Dictionary update: the best atoms for given codes, one atom after the other.

    min_D ‖X − A D‖²,  ‖d_j‖ ≤ 1:   d_j ← onto the ball: d_j + (AᵀX − AᵀA D)_j / (AᵀA)_jj

With the others fixed this is the exact minimiser for atom j, so no step raises the objective. Only
AᵀA and AᵀX are needed, not the codes. AᵀX − AᵀA D is formed for a block of atoms at a time, for
which D is read once, and updated as atoms of the block move.

Mairal, Bach, Ponce, Sapiro. Online dictionary learning for sparse coding. ICML 2009, Algorithm 2.
"""

import numpy as np
from numba import njit

BLOCK_ATOMS = 16  # their rows of AᵀX − AᵀA D fit into the first-level cache beside part of D


@njit(cache=True, nogil=True)
def sweep_atoms(S: np.ndarray, B: np.ndarray, D: np.ndarray, sweeps: int, tol: float) -> int:
    """Improve D in place until a sweep gains less than the share `tol` of all gains; the sweeps.

    S = AᵀA, B = AᵀX. Atoms used by no code stay as they are.
    """
    gained = 0.0
    for sweep in range(1, sweeps + 1):
        gain = 0.0
        for first in range(0, len(D), BLOCK_ATOMS):
            rows = slice(first, min(first + BLOCK_ATOMS, len(D)))
            R = B[rows].copy()
            _subtract_product(S[rows], D, R)
            gain += _update_block(S[rows], R, D, first)
        gained += gain
        if gain <= tol * gained:
            return sweep
    return sweeps


@njit(cache=True, nogil=True)
def _subtract_product(S: np.ndarray, D: np.ndarray, R: np.ndarray) -> None:
    """R − S D, in R: as fast as BLAS, which would start threads for so small a product."""
    whole = len(D) // 4 * 4
    for k in range(0, whole, 4):
        d0, d1, d2, d3 = D[k], D[k + 1], D[k + 2], D[k + 3]
        for i in range(len(R)):
            row, s0, s1, s2, s3 = R[i], S[i, k], S[i, k + 1], S[i, k + 2], S[i, k + 3]
            for m in range(len(row)):
                row[m] -= (s0 * d0[m] + s1 * d1[m]) + (s2 * d2[m] + s3 * d3[m])
    for k in range(whole, len(D)):
        for i in range(len(R)):
            for m in range(R.shape[1]):
                R[i, m] -= S[i, k] * D[k, m]


@njit(cache=True, nogil=True)
def _update_block(S: np.ndarray, R: np.ndarray, D: np.ndarray, first: int) -> float:
    """Update the atoms from `first` on one by one, and return the gain; R, S hold their rows."""
    gain, moved = 0.0, np.empty(D.shape[1])
    for i in range(len(R)):
        atom, own = D[first + i], S[i, first + i]
        if own <= 0:
            continue
        for j in range(len(moved)):
            moved[j] = atom[j] + R[i, j] / own
        moved /= max(np.sqrt((moved * moved).sum()), 1.0)
        moved -= atom
        atom += moved
        gain += own * (moved * moved).sum()
        for k in range(i + 1, len(R)):
            for j in range(len(moved)):
                R[k, j] -= S[k, first + i] * moved[j]
    return gain
