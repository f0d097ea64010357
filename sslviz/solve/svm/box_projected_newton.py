r"""Projected Newton steps over few coordinates: those that reach a bound stay there.

    min_x ½ xᵀAx + gᵀx,   low ≤ x ≤ high

A = LLᵀ is factorised once. A coordinate that reaches a bound is deleted from the factor, at
quadratic instead of cubic cost, and the others go on until a full step fits into the box.
"""

import numpy as np
from numba import njit

from sslviz.solve.submatrix import gather


@njit(cache=True, nogil=True)
def projected_newton(
    A: np.ndarray, g: np.ndarray, x: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """The end of the steps from x with gradient g. LinAlgError if A is not positive definite."""
    x, g, free = x.copy(), g.copy(), np.arange(len(x))
    L, k, room = np.linalg.cholesky(A), len(x), np.empty(A.size)
    while k > 0:
        now, B, before = free[:k], room[: k * k].reshape(k, k), k
        gather(A, now, B)
        step = solve_leading(L, -g[now])
        end = best_in_box(B, g[now], x[now], low[now], high[now], step)
        for a in range(k):
            i = free[a]
            if end[a] != x[i]:
                g += (end[a] - x[i]) * A[i]
                x[i] = end[a]
        for a in range(k - 1, -1, -1):
            if x[free[a]] <= low[free[a]] or x[free[a]] >= high[free[a]]:
                _delete_row(L, a, k)
                for b in range(a, k - 1):
                    free[b] = free[b + 1]
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
    """The better of two ends: the step cut at the first bound, or the full step clipped to the box.

    For compiled callers only: numba's cache must not hold an array that is also returned to Python.
    """
    first, at = 1.0, -1
    for a in range(len(step)):
        ahead = (high[a] if step[a] > 0 else low[a]) - x[a]
        if abs(ahead) < first * abs(step[a]):
            first, at = ahead / step[a], a
    clipped = np.minimum(np.maximum(x + step, low), high)
    if at < 0:
        return clipped
    cut = np.minimum(np.maximum(x + first * step, low), high)
    cut[at] = high[at] if step[at] > 0 else low[at]
    return cut if _change(A, g, cut - x) < _change(A, g, clipped - x) else clipped


@njit(cache=True, nogil=True)
def _change(A: np.ndarray, g: np.ndarray, move: np.ndarray) -> float:
    """The change of the objective by this move."""
    curved = np.dot(A, move.astype(A.dtype))
    total = 0.0
    for a in range(len(move)):
        total += move[a] * (g[a] + 0.5 * curved[a])
    return total


@njit(cache=True, nogil=True)
def solve_leading(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x with LLᵀx = right, for the leading rows and columns of L."""
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
    column = L[p + 1 : k, p].copy()
    for a in range(p, k - 1):
        for b in range(a + 1):
            L[a, b] = L[a + 1, b if b < p else b + 1]
    for a in range(p, k - 1):  # a rank-one update by the deleted column, by Givens rotations
        e, d = column[a - p], L[a, a]
        r = np.hypot(d, e)
        c, s = d / r, e / r
        L[a, a] = r
        for b in range(a + 1, k - 1):
            old = L[b, a]
            L[b, a] = c * old + s * column[b - p]
            column[b - p] = c * column[b - p] - s * old
