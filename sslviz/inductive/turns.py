r"""Signs and machine in turns: how the semi-supervised support vector machine is solved.

    min_f (1/l) Σ_labelled (1 − y f)₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled min_{s=±1} (1 − s f)₊
    f(x) = m + Σ_i β_i ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩,   φ̄ the mean of the unlabelled φ(x_i),   m = mean y

About φ̄ the mean of f over the unlabelled points is m whatever β, so the balance needs no multiplier
and the bias is no unknown. With the signs s fixed the dual is a quadratic in a box (box.py). Taking
s = sign f lowers the objective or keeps it, and so does solving: the turns end. Each turn starts
from the last one, with the points in the margin at the price they now pay.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.inductive.box import box

DOUBLINGS = 10  # from a thousandth of λ₂ up to λ₂
TURNS = 50  # at one weight; signs settle after a few
ROUGH, FINE = 1e-4, 1e-11  # duality gap on the way and at the end, of the objective


class Road(NamedTuple):
    """The fields after one turn, one column per class (one for two classes)."""

    weight: float  # what stands for λ₂ in this turn
    objective: float  # of the problem above with this weight, columns added up
    gap: float  # between the machine and its dual, on the same scale
    flipped: int  # signs that change after this turn
    F: np.ndarray  # (n, columns) scores
    B: np.ndarray  # (n, columns) β


def about_unlabelled(K: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The kernel of the points about the mean of the unlabelled ones in feature space."""
    means = K[free].mean(axis=0)
    C = K - means
    C -= means[:, None]
    C += means[free].mean()
    return C


def turns(K: np.ndarray, Y: np.ndarray, *, lam1: float, lam2: float) -> Iterator[Road]:
    """Turns for every column of Y (n, columns): ±1 where labelled, 0 where not.

    The first has no weight on the unlabelled points, later ones more and more. A column whose signs
    did not change in the last turn is solved already and waits for the others.
    """
    free = Y[:, 0] == 0
    C, mean = about_unlabelled(K, free), Y[~free].mean(axis=0)
    B, S, F = np.zeros(Y.shape), Y, np.zeros(Y.shape)  # S: the sign that each point has or takes
    gaps = np.zeros(Y.shape[1])
    weights = [lam2 * 2.0**-j for j in range(DOUBLINGS, -1, -1)] if lam2 > 0 else []
    for weight in [0.0, *weights]:
        tol = FINE if weight == lam2 else ROUGH
        price = np.where(free, weight / free.sum(), 1 / (~free).sum()) / (2 * lam1)
        open_columns = np.arange(Y.shape[1])
        for _ in range(TURNS):
            for c in open_columns:
                wall = price * S[:, c]
                guess = np.where(free & (S[:, c] * F[:, c] < 1), wall, B[:, c])
                low, high = np.minimum(wall, 0), np.maximum(wall, 0)
                corner = box(C, S[:, c] - mean[c], low, high, guess, tol)
                B[:, c], F[:, c], gaps[c] = corner.beta, corner.slope + S[:, c], corner.gap
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
