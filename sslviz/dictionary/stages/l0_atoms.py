r"""Better atoms for given codes, one after the other: on the sphere, or in the ball and smooth.

    sphere:  min ‖X − AD‖²,  ‖d_j‖ = 1:                    d_j ∝ r_j
    smooth:  min ‖X − AD‖² + Σ_j d_j L_f d_jᵀ,  ‖d_j‖ ≤ 1:   d_j = r_j ((S_jj + ν) I + L_f)⁻¹

S = AᵀA, r_j = (AᵀX)_j − Σ_{k≠j} S_jk d_k. In the basis of the eigenvectors of L_f the second is a
division, and ν ≥ 0 the root of ‖d_j‖ = 1, found by Newton's method, or 0. Each update is optimal
with the other atoms fixed: the objective never rises. Atoms that no code uses stay as they are.
"""

import numpy as np
from numba import njit

NEWTON_STEPS = 60
NEWTON_TOL = 1e-14  # of ‖d‖² − 1


@njit(cache=True, nogil=True)
def sweep_sphere(S: np.ndarray, B: np.ndarray, D: np.ndarray, sweeps: int) -> None:
    """Improve unit atoms in place; B = AᵀX."""
    for _ in range(sweeps):
        for j in range(len(D)):
            if S[j, j] > 0:
                r = _own_part(S[j], B[j], D, j)
                length = np.sqrt(np.sum(r * r))
                if length > 0:
                    D[j] = r / length


@njit(cache=True, nogil=True)
def sweep_smooth(
    S: np.ndarray, B: np.ndarray, D: np.ndarray, eigenvalues: np.ndarray, sweeps: int
) -> None:
    """Improve atoms of length ≤ 1 in place, all in the basis of the eigenvectors of L_f."""
    for _ in range(sweeps):
        for j in range(len(D)):
            if S[j, j] > 0:
                r = _own_part(S[j], B[j], D, j)
                D[j] = _in_ball(r, S[j, j] + eigenvalues)


@njit(cache=True, nogil=True)
def _own_part(s: np.ndarray, b: np.ndarray, D: np.ndarray, j: int) -> np.ndarray:
    r = b.copy()
    for k in range(len(D)):
        if k != j and s[k] != 0:
            for m in range(len(r)):
                r[m] -= s[k] * D[k, m]
    return r


@njit(cache=True, nogil=True)
def _in_ball(r: np.ndarray, curvature: np.ndarray) -> np.ndarray:
    """The minimiser of Σ curvature·d² − 2 r·d with ‖d‖ ≤ 1; curvature > 0."""
    d = r / curvature
    square = np.sum(d * d)
    if square <= 1:
        return d
    nu = 0.0  # left of the root of 1/‖d‖ = 1, a concave function of ν: Newton rises to it
    for _ in range(NEWTON_STEPS):
        slope = np.sum(d * d / (curvature + nu))
        nu += (np.sqrt(square) - 1) * square / slope
        d = r / (curvature + nu)
        square = np.sum(d * d)
        if abs(square - 1) <= NEWTON_TOL:
            break
    return d / max(np.sqrt(square), 1.0)
