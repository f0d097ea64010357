r"""Signs and machine in turns: how the semi-supervised support vector machine is solved.

    min_f (1/l) Σ_labelled (1 − y f)₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled min_{s=±1} (1 − s f)₊
    f(x) = m + Σ_i β_i ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩,   φ̄ the mean of the unlabelled φ(x_i),   m = mean y

About φ̄ the mean of f over the unlabelled points is m whatever β, so the balance needs no multiplier
and the bias is no unknown. With the signs s fixed the dual is a quadratic in a box (box.py). Taking
s = sign f lowers the objective or keeps it, and so does solving: the turns end. Each turn starts
from the last one. On the way machines are solved roughly, since only signs are taken from them.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.inductive.box import Corner, box, image
from sslviz.inductive.inside import FEW

DOUBLINGS = 10  # from a thousandth of λ₂ up to λ₂
TURNS = 50  # at one weight; signs settle after a few
# Duality gap of the objective: on the way, where many points stand on the edge of the margin and
# machines are dear; on the way else, and at λ₂ until the signs settle; at the end.
ROUGH, CLOSER, FINE = 3e-2, 1e-3, 1e-11


class Road(NamedTuple):
    """The fields after one turn, one column per class (one for two classes)."""

    weight: float  # what stands for λ₂ in this turn
    objective: float  # of the problem above with this weight, columns added up
    gap: float  # between the machine and its dual, on the same scale
    flipped: int  # signs that change after this turn
    F: np.ndarray  # (n, columns) scores
    B: np.ndarray  # (n, columns) β


class Prices(NamedTuple):
    """What points in the margin pay at most, for one weight and for the one before."""

    now: np.ndarray  # (n,)
    before: np.ndarray
    grown: float  # by which factor those of unlabelled points have grown


def about_unlabelled(K: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The kernel of the points about the mean of the unlabelled ones in feature space."""
    share = free / free.sum()
    means = share @ K
    means -= 0.5 * (share @ means)
    C = K - means
    C -= means[:, None]
    return C


def turns(K: np.ndarray, Y: np.ndarray, *, lam1: float, lam2: float) -> Iterator[Road]:
    """Turns for every column of Y (n, columns): ±1 where labelled, 0 where not.

    The first has no weight on the unlabelled points, later ones more and more. A column whose signs
    did not change in the last turn is solved already and waits for the others.
    """
    free = Y[:, 0] == 0
    C, mean = about_unlabelled(K, free), Y[~free].mean(axis=0)
    S = Y  # the sign that each point has or takes
    B, F, gaps = _supervised(C, Y, mean, lam1)
    paid, before = np.zeros(len(Y)), 0.0
    for weight, tol in _climb(lam2):
        if tol == FINE:
            F = C @ B + mean  # afresh: what was added up on the way has rounded
        price = np.where(free, weight / free.sum(), 1 / (~free).sum()) / (2 * lam1)
        open_columns = np.arange(Y.shape[1]) if weight > 0 else np.array([], int)
        for _ in range(TURNS):
            prices = Prices(price, paid, weight / before if before > 0 else 1.0)
            for c in open_columns:
                corner = _machine(C, S[:, c], mean[c], prices, (B[:, c], F[:, c]), tol)
                B[:, c], F[:, c], gaps[c] = corner.beta, corner.slope + S[:, c], corner.gap
            paid, before = price, weight
            sides = np.where(free[:, None], np.where(F < 0, -1.0, 1.0), Y)
            flips = (sides != S).sum(axis=0)
            S = sides
            losses = price @ np.maximum(1 - S * F, 0).sum(axis=1)
            objective = 2 * lam1 * (0.5 * float(np.sum(B * (F - mean))) + float(losses))
            gap = 2 * lam1 * float(gaps.sum())
            yield Road(weight, objective, gap, int(flips.sum()), F.copy(), B.copy())
            open_columns = np.flatnonzero(flips)
            if len(open_columns) == 0 or weight == 0:
                break


def _climb(lam2: float) -> list[tuple[float, float]]:
    """Weights, and the gap that is asked for: at λ₂ first what settles the signs, then zero."""
    if lam2 == 0:
        return [(0.0, ROUGH)]
    way = [(lam2 * 2.0**-j, ROUGH) for j in range(DOUBLINGS, -1, -1)]
    return [(0.0, ROUGH), *way, (lam2, CLOSER), (lam2, FINE)]


def _supervised(
    C: np.ndarray, Y: np.ndarray, mean: np.ndarray, lam1: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """β, f and gaps of the machines that mind the labelled points alone: small problems."""
    given = np.flatnonzero(Y[:, 0])
    block, signs = np.ascontiguousarray(C[np.ix_(given, given)]), Y[given]
    walls, start = signs / (2 * lam1 * len(given)), np.zeros(len(given))
    B, gaps = np.zeros(Y.shape), np.zeros(Y.shape[1])
    for c, wall in enumerate(walls.T):
        q = signs[:, c] - mean[c]
        corner = box(block, q, np.minimum(wall, 0), np.maximum(wall, 0), start, -q, FINE)
        B[given, c], gaps[c] = corner.beta, corner.gap
    F = np.column_stack([image(C, b.copy()) for b in B.T]) + mean
    return B, F, gaps


def _machine(
    C: np.ndarray,
    s: np.ndarray,
    mean: float,
    prices: Prices,
    here: tuple[np.ndarray, np.ndarray],
    tol: float,
) -> Corner:
    """The machine for these signs and prices, from the β and f of one with other prices paid.

    Points in the margin that paid all, of either sign, now pay all. Those that paid less stood on
    its edge, or beyond, and keep what they pay.
    """
    beta, f = here
    wall, all_paid = prices.now * s, np.abs(beta) >= prices.before
    low, high = np.minimum(wall, 0), np.maximum(wall, 0)
    if (~all_paid & (beta != 0)).sum() <= FEW:
        tol = min(tol, CLOSER)  # few on the edge: cheap
    guess = np.clip(np.where((s * f < 1) & all_paid, wall, beta), low, high)
    # Kβ is known: if most pay all, from where all pay as much more few rows of C lead to the guess
    scale = prices.grown if 2 * all_paid.sum() > len(s) else 1.0
    slope = mean - s + scale * (f - mean) + image(C, guess - scale * beta)
    return box(C, s - mean, low, high, guess, slope, tol)
