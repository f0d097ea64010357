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

from sslviz.inductive.box import values
from sslviz.inductive.parting import Kernel
from sslviz.inductive.turns import FINE, Prices, Turn, settle, sides
from sslviz.inductive.walking import solved

WIDEST, SHRINKS, NARROWEST = 1 / 16, 1 / 16, 1e-8  # of h
STEPS = 400  # of Newton's method for one h; far from the end signs change all the way
# Gap of the objective: where it may end, and what high prices make of rounding errors.
ENOUGH, AMISS = 1e-10, 1e-9
RIDGE, AGAIN = 1e-12, 3  # of the mean of a diagonal, so that equal points share; then without
FLAT = 1e-3  # of the slope where a step begins: where it may end
EQUAL = 4  # times as many points as coordinates may stand on the edge: some are equal
BEYOND, EDGE, PAYS = 0, 1, 2  # where a point stands


def settle_rounded(
    Phi: np.ndarray,
    y: np.ndarray,
    mean: float,
    price: np.ndarray,
    beta: np.ndarray,
    exactly: bool,
) -> list[Turn]:
    """The machine over the rows of Phi (n, d) when no sign changes any more, from a β near it.

    y holds ±1 where labelled, 0 where not. Else than exactly it is that of the widest h.
    """
    w = beta @ Phi
    s = sides(Phi @ w + mean, y)
    found, slope = np.empty_like(beta), np.empty_like(beta)
    gap, value, flips = _settle(Phi, y, mean, price, w, s, exactly, found, slope)
    turn = Turn(found, slope + s, gap, flips)
    if not exactly or gap <= AMISS * value:
        return [turn]
    return [turn, *_otherwise(Phi, y, mean, price, turn)]


@njit(cache=True, nogil=True)
def _settle(
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
    h, best, worth, total = WIDEST, np.inf, 1.0, 0
    low, high, q, signs = np.empty(len(s)), np.empty(len(s)), np.empty(len(s)), s.copy()
    while True:
        w, zones, flips = _newton(Phi, y, mean, price, w, signs, h)
        total += flips
        for i in range(len(s)):
            low[i], high[i] = min(price[i] * signs[i], 0.0), max(price[i] * signs[i], 0.0)
            q[i] = signs[i] - mean
        for width in (h, 0.0):
            if width == 0 and (not exactly or (zones == EDGE).sum() > EQUAL * Phi.shape[1]):
                break
            paid = _piece(Phi, signs, mean, price, zones, width)[1]
            paid = np.minimum(np.maximum(paid, low), high)
            g = np.dot(Phi, np.dot(paid, Phi)) - q
            gap, value = values(g, q, paid, low, high)
            if best == np.inf or (gap * worth < best * value and _keep(g, signs, y)):
                best, worth = gap, value
                found[:], slope[:], s[:] = paid, g, signs
        if not exactly or best <= ENOUGH * worth or h < NARROWEST:
            return best, worth, total
        h *= SHRINKS


@njit(cache=True, nogil=True)
def _keep(g: np.ndarray, s: np.ndarray, y: np.ndarray) -> bool:
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
) -> tuple[np.ndarray, np.ndarray, int]:
    """The minimum for this h, from w and signs s, which follow; zones and changes of sign."""
    f, flips = np.dot(Phi, w) + mean, 0
    zones, after = np.empty(len(s), np.int8), np.empty(len(s), np.int8)
    for _ in range(STEPS):
        _stand(f, s, h, zones)
        way = _piece(Phi, s, mean, price, zones, h)[0] - w
        df = np.dot(Phi, way)
        _stand(f + df, s, h, after)
        if (zones == after).all():  # the piece holds its minimum
            far = 1.0
        else:
            far = _along(np.dot(w, way), np.dot(way, way), f, df, s, price, h)
            if far == 0:
                break
        w, f = w + far * way, f + far * df
        turned = 0
        for i in range(len(s)):
            if y[i] == 0 and f[i] * s[i] < 0:
                s[i] = -s[i]
                turned += 1
        flips += turned
        if turned == 0 and (zones == after).all():
            break
    _stand(f, s, h, zones)
    return w, zones, flips


@njit(cache=True, nogil=True)
def _piece(
    Phi: np.ndarray, s: np.ndarray, mean: float, price: np.ndarray, zones: np.ndarray, h: float
) -> tuple[np.ndarray, np.ndarray]:
    """w and β at the minimum of the quadratic that holds as long as nobody leaves his zone."""
    (n, d), beta, k = Phi.shape, np.zeros(len(s)), 0
    edge = np.empty(n, np.int64)
    for i in range(n):
        if zones[i] == PAYS:
            beta[i] = price[i] * s[i]
        elif zones[i] == EDGE:
            edge[k] = i
            k += 1
    w, edge = np.dot(beta, Phi), edge[:k]
    if k == 0:
        return w, beta
    few, slack, right = Phi[edge], np.empty(k), np.empty(k)
    for a in range(k):
        slack[a], right[a] = 2 * h / price[edge[a]], s[edge[a]] * (1 + h) - mean
    if k > d and h > 0:  # (I + fewᵀ few/slack) w = what is paid beyond the edge + fewᵀ right/slack
        scaled = few.copy()
        for a in range(k):
            scaled[a] /= slack[a]
        A = np.dot(scaled.T, few)
        for a in range(d):
            A[a, a] += 1
        L, goal, w = np.linalg.cholesky(A), w + np.dot(right, scaled), np.zeros(d)
        for _ in range(AGAIN - 1):
            w += solved(L, goal - w - np.dot(np.dot(few, w), scaled))
        left = np.dot(few, w)
        for a in range(k):
            beta[edge[a]] = (right[a] - left[a]) / slack[a]
        return w, beta
    A = np.dot(few, few.T)  # (few fewᵀ + slack) β = right − few · (what is paid beyond the edge)
    ridge = RIDGE * max(np.trace(A) / k, 1e-300)
    for a in range(k):
        A[a, a] += slack[a] + ridge
    L = np.linalg.cholesky(A)
    for _ in range(1 if h > 0 else AGAIN):  # for what the ridge and rounding leave
        left = right - np.dot(few, w)
        for a in range(k):
            left[a] -= slack[a] * beta[edge[a]]
        more = solved(L, left)
        for a in range(k):
            beta[edge[a]] += more[a]
        w = np.dot(beta, Phi)
    return w, beta


@njit(cache=True, nogil=True)
def _stand(f: np.ndarray, s: np.ndarray, h: float, zones: np.ndarray) -> None:
    for i in range(len(f)):
        t = s[i] * f[i]
        zones[i] = PAYS if t <= 1 - h else EDGE if t < 1 + h else BEYOND


@njit(cache=True, nogil=True)
def _along(
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
        if abs(slope) <= FLAT * abs(steepest):
            break
        low, high = (low, far) if slope > 0 else (far, high)
        far -= slope / bend
        if not low < far < high:
            far = 0.5 * (low + high) if high < np.inf else 2 * low
    return far


def _otherwise(
    Phi: np.ndarray, y: np.ndarray, mean: float, price: np.ndarray, near: Turn
) -> list[Turn]:
    """In the dual, signs and machine in turns, where rounding leaves a gap."""
    zero = np.zeros(len(y))
    kernel, same = Kernel(Phi @ Phi.T, None, zero), Prices(price, price, 1.0)
    return list(settle(kernel, y, mean, same, (near.beta, near.f), FINE))
