r"""Label switching: the semi-supervised SVM of one class at one weight of the unlabelled points.

    min_f (1/l) Σ_labelled (1 − y f)₊ + λ₁‖h‖² + (w/u) Σ_unlabelled min_{s=±1} (1 − s f)₊
    f(x) = m + Σ_i β_i ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩,   φ̄ the mean of the unlabelled φ(x_i),   m = mean y

Centred on φ̄, the mean of f over the unlabelled points is m whatever β: the balance constraint needs
no multiplier and there is no bias. With the signs s fixed the dual is a box-constrained quadratic
program (solve/svm). Setting s = sign f does not raise the objective, nor does solving for fixed s,
so that the rounds end. Each starts from the last solution. Before the final weight the programs are
solved roughly, since only the signs matter; at the end to a gap near rounding.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.solve.svm.box_newton import MAX_FACTORISED
from sslviz.solve.svm.box_qp import BoxMinimum, solve_box_qp, sparse_matvec

MAX_SWITCHING_ROUNDS = 50  # at one weight
ROUGH_SWITCHING_ROUNDS = 10  # rounds that may be solved roughly while signs still change
# Relative duality gaps: before the final weight where many points lie on the edge of the margin and
# programs are expensive, otherwise, and at the final weight.
ROUGH_GAP, MEDIUM_GAP, EXACT_GAP = 3e-2, 1e-3, 1e-11


class Bounds(NamedTuple):
    """Bounds of |β|, (n,) each, at one weight and at the weight before."""

    now: np.ndarray
    before: np.ndarray
    growth: float  # of the bounds of unlabelled points, as a factor


class SwitchingRound(NamedTuple):
    """The solution for fixed signs, and the sign changes after it."""

    beta: np.ndarray
    f: np.ndarray
    gap: float  # duality gap of 1/(2λ₁) times the objective
    flips: int  # signs that change after it


def switch_until_stable(
    C: np.ndarray,
    y: np.ndarray,
    mean: float,
    bounds: Bounds,
    start: tuple[np.ndarray, np.ndarray],
    tol: float,
) -> Iterator[SwitchingRound]:
    """Rounds from a β and f at the bounds before, until no sign changes.

    y holds ±1 for labelled points, 0 for the others; `tol` is the gap of the last round. While
    signs change a rougher gap is enough.
    """
    s, goal = sides(start[1], y), tol
    for turn in range(MAX_SWITCHING_ROUNDS):
        found = _solve_for_signs(C, s, mean, bounds, start, goal)
        start = found.beta, found.gradient + s
        after = sides(start[1], y)
        flips = int((after != s).sum())
        yield SwitchingRound(*start, found.gap, flips)
        if flips == 0 and goal == tol:
            break
        s, bounds = after, Bounds(bounds.now, bounds.now, 1.0)
        goal = max(tol, MEDIUM_GAP) if flips and turn < ROUGH_SWITCHING_ROUNDS else tol


def sides(f: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sign of each point: its label, or the side of the boundary it lies on."""
    return np.where(y == 0, np.where(f < 0, -1.0, 1.0), y)


def _solve_for_signs(
    C: np.ndarray,
    s: np.ndarray,
    mean: float,
    bounds: Bounds,
    start: tuple[np.ndarray, np.ndarray],
    tol: float,
) -> BoxMinimum:
    """The solution for these signs and bounds.

    Initial guess: points inside the margin that were at their bound, of either sign, are at the new
    bound; the others keep their β.
    """
    beta, f = start
    signed, at_bound = bounds.now * s, np.abs(beta) >= bounds.before
    low, high = np.minimum(signed, 0), np.maximum(signed, 0)
    guess = np.clip(np.where((s * f < 1) & at_bound, signed, beta), low, high)
    # Kβ is known: if most points are at their bound, a multiple of β is nearer to the guess, and
    # the product with C needs fewer rows.
    scale = bounds.growth if 2 * at_bound.sum() > len(s) else 1.0
    gradient = mean - s + scale * (f - mean) + sparse_matvec(C, guess - scale * beta)
    is_cheap = (~at_bound & (beta != 0)).sum() <= MAX_FACTORISED  # free coordinates
    tol = min(tol, MEDIUM_GAP) if is_cheap else tol
    return solve_box_qp(C, s - mean, low, high, guess, gradient, tol)
