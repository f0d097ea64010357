r"""Active points, class probabilities of unlabelled points, and the classifier of the codes.

    D = γ Σ_j Σ_k P_jk^r Σ_c Q_jkc (s_jc − y_c(k))² + μ(‖W‖² + ‖b‖²),   s = A Wᵀ + b,   y_c(k) = ±1

A point is active for class c as long as it is not beyond the margin: Q_jkc = 1 where y_c(k) s_jc <
1. For each c the sum over k has only two kinds of terms, class c itself (+1) and all others (−1),
so it is one weighted square: exact, and linear in the number of classes.

    Σ_k P_k^r Q_kc (s − y_c(k))² = Ω (s − T)² + a constant
    Ω = w₊ + w₋,   T = (w₊ − w₋)/Ω,   w₊ = P_c^r [s < 1],   w₋ = (Σ_k P_k^r − P_c^r) [s > −1]

Labelled points have a one-hot P.
"""

from typing import NamedTuple

import torch


class ActiveSquares(NamedTuple):
    """The weighted squares Ω(s − T)² of every point and class, with Q and P fixed."""

    weight: torch.Tensor  # Ω (n, C)
    target: torch.Tensor  # T (n, C), 0 where Ω is
    constant: float  # what is left at s = T


def active_squares(s: torch.Tensor, P: torch.Tensor, r: float) -> ActiveSquares:
    """Ω and T from scores s (n, C) and class probabilities P (n, C)."""
    mass = P**r
    plus = mass * (s < 1)
    minus = (mass.sum(1, keepdim=True) - mass).clamp_min(0) * (s > -1)
    weight = plus + minus
    target = torch.where(weight > 0, (plus - minus) / weight, 0.0)
    return ActiveSquares(weight, target, float((weight * (1 - target**2)).sum()))


def active_loss(active: ActiveSquares, s: torch.Tensor) -> float:
    """Σ_j Σ_k P^r Σ_c Q (s − y(k))²."""
    return float((active.weight * (s - active.target) ** 2).sum()) + active.constant


def class_losses(s: torch.Tensor) -> torch.Tensor:
    """(n, C) Σ_c Q_kc (s_c − y_c(k))²: the loss of each point if its class were k."""
    right, wrong = (1 - s).clamp_min(0) ** 2, (1 + s).clamp_min(0) ** 2
    return right + (wrong.sum(1, keepdim=True) - wrong).clamp_min(0)


def class_probabilities(s: torch.Tensor, r: float) -> torch.Tensor:
    """(n, C) the P that minimises Σ_k P_k^r e_k with rows summing to 1, e the losses.

    r = 1: the class of least loss has P = 1. r > 1: P ∝ e^{−1/(r−1)}, so that r P^{r−1} e is the
    same for every class. Classes of zero loss, or at r = 1 all of least loss, share equally.
    """
    e = class_losses(s)
    least = e.min(dim=1, keepdim=True).values
    ratio = torch.where(e > least, least / e, 1.0)
    P = (ratio == 1).to(s.dtype) if r == 1 else ratio ** (1 / (r - 1))
    return P / P.sum(1, keepdim=True)


def fit_classifier(
    A: torch.Tensor, active: ActiveSquares, gamma: float, mu: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """W (C, p) and b (C,): a weighted ridge regression on the codes for every class."""
    ones = torch.ones_like(A[:, :1])
    E = torch.cat([A, ones], dim=1)  # (n, p + 1), b as the weight of a constant 1
    ridge = mu * torch.eye(E.shape[1], dtype=A.dtype).to(A.device)
    rows = []
    for weight, target in zip(active.weight.T, active.target.T, strict=True):
        weighted = E * (gamma * weight)[:, None]
        rows.append(torch.linalg.solve(weighted.T @ E + ridge, weighted.T @ target))
    both = torch.stack(rows)
    return both[:, :-1].contiguous(), both[:, -1].contiguous()
