r"""The lasso of one row after the other, exactly: follow the solution from h = ∞ down to λ/2.

    min_a  aᵀ(G + ρI)a − 2bᵀa + λ‖a‖₁,   c = b − (G + ρI)a
    c_j = h·sign(a_j) where a_j ≠ 0,   |c_j| ≤ h elsewhere

The solution is piecewise linear in h: between two corners the active coefficients move along
u = (G_SS + ρI)⁻¹ sign(a_S). At a corner an atom joins (its |c_j| reaches h) or leaves (its a_j
reaches 0); the inverse is kept up to date by one row and column. Some forty corners lead to a code,
where first-order methods need hundreds of steps: atoms that resemble each other do not slow it.

What rounding or a tie has left is put right by coordinate descent, which also decides the end.

Osborne, Presnell, Turlach. A new approach to variable selection in least squares problems. IMA J.
Numerical Analysis 2000. Efron, Hastie, Johnstone, Tibshirani. Least angle regression. 2004.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

SINGULAR = 1e-10  # what an atom must have of its own beside the active ones, of its squared length
SWEEPS = 10  # of coordinate descent, before the conditions of all atoms are looked at again
ROUNDS = 1000  # of that: two atoms that are nearly one may exchange their shares for ever
FEW = 3  # sweeps, and rounds, for codes that are nearly right and will be needed once
ACTIVE, FREE, BARRED = 1, 0, -1  # barred: left at this corner, or not independent of the active


class Row(NamedTuple):
    """One lasso."""

    G: np.ndarray
    b: np.ndarray
    ridge: float  # ρ
    half: float  # λ/2


class Work(NamedTuple):
    """Arrays that every row uses anew."""

    K: np.ndarray  # inverse of G_SS + ρI, in the order of `active`
    active: np.ndarray
    signs: np.ndarray
    u: np.ndarray  # how the active coefficients grow as h falls
    c: np.ndarray
    v: np.ndarray  # how c falls
    state: np.ndarray


@njit(cache=True, nogil=True)
def solve_rows(
    G: np.ndarray, B: np.ndarray, ridge: np.ndarray, half: float, tol: float, A: np.ndarray
) -> None:
    """Fill A: row i minimises its lasso with b = B[i], ρ = ridge[i], λ = 2·half.

    Afterwards the conditions on c hold for every atom within tol·max|b|; where atoms nearly
    coincide, they may miss it by about √rounding.
    """
    work = _room(len(G))
    for i in range(len(B)):
        row = Row(G, B[i], ridge[i], half)
        _follow(row, A[i], work)
        _descend(row, A[i], work, tol * np.abs(B[i]).max(), ROUNDS, SWEEPS)


@njit(cache=True, nogil=True)
def improve_rows(G: np.ndarray, B: np.ndarray, half: float, tol: float, A: np.ndarray) -> None:
    """Lower every row's lasso from the code that A holds, or leave it if c is within tol·λ/2.

    For codes of a slightly different G: a few sweeps, half the time of the whole way down.
    """
    work = _room(len(G))
    for i in range(len(B)):
        _descend(Row(G, B[i], 0.0, half), A[i], work, tol * half, FEW, FEW)


@njit(cache=True, nogil=True)
def _room(p: int) -> Work:
    numbers, places = np.empty((4, p)), np.empty((2, p), np.int64)
    return Work(
        np.empty((p, p)), places[0], numbers[0], numbers[1], numbers[2], numbers[3], places[1]
    )


@njit(cache=True, nogil=True)
def _follow(row: Row, a: np.ndarray, work: Work) -> None:
    """From the zero code down to λ/2, corner by corner."""
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
            n = _join(row, joins, n, work)
        _direction(row, n, work)
        step, joins, left = _corner(h, row.half, n, a, work)
        h -= step
        for k in range(n):
            a[work.active[k]] += step * work.u[k]
        for j in range(len(a)):
            work.c[j] -= step * work.v[j]
        if gone >= 0 and work.state[gone] == BARRED:  # when it left, its |c| was still h
            work.state[gone] = FREE
        gone = -1
        if left >= 0:
            gone = work.active[left]
            a[gone] = 0.0
            n = _leave(left, n, work)


@njit(cache=True, nogil=True)
def _direction(row: Row, n: int, work: Work) -> None:
    """u = K sign(a_S), and v = (G + ρI)u over all atoms."""
    u, v, active, G = work.u, work.v, work.active, row.G
    u[:n] = 0.0
    for m in range(n):  # by columns of the symmetric K: sums over k that do not wait for each other
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
def _corner(h: float, half: float, n: int, a: np.ndarray, work: Work) -> tuple[float, int, int]:
    """How far to go, and who joins (an atom) or leaves (a place among the active), or -1."""
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
def _join(row: Row, j: int, n: int, work: Work) -> int:
    """Border the inverse by atom j; the new number of active ones, n if j is not independent."""
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
    if not rest > SINGULAR * own:
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
def _leave(place: int, n: int, work: Work) -> int:
    """Take one row and column out of the inverse; the new number of active ones."""
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
    for j in range(len(work.state)):  # what depended on it may be independent now
        if work.state[j] == BARRED:
            work.state[j] = FREE
    work.state[gone] = BARRED
    return last


@njit(cache=True, nogil=True)
def _descend(row: Row, a: np.ndarray, work: Work, tol: float, rounds: int, sweeps: int) -> None:
    """Coordinate descent until every atom meets its condition within tol, or for so many rounds."""
    for _ in range(rounds):
        n, worst = _conditions(row, a, work)
        if worst <= tol:
            return
        _sweep(row, a, work, n, sweeps)


@njit(cache=True, nogil=True)
def _sweep(row: Row, a: np.ndarray, work: Work, n: int, sweeps: int) -> None:
    """The best coefficient for one listed atom after the other, `sweeps` times."""
    active, G, c = work.active, work.K, work.u  # of the listed atoms alone: close together
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
def _conditions(row: Row, a: np.ndarray, work: Work) -> tuple[int, float]:
    """c afresh; how many atoms are or must become active (listed), and how far off the worst is."""
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
