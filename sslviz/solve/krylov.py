"""Krylov solvers: conjugate gradients and BiCGSTAB for all right-hand sides at once.

Each column of B has its own recurrence; the products with A are shared. Converged columns do not
change any more. Works on whatever device A and B are on. Written by hand: SciPy solves one column
at a time and only on the CPU.

Hestenes, Stiefel. Methods of conjugate gradients for solving linear systems. 1952.
van der Vorst. Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG. SIAM J. Sci. Stat.
Comput. 1992.
"""

from typing import NamedTuple

import torch


class LinearSolution(NamedTuple):
    """X of A X = B, and whether the tolerance was met."""

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
) -> LinearSolution:
    """Solve A X = B from the start X, until every column's residual is below tol · ‖column of B‖.

    Convergence is checked every few iterations only, as a check makes a GPU wait. The residual that
    decides is computed anew, not taken from the recurrence. With `patience`, the solver gives up
    after so many iterations if the residual has not fallen to a hundredth by then.
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
            if _has_converged(R, X, goal):
                return LinearSolution(X, iteration, True)
            shadow, rho = R.clone(), torch.ones_like(rho)  # the recurrence has drifted: restart
            alpha = omega = torch.ones_like(goal)
            P, V = torch.zeros_like(B), torch.zeros_like(B)
        if iteration == patience and bool((_norm(R) > torch.maximum(0.01 * start, goal)).any()):
            return LinearSolution(X, iteration, False)
    return LinearSolution(X, max_iter, _has_converged(B - A @ X, X, goal))


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
) -> LinearSolution:
    """Solve A X = B for an A that is symmetric once row i is multiplied by weights[i] > 0.

    Conjugate gradients with inner products weighted so; half the products of `bicgstab`.
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
            if _has_converged(R, X, goal):
                return LinearSolution(X, iteration, True)
            P, rr = R, (w * R * R).sum(0)  # the recurrence has drifted: restart
        if iteration == patience and bool((_norm(R) > torch.maximum(0.01 * start, goal)).any()):
            return LinearSolution(X, iteration, False)
    return LinearSolution(X, max_iter, _has_converged(B - A @ X, X, goal))


def _has_converged(R: torch.Tensor, X: torch.Tensor, goal: torch.Tensor) -> bool:
    """Whether the residual is near the goal, or as small as rounding of X allows."""
    rounding = 8 * torch.finfo(X.dtype).eps * _norm(X)
    return bool((_norm(R) <= torch.maximum(10 * goal, rounding)).all())


def _norm(R: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(R, dim=0)


def _ratio(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """a / b, and 0 where b is 0: a converged column stops changing."""
    return torch.where(b == 0, b, a / b)
