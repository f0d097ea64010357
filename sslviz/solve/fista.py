r"""Minimise a quadratic plus something simple, gaining speed downhill: accelerated shrinkage.

    min f(Z) + g(Z),   Z_{n+1} = prox_{g/τ}(Y_n − ∇f(Y_n)/τ),   Y_{n+1} = Z_{n+1} + v(Z_{n+1} − Z_n)

f is quadratic, so ∇f is affine: the gradient at the extrapolated point Y is the same mixture of the
gradients at Z_{n+1} and Z_n. One gradient per step thus pays for the step, for the value of f and
for the test whether τ was large enough:  ⟨Δ, ∇f(Z) − ∇f(Y)⟩ ≤ τ‖Δ‖²  with  Δ = Z − Y.

τ follows the curvature that is met: along sparse codes it is a tenth of the largest eigenvalue.
FISTA is not monotone: when a step turns against the last move it begins anew without speed, and the
best Z met is returned.

Beck, Teboulle. A fast iterative shrinkage-thresholding algorithm. SIAM J. Imaging Sciences 2009.
O'Donoghue, Candès. Adaptive restart for accelerated gradient schemes. Found. Comp. Math. 2015.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple, Protocol

import torch

FALL = 0.95  # the least factor of τ from one step to the next
SLACK = 1 + 1e-9  # rounding of the curvature, seen from a step that rounding has shrunk


class Quadratic(Protocol):
    """f(Z) = ½⟨HZ, Z⟩ + ⟨linear, Z⟩ + a constant."""

    @property
    def linear(self) -> torch.Tensor: ...

    def gradient(self, Z: torch.Tensor) -> torch.Tensor: ...


class Solution(NamedTuple):
    Z: torch.Tensor
    iterations: int
    converged: bool
    tau: float  # curvature met last: a good start for a similar problem


def shrink(H: torch.Tensor, threshold: float) -> torch.Tensor:
    """Soft thresholding, exact zeros within ±threshold: the prox of the absolute value."""
    return torch.nn.functional.softshrink(H, threshold)


def into_ball(H: torch.Tensor) -> torch.Tensor:
    """Rows longer than 1 are cut to length 1: the nearest point of the unit ball."""
    return H / torch.linalg.vector_norm(H, dim=1, keepdim=True).clamp_min(1.0)


def lasso(
    f: Quadratic,
    start: torch.Tensor,
    lam: float,
    *,
    tau: float = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-9,
) -> Solution:
    """min f(Z) + λ‖Z‖₁."""
    return fista(
        f,
        lambda H, tau: shrink(H, lam / tau),
        lambda Z: lam * float(Z.abs().sum()),
        start,
        tau=tau,
        max_iter=max_iter,
        tol=tol,
    )


def in_ball(
    f: Quadratic,
    start: torch.Tensor,
    *,
    tau: float = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-9,
) -> Solution:
    """min f(Z) with every row of Z in the unit ball, where the rows of `start` are."""
    return fista(
        f,
        lambda H, tau: into_ball(H),
        lambda Z: 0.0,
        start,
        tau=tau,
        max_iter=max_iter,
        tol=tol,
    )


def fista(
    f: Quadratic,
    prox: Callable[[torch.Tensor, float], torch.Tensor],
    g: Callable[[torch.Tensor], float],
    start: torch.Tensor,
    *,
    tau: float,
    max_iter: int,
    tol: float,
) -> Solution:
    """Steps from `start` until τ‖Z − Y‖ ≤ tol · ‖linear‖; `prox(H, τ)` is that of g/τ."""
    goal = tol * float(torch.linalg.vector_norm(f.linear))
    Z, at_Z = start, f.gradient(start)
    best, least = Z, _value(f, Z, at_Z) + g(Z)
    Y, at_Y, t = Z, at_Z, 1.0
    for iteration in range(1, max_iter + 1):
        while True:
            new = prox(Y - at_Y / tau, tau)
            at_new = f.gradient(new)
            step = new - Y
            length, curved = _dot(step, step), _dot(step, at_new - at_Y)
            if curved <= SLACK * tau * length:
                break
            tau = max(1.2 * tau, 1.05 * curved / length)
        value = _value(f, new, at_new) + g(new)
        if value < least:
            best, least = new, value
        if tau * sqrt(length) <= goal:
            return Solution(best, iteration, True, tau)
        move = new - Z
        if _dot(step, move) < 0:
            t, v = 1.0, 0.0
        else:
            t, v = (1 + sqrt(1 + 4 * t * t)) / 2, t - 1
            v /= t
        Y, at_Y = torch.add(new, move, alpha=v), torch.lerp(at_Z, at_new, 1 + v)
        Z, at_Z = new, at_new
        tau = max(FALL * tau, curved / length)
    return Solution(best, max_iter, False, tau)


def _dot(A: torch.Tensor, B: torch.Tensor) -> float:
    return float(torch.vdot(A.reshape(-1), B.reshape(-1)))


def _value(f: Quadratic, Z: torch.Tensor, gradient: torch.Tensor) -> float:
    """f without its constant: ½⟨∇f(Z) + linear, Z⟩."""
    return 0.5 * (_dot(gradient, Z) + _dot(f.linear, Z))
