r"""Primal-dual active set method: the exact minimum of a quadratic in a box.

    min_β ½ βᵀCβ − qᵀβ,   low ≤ β ≤ high,   gradient g = Cβ − q

If it is known which coordinates are at which bound (the active set), one linear system gives the
free ones. A free coordinate that then lies outside the box joins the active set; an active one with
a gradient pointing inwards leaves it; all at once, until none changes. From a nearly optimal β that
takes two to eight rounds. The method may cycle: then it returns None.

The smaller system is solved: that of the free coordinates in C, or that of the active ones A in the
inverse P of C + 11ᵀ (kernels/centring.py). There, with v = g on A and share the null vector of C,

    β = P q + P_·A v + τ share,   share_A · v = −share · q

Hintermüller, Ito, Kunisch. The primal-dual active set strategy as a semismooth Newton method.
SIAM Journal on Optimization 2002.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError

from sslviz.solve.submatrix import factorise, solve_factorised
from sslviz.solve.svm.box_qp import sparse_matvec

MAX_ACTIVE_SET_ROUNDS = 20
SINGLE_PRECISION_CHANGES = 20  # changes of the active set above which float32 is accurate enough
BOUND_TOLERANCE = 1e-12  # rounding allowed beyond a bound, relative to the box, and in gradients


class CentredKernel(NamedTuple):
    """The parts of the problem that do not change with signs and weights."""

    C: np.ndarray
    P: np.ndarray | None  # inverse of C + 11ᵀ, if it is known
    share: np.ndarray  # null vector of C, adding up to one


def solve_active_set(
    kernel: CentredKernel,
    q: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    gradient: np.ndarray | None,
) -> np.ndarray | None:
    """β at the minimum, from a feasible, nearly optimal β and its gradient; None if not found."""
    free, tolerance = (beta > low) & (beta < high), BOUND_TOLERANCE * (high - low)
    P = kernel.P
    Pq = np.array([]) if P is None else P @ q
    kind: type = np.float32
    for _ in range(MAX_ACTIVE_SET_ROUNDS):
        try:
            if P is not None and 2 * free.sum() > len(free):
                beta, g = _solve_active(P, kernel.share, q, Pq, beta, ~free, kind)
                gradient = None  # g is accurate enough for its signs only
            else:
                gradient = kernel.C @ beta - q if gradient is None else gradient
                beta, gradient = _solve_free(kernel.C, beta, gradient, free, kind)
                g = gradient
        except LinAlgError:
            if kind is np.float64:
                return None
            kind = np.float64
            continue
        outside = free & ((beta < low - tolerance) | (beta > high + tolerance))
        released = ~free & np.where(beta <= low, g < -BOUND_TOLERANCE, g > BOUND_TOLERANCE)
        clipped, changes = np.clip(beta, low, high), (outside | released).sum()
        if changes == 0 and kind is np.float64:
            return clipped
        if gradient is not None:
            gradient = gradient + sparse_matvec(kernel.C, clipped - beta)
        free, beta = free & ~outside | released, clipped
        kind = np.float32 if changes > SINGLE_PRECISION_CHANGES else np.float64
    return None


def _solve_free(
    C: np.ndarray, beta: np.ndarray, gradient: np.ndarray, free: np.ndarray, kind: type
) -> tuple[np.ndarray, np.ndarray]:
    """β and its gradient, zero for the free coordinates, from their own system."""
    rows, moves = np.flatnonzero(free), np.zeros(len(beta))
    if len(rows):
        moves[rows] = solve_factorised(factorise(C, rows, kind), -gradient[rows])
    return beta + moves, gradient + sparse_matvec(C, moves)


def _solve_active(
    P: np.ndarray,
    share: np.ndarray,
    q: np.ndarray,
    Pq: np.ndarray,
    beta: np.ndarray,
    active: np.ndarray,
    kind: type,
) -> tuple[np.ndarray, np.ndarray]:
    """β and its gradient, zero for the free coordinates, from the system of the active ones."""
    rows, gradient = np.flatnonzero(active), np.zeros(len(beta))
    if not share[rows].any():
        raise LinAlgError("only labelled points at the bounds: C is singular among the others")
    right = np.stack([beta[rows] - Pq[rows], share[rows]])
    given, along = solve_factorised(factorise(P, rows, kind), right).astype(np.float64)
    tau = (share[rows] @ given + share @ q) / (share[rows] @ along)
    gradient[rows] = given - tau * along
    return np.where(active, beta, Pq + sparse_matvec(P, gradient) + tau * share), gradient
