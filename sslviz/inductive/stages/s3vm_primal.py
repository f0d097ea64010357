r"""S3VM in few coordinates (linear kernel): the primal with a smoothed hinge, by Newton's method.

    min_w ½|w|² + Σ_i c_i ρ_h(s_i f_i),   f_i = m + φ_i·w,   ρ_h(t) = (1 − t)₊ unless |1 − t| < h
    β_i = s_i c_i clip((1 + h − s_i f_i)/2h, 0, 1),   w = Σ_i β_i φ_i

For every h this is piecewise quadratic, and Newton's method ends after few steps, each a system of
the size of the coordinates; the dual over all points is singular there and converges slowly.
Unlabelled points take the sign of their side after every step, which lowers the objective further.
β is feasible for the dual, so that the gap to the plain hinge is known. The points in the curved
zone for a small h lie on the edge of the margin for h = 0; one linear system then gives the exact
solution.
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
from sslviz.solve.svm.box_qp import gap_and_primal, sparse_matvec
from sslviz.solve.svm.smoothed_hinge import (
    CURVED,
    keeps_zones,
    line_search,
    minimise_piece,
    update_zones,
)

FIRST_WIDTH, WIDTH_FACTOR, LAST_WIDTH = 1 / 16, 1 / 16, 1e-8  # of h
MAX_PRIMAL_STEPS = 400  # of Newton's method for one h; far from the optimum signs keep changing
STOP_GAP, FALLBACK_GAP = 1e-10, 1e-9  # relative gaps: the goal, and above which the dual continues
CURVED_PER_COORDINATE = 4  # more points than this in the curved zone are not tried with h = 0


def solve_smoothed(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    bounds: np.ndarray,
    beta: np.ndarray,
    exactly: bool,
) -> list[SwitchingRound]:
    """The solution over the rows of Phi (n, d) when no sign changes any more, from a β near it.

    y holds ±1 for labelled points, 0 for the others. Unless `exactly` it is that of the first h.
    """
    w = beta @ Phi
    s = sides(Phi @ w + mean, y)
    found, gradient, rounds = np.empty_like(beta), np.empty_like(beta), []
    here, tol = (beta, Phi @ w + mean), EXACT_GAP if exactly else ROUGH_GAP
    try:
        gap, value, flips = _shrink_width(Phi, y, mean, bounds, w, s, exactly, found, gradient)
        here = found, gradient + s
        rounds.append(SwitchingRound(*here, gap, flips))
        if not exactly or gap <= FALLBACK_GAP * value:
            return rounds
    except np.linalg.LinAlgError:  # a piece is singular up to rounding
        pass
    # Label switching in the dual closes the rest of the gap.
    same = Bounds(bounds, bounds, 1.0)
    return [*rounds, *switch_until_stable(Phi @ Phi.T, y, mean, same, here, tol)]


@njit(cache=True, nogil=True)
def _shrink_width(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    bounds: np.ndarray,
    w: np.ndarray,
    s: np.ndarray,
    exactly: bool,
    found: np.ndarray,
    gradient: np.ndarray,
) -> tuple[float, float, int]:
    """Solve for shrinking h; sets β `found`, its gradient and signs s.

    Returns the gap, the objective and the number of sign changes.
    """
    h, best, worth, total, n = FIRST_WIDTH, np.inf, 1.0, 0, len(s)
    low, high, q, signs, beta = np.empty(n), np.empty(n), np.empty(n), s.copy(), np.empty(n)
    zones, before = np.empty(n, np.int8), np.empty(n, np.int8)
    while True:
        flips = _newton(Phi, y, mean, bounds, w, signs, h, zones)
        total, n_curved, same = total + flips, 0, h < FIRST_WIDTH and flips == 0
        for i in range(n):
            same, before[i] = same and zones[i] == before[i], zones[i]
            low[i], high[i] = min(bounds[i] * signs[i], 0.0), max(bounds[i] * signs[i], 0.0)
            q[i] = signs[i] - mean
            n_curved += zones[i] == CURVED
        for width in (h, 0.0):
            if width == 0 and (not exactly or n_curved > CURVED_PER_COORDINATE * Phi.shape[1]):
                break
            minimise_piece(Phi, signs, mean, bounds, zones, width, beta)
            for i in range(n):
                beta[i] = min(max(beta[i], low[i]), high[i])
            g = np.dot(Phi, sparse_matvec(Phi, beta))
            for i in range(n):
                g[i] -= q[i]
            gap, value = gap_and_primal(g, q, beta, low, high)
            if best == np.inf or (gap * worth < best * value and _keeps_signs(g, signs, y)):
                best, worth = gap, value
                for i in range(n):
                    found[i], gradient[i], s[i] = beta[i], g[i], signs[i]
        goal = FALLBACK_GAP if same else STOP_GAP  # equal zones are the same system: no progress
        if not exactly or best <= goal * worth or h < LAST_WIDTH:
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
    bounds: np.ndarray,
    w: np.ndarray,
    s: np.ndarray,
    h: float,
    zones: np.ndarray,
) -> int:
    """Minimise for this h, updating w, signs s and zones; returns the number of sign changes."""
    f, beta, flips = np.dot(Phi, w), np.empty(len(s)), 0
    for i in range(len(f)):
        f[i] += mean
    for _ in range(MAX_PRIMAL_STEPS):
        update_zones(f, s, h, zones)
        step, linear, square = minimise_piece(Phi, s, mean, bounds, zones, h, beta), 0.0, 0.0
        for j in range(len(w)):
            step[j] -= w[j]
            linear += w[j] * step[j]
            square += step[j] * step[j]
        df = np.dot(Phi, step)
        is_minimum = keeps_zones(f, df, s, h, zones)
        length = 1.0 if is_minimum else line_search(linear, square, f, df, s, bounds, h)
        for j in range(len(w)):
            w[j] += length * step[j]
        switched = 0
        for i in range(len(s)):
            f[i] += length * df[i]
            if y[i] == 0 and f[i] * s[i] < 0:
                s[i] = -s[i]
                switched += 1
        flips += switched
        if length == 0 or (is_minimum and switched == 0):
            break
    update_zones(f, s, h, zones)
    return flips
