r"""Virtual adversarial training: answers should not change within a small distance of the data.

    g = ∇_r KL[p(y|x) ‖ p(y|x + r)] at r = ξ ε d,   r_vadv = ε g/‖g‖,   ε(x) = α ‖x − x⁽ᶻ⁾‖

The worst direction is found by one gradient from a random unit vector d, taken close to x: there
KL is quadratic, and its gradient turns d towards the direction that matters most. The first p is a
constant throughout; only the answer at x + r learns. The radius ε is a share α of the distance to
the z-th neighbour.

Here ξ is measured in radii: 0.1 looks a tenth of ε away. The thesis calls ξ small and then sets it
to 10, ten units of the data: so far away the gradient says little about x, and the direction is no
better than a random one.

Miyato, Maeda, Koyama, Ishii. Virtual adversarial training. IEEE PAMI 41, 2019 (2017).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from sslviz.clustering.stages.mlp import Network
from sslviz.device import to_numpy, to_torch
from sslviz.graph.neighbours import knn_lists

Z = 10  # the neighbour that gives the radius


class Shaken(NamedTuple):
    """How far the answers move when the points do."""

    r: np.ndarray  # (n, D) adversarial perturbations
    adversarial: np.ndarray  # (n,) KL they cause
    random: np.ndarray  # (n,) KL that random perturbations of the same length cause
    ratio: float  # of their sums


def knn_radius(
    X: np.ndarray, z: int = Z, memory: Any = None, *, device: str = "auto"
) -> np.ndarray:
    """(n,) distance of every point to its z-th neighbour, or to the last where there are fewer."""
    return knn_lists(X, min(z, len(X) - 1), memory, device=device)[1][:, -1]


def divergence(log_p: Tensor, log_q: Tensor) -> Tensor:
    """(m,) KL[p ‖ q] of rows given by their logarithms."""
    return (log_p.exp() * (log_p - log_q)).sum(dim=1)


def adversarial_direction(
    logits: Callable[[Tensor], Tensor], X: Tensor, log_p: Tensor, d: Tensor, eps: Tensor, xi: float
) -> Tensor:
    """(m, D) r of length ε: Eq. 32 and 33 from directions d of any length; ε has shape (m, 1).

    Where the gradient vanishes the random direction itself is taken.
    """
    d = unit(d)
    r = (xi * eps * d).requires_grad_()
    with torch.enable_grad():
        moved = divergence(log_p.detach(), log_softmax(logits(X + r), dim=1)).sum()
        (g,) = torch.autograd.grad(moved, r)
    return eps * torch.where((g != 0).any(dim=1, keepdim=True), unit(g), d)


def vat_loss(logits: Callable[[Tensor], Tensor], X: Tensor, log_p: Tensor, r: Tensor) -> Tensor:
    """Mean KL[p(y|x) ‖ p(y|x + r)] with the first p, given by its logarithm, held constant."""
    return divergence(log_p.detach(), log_softmax(logits(X + r), dim=1)).mean()


def unit(v: Tensor) -> Tensor:
    """Rows of length 1; rows of zeros stay. Scaled first: squares of tiny numbers vanish."""
    tiny = torch.finfo(v.dtype).tiny
    v = v / v.abs().amax(dim=1, keepdim=True).clamp_min(tiny)
    return v / torch.linalg.vector_norm(v, dim=1, keepdim=True).clamp_min(tiny)


def perturbation_report(
    settled: Network, X: np.ndarray, eps: np.ndarray, xi: float, seed: int = 0
) -> Shaken:
    """Adversarial and random perturbations of points, and what they do to a network's answers.

    The network is settled, as a lesson's `answer`: by running averages a point's arrow does not
    depend on which others are shown. ξ is in radii.
    """
    device = settled.parts[0].device

    def logits(x: Tensor) -> Tensor:
        return settled.logits(x, "used")

    X_, eps_ = (to_torch(np.asarray(a, np.float64), device) for a in (X, eps[:, None]))
    rng = np.random.default_rng(seed)
    d, other = (to_torch(rng.standard_normal(X.shape), device) for _ in range(2))
    with torch.no_grad():
        log_p = log_softmax(logits(X_), dim=1)
        r = adversarial_direction(logits, X_, log_p, d, eps_, xi)
        worst, usual = (
            to_numpy(divergence(log_p, log_softmax(logits(X_ + move), dim=1)))
            for move in (r, eps_ * unit(other))
        )
    ratio = float(worst.sum() / max(usual.sum(), np.finfo(float).tiny))
    return Shaken(to_numpy(r), worst, usual, ratio)
