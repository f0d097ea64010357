r"""The dual of a support vector machine without a free bias: a quadratic in a box.

    min_β ½ βᵀKβ − qᵀβ,   low ≤ β ≤ high

The coordinates that gain most are taken out as a small problem of their own, solved one coordinate
at a time, and put back; now and then comes a Newton step over all coordinates that touch no wall,
since where K is nearly singular single coordinates creep. Many coordinates touch no wall only where
K is far from singular, and there conjugate gradients take the step sooner than a factorisation. It
ends when the duality gap is as small as asked for, so that the answer carries its own proof.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.linalg import cg

ROUNDS = 400  # of small problems and a Newton step
SETS = 10  # small problems in a row
SIZE = 64  # coordinates of a small problem
RIDGE = 1e-12  # of the mean diagonal, so that a Newton step exists
FEW = 200  # coordinates up to which a factorisation is cheap
PATIENCE = 150  # conjugate gradients, then a factorisation is cheaper


class Corner(NamedTuple):
    """Where the quadratic is least within the box."""

    beta: np.ndarray
    slope: np.ndarray  # Kβ − q
    gap: float  # primal minus dual objective


def box(
    K: np.ndarray,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    slope: np.ndarray,
    tol: float,
) -> Corner:
    """Start from β in the box, where Kβ − q is `slope`.

    `tol` bounds the gap relative to the primal objective.
    """
    beta, g = beta.copy(), slope.copy()
    for _ in range(ROUNDS):
        gap, primal = _values(g, q, beta, low, high)
        if gap <= tol * primal:
            break
        if not _descend(K, g, q, beta, low, high, tol):
            gap, primal = _values(g, q, beta, low, high)
            beta = _newton(K, g, beta, low, high, gap / primal)
            g = image(K, beta) - q
    return Corner(beta, g, _values(g, q, beta, low, high)[0])


@njit(cache=True)
def image(K: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Kβ for a symmetric K, from the rows where β is not zero: often few."""
    total = np.zeros(len(beta))
    for i in range(len(beta)):
        if beta[i] != 0:
            for j in range(len(beta)):
                total[j] += beta[i] * K[i, j]
    return total


@njit(cache=True)
def _values(
    g: np.ndarray, q: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[float, float]:
    """The gap Σ_i max over the box of g_i(β_i − t), zero exactly at the minimum, and the primal.

    The primal objective ½ βᵀKβ + Σ_i loss_i lies a gap above the dual one, qᵀβ − ½ βᵀKβ.
    """
    gap, dual = 0.0, 0.0
    for i in range(len(beta)):
        gap += g[i] * (beta[i] - (low[i] if g[i] > 0 else high[i]))
        dual += 0.5 * (q[i] - g[i]) * beta[i]
    return gap, dual + gap


@njit(cache=True)
def _step(g: float, curve: float, beta: float, low: float, high: float) -> tuple[float, float]:
    """The best step along one coordinate and what it gains."""
    curve = max(curve, 1e-300)
    step = min(max(beta - g / curve, low), high) - beta
    return step, -step * (g + 0.5 * curve * step)


@njit(cache=True)
def _descend(
    K: np.ndarray,
    g: np.ndarray,
    q: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    tol: float,
) -> bool:
    """Small problems, each of the coordinates that gain most; g and β follow in place.

    True if they brought the gap down to where it should be.
    """
    gains = np.empty(len(beta))
    for _ in range(SETS):
        for i in range(len(beta)):
            gains[i] = _step(g[i], K[i, i], beta[i], low[i], high[i])[1]
        chosen = np.argsort(-gains)[:SIZE]
        if gains[chosen[0]] <= 0:
            return False
        moved = _among(K, g, beta, low, high, chosen)
        for a, i in enumerate(chosen):
            if moved[a] != beta[i]:
                change = moved[a] - beta[i]
                beta[i] = moved[a]
                for j in range(len(beta)):
                    g[j] += change * K[i, j]
        gap, primal = _values(g, q, beta, low, high)
        if gap <= tol * primal:
            return True
    return False


@njit(cache=True)
def _among(
    K: np.ndarray,
    g: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    chosen: np.ndarray,
) -> np.ndarray:
    """β of the chosen coordinates after exact steps, each along the one that gains most."""
    slope, moved = g[chosen], beta[chosen]
    A = _block(K, chosen)
    for _ in range(4 * len(chosen)):
        best, at, move = 0.0, -1, 0.0
        for a, i in enumerate(chosen):
            step, gain = _step(slope[a], A[a, a], moved[a], low[i], high[i])
            if gain > best:
                best, at, move = gain, a, step
        if at < 0:
            break
        moved[at] += move
        slope += move * A[at]
    return moved


def _newton(
    K: np.ndarray, g: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray, far: float
) -> np.ndarray:
    """The minimum over the coordinates inside the box, or the better of two ways towards it.

    One way stops at the first wall, the other goes all the way and is moved back into the box.
    `far` is the gap relative to the objective.
    """
    inside = np.flatnonzero((beta > low) & (beta < high))
    if len(inside) == 0:
        return beta
    A, slope, start = _block(K, inside), g[inside], beta[inside]
    A[np.diag_indices_from(A)] += RIDGE * max(float(np.trace(K)) / len(K), 1e-300)
    try:
        step = _solved(A, -slope, far)
    except LinAlgError:  # K is singular to rounding: coordinates alone must do
        return beta
    walls = (low[inside], high[inside])
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step > 0, walls[1] - start, walls[0] - start) / step
    ways = [np.clip(start + t * step, *walls) - start for t in (min(1.0, np.nanmin(room)), 1.0)]
    costs = [way @ (slope + 0.5 * (A @ way)) for way in ways]
    beta = beta.copy()
    beta[inside] += ways[int(np.argmin(costs))]
    return np.clip(beta, low, high)


def _solved(A: np.ndarray, right: np.ndarray, far: float) -> np.ndarray:
    """x with Ax = right, roughly while the end is far: until then walls matter more."""
    if len(A) > FEW:
        x, left = cg(A, right, rtol=min(0.1, far**0.5), maxiter=PATIENCE)
        if left == 0:
            return x
    return cho_solve(cho_factor(A, lower=True), right)


@njit(cache=True)
def _block(K: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    A = np.empty((len(chosen), len(chosen)))
    for a, i in enumerate(chosen):
        for b, j in enumerate(chosen):
            A[a, b] = K[i, j]
    return A
