r"""The exact minimum of a quadratic in a box, by finding out who stands at which wall.

    min_β ½ βᵀCβ − qᵀβ,   low ≤ β ≤ high,   slope g = Cβ − q

Knowing who stands at a wall, one linear system gives the others. Whoever then lies beyond a wall is
put there, whoever is drawn away from one is let go, all of them at once, until nobody changes. From
a rough solution that takes two to eight rounds. It may run in circles: then there is no answer.

The system is that of the fewer: of those off the walls in C, or of those at them in the inverse P
of C + 11ᵀ (centred.py), from which, with v = g at the walls R and share the null vector of C,

    β = P q + P_·R v + τ share,   share_R · v = −share · q

Hintermüller, Ito, Kunisch. The primal-dual active set strategy as a semismooth Newton method.
SIAM Journal on Optimization 2002.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError

from sslviz.solve.submatrix import factorise, solve_factorised
from sslviz.solve.svm.box_qp import sparse_matvec

MAX_ACTIVE_SET_ROUNDS = 20
SINGLE_PRECISION_CHANGES = 20  # changes from which on all digits are worth having
BOUND_TOLERANCE = (
    1e-12  # what rounding may put a point beyond a wall, as a share of the box, or of the margin
)


class CentredKernel(NamedTuple):
    """What does not change with signs and prices."""

    C: np.ndarray
    P: np.ndarray | None  # inverse of C + 11ᵀ, if there is one
    share: np.ndarray  # null vector of C, adding up to one


def solve_active_set(
    kernel: CentredKernel,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    slope: np.ndarray | None,
) -> np.ndarray | None:
    """β at the minimum, from a β in the box that nearly is, and its slope; None if not found."""
    off, beyond = (beta > low) & (beta < high), BOUND_TOLERANCE * (high - low)
    P = kernel.P
    lift = np.array([]) if P is None else P @ q
    kind: type = np.float32
    for _ in range(MAX_ACTIVE_SET_ROUNDS):
        try:
            if P is not None and 2 * off.sum() > len(off):
                beta, drawing = _solve_bound(P, kernel.share, q, lift, beta, ~off, kind)
                slope = None  # good enough to see who is drawn where
            else:
                slope = kernel.C @ beta - q if slope is None else slope
                beta, slope = _solve_free(kernel.C, beta, slope, off, kind)
                drawing = slope
        except LinAlgError:
            if kind is np.float64:
                return None
            kind = np.float64
            continue
        under, over = off & (beta < low - beyond), off & (beta > high + beyond)
        drawn = ~off & np.where(beta <= low, drawing < -BOUND_TOLERANCE, drawing > BOUND_TOLERANCE)
        kept, changes = np.clip(beta, low, high), (under | over | drawn).sum()
        if changes == 0 and kind is np.float64:
            return kept
        slope = None if slope is None else slope + sparse_matvec(kernel.C, kept - beta)
        off, kind = (
            off & ~under & ~over | drawn,
            np.float32 if changes > SINGLE_PRECISION_CHANGES else np.float64,
        )
        beta = kept
    return None


def _solve_free(
    C: np.ndarray, beta: np.ndarray, slope: np.ndarray, off: np.ndarray, kind: type
) -> tuple[np.ndarray, np.ndarray]:
    """β and slope, zero for those off the walls, from their own system."""
    inside, moves = np.flatnonzero(off), np.zeros(len(beta))
    if len(inside):
        moves[inside] = solve_factorised(factorise(C, inside, kind), -slope[inside])
    return beta + moves, slope + sparse_matvec(C, moves)


def _solve_bound(
    P: np.ndarray,
    share: np.ndarray,
    q: np.ndarray,
    lift: np.ndarray,
    beta: np.ndarray,
    at: np.ndarray,
    kind: type,
) -> tuple[np.ndarray, np.ndarray]:
    """The same from the system of those at the walls; `lift` is P q."""
    walls, slope = np.flatnonzero(at), np.zeros(len(beta))
    if not share[walls].any():
        raise LinAlgError("only labelled points at the walls: C is singular among the others")
    right = np.stack([beta[walls] - lift[walls], share[walls]])
    given, along = solve_factorised(factorise(P, walls, kind), right).astype(np.float64)
    tau = (share[walls] @ given + share @ q) / (share[walls] @ along)
    slope[walls] = given - tau * along
    return np.where(at, beta, lift + sparse_matvec(P, slope) + tau * share), slope
