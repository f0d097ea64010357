r"""A Newton step of a box-constrained quadratic over its free coordinates.

    min_x ½ xᵀAx + gᵀx   over the coordinates strictly inside the box, the others fixed

Up to `MAX_FACTORISED` free coordinates steps continue until one fits into the box
(box_projected_newton.py). There are more only where A is far from singular; then one step at a time
is enough, and far from the optimum, where coordinates still reach bounds, conjugate gradients in
single precision.
"""

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError

from sslviz.solve.submatrix import (
    factorise,
    gather,
    scratch_matrix,
    solve_factorised,
    submatrix,
)
from sslviz.solve.svm.box_projected_newton import best_in_box, projected_newton

FACTORISE_BELOW_GAP = 1e-3  # relative gap below which few coordinates still reach a bound
MAX_FACTORISED = 300  # free coordinates up to which a factorisation is cheap
CG_RIDGE, FACTOR_RIDGE = 1e-5, 1e-12  # added to the diagonal, relative to its mean
MAX_CG_STEPS = 150  # beyond it a factorisation is cheaper


def newton_step(
    K: np.ndarray,
    g: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    gap: float,
) -> np.ndarray:
    """β after a step over the free coordinates; g is its gradient, `gap` the relative gap."""
    free = np.flatnonzero((beta > low) & (beta < high))
    if len(free) == 0:
        return beta
    mean, moved = max(float(np.trace(K)) / len(K), 1e-300), beta.copy()
    here = g[free], beta[free], low[free], high[free]
    if len(free) > MAX_FACTORISED and gap > FACTORISE_BELOW_GAP:
        A = scratch_matrix("cg", len(free), np.float32)
        step = _cg_step(K, free, here[0], CG_RIDGE * mean, min(0.1, gap**0.5), A)
        if len(step):
            moved[free] = _end_in_box(A, *here, step)
            return moved
    A = submatrix(K, free, np.float64)
    A[np.diag_indices_from(A)] += FACTOR_RIDGE * mean
    try:
        if len(free) > MAX_FACTORISED:
            step = solve_factorised(factorise(A, np.arange(len(A)), np.float64), -here[0])
            moved[free] = _end_in_box(A, *here, step)
        else:
            moved[free] = projected_newton(A, *here)
    except LinAlgError:  # K is singular up to rounding: working sets alone must do
        pass
    return moved


@njit(cache=True, nogil=True)
def _cg_step(
    K: np.ndarray, free: np.ndarray, gradient: np.ndarray, ridge: float, tol: float, A: np.ndarray
) -> np.ndarray:
    """A step by conjugate gradients with A = K among the free; empty if `tol` is not reached."""
    gather(K, free, A)
    for a in range(len(A)):
        A[a, a] += ridge
    r = -gradient.astype(np.float32)
    x, p, square = np.zeros_like(r), r.copy(), np.dot(r, r)
    least = tol * tol * square
    for _ in range(MAX_CG_STEPS):
        if square <= least:
            return x
        Ap = np.dot(A, p)
        length = square / np.dot(p, Ap)
        x += length * p
        r -= length * Ap
        before, square = square, np.dot(r, r)
        p = r + (square / before) * p
    return x[:0]


@njit(cache=True, nogil=True)
def _end_in_box(
    A: np.ndarray,
    gradient: np.ndarray,
    start: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    step: np.ndarray,
) -> np.ndarray:
    return best_in_box(A, gradient, start, low, high, step)
