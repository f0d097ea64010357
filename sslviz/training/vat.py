r"""Virtual adversarial training (VAT): the prediction should not change close to the data.

    g = ∇_r KL[p(y|x) ‖ p(y|x + r)] at r = ξ ε d,   r_vadv = ε g/‖g‖,   ε(x) = α ‖x − x⁽ᶻ⁾‖

The direction in which the prediction changes most is found by one gradient, taken at a small step
from x along a random unit vector d: there KL is quadratic, and its gradient turns d towards the
leading direction. The first p is held constant; only the prediction at x + r is trained. The radius
ε is α times the distance to the z-th neighbour.

Here ξ is measured in radii: 0.1 takes the gradient at a tenth of ε. The thesis calls ξ small and
sets it to 10 units of the data: so far from x the gradient says little about x, and the direction
is no better than a random one.

Miyato, Maeda, Koyama, Ishii. Virtual adversarial training. IEEE PAMI 41, 2019 (2017).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from sslviz.device import to_numpy, to_torch
from sslviz.graph.neighbours import knn_lists
from sslviz.training.mlp import Network

RADIUS_NEIGHBOUR = 10  # the z-th neighbour, whose distance gives the radius


class Perturbations(NamedTuple):
    """How much the prediction changes when points are moved by their radius."""

    r: np.ndarray  # (n, D) adversarial perturbations
    adversarial: np.ndarray  # (n,) KL between the predictions before and after
    random: np.ndarray  # (n,) the same for random perturbations of the same length
    ratio: float  # sum of the adversarial KL over sum of the random


def knn_radius(
    X: np.ndarray, z: int = RADIUS_NEIGHBOUR, memory: Any = None, *, device: str = "auto"
) -> np.ndarray:
    """(n,) distance of every point to its z-th neighbour, or to the last if there are fewer."""
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
    d = unit_length(d)
    r = (xi * eps * d).requires_grad_()
    with torch.enable_grad():
        change = divergence(log_p.detach(), log_softmax(logits(X + r), dim=1)).sum()
        (g,) = torch.autograd.grad(change, r)
    return eps * torch.where((g != 0).any(dim=1, keepdim=True), unit_length(g), d)


def vat_loss(logits: Callable[[Tensor], Tensor], X: Tensor, log_p: Tensor, r: Tensor) -> Tensor:
    """Mean KL[p(y|x) ‖ p(y|x + r)] with the first p, given by its logarithm, held constant."""
    return divergence(log_p.detach(), log_softmax(logits(X + r), dim=1)).mean()


def unit_length(v: Tensor) -> Tensor:
    """Rows of length 1; rows of zeros stay. Scaled first, as squares of tiny numbers underflow."""
    tiny = torch.finfo(v.dtype).tiny
    v = v / v.abs().amax(dim=1, keepdim=True).clamp_min(tiny)
    return v / torch.linalg.vector_norm(v, dim=1, keepdim=True).clamp_min(tiny)


def perturbation_report(
    network: Network, X: np.ndarray, eps: np.ndarray, xi: float, seed: int = 0
) -> Perturbations:
    """Adversarial and random perturbations of points, and how they change a network's prediction.

    The network is a frozen copy: with running averages the result for a point does not depend on
    the other points. ξ is in radii.
    """
    device = network.device

    def logits(x: Tensor) -> Tensor:
        return network.logits(x, "used")

    X_, eps_ = (to_torch(np.asarray(a, np.float64), device) for a in (X, eps[:, None]))
    rng = np.random.default_rng(seed)
    d, other = (to_torch(rng.standard_normal(X.shape), device) for _ in range(2))
    with torch.no_grad():
        log_p = log_softmax(logits(X_), dim=1)
        r = adversarial_direction(logits, X_, log_p, d, eps_, xi)
        adversarial, random = (
            to_numpy(divergence(log_p, log_softmax(logits(X_ + move), dim=1)))
            for move in (r, eps_ * unit_length(other))
        )
    ratio = float(adversarial.sum() / max(random.sum(), np.finfo(float).tiny))
    return Perturbations(to_numpy(r), adversarial, random, ratio)
