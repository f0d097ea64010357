r"""Lasso by homotopy: follow the exact solution of each row from h = ∞ down to λ/2.

    min_a  aᵀ(G + ρI)a − 2bᵀa + λ‖a‖₁,   c = b − (G + ρI)a
    c_j = h·sign(a_j) where a_j ≠ 0,   |c_j| ≤ h elsewhere

The solution is piecewise linear in h: between two corners the active coefficients move along
u = (G_SS + ρI)⁻¹ sign(a_S). At a corner an atom becomes active (its |c_j| reaches h) or inactive
(its a_j reaches 0); the inverse is updated by one row and column. About forty corners lead to a
code, where first-order methods need hundreds of steps; similar atoms do not slow it down. It is
written by hand for its speed: benchmarks/dictionary.py compares it with scikit-learn.

Coordinate descent then removes the errors of rounding and ties, and decides when to stop.

Osborne, Presnell, Turlach. A new approach to variable selection in least squares problems. IMA J.
Numerical Analysis 2000. Efron, Hastie, Johnstone, Tibshirani. Least angle regression. 2004.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

MIN_INDEPENDENT_SHARE = 1e-10  # of an atom's squared length, outside the span of the active ones
EXACT_SWEEPS = 10  # of coordinate descent between two checks of all atoms
EXACT_ROUNDS = 1000  # such checks; two almost equal atoms may exchange weight for ever
IMPROVE_SWEEPS = 3  # and checks, for codes that are nearly right and soon replaced
ACTIVE, FREE, BARRED = 1, 0, -1  # barred: just deactivated, or dependent on the active


class LassoRow(NamedTuple):
    """The lasso of one row."""

    G: np.ndarray
    b: np.ndarray
    ridge: float  # ρ
    half: float  # λ/2


class Workspace(NamedTuple):
    """Arrays reused for every row."""

    K: np.ndarray  # inverse of G_SS + ρI, in the order of `active`
    active: np.ndarray
    signs: np.ndarray
    u: np.ndarray  # growth of the active coefficients as h falls
    c: np.ndarray
    v: np.ndarray  # fall of c
    state: np.ndarray


@njit(cache=True, nogil=True)
def solve_rows(
    G: np.ndarray, B: np.ndarray, ridge: np.ndarray, half: float, tol: float, A: np.ndarray
) -> None:
    """Fill A: row i minimises its lasso with b = B[i], ρ = ridge[i], λ = 2·half.

    Afterwards the conditions on c hold for every atom within tol·max|b|; where atoms nearly
    coincide, they may miss it by about √rounding.
    """
    work = _workspace(len(G))
    for i in range(len(B)):
        row = LassoRow(G, B[i], ridge[i], half)
        _follow_path(row, A[i], work)
        _coordinate_descent(row, A[i], work, tol * np.abs(B[i]).max(), EXACT_ROUNDS, EXACT_SWEEPS)


@njit(cache=True, nogil=True)
def improve_rows(G: np.ndarray, B: np.ndarray, half: float, tol: float, A: np.ndarray) -> None:
    """Lower every row's lasso from the code that A holds, or leave it if c is within tol·λ/2.

    For codes of a slightly different G: a few sweeps, half the time of the whole path.
    """
    work = _workspace(len(G))
    for i in range(len(B)):
        _coordinate_descent(
            LassoRow(G, B[i], 0.0, half), A[i], work, tol * half, IMPROVE_SWEEPS, IMPROVE_SWEEPS
        )


@njit(cache=True, nogil=True)
def _workspace(p: int) -> Workspace:
    numbers, places = np.empty((4, p)), np.empty((2, p), np.int64)
    return Workspace(
        np.empty((p, p)), places[0], numbers[0], numbers[1], numbers[2], numbers[3], places[1]
    )


@njit(cache=True, nogil=True)
def _follow_path(row: LassoRow, a: np.ndarray, work: Workspace) -> None:
    """From the zero code at h = max |b| down to λ/2, corner by corner."""
    n, gone = 0, -1
    a[:] = 0.0
    for j in range(len(a)):
        work.c[j] = row.b[j]
    work.state[:] = FREE
    joins = int(np.argmax(np.abs(row.b)))
    h = abs(row.b[joins])
    for _ in range(8 * len(a)):
        if h <= row.half:
            return
        if joins >= 0:
            n = _activate(row, joins, n, work)
        _direction(row, n, work)
        step, joins, left = _next_corner(h, row.half, n, a, work)
        h -= step
        for k in range(n):
            a[work.active[k]] += step * work.u[k]
        for j in range(len(a)):
            work.c[j] -= step * work.v[j]
        if gone >= 0 and work.state[gone] == BARRED:  # when deactivated, its |c| was still h
            work.state[gone] = FREE
        gone = -1
        if left >= 0:
            gone = work.active[left]
            a[gone] = 0.0
            n = _deactivate(left, n, work)


@njit(cache=True, nogil=True)
def _direction(row: LassoRow, n: int, work: Workspace) -> None:
    """u = K sign(a_S), and v = (G + ρI)u over all atoms."""
    u, v, active, G = work.u, work.v, work.active, row.G
    u[:n] = 0.0
    for m in range(n):  # by columns of the symmetric K: independent sums over k
        column, sign = work.K[m], work.signs[m]
        for k in range(n):
            u[k] += sign * column[k]
    v[:] = 0.0
    for k in range(n):
        row_k, share = G[active[k]], u[k]
        for j in range(len(v)):
            v[j] += share * row_k[j]
        v[active[k]] += row.ridge * share


@njit(cache=True, nogil=True)
def _next_corner(
    h: float, half: float, n: int, a: np.ndarray, work: Workspace
) -> tuple[float, int, int]:
    """Length of the step, and the atom that joins or the place that leaves the active, or -1."""
    c, v = work.c, work.v
    step, joins, left = h - half, -1, -1
    for j in range(len(v)):
        if work.state[j] != FREE:
            continue
        if v[j] < 1 and h - c[j] < step * (1 - v[j]):
            step, joins = max((h - c[j]) / (1 - v[j]), 0.0), j
        if v[j] > -1 and h + c[j] < step * (1 + v[j]):
            step, joins = max((h + c[j]) / (1 + v[j]), 0.0), j
    for k in range(n):
        here, u = a[work.active[k]], work.u[k]
        if here * u < 0 and abs(here) < step * abs(u):
            step, joins, left = -here / u, -1, k
    return step, joins, left


@njit(cache=True, nogil=True)
def _activate(row: LassoRow, j: int, n: int, work: Workspace) -> int:
    """Add atom j to the inverse; the new number of active atoms, n if j is dependent."""
    K, u, G = work.K, work.u, row.G
    own = G[j, j] + row.ridge
    rest = own
    u[:n] = 0.0
    for m in range(n):
        column, g = K[m], G[j, work.active[m]]
        for k in range(n):
            u[k] += g * column[k]
    for k in range(n):
        rest -= u[k] * G[j, work.active[k]]
    if not rest > MIN_INDEPENDENT_SHARE * own:
        work.state[j] = BARRED
        return n
    for k in range(n):
        share = u[k] / rest
        for m in range(n):
            K[k, m] += share * u[m]
        K[k, n] = K[n, k] = -share
    K[n, n] = 1 / rest
    work.active[n], work.state[j] = j, ACTIVE
    work.signs[n] = 1.0 if work.c[j] > 0 else -1.0
    return n + 1


@njit(cache=True, nogil=True)
def _deactivate(place: int, n: int, work: Workspace) -> int:
    """Remove a row and column of the inverse; the new number of active atoms."""
    K, active, last = work.K, work.active, n - 1
    gone = active[place]
    if place != last:
        for m in range(n):
            K[place, m], K[last, m] = K[last, m], K[place, m]
        for m in range(n):
            K[m, place], K[m, last] = K[m, last], K[m, place]
        active[place], work.signs[place] = active[last], work.signs[last]
    for k in range(last):
        share = K[k, last] / K[last, last]
        for m in range(last):
            K[k, m] -= share * K[last, m]
    for j in range(len(work.state)):  # atoms that depended on it may be independent now
        if work.state[j] == BARRED:
            work.state[j] = FREE
    work.state[gone] = BARRED
    return last


@njit(cache=True, nogil=True)
def _coordinate_descent(
    row: LassoRow, a: np.ndarray, work: Workspace, tol: float, rounds: int, sweeps: int
) -> None:
    """Coordinate descent until all atoms meet their conditions within tol, or `rounds` times."""
    for _ in range(rounds):
        n, worst = _conditions(row, a, work)
        if worst <= tol:
            return
        _sweep(row, a, work, n, sweeps)


@njit(cache=True, nogil=True)
def _sweep(row: LassoRow, a: np.ndarray, work: Workspace, n: int, sweeps: int) -> None:
    """The best coefficient for one listed atom after the other, `sweeps` times."""
    active, G, c = work.active, work.K, work.u  # of the listed atoms only, contiguous in memory
    for k in range(n):
        c[k] = work.c[active[k]]
        for m in range(n):
            G[k, m] = row.G[active[k], active[m]]
        G[k, k] += row.ridge
    for _ in range(sweeps):
        for k in range(n):
            j, own, beside = active[k], G[k, k], G[k]
            if own <= 0:
                continue
            z = c[k] + own * a[j]
            new = np.sign(z) * max(abs(z) - row.half, 0.0) / own
            moved = new - a[j]
            if moved != 0:
                a[j] = new
                for m in range(n):
                    c[m] -= moved * beside[m]


@njit(cache=True, nogil=True)
def _conditions(row: LassoRow, a: np.ndarray, work: Workspace) -> tuple[int, float]:
    """Recompute c; the number of atoms that are or must become active, and the largest error."""
    c, h, p = work.c, row.half, len(a)
    for j in range(p):
        c[j] = row.b[j] - row.ridge * a[j]
    for j in range(p):
        if a[j] != 0:
            for m in range(p):
                c[m] -= a[j] * row.G[j, m]
    n, worst = 0, 0.0
    for j in range(p):
        if a[j] != 0:
            off = abs(c[j] - h) if a[j] > 0 else abs(c[j] + h)
        else:
            off = max(abs(c[j]) - h, 0.0)
        if a[j] != 0 or off > 0:
            work.active[n] = j
            n += 1
        worst = max(worst, off)
    return n, worst
