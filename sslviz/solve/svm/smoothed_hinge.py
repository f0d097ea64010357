r"""The smoothed hinge: its kink rounded to a parabola, which makes the primal piecewise quadratic.

    ρ_h(t) = 1 − t where t ≤ 1 − h,   (1 + h − t)²/4h between,   0 where t ≥ 1 + h
    min_w ½|w|² + Σ_i c_i ρ_h(s_i f_i),   f_i = m + φ_i·w

Every point is in one of three zones of ρ_h: linear, curved or zero. As long as no point changes its
zone the objective is quadratic, and its minimum is a linear system of the points in the curved
zone, in their products φ_i·φ_j or in the coordinates, whichever are fewer.
"""

import numpy as np
from numba import njit

from sslviz.solve.svm.box_projected_newton import solve_leading
from sslviz.solve.svm.box_qp import sparse_matvec

PIECE_RIDGE = 1e-12  # relative to the mean diagonal, so that equal points share their coefficient
REFINEMENTS = 3  # solves that correct for the ridge and for rounding
LINE_SEARCH_TOLERANCE = 1e-3  # remaining slope, relative to the initial one
ZERO, CURVED, LINEAR = 0, 1, 2  # zones


@njit(cache=True, nogil=True)
def update_zones(f: np.ndarray, s: np.ndarray, h: float, zones: np.ndarray) -> None:
    """Set the zones for the values f."""
    for i in range(len(f)):
        zones[i] = _zone(s[i] * f[i], h)


@njit(cache=True, nogil=True)
def keeps_zones(f: np.ndarray, df: np.ndarray, s: np.ndarray, h: float, zones: np.ndarray) -> bool:
    """Whether every point has the same zone at f + df."""
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
    weights: np.ndarray,
    zones: np.ndarray,
    h: float,
    beta: np.ndarray,
) -> np.ndarray:
    """w at the minimum of the quadratic for these zones; β is set to its dual coefficients."""
    curved, k, d = np.empty(len(s), np.int64), 0, Phi.shape[1]
    for i in range(len(s)):
        beta[i] = weights[i] * s[i] if zones[i] == LINEAR else 0.0
        if zones[i] == CURVED:
            curved[k] = i
            k += 1
    w = sparse_matvec(Phi, beta)
    if k == 0:
        return w
    in_coordinates = k > d and h > 0
    rows, columns, slack, right = np.empty((k, d)), np.empty((d, k)), np.empty(k), np.empty(k)
    for a in range(k):
        i = curved[a]
        slack[a], right[a] = 2 * h / weights[i], s[i] * (1 + h) - mean
        for j in range(d):
            rows[a, j] = Phi[i, j]
            columns[j, a] = Phi[i, j] / slack[a] if in_coordinates else Phi[i, j]
    if in_coordinates:  # (I + rowsᵀ rows/slack) w = Σ_linear β φ + rowsᵀ right/slack
        goal, A = np.dot(columns, right), np.dot(columns, rows)
        for j in range(d):
            goal[j] += w[j]
            w[j] = 0.0
            A[j, j] += 1
        L = np.linalg.cholesky(A)
        for _ in range(REFINEMENTS - 1):
            residual = np.dot(columns, np.dot(rows, w))
            for j in range(d):
                residual[j] = goal[j] - w[j] - residual[j]
            more = solve_leading(L, residual)
            for j in range(d):
                w[j] += more[j]
        there = np.dot(rows, w)
        for a in range(k):
            beta[curved[a]] = (right[a] - there[a]) / slack[a]
        return w
    A, trace = np.dot(rows, columns), 0.0  # (rows rowsᵀ + slack) β = right − rows · Σ_linear β φ
    for a in range(k):
        trace += A[a, a]
    for a in range(k):
        A[a, a] += slack[a] + PIECE_RIDGE * max(trace / k, 1e-300)
    L = np.linalg.cholesky(A)
    for _ in range(1 if h > 0 else REFINEMENTS):
        residual = np.dot(rows, w)
        for a in range(k):
            residual[a] = right[a] - residual[a] - slack[a] * beta[curved[a]]
        more = solve_leading(L, residual)
        for a in range(k):
            beta[curved[a]] += more[a]
        w = sparse_matvec(Phi, beta)
    return w


@njit(cache=True, nogil=True)
def line_search(
    linear: float,
    square: float,
    f: np.ndarray,
    df: np.ndarray,
    s: np.ndarray,
    weights: np.ndarray,
    h: float,
) -> float:
    """The step length along df of least objective; its slope is increasing and piecewise linear.

    `linear` and `square` are the coefficients of the norm term, ½|w|² along the step.
    """
    low, high, length, initial = 0.0, np.inf, 0.0, 0.0
    for turn in range(60):
        slope, curvature = linear + length * square, square
        for i in range(len(f)):
            part = (1 + h - s[i] * (f[i] + length * df[i])) / (2 * h)
            if part >= 1:
                slope -= weights[i] * s[i] * df[i]
            elif part > 0:
                slope -= weights[i] * part * s[i] * df[i]
                curvature += weights[i] * df[i] * df[i] / (2 * h)
        if turn == 0 and slope >= 0:
            break
        if turn == 0:
            length, initial = 1.0, slope
            continue
        if abs(slope) <= LINE_SEARCH_TOLERANCE * abs(initial):
            break
        low, high = (low, length) if slope > 0 else (length, high)
        length = length - slope / curvature if curvature > 0 else low
        if not low < length < high:
            length = 0.5 * (low + high) if high < np.inf else 2 * low
    return length
