r"""Signs and machine in turns: the semi-supervised machine of one class at one weight.

    min_f (1/l) Σ_labelled (1 − y f)₊ + λ₁‖h‖² + (w/u) Σ_unlabelled min_{s=±1} (1 − s f)₊
    f(x) = m + Σ_i β_i ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩,   φ̄ the mean of the unlabelled φ(x_i),   m = mean y

About φ̄ the mean of f over the unlabelled points is m whatever β, so the balance needs no multiplier
and the bias is no unknown. With the signs s fixed the dual is a quadratic in a box. Taking
s = sign f lowers the objective or keeps it, and so does solving: the turns end. Each turn starts
from the last one. On the way machines are solved roughly (box.py), since only signs are taken from
them; at the end exactly (parting.py).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.solve.svm.box_active_set import CentredKernel, solve_active_set
from sslviz.solve.svm.box_newton import MAX_FACTORISED
from sslviz.solve.svm.box_qp import BoxMinimum, gap_and_primal, solve_box_qp, sparse_matvec

MAX_SWITCHING_ROUNDS, ROUGH_SWITCHING_ROUNDS = 50, 10  # at one weight; signs settle after a few
# Duality gap of the objective: on the way, where many points stand on the edge of the margin and
# machines are dear; on the way else; at the end.
ROUGH_GAP, MEDIUM_GAP, EXACT_GAP = 3e-2, 1e-3, 1e-11


class Bounds(NamedTuple):
    """What points in the margin pay at most, for one weight and for the one before."""

    now: np.ndarray  # (n,)
    before: np.ndarray
    grown: float  # by which factor those of unlabelled points have grown


class SwitchingRound(NamedTuple):
    """A machine solved, and what its signs then do."""

    beta: np.ndarray
    f: np.ndarray
    gap: float  # to the dual, of 1/(2λ₁) times the objective
    flips: int  # signs that change after it


def switch_until_stable(
    kernel: CentredKernel,
    y: np.ndarray,
    mean: float,
    prices: Bounds,
    here: tuple[np.ndarray, np.ndarray],
    tol: float,
) -> Iterator[SwitchingRound]:
    """Turns from a β and f with other prices paid, until no sign changes.

    y holds ±1 where labelled, 0 where not, `tol` the gap asked for. Signs that change are followed
    with less, then it is asked for again.
    """
    s, ask = sides(here[1], y), tol
    for turn in range(MAX_SWITCHING_ROUNDS):
        corner = _solve_for_signs(kernel, s, mean, prices, here, ask)
        here = corner.beta, corner.slope + s
        after = sides(here[1], y)
        flips = int((after != s).sum())
        yield SwitchingRound(*here, corner.gap, flips)
        if flips == 0 and ask == tol:
            break
        s, prices = after, Bounds(prices.now, prices.now, 1.0)
        ask = max(tol, MEDIUM_GAP) if flips and turn < ROUGH_SWITCHING_ROUNDS else tol


def sides(f: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sign that each point has or takes."""
    return np.where(y == 0, np.where(f < 0, -1.0, 1.0), y)


def _solve_for_signs(
    kernel: CentredKernel,
    s: np.ndarray,
    mean: float,
    prices: Bounds,
    here: tuple[np.ndarray, np.ndarray],
    tol: float,
) -> BoxMinimum:
    """The machine for these signs and prices.

    Points in the margin that paid all, of either sign, now pay all. Those that paid less stood on
    its edge, or beyond, and keep what they pay.
    """
    beta, f = here
    wall, all_paid = prices.now * s, np.abs(beta) >= prices.before
    low, high = np.minimum(wall, 0), np.maximum(wall, 0)
    guess = np.clip(np.where((s * f < 1) & all_paid, wall, beta), low, high)
    # Kβ is known: if most pay all, from where all pay as much more few rows of C lead to the guess
    scale = prices.grown if 2 * all_paid.sum() > len(s) else 1.0
    slope = mean - s + scale * (f - mean) + sparse_matvec(kernel.C, guess - scale * beta)
    few = (~all_paid & (beta != 0)).sum() <= MAX_FACTORISED  # on the edge: cheap
    if tol == EXACT_GAP and not few:
        exact = _solve_exactly(kernel, s - mean, low, high, guess, slope)
        if exact is not None:
            return exact
    tol = min(tol, MEDIUM_GAP) if few else tol
    return solve_box_qp(kernel.C, s - mean, low, high, guess, slope, tol)


def _solve_exactly(
    kernel: CentredKernel,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    guess: np.ndarray,
    slope: np.ndarray,
) -> BoxMinimum | None:
    """The corner that is near this guess, if it is found and its gap proves it."""
    beta = solve_active_set(kernel, q, low, high, guess, slope)
    if beta is None:
        return None
    slope = kernel.C @ beta - q
    gap, primal = gap_and_primal(slope, q, beta, low, high)
    return BoxMinimum(beta, slope, gap) if gap <= EXACT_GAP * primal else None
