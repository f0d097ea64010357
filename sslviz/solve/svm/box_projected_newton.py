r"""Newton steps of a quadratic in a box over few coordinates: whoever meets a wall stays there.

    min_x ½ xᵀAx + gᵀx,   low ≤ x ≤ high

The factor A = LLᵀ is made once. Whoever stays is struck out of it, which costs a square where a new
factor would cost a cube, and the others go on, until a whole step fits.
"""

import numpy as np
from numba import njit

from sslviz.solve.submatrix import gather


@njit(cache=True, nogil=True)
def projected_newton(
    A: np.ndarray, g: np.ndarray, x: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Where steps from x, with slope g there, end. LinAlgError if A is not positive definite."""
    x, g, on = x.copy(), g.copy(), np.arange(len(x))
    L, k, room = np.linalg.cholesky(A), len(x), np.empty(A.size)
    while k > 0:
        now, B, before = on[:k], room[: k * k].reshape(k, k), k
        gather(A, now, B)
        step = solve_leading(L, -g[now])
        end = best_in_box(B, g[now], x[now], low[now], high[now], step)
        for a in range(k):
            i = on[a]
            if end[a] != x[i]:
                g += (end[a] - x[i]) * A[i]
                x[i] = end[a]
        for a in range(k - 1, -1, -1):
            if x[on[a]] <= low[on[a]] or x[on[a]] >= high[on[a]]:
                _delete_row(L, a, k)
                for b in range(a, k - 1):
                    on[b] = on[b + 1]
                k -= 1
        if k == before:
            break
    return x


@njit(cache=True, nogil=True)
def best_in_box(
    A: np.ndarray,
    g: np.ndarray,
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    step: np.ndarray,
) -> np.ndarray:
    """The better of two ways: to the first wall, or all the way and back into the box.

    For compiled code only: numba's cache must not hold an array that Python too is given.
    """
    first, at = 1.0, -1
    for a in range(len(step)):
        ahead = (high[a] if step[a] > 0 else low[a]) - x[a]
        if abs(ahead) < first * abs(step[a]):
            first, at = ahead / step[a], a
    whole = np.minimum(np.maximum(x + step, low), high)
    if at < 0:
        return whole
    short = np.minimum(np.maximum(x + first * step, low), high)
    short[at] = high[at] if step[at] > 0 else low[at]
    return (
        short
        if _change_of_objective(A, g, short - x) < _change_of_objective(A, g, whole - x)
        else whole
    )


@njit(cache=True, nogil=True)
def _change_of_objective(A: np.ndarray, g: np.ndarray, move: np.ndarray) -> float:
    """What changes by this move."""
    bend = np.dot(A, move.astype(A.dtype))
    total = 0.0
    for a in range(len(move)):
        total += move[a] * (g[a] + 0.5 * bend[a])
    return total


@njit(cache=True, nogil=True)
def solve_leading(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x with LLᵀx = right, for the leading part of L."""
    x, k = right.copy(), len(right)
    for a in range(k):
        for b in range(a):
            x[a] -= L[a, b] * x[b]
        x[a] /= L[a, a]
    for a in range(k - 1, -1, -1):
        x[a] /= L[a, a]
        for b in range(a):
            x[b] -= L[a, b] * x[a]
    return x


@njit(cache=True, nogil=True)
def _delete_row(L: np.ndarray, p: int, k: int) -> None:
    """The leading k rows of L become the k − 1 of the factor without row and column p."""
    extra = L[p + 1 : k, p].copy()
    for a in range(p, k - 1):
        for b in range(a + 1):
            L[a, b] = L[a + 1, b if b < p else b + 1]
    for a in range(p, k - 1):  # what column p held is added to the rest: a rank-one update
        e, d = extra[a - p], L[a, a]
        r = np.hypot(d, e)
        c, s = d / r, e / r
        L[a, a] = r
        for b in range(a + 1, k - 1):
            keep = L[b, a]
            L[b, a] = c * keep + s * extra[b - p]
            extra[b - p] = c * extra[b - p] - s * keep
