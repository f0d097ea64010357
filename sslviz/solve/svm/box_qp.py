r"""The dual of a support vector machine without a free bias: a quadratic in a box.

    min_β ½ βᵀKβ − qᵀβ,   low ≤ β ≤ high

The coordinates that gain most are taken out as a small problem of their own, solved one coordinate
at a time, and put back; now and then comes a Newton step over all coordinates that touch no wall
(inside.py), since where K is nearly singular single coordinates creep. It ends when the duality gap
is as small as asked for, so that the answer carries its own proof.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sslviz.solve.submatrix import gather
from sslviz.solve.svm.box_newton import FACTORISE_BELOW_GAP, MAX_FACTORISED, newton_step

MAX_ROUNDS = 400  # of small problems and a Newton step
SETS_BEFORE_CG, SETS_BEFORE_FACTORISING = (
    10,
    2,
)  # small problems in a row: before dear Newton steps, and before others
WORKING_SET_SIZE = 64  # coordinates of a small problem


class BoxMinimum(NamedTuple):
    """Where the quadratic is least within the box."""

    beta: np.ndarray
    slope: np.ndarray  # Kβ − q
    gap: float  # primal minus dual objective


def solve_box_qp(
    K: np.ndarray,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    slope: np.ndarray,
    tol: float,
) -> BoxMinimum:
    """Start from β in the box, where Kβ − q is `slope`.

    `tol` bounds the gap relative to the primal objective.
    """
    beta, g = beta.copy(), slope.copy()
    for _ in range(MAX_ROUNDS):
        gap, primal = gap_and_primal(g, q, beta, low, high)
        if gap <= tol * primal:
            break
        many = (
            gap > FACTORISE_BELOW_GAP * primal
            and ((beta > low) & (beta < high)).sum() > MAX_FACTORISED
        )
        sets = SETS_BEFORE_CG if many else SETS_BEFORE_FACTORISING
        if not _solve_working_sets(K, g, q, beta, low, high, tol, sets):
            gap, primal = gap_and_primal(g, q, beta, low, high)
            moved = newton_step(K, g, beta, low, high, gap / primal)
            g += sparse_matvec(K, moved - beta)
            beta = moved
    return BoxMinimum(beta, g, gap_and_primal(g, q, beta, low, high)[0])


@njit(cache=True, nogil=True)
def sparse_matvec(K: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Kᵀβ, for a symmetric K also Kβ, from the rows where β is not zero: often few."""
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

    The primal objective ½ βᵀKβ + Σ_i loss_i lies a gap above the dual one, qᵀβ − ½ βᵀKβ.
    """
    gap, dual = 0.0, 0.0
    for i in range(len(beta)):
        gap += g[i] * (beta[i] - (low[i] if g[i] > 0 else high[i]))
        dual += 0.5 * (q[i] - g[i]) * beta[i]
    return gap, dual + gap


@njit(cache=True, nogil=True)
def _coordinate_step(
    g: float, curve: float, beta: float, low: float, high: float
) -> tuple[float, float]:
    """The best step along one coordinate and what it gains."""
    curve = max(curve, 1e-300)
    step = min(max(beta - g / curve, low), high) - beta
    return step, -step * (g + 0.5 * curve * step)


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
    """Small problems, each of the coordinates that gain most; g and β follow in place.

    True if they brought the gap down to where it should be.
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
def _largest_gains(gains: np.ndarray, many: int) -> np.ndarray:
    """Where the greatest are, in no order. numpy's own takes eight seconds to compile."""
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
        if many <= j:
            last = j
        elif many >= i:
            first = i
        else:
            break
    return order[:many]


@njit(cache=True, nogil=True)
def _solve_working_set(
    K: np.ndarray,
    g: np.ndarray,
    beta: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    chosen: np.ndarray,
) -> np.ndarray:
    """β of the chosen coordinates after exact steps, each along the one that gains most."""
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
