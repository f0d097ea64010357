r"""A Newton step of a quadratic in a box, over the coordinates that touch no wall.

    min_x ½ xᵀAx + gᵀx   over the coordinates inside, others stay

Few coordinates go on until a whole step fits (walking.py). Many touch no wall only where A is far
from singular. There one step is enough at a time, and while walls are still met a few conjugate
gradients in single precision.
"""

import numpy as np
from scipy.linalg import LinAlgError
from scipy.sparse.linalg import cg

from sslviz.inductive.walking import walk
from sslviz.solve.minors import factor, minor, solve

CLOSE = 1e-3  # gap of the objective from which on hardly a wall is met
FEW = 300  # coordinates up to which a factorisation is cheap
RIDGE = {np.float32: 1e-5, np.float64: 1e-12}  # of the mean diagonal, so that a step exists
PATIENCE = 150  # conjugate gradients, then a factorisation is cheaper


def newton(
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
    many = len(inside) > FEW
    kind = np.float32 if far > CLOSE and many else np.float64
    A = minor(K, inside, kind)
    A[np.diag_indices_from(A)] += RIDGE[kind] * max(float(np.trace(K)) / len(K), 1e-300)
    moved, problem = beta.copy(), (A, g[inside], beta[inside], low[inside], high[inside])
    try:
        moved[inside] = _stepped(*problem, far) if many else walk(*problem)
    except LinAlgError:  # K is singular to rounding: coordinates alone must do
        pass
    return moved


def _stepped(
    A: np.ndarray,
    slope: np.ndarray,
    start: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    far: float,
) -> np.ndarray:
    """The better of two ways: to the first wall, or all the way and back into the box."""
    step = _solved(A, -slope, far)
    ahead = np.where(step > 0, high, low)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        room = np.where(step == 0, np.inf, (ahead - start) / step)
    first, whole = room.min(), np.clip(start + step, low, high)
    if first >= 1:
        return whole
    short = np.where(room > first, np.clip(start + first * step, low, high), ahead)
    ways = [(end - start).astype(A.dtype) for end in (short, whole)]
    costs = [way @ (slope + 0.5 * (A @ way)) for way in ways]
    return (short, whole)[int(np.argmin(costs))]


def _solved(A: np.ndarray, right: np.ndarray, far: float) -> np.ndarray:
    """x with Ax = right, roughly while the end is far: until then walls matter more."""
    if far > CLOSE:
        x, left = cg(A, right.astype(A.dtype), rtol=min(0.1, far**0.5), maxiter=PATIENCE)
        if left == 0:
            return x
    return solve(factor(A, np.arange(len(A)), np.float64), right)
