r"""A hinge rounded to a parabola is quadratic in pieces: who stands where, where a piece is least.

    ρ_h(t) = 1 − t where t ≤ 1 − h,   (1 + h − t)²/4h on the edge,   0 where t ≥ 1 + h
    min_w ½|w|² + Σ_i c_i ρ_h(s_i f_i),   f_i = m + φ_i·w,   as long as nobody leaves his zone

The minimum of a piece is a linear system of those on the edge, in their products φ_i·φ_j or in the
coordinates, whichever are fewer.
"""

import numpy as np
from numba import njit

from sslviz.solve.svm.box_projected_newton import solve_leading
from sslviz.solve.svm.box_qp import sparse_matvec

PIECE_RIDGE, REFINEMENTS = (
    1e-12,
    3,
)  # of the mean of a diagonal, so that equal points share; then without
LINE_SEARCH_TOLERANCE = 1e-3  # of the slope where a step begins: where it may end
ZERO, CURVED, LINEAR = 0, 1, 2  # where a point stands


@njit(cache=True, nogil=True)
def update_zones(f: np.ndarray, s: np.ndarray, h: float, zones: np.ndarray) -> None:
    """Zones become those of the values f."""
    for i in range(len(f)):
        zones[i] = _zone(s[i] * f[i], h)


@njit(cache=True, nogil=True)
def keeps_zones(f: np.ndarray, df: np.ndarray, s: np.ndarray, h: float, zones: np.ndarray) -> bool:
    """Whether everybody keeps his zone along df."""
    for i in range(len(f)):
        if zones[i] != _zone(s[i] * (f[i] + df[i]), h):
            return False
    return True


@njit(cache=True, nogil=True)
def _zone(t: float, h: float) -> int:
    return LINEAR if t <= 1 - h else CURVED if t < 1 + h else ZERO


@njit(cache=True, nogil=True)
def minimise_piece(
    Phi: np.ndarray,
    s: np.ndarray,
    mean: float,
    price: np.ndarray,
    zones: np.ndarray,
    h: float,
    beta: np.ndarray,
) -> np.ndarray:
    """w at the minimum of the quadratic that holds as long as nobody leaves his zone; its β too."""
    edge, k, d = np.empty(len(s), np.int64), 0, Phi.shape[1]
    for i in range(len(s)):
        beta[i] = price[i] * s[i] if zones[i] == LINEAR else 0.0
        if zones[i] == CURVED:
            edge[k] = i
            k += 1
    w = sparse_matvec(Phi, beta)
    if k == 0:
        return w
    by_slack = k > d and h > 0
    few, across, slack, right = np.empty((k, d)), np.empty((d, k)), np.empty(k), np.empty(k)
    for a in range(k):
        i = edge[a]
        slack[a], right[a] = 2 * h / price[i], s[i] * (1 + h) - mean
        for j in range(d):
            few[a, j] = Phi[i, j]
            across[j, a] = Phi[i, j] / slack[a] if by_slack else Phi[i, j]
    if by_slack:  # (I + fewᵀ few/slack) w = what is paid beyond the edge + fewᵀ right/slack
        goal, A = np.dot(across, right), np.dot(across, few)
        for j in range(d):
            goal[j] += w[j]
            w[j] = 0.0
            A[j, j] += 1
        L = np.linalg.cholesky(A)
        for _ in range(REFINEMENTS - 1):  # for what rounding leaves
            left = np.dot(across, np.dot(few, w))
            for j in range(d):
                left[j] = goal[j] - w[j] - left[j]
            more = solve_leading(L, left)
            for j in range(d):
                w[j] += more[j]
        there = np.dot(few, w)
        for a in range(k):
            beta[edge[a]] = (right[a] - there[a]) / slack[a]
        return w
    A, mass = np.dot(few, across), 0.0  # (few fewᵀ + slack) β = right − few · (what others pay)
    for a in range(k):
        mass += A[a, a]
    for a in range(k):
        A[a, a] += slack[a] + PIECE_RIDGE * max(mass / k, 1e-300)
    L = np.linalg.cholesky(A)
    for _ in range(1 if h > 0 else REFINEMENTS):  # for what the ridge and rounding leave
        left = np.dot(few, w)
        for a in range(k):
            left[a] = right[a] - left[a] - slack[a] * beta[edge[a]]
        more = solve_leading(L, left)
        for a in range(k):
            beta[edge[a]] += more[a]
        w = sparse_matvec(Phi, beta)
    return w


@njit(cache=True, nogil=True)
def line_search(
    linear: float,
    square: float,
    f: np.ndarray,
    df: np.ndarray,
    s: np.ndarray,
    price: np.ndarray,
    h: float,
) -> float:
    """How far along df the objective is least: its slope rises, a line from corner to corner."""
    low, high, far, steepest = 0.0, np.inf, 0.0, 0.0
    for turn in range(60):
        slope, bend = linear + far * square, square
        for i in range(len(f)):
            part = (1 + h - s[i] * (f[i] + far * df[i])) / (2 * h)
            if part >= 1:
                slope -= price[i] * s[i] * df[i]
            elif part > 0:
                slope -= price[i] * part * s[i] * df[i]
                bend += price[i] * df[i] * df[i] / (2 * h)
        if turn == 0 and slope >= 0:
            break
        if turn == 0:
            far, steepest = 1.0, slope
            continue
        if abs(slope) <= LINE_SEARCH_TOLERANCE * abs(steepest):
            break
        low, high = (low, far) if slope > 0 else (far, high)
        far = far - slope / bend if bend > 0 else low
        if not low < far < high:
            far = 0.5 * (low + high) if high < np.inf else 2 * low
    return far
