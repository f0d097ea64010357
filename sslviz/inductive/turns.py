r"""Signs and machine in turns: how the semi-supervised support vector machine is solved.

    min_f (1/l) Σ_labelled (1 − y f)₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled min_{s=±1} (1 − s f)₊
    f(x) = m + Σ_i β_i ⟨φ(x_i) − φ̄, φ(x) − φ̄⟩,   φ̄ the mean of the unlabelled φ(x_i),   m = mean y

About φ̄ the mean of f over the unlabelled points is m whatever β, so the balance needs no multiplier
and the bias is no unknown. With the signs s fixed the dual is a quadratic in a box (box.py). Taking
s = sign f lowers the objective or keeps it, and so does solving: the turns end.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.inductive.box import box

DOUBLINGS = 10  # from a thousandth of λ₂ up to λ₂
TURNS = 50  # at one weight; signs settle after a few
ROUGH, FINE = 1e-5, 1e-11  # duality gap on the way and at the end, of the objective


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

    The first has no weight on the unlabelled points, later ones more and more.
    """
    free = Y[:, 0] == 0
    C, mean = about_unlabelled(K, free), Y[~free].mean(axis=0)
    B, S = np.zeros(Y.shape), Y  # S: the sign that each point has or takes
    weights = [lam2 * 2.0**-j for j in range(DOUBLINGS, -1, -1)] if lam2 > 0 else []
    for weight in [0.0, *weights]:
        tol = FINE if weight == lam2 else ROUGH
        price = np.where(free, weight / free.sum(), 1 / (~free).sum()) / (2 * lam1)
        for _ in range(TURNS):
            B, gap = _machines(C, S, mean, price, B, tol)
            F = C @ B + mean
            sides = np.where(free[:, None], np.where(F < 0, -1.0, 1.0), Y)
            flipped = int((sides != S).sum())
            S = sides
            losses = price @ np.maximum(1 - S * F, 0).sum(axis=1)
            objective = 2 * lam1 * (0.5 * float(np.sum(B * (C @ B))) + float(losses))
            yield Road(weight, objective, 2 * lam1 * gap, flipped, F, B)
            if flipped == 0 or weight == 0:
                break


def _machines(
    C: np.ndarray, S: np.ndarray, mean: np.ndarray, price: np.ndarray, B: np.ndarray, tol: float
) -> tuple[np.ndarray, float]:
    """β (n, columns) of the machine with signs S, from B on, and the gaps added up."""
    found = [
        box(C, s - m, np.minimum(price * s, 0), np.maximum(price * s, 0), b, tol)
        for s, m, b in zip(S.T, mean, B.T, strict=True)
    ]
    return np.column_stack([corner.beta for corner in found]), sum(corner.gap for corner in found)
