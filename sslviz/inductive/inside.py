r"""A Newton step of a quadratic in a box, over the coordinates that touch no wall.

    min_x ½ xᵀAx + gᵀx   over the coordinates inside, others stay

Few coordinates: whoever meets a wall stays there and the others go on, until a whole step fits.
Many touch no wall only where A is far from singular. There one step is enough at a time, and while
walls are still met a few conjugate gradients in single precision.
"""

import numpy as np
from scipy.linalg import LinAlgError
from scipy.sparse.linalg import cg

from sslviz.solve.minors import factor, minor, solve

CLOSE = 1e-3  # gap of the objective from which on hardly a wall is met
FEW = 200  # coordinates up to which a factorisation is cheap
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
    kind = np.float32 if far > CLOSE and len(inside) > FEW else np.float64
    A = minor(K, inside, kind)
    A[np.diag_indices_from(A)] += RIDGE[kind] * max(float(np.trace(K)) / len(K), 1e-300)
    moved, slope = beta.copy(), g[inside]
    while len(inside):
        walls = low[inside], high[inside]
        try:
            step = _solved(A, -slope, far)
        except LinAlgError:  # K is singular to rounding: coordinates alone must do
            break
        moved[inside], gain = _within(A, slope, moved[inside], step, *walls)
        if len(inside) > FEW:
            break
        stay = (moved[inside] > walls[0]) & (moved[inside] < walls[1])
        if stay.all():
            break
        slope = (slope + gain)[stay]
        inside, A = inside[stay], A[np.ix_(stay, stay)]
    return moved


def _within(
    A: np.ndarray,
    slope: np.ndarray,
    start: np.ndarray,
    step: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The better of two ways, and how the slope changes along it.

    One stops at the first wall, the other goes all the way and is moved back into the box.
    """
    ahead = np.where(step > 0, high, low)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        room = np.where(step == 0, np.inf, (ahead - start) / step)
    first, whole = room.min(), np.clip(start + step, low, high)
    if first >= 1:
        return whole, A @ (whole - start).astype(A.dtype)
    short = np.where(room > first, np.clip(start + first * step, low, high), ahead)
    ends = [(end, A @ (end - start).astype(A.dtype)) for end in (short, whole)]
    costs = [(end - start) @ (slope + 0.5 * bend) for end, bend in ends]
    return ends[int(np.argmin(costs))]


def _solved(A: np.ndarray, right: np.ndarray, far: float) -> np.ndarray:
    """x with Ax = right, roughly while the end is far: until then walls matter more."""
    if len(A) > FEW and far > CLOSE:
        x, left = cg(A, right.astype(A.dtype), rtol=min(0.1, far**0.5), maxiter=PATIENCE)
        if left == 0:
            return x
    return solve(factor(A, np.arange(len(A)), np.float64), right)
