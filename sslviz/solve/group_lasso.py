r"""Group lasso: codes of several points that use the same atoms, by coordinate descent.

    min_A  Σ_i w_i ‖x_i − a_i D‖² + Σ_j λ_j ‖A_j‖₂

A_j are the coefficients of atom j, one per point. One atom after the other is improved, with the
rest fixed: with c_i = (x_i − a_i D + a_ij d_j)·d_j and ν = ‖v‖,

    v = 0 if 2‖(w_i c_i)‖ ≤ λ_j,   otherwise   v_i = w_i c_i / (w_i‖d_j‖² + λ_j/2ν)

No step raises the objective. An atom that the group does not need has exact zeros.

Yuan, Lin. Model selection and estimation in regression with grouped variables. JRSS B 2006.
"""

import numpy as np
from numba import njit

NORM_STEPS = 4  # of the fixed point iteration for ν; each lowers the objective of its atom


@njit(cache=True, nogil=True)
def sweep_groups(
    G: np.ndarray,
    C: np.ndarray,
    A: np.ndarray,
    weight: np.ndarray,
    lam: np.ndarray,
    sweeps: int,
    tol: float,
) -> int:
    """Improve A (atoms, points) in place until a sweep gains little; the number of sweeps.

    G = D Dᵀ, C = D Xᵀ − G A (updated with A), `weight` (points,), `lam` (atoms,). The end is a
    sweep that gains less than the share `tol` of all gains.
    """
    gained, change = 0.0, np.empty(A.shape[1])
    for sweep in range(1, sweeps + 1):
        gain = 0.0
        for j in range(len(A)):
            if G[j, j] <= 0:
                continue
            moved = _improve_atom(G[j, j], C[j], A[j], weight, lam[j], change)
            if moved > 0:
                gain += moved * G[j, j]
                for k in range(len(A)):
                    row, g = C[k], G[j, k]
                    for i in range(len(row)):
                        row[i] -= g * change[i]
        gained += gain
        if gain <= tol * gained:
            return sweep
    return sweeps


@njit(cache=True, nogil=True)
def _improve_atom(
    own: float,
    c: np.ndarray,
    a: np.ndarray,
    weight: np.ndarray,
    lam: float,
    change: np.ndarray,
) -> float:
    """New coefficients of one atom, in a; their change, and its weighted squared length."""
    pull, size = 0.0, 0.0
    for i in range(len(a)):
        goal = weight[i] * (c[i] + own * a[i])
        pull += goal * goal
        size += a[i] * a[i]
        change[i] = goal
    if 2 * np.sqrt(pull) <= lam:
        ridge = np.inf
    else:
        norm = np.sqrt(size) if size > 0 else (np.sqrt(pull) - lam / 2) / (weight.max() * own)
        for _ in range(NORM_STEPS):
            ridge, size = lam / (2 * norm), 0.0
            for i in range(len(a)):
                v = change[i] / (weight[i] * own + ridge)
                size += v * v
            norm = np.sqrt(size)
        ridge = lam / (2 * norm)
    moved = 0.0
    for i in range(len(a)):
        new = 0.0 if ridge == np.inf else change[i] / (weight[i] * own + ridge)
        change[i] = new - a[i]
        a[i] = new
        moved += weight[i] * change[i] * change[i]
    return moved
