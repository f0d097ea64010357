r"""Machines in few coordinates: the hinge is rounded to a parabola, less and less.

    min_w ½|w|² + Σ_i c_i ρ_h(s_i f_i),   f_i = m + φ_i·w,   ρ_h(t) = (1 − t)₊ but for |1 − t| < h
    β_i = s_i c_i clip((1 + h − s_i f_i)/2h, 0, 1),   w = Σ_i β_i φ_i

For every h that is quadratic in pieces, and Newton's method ends after few steps, as dear as there
are coordinates; the dual over all points (box.py) is singular there, and creeps. Unlabelled points
take the sign of their side after every step, which lowers the objective once more. β is a
point of the dual, so that the gap to the plain hinge is known. Who is rounded for a small h stands
on the edge of the margin for h = 0, and then one linear system ends it.
"""

import numpy as np
from numba import njit

from sslviz.inductive.stages.s3vm_label_switching import (
    EXACT_GAP,
    ROUGH_GAP,
    Bounds,
    SwitchingRound,
    sides,
    switch_until_stable,
)
from sslviz.solve.svm.box_active_set import CentredKernel
from sslviz.solve.svm.box_qp import gap_and_primal, sparse_matvec
from sslviz.solve.svm.smoothed_hinge import (
    CURVED,
    keeps_zones,
    line_search,
    minimise_piece,
    update_zones,
)

FIRST_WIDTH, WIDTH_FACTOR, LAST_WIDTH = 1 / 16, 1 / 16, 1e-8  # of h
MAX_PRIMAL_STEPS = 400  # of Newton's method for one h; far from the end signs change all the way
# Gap of the objective: where it may end, and what high prices make of rounding errors.
STOP_GAP, FALLBACK_GAP = 1e-10, 1e-9
CURVED_PER_COORDINATE = (
    4  # times as many points as coordinates may stand on the edge: some are equal
)


def solve_smoothed(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    price: np.ndarray,
    beta: np.ndarray,
    exactly: bool,
) -> list[SwitchingRound]:
    """The machine over the rows of Phi (n, d) when no sign changes any more, from a β near it.

    y holds ±1 where labelled, 0 where not. Else than exactly it is that of the widest h.
    """
    w = beta @ Phi
    s = sides(Phi @ w + mean, y)
    found, slope, turns = np.empty_like(beta), np.empty_like(beta), []
    here, tol = (beta, Phi @ w + mean), EXACT_GAP if exactly else ROUGH_GAP
    try:
        gap, value, flips = _shrink_width(Phi, y, mean, price, w, s, exactly, found, slope)
        here = found, slope + s
        turns.append(SwitchingRound(*here, gap, flips))
        if not exactly or gap <= FALLBACK_GAP * value:
            return turns
    except np.linalg.LinAlgError:  # a piece is singular to rounding
        pass
    # what is left of the gap in the dual, signs and machine in turns
    kernel, same = CentredKernel(Phi @ Phi.T, None, np.zeros(len(y))), Bounds(price, price, 1.0)
    return [*turns, *switch_until_stable(kernel, y, mean, same, here, tol)]


@njit(cache=True, nogil=True)
def _shrink_width(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    price: np.ndarray,
    w: np.ndarray,
    s: np.ndarray,
    exactly: bool,
    found: np.ndarray,
    slope: np.ndarray,
) -> tuple[float, float, int]:
    """The same into β `found`, its slope and its signs s; gap, objective and changes of sign."""
    h, best, worth, total, n = FIRST_WIDTH, np.inf, 1.0, 0, len(s)
    low, high, q, signs, beta = np.empty(n), np.empty(n), np.empty(n), s.copy(), np.empty(n)
    zones, before = np.empty(n, np.int8), np.empty(n, np.int8)
    while True:
        flips = _newton(Phi, y, mean, price, w, signs, h, zones)
        total, edge, same = total + flips, 0, h < FIRST_WIDTH and flips == 0
        for i in range(n):
            same, before[i] = same and zones[i] == before[i], zones[i]
            low[i], high[i] = min(price[i] * signs[i], 0.0), max(price[i] * signs[i], 0.0)
            q[i] = signs[i] - mean
            edge += zones[i] == CURVED
        for width in (h, 0.0):
            if width == 0 and (not exactly or edge > CURVED_PER_COORDINATE * Phi.shape[1]):
                break
            minimise_piece(Phi, signs, mean, price, zones, width, beta)
            for i in range(n):
                beta[i] = min(max(beta[i], low[i]), high[i])
            g = np.dot(Phi, sparse_matvec(Phi, beta))
            for i in range(n):
                g[i] -= q[i]
            gap, value = gap_and_primal(g, q, beta, low, high)
            if best == np.inf or (gap * worth < best * value and _keeps_signs(g, signs, y)):
                best, worth = gap, value
                for i in range(n):
                    found[i], slope[i], s[i] = beta[i], g[i], signs[i]
        enough = (
            FALLBACK_GAP if same else STOP_GAP
        )  # the same system again: no digit is to be gained
        if not exactly or best <= enough * worth or h < LAST_WIDTH:
            return best, worth, total
        h *= WIDTH_FACTOR


@njit(cache=True, nogil=True)
def _keeps_signs(g: np.ndarray, s: np.ndarray, y: np.ndarray) -> bool:
    """Whether all unlabelled points keep their signs."""
    for i in range(len(s)):
        if y[i] == 0 and (g[i] + s[i]) * s[i] < 0:
            return False
    return True


@njit(cache=True, nogil=True)
def _newton(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    price: np.ndarray,
    w: np.ndarray,
    s: np.ndarray,
    h: float,
    zones: np.ndarray,
) -> int:
    """The minimum for this h: w, signs s and zones follow. How often a sign has changed."""
    f, beta, flips = np.dot(Phi, w), np.empty(len(s)), 0
    for i in range(len(f)):
        f[i] += mean
    for _ in range(MAX_PRIMAL_STEPS):
        update_zones(f, s, h, zones)
        way, linear, square = minimise_piece(Phi, s, mean, price, zones, h, beta), 0.0, 0.0
        for j in range(len(w)):
            way[j] -= w[j]
            linear += w[j] * way[j]
            square += way[j] * way[j]
        df = np.dot(Phi, way)
        whole = keeps_zones(f, df, s, h, zones)  # the piece holds its minimum
        far = 1.0 if whole else line_search(linear, square, f, df, s, price, h)
        for j in range(len(w)):
            w[j] += far * way[j]
        turned = 0
        for i in range(len(s)):
            f[i] += far * df[i]
            if y[i] == 0 and f[i] * s[i] < 0:
                s[i] = -s[i]
                turned += 1
        flips += turned
        if far == 0 or (whole and turned == 0):
            break
    update_zones(f, s, h, zones)
    return flips
