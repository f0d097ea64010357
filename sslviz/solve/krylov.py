"""Conjugate gradients, plain and biconjugate stabilised, for all right-hand sides at once.

Each column of B runs its own recurrence; the products with A are shared. Columns that have
converged stand still. Works on whatever device A and B are on.

Hestenes, Stiefel. Methods of conjugate gradients for solving linear systems. 1952.
van der Vorst. Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG. SIAM J. Sci. Stat.
Comput. 1992.
"""

from typing import NamedTuple

import torch


class Solution(NamedTuple):
    X: torch.Tensor  # (n, columns)
    iterations: int
    converged: bool


def bicgstab(
    A: torch.Tensor,
    B: torch.Tensor,
    X: torch.Tensor,
    *,
    tol: float = 1e-12,
    max_iter: int = 500,
    check_every: int = 5,
    patience: int | None = None,
) -> Solution:
    """Solve A X = B from the start X, until every column's residual is below tol · ‖column of B‖.

    Convergence is looked at every few iterations only: looking makes a GPU wait. The residual that
    decides is computed afresh, not taken from the recurrence. With `patience`, the attempt is given
    up after so many iterations if the residual has not lost two digits by then.
    """
    goal = tol * torch.linalg.vector_norm(B, dim=0)
    R = B - A @ X
    start = _norm(R)
    shadow, P, V = R.clone(), torch.zeros_like(B), torch.zeros_like(B)
    rho = alpha = omega = torch.ones_like(goal)
    for iteration in range(1, max_iter + 1):
        rho, rho_before = (shadow * R).sum(0), rho
        P = R + _ratio(rho * alpha, rho_before * omega) * (P - omega * V)
        V = A @ P
        alpha = _ratio(rho, (shadow * V).sum(0))
        S = R - alpha * V
        T = A @ S
        omega = _ratio((T * S).sum(0), (T * T).sum(0))
        X = X + alpha * P + omega * S
        R = S - omega * T
        if iteration % check_every == 0 and bool((_norm(R) <= goal).all()):
            R = B - A @ X
            if _solved(R, X, goal):
                return Solution(X, iteration, True)
            shadow, rho = R.clone(), torch.ones_like(rho)  # the recurrence has drifted: begin anew
            alpha = omega = torch.ones_like(goal)
            P, V = torch.zeros_like(B), torch.zeros_like(B)
        if iteration == patience and bool((_norm(R) > torch.maximum(0.01 * start, goal)).any()):
            return Solution(X, iteration, False)
    return Solution(X, max_iter, _solved(B - A @ X, X, goal))


def cg(
    A: torch.Tensor,
    B: torch.Tensor,
    X: torch.Tensor,
    weights: torch.Tensor,
    *,
    tol: float = 1e-12,
    max_iter: int = 500,
    check_every: int = 10,
    patience: int | None = None,
) -> Solution:
    """The same for an A that is symmetric once row i is multiplied by weights[i] > 0.

    It is the usual recurrence with inner products weighted so, and needs half the products.
    """
    w = weights[:, None]
    goal = tol * _norm(B)
    R = B - A @ X
    start, P, rr = _norm(R), R, (w * R * R).sum(0)
    for iteration in range(1, max_iter + 1):
        V = A @ P
        alpha = _ratio(rr, (w * P * V).sum(0))
        X = X + alpha * P
        R = R - alpha * V
        rr, before = (w * R * R).sum(0), rr
        P = R + _ratio(rr, before) * P
        if iteration % check_every == 0 and bool((_norm(R) <= goal).all()):
            R = B - A @ X
            if _solved(R, X, goal):
                return Solution(X, iteration, True)
            P, rr = R, (w * R * R).sum(0)  # the recurrence has drifted: begin anew
        if iteration == patience and bool((_norm(R) > torch.maximum(0.01 * start, goal)).any()):
            return Solution(X, iteration, False)
    return Solution(X, max_iter, _solved(B - A @ X, X, goal))


def _solved(R: torch.Tensor, X: torch.Tensor, goal: torch.Tensor) -> bool:
    """Whether the residual is near the goal, or as small as rounding lets it be beside X."""
    rounding = 8 * torch.finfo(X.dtype).eps * _norm(X)
    return bool((_norm(R) <= torch.maximum(10 * goal, rounding)).all())


def _norm(R: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(R, dim=0)


def _ratio(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """a / b, and 0 where b is: a column that has converged stops moving."""
    return torch.where(b == 0, b, a / b)
