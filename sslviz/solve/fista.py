r"""FISTA: minimise a quadratic plus a penalty such as λ‖Z‖₁ by accelerated soft thresholding.

    min f(Z) + λ‖Z‖₁,  Z_{n+1} = shrink(Y_n − ∇f(Y_n)/τ, λ/τ),  Y_{n+1} = Z_{n+1} + v(Z_{n+1} − Z_n)

f is quadratic, so ∇f is affine: the gradient at the extrapolated point Y is the same mixture of the
gradients at Z_{n+1} and Z_n. One gradient per step thus gives the step, the value of f and the test
whether τ was large enough:  ⟨Δ, ∇f(Z) − ∇f(Y)⟩ ≤ τ‖Δ‖²  with  Δ = Z − Y.

τ follows the curvature along the path: for sparse codes it is a tenth of the largest eigenvalue.
FISTA is not monotone: when a step opposes the last move, the momentum is reset. The value is
computed every few steps, and the best Z so far is returned.

Beck, Teboulle. A fast iterative shrinkage-thresholding algorithm. SIAM J. Imaging Sciences 2009.
O'Donoghue, Candès. Adaptive restart for accelerated gradient schemes. Found. Comp. Math. 2015.
"""

from math import isfinite, sqrt
from typing import Any, NamedTuple, Protocol

import torch

MIN_TAU_FACTOR = 0.95  # τ falls by no more from one step to the next
VALUE_EVERY = 5  # steps between two computations of the value
ROUNDING_SLACK = 1 + 1e-9  # for the rounding of the curvature along a tiny step


class Quadratic(Protocol):
    """f(Z) = ½⟨HZ, Z⟩ + ⟨linear, Z⟩ + a constant."""

    @property
    def linear(self) -> torch.Tensor: ...

    def gradient(self, Z: torch.Tensor) -> torch.Tensor: ...


class Penalty(Protocol):
    """A convex penalty with a proximal map; `scale` is the size of its subgradients."""

    @property
    def scale(self) -> float: ...

    def value(self, Z: torch.Tensor) -> float: ...

    def shrink(self, H: torch.Tensor, tau: float) -> torch.Tensor:
        """argmin_Z penalty(Z) + τ/2 ‖Z − H‖²."""
        ...


class AbsoluteValues(NamedTuple):
    """λ‖Z‖₁."""

    scale: float  # λ

    def value(self, Z: torch.Tensor) -> float:
        return self.scale * float(Z.abs().sum())

    def shrink(self, H: torch.Tensor, tau: float) -> torch.Tensor:
        return soft_threshold(H, self.scale / tau)


class LassoSolution(NamedTuple):
    """The best Z found."""

    Z: torch.Tensor
    iterations: int
    converged: bool
    tau: float  # last curvature: a good start for a similar problem


def soft_threshold(H: torch.Tensor, threshold: float) -> torch.Tensor:
    """Soft thresholding: the proximal map of the absolute value, exact zeros within ±threshold."""
    return torch.nn.functional.softshrink(H, threshold)


def lasso(f: Quadratic, start: torch.Tensor, lam: float, **options: Any) -> LassoSolution:
    """min f(Z) + λ‖Z‖₁ by steps from `start`; options as those of `proximal_gradient`."""
    return proximal_gradient(f, start, AbsoluteValues(lam), **options)


def proximal_gradient(
    f: Quadratic,
    start: torch.Tensor,
    penalty: Penalty,
    *,
    tau: float = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-9,
    min_gain: float = 0.0,
) -> LassoSolution:
    """min f(Z) + penalty(Z) by steps from `start`.

    Stops when the root mean square of τ(Z − Y) is tol · λ, or when the last few steps gained less
    than the share `min_gain` of the whole gain.
    """
    goal = tol * penalty.scale * sqrt(start.numel())
    Z, at_Z = start, f.gradient(start)
    best, first = Z, _value(f, Z, at_Z, penalty)
    least = before = first
    Y, at_Y, t = Z, at_Z, 1.0
    for iteration in range(1, max_iter + 1):
        while True:
            new = penalty.shrink(torch.add(Y, at_Y, alpha=-1 / tau), tau)
            at_new = f.gradient(new)
            step = new - Y
            length, curved = _dot(step, step), _dot(step, at_new - at_Y)
            if curved <= ROUNDING_SLACK * tau * length:
                break
            if not isfinite(curved):
                raise ValueError("the values are so large that their products overflow; scale them")
            tau = max(1.2 * tau, 1.05 * curved / length)
        converged = tau * sqrt(length) <= goal
        if converged or iteration % VALUE_EVERY == 0 or iteration == max_iter:
            value = _value(f, new, at_new, penalty)
            if value < least:
                best, least = new, value
            if converged or before - least < min_gain * (first - least):
                return LassoSolution(best, iteration, True, tau)
            before = least
        move = new - Z
        if _dot(step, move) < 0:
            t, v = 1.0, 0.0
        else:
            t, v = (1 + sqrt(1 + 4 * t * t)) / 2, t - 1
            v /= t
        Y, at_Y = torch.add(new, move, alpha=v), torch.lerp(at_Z, at_new, 1 + v)
        Z, at_Z = new, at_new
        tau = max(MIN_TAU_FACTOR * tau, curved / length)
    return LassoSolution(best, max_iter, False, tau)


def _dot(A: torch.Tensor, B: torch.Tensor) -> float:
    return float(torch.vdot(A.reshape(-1), B.reshape(-1)))


def _value(f: Quadratic, Z: torch.Tensor, gradient: torch.Tensor, penalty: Penalty) -> float:
    """f without its constant, ½⟨∇f(Z) + linear, Z⟩, and the penalty."""
    return 0.5 * (_dot(gradient, Z) + _dot(f.linear, Z)) + penalty.value(Z)
