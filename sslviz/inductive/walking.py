r"""Newton steps of a quadratic in a box over few coordinates: whoever meets a wall stays there.

    min_x ½ xᵀAx + gᵀx,   low ≤ x ≤ high

The factor A = LLᵀ is made once. Whoever stays is struck out of it, which costs a square where a new
factor would cost a cube, and the others go on, until a whole step fits.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def walk(
    A: np.ndarray, g: np.ndarray, x: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Where steps from x, with slope g there, end. LinAlgError if A is not positive definite."""
    x, g, on = x.copy(), g.copy(), np.arange(len(x))
    L, k = np.linalg.cholesky(A), len(x)
    while k > 0:
        end, before = _stepped(A, L, g, x, on[:k], low, high), k
        for a in range(k):
            i = on[a]
            if end[a] != x[i]:
                g += (end[a] - x[i]) * A[i]
                x[i] = end[a]
        for a in range(k - 1, -1, -1):
            if x[on[a]] <= low[on[a]] or x[on[a]] >= high[on[a]]:
                _strike(L, a, k)
                on[a : k - 1] = on[a + 1 : k].copy()
                k -= 1
        if k == before:
            break
    return x


@njit(cache=True, nogil=True)
def _stepped(
    A: np.ndarray,
    L: np.ndarray,
    g: np.ndarray,
    x: np.ndarray,
    on: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> np.ndarray:
    """The better of two ways: to the first wall, or all the way and back into the box."""
    k, step = len(on), _solved(L, -g[on])
    first, at = 1.0, -1
    for a in range(k):
        ahead = (high[on[a]] if step[a] > 0 else low[on[a]]) - x[on[a]]
        if abs(ahead) < first * abs(step[a]):
            first, at = ahead / step[a], a
    short, whole = np.empty(k), np.empty(k)
    for a in range(k):
        i = on[a]
        short[a] = min(max(x[i] + first * step[a], low[i]), high[i])
        whole[a] = min(max(x[i] + step[a], low[i]), high[i])
    if at < 0:
        return whole
    short[at] = high[on[at]] if step[at] > 0 else low[on[at]]
    return short if _cost(A, g, x, on, short) < _cost(A, g, x, on, whole) else whole


@njit(cache=True, nogil=True)
def _cost(A: np.ndarray, g: np.ndarray, x: np.ndarray, on: np.ndarray, end: np.ndarray) -> float:
    """What changes on the way to the end."""
    total, move = 0.0, end - x[on]
    for a in range(len(on)):
        bend = 0.0
        for b in range(len(on)):
            bend += A[on[a], on[b]] * move[b]
        total += move[a] * (g[on[a]] + 0.5 * bend)
    return total


@njit(cache=True, nogil=True)
def _solved(L: np.ndarray, right: np.ndarray) -> np.ndarray:
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
def _strike(L: np.ndarray, p: int, k: int) -> None:
    """The leading k rows of L become the k − 1 of the factor without row and column p."""
    extra = L[p + 1 : k, p].copy()
    for a in range(p, k - 1):
        L[a, :p] = L[a + 1, :p]
        L[a, p : a + 1] = L[a + 1, p + 1 : a + 2].copy()
    for a in range(p, k - 1):  # what column p held is added to the rest: a rank-one update
        e, d = extra[a - p], L[a, a]
        r = np.hypot(d, e)
        c, s = d / r, e / r
        L[a, a] = r
        for b in range(a + 1, k - 1):
            keep = L[b, a]
            L[b, a] = c * keep + s * extra[b - p]
            extra[b - p] = c * extra[b - p] - s * keep
