r"""Quadratic programs with box constraints: the dual of a support vector machine without a bias.

    min_β ½ βᵀKβ − qᵀβ,   low ≤ β ≤ high,   gradient g = Kβ − q

Decomposition: the coordinates of largest gain form a working set, a small program solved one
coordinate at a time. Between working sets comes a Newton step over all free coordinates
(box_newton.py), since coordinate descent is slow where K is nearly singular. The stopping rule is
the duality gap, which bounds the distance from the optimum.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sslviz.solve.submatrix import gather
from sslviz.solve.svm.box_newton import FACTORISE_BELOW_GAP, MAX_FACTORISED, newton_step

MAX_ROUNDS = 400  # of working sets and a Newton step
SETS_BEFORE_CG, SETS_BEFORE_FACTORISING = 10, 2  # working sets before a Newton step of each kind
WORKING_SET_SIZE = 64


class BoxMinimum(NamedTuple):
    """The minimum of the quadratic within the box."""

    beta: np.ndarray
    gradient: np.ndarray  # Kβ − q
    gap: float  # primal minus dual objective


def solve_box_qp(
    K: np.ndarray,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    gradient: np.ndarray,
    tol: float,
) -> BoxMinimum:
    """The minimum from a feasible β and its gradient; `tol` bounds the gap over the primal."""
    beta, g = beta.copy(), gradient.copy()
    for _ in range(MAX_ROUNDS):
        gap, primal = gap_and_primal(g, q, beta, low, high)
        if gap <= tol * primal:
            break
        n_free = ((beta > low) & (beta < high)).sum()
        by_cg = gap > FACTORISE_BELOW_GAP * primal and n_free > MAX_FACTORISED
        sets = SETS_BEFORE_CG if by_cg else SETS_BEFORE_FACTORISING
        if not _solve_working_sets(K, g, q, beta, low, high, tol, sets):
            gap, primal = gap_and_primal(g, q, beta, low, high)
            moved = newton_step(K, g, beta, low, high, gap / primal)
            g += sparse_matvec(K, moved - beta)
            beta = moved
    return BoxMinimum(beta, g, gap_and_primal(g, q, beta, low, high)[0])


@njit(cache=True, nogil=True)
def sparse_matvec(K: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Kᵀβ, for a symmetric K also Kβ, from the rows where β is not zero."""
    total = np.zeros(K.shape[1])
    for i in range(len(beta)):
        if beta[i] != 0:
            for j in range(len(total)):
                total[j] += beta[i] * K[i, j]
    return total


@njit(cache=True, nogil=True)
def gap_and_primal(
    g: np.ndarray, q: np.ndarray, beta: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[float, float]:
    """The gap Σ_i max over the box of g_i(β_i − t), zero exactly at the minimum, and the primal.

    The primal objective ½ βᵀKβ + Σ_i loss_i is the dual one, qᵀβ − ½ βᵀKβ, plus the gap.
    """
    gap, dual = 0.0, 0.0
    for i in range(len(beta)):
        gap += g[i] * (beta[i] - (low[i] if g[i] > 0 else high[i]))
        dual += 0.5 * (q[i] - g[i]) * beta[i]
    return gap, dual + gap


@njit(cache=True, nogil=True)
def _coordinate_step(
    g: float, curvature: float, beta: float, low: float, high: float
) -> tuple[float, float]:
    """The best step along one coordinate and its gain."""
    curvature = max(curvature, 1e-300)
    step = min(max(beta - g / curvature, low), high) - beta
    return step, -step * (g + 0.5 * curvature * step)


@njit(cache=True, nogil=True)
def _solve_working_sets(
    K: np.ndarray,
    g: np.ndarray,
    q: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    tol: float,
    sets: int,
) -> bool:
    """Working sets, each of the coordinates of largest gain; g and β are updated in place.

    True if the gap has reached `tol`.
    """
    n = len(beta)
    gains = np.empty(n)
    for _ in range(sets):
        for i in range(n):
            gains[i] = _coordinate_step(g[i], K[i, i], beta[i], low[i], high[i])[1]
        if gains.max() <= 0:
            return False
        chosen = np.arange(n) if n <= WORKING_SET_SIZE else _largest_gains(gains, WORKING_SET_SIZE)
        moved = _solve_working_set(K, g, beta, low, high, chosen)
        for a, i in enumerate(chosen):
            if moved[a] != beta[i]:
                change = moved[a] - beta[i]
                beta[i] = moved[a]
                for j in range(n):
                    g[j] += change * K[i, j]
        gap, primal = gap_and_primal(g, q, beta, low, high)
        if gap <= tol * primal:
            return True
    return False


@njit(cache=True, nogil=True)
def _largest_gains(gains: np.ndarray, count: int) -> np.ndarray:
    """Indices of the `count` largest, unordered. Compiling numpy's argpartition takes 8 seconds."""
    order, first, last = np.arange(len(gains)), 0, len(gains) - 1
    while first < last:
        i, j, pivot = first, last, gains[order[(first + last) // 2]]
        while i <= j:
            while gains[order[i]] > pivot:
                i += 1
            while gains[order[j]] < pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i, j = i + 1, j - 1
        if count <= j:
            last = j
        elif count >= i:
            first = i
        else:
            break
    return order[:count]


@njit(cache=True, nogil=True)
def _solve_working_set(
    K: np.ndarray,
    g: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    chosen: np.ndarray,
) -> np.ndarray:
    """β of the chosen coordinates after exact steps, each along the one of largest gain."""
    slope, moved = g[chosen], beta[chosen]
    A = np.empty((len(chosen), len(chosen)))
    gather(K, chosen, A)
    for _ in range(2 * len(chosen)):
        best, at, move = 0.0, -1, 0.0
        for a, i in enumerate(chosen):
            step, gain = _coordinate_step(slope[a], A[a, a], moved[a], low[i], high[i])
            if gain > best:
                best, at, move = gain, a, step
        if at < 0:
            break
        moved[at] += move
        slope += move * A[at]
    return moved
