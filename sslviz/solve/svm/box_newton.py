r"""A Newton step of a quadratic in a box, over the coordinates that touch no wall.

    min_x ½ xᵀAx + gᵀx   over the coordinates inside, others stay

Few coordinates go on until a whole step fits (walking.py). Many touch no wall only where A is far
from singular. There one step is enough at a time, and while walls are still met a few conjugate
gradients in single precision.
"""

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError

from sslviz.solve.submatrix import factorise, gather, scratch_matrix, solve_factorised, submatrix
from sslviz.solve.svm.box_projected_newton import best_in_box, projected_newton

FACTORISE_BELOW_GAP = 1e-3  # gap of the objective from which on hardly a wall is met
MAX_FACTORISED = 300  # coordinates up to which a factorisation is cheap
CG_RIDGE, FACTOR_RIDGE = 1e-5, 1e-12  # added to the diagonal, of its mean: so that a step exists
MAX_CG_STEPS = 150  # conjugate gradients, then a factorisation is cheaper


def newton_step(
    K: np.ndarray,
    g: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    far: float,
) -> np.ndarray:
    """β after steps over the coordinates inside the box, where the slope is g.

    `far` is the duality gap relative to the objective.
    """
    inside = np.flatnonzero((beta > low) & (beta < high))
    if len(inside) == 0:
        return beta
    mean, moved = max(float(np.trace(K)) / len(K), 1e-300), beta.copy()
    here = g[inside], beta[inside], low[inside], high[inside]
    if len(inside) > MAX_FACTORISED and far > FACTORISE_BELOW_GAP:
        A = scratch_matrix("rough", len(inside), np.float32)
        step = _cg_step(K, inside, here[0], CG_RIDGE * mean, min(0.1, far**0.5), A)
        if len(step):
            moved[inside] = _end_in_box(A, *here, step)
            return moved
    A = submatrix(K, inside, np.float64)
    A[np.diag_indices_from(A)] += FACTOR_RIDGE * mean
    try:
        if len(inside) > MAX_FACTORISED:
            step = solve_factorised(factorise(A, np.arange(len(A)), np.float64), -here[0])
            moved[inside] = _end_in_box(A, *here, step)
        else:
            moved[inside] = projected_newton(A, *here)
    except LinAlgError:  # K is singular to rounding: coordinates alone must do
        pass
    return moved


@njit(cache=True, nogil=True)
def _cg_step(
    K: np.ndarray, inside: np.ndarray, slope: np.ndarray, ridge: float, tol: float, A: np.ndarray
) -> np.ndarray:
    """A step by conjugate gradients, A being filled for them; none if they do not come to `tol`."""
    gather(K, inside, A)
    for a in range(len(A)):
        A[a, a] += ridge
    r = -slope.astype(np.float32)
    x, p, square = np.zeros_like(r), r.copy(), np.dot(r, r)
    least = tol * tol * square
    for _ in range(MAX_CG_STEPS):
        if square <= least:
            return x
        Ap = np.dot(A, p)
        far = square / np.dot(p, Ap)
        x += far * p
        r -= far * Ap
        before, square = square, np.dot(r, r)
        p = r + (square / before) * p
    return x[:0]


@njit(cache=True, nogil=True)
def _end_in_box(
    A: np.ndarray,
    slope: np.ndarray,
    start: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    step: np.ndarray,
) -> np.ndarray:
    return best_in_box(A, slope, start, low, high, step)
