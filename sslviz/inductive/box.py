r"""The dual of a support vector machine without a free bias: a quadratic in a box.

    min_β ½ βᵀKβ − qᵀβ,   low ≤ β ≤ high

Coordinate by coordinate, always the one that gains most; now and then a Newton step over the
coordinates that touch no wall, since where K is nearly singular single coordinates creep. It ends
when the duality gap is as small as asked for, so that the answer carries its own proof.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError, cho_factor, cho_solve

ROUNDS = 200  # of coordinate steps and a Newton step
RIDGE = 1e-12  # of the mean diagonal, so that a Newton step exists


class Corner(NamedTuple):
    """Where the quadratic is least within the box."""

    beta: np.ndarray
    gap: float  # primal minus dual objective


def box(
    K: np.ndarray, q: np.ndarray, low: np.ndarray, high: np.ndarray, beta: np.ndarray, tol: float
) -> Corner:
    """Start from β (moved into the box); `tol` bounds the gap relative to the primal objective."""
    beta = np.clip(beta, low, high)
    for _ in range(ROUNDS):
        g = K @ beta - q
        if _gap(g, beta, low, high) <= tol * _primal(K, q, g, beta, low, high):
            break
        _descend(K, g, beta, low, high, 10 * len(beta))
        g = K @ beta - q
        beta = _newton(K, g, beta, low, high)
    return Corner(beta, _gap(K @ beta - q, beta, low, high))


def _gap(g: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """Σ_i max over the box of g_i(β_i − t): zero exactly at the minimum."""
    return float(np.sum(g * beta - np.where(g > 0, g * low, g * high)))


def _primal(
    K: np.ndarray, q: np.ndarray, g: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray
) -> float:
    """½ βᵀKβ + Σ_i loss_i: the gap above the dual objective qᵀβ − ½ βᵀKβ."""
    return float(0.5 * (q - g) @ beta) + _gap(g, beta, low, high)


@njit(cache=True)
def _descend(
    K: np.ndarray, g: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray, count: int
) -> None:
    """`count` exact steps, each along the coordinate that gains most; g and β follow in place."""
    for _ in range(count):
        best, at, move = 0.0, -1, 0.0
        for i in range(len(beta)):
            curve = max(K[i, i], 1e-300)
            step = min(max(beta[i] - g[i] / curve, low[i]), high[i]) - beta[i]
            gain = -step * (g[i] + 0.5 * curve * step)
            if gain > best:
                best, at, move = gain, i, step
        if at < 0:
            return
        beta[at] += move
        for i in range(len(beta)):
            g[i] += move * K[at, i]


def _newton(
    K: np.ndarray, g: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """The minimum over the coordinates inside the box, or as far towards it as the box allows."""
    inside = np.flatnonzero((beta > low) & (beta < high))
    if len(inside) == 0:
        return beta
    A = K[np.ix_(inside, inside)]
    A[np.diag_indices_from(A)] += RIDGE * max(float(np.trace(K)) / len(K), 1e-300)
    try:
        step = -cho_solve(cho_factor(A, lower=True), g[inside])
    except LinAlgError:  # K is singular to rounding: coordinates alone must do
        return beta
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step > 0, high[inside] - beta[inside], low[inside] - beta[inside]) / step
    beta = beta.copy()
    beta[inside] += min(1.0, float(np.nanmin(room))) * step
    return np.clip(beta, low, high)
