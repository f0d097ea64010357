"""Multilayer perceptron: initial weights, forward pass, running averages.

    h ← relu(gain · (Wh − mean)/√(var + 1e-5) + shift),   logits = Wh + shift

Hidden layers are batch-normalised: by mean and variance of the batch in training, by their running
averages in prediction. A bias before the normalisation would have no effect; `shift` takes its
place. Training is in float32, prediction in float64, so that the prediction of a point does not
depend on the other points of the call.

All parameters lie in one tensor θ and the layers are views of it: the optimiser updates one tensor,
and one array is all there is to save. Random numbers come from a NumPy generator handed in.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import torch
from torch.nn.functional import linear

from sslviz.device import to_torch

Averages = Literal["moved", "left", "used"]
EPS, MOMENTUM = 1e-5, 0.1  # torch's defaults


def initial_weights(
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    normalised: bool = True,
    spread: float = 0.1,
    last: float = 1e-4,
) -> list[np.ndarray]:
    """W, gain and shift of every layer from the input on: W normal with std δ√(2/fan_in).

    δ is `spread`, and `last` for the output layer, whose small weights make the first prediction
    nearly uniform. Without normalisation a layer has no gain.
    """
    arrays = []
    for at, (inputs, outputs) in enumerate(pairwise(sizes)):
        output_layer = at == len(sizes) - 2
        delta = last if output_layer else spread
        W = rng.standard_normal((outputs, inputs)) * delta * np.sqrt(2 / inputs)
        gain = [np.ones(outputs)] if normalised and not output_layer else []
        arrays += [W, *gain, np.zeros(outputs)]
    return arrays


def flat_parameters(
    arrays: Sequence[np.ndarray], device: torch.device
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """All arrays in one float32 tensor, and each as a view of it that requires gradients."""
    whole = np.concatenate([a.ravel() for a in arrays]).astype(np.float32)
    theta = to_torch(whole, device)
    views = theta.split([a.size for a in arrays])
    pairs = zip(views, arrays, strict=True)
    return theta, [v.view(a.shape).detach().requires_grad_() for v, a in pairs]


def centre_points(
    X: np.ndarray, device: torch.device, unit: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Points minus their mean, in units and float32, and the mean, in the units of X.

    Centred, since running averages start at the origin; divided before they become float32, which
    cannot hold values below 1e-45.
    """
    centre = np.mean(X, axis=0, dtype=np.float64)
    return to_torch((X - centre) / unit, device, torch.float32), to_torch(centre, device)


class Network:
    """Layers of the given sizes, made of the tensors of `flat_parameters` in their order."""

    def __init__(
        self,
        sizes: Sequence[int],
        parts: Sequence[torch.Tensor],
        *,
        normalised: bool = True,
        means: Sequence[torch.Tensor] | None = None,
        variances: Sequence[torch.Tensor] | None = None,
    ):
        self.sizes, self.parts, self.normalised = tuple(sizes), list(parts), normalised
        hidden = self.sizes[1:-1] if normalised else ()
        like = self.parts[0].detach()
        self.means = list(means or [like.new_zeros(size) for size in hidden])
        self.variances = list(variances or [like.new_ones(size) for size in hidden])

    def logits(self, X: torch.Tensor, averages: Averages = "left") -> torch.Tensor:
        """(m, C) before the softmax.

        Hidden layers are normalised by the batch, which updates their running averages ("moved")
        or leaves them ("left"), or by the running averages ("used").
        """
        parts = iter(self.parts)
        for at in range(len(self.sizes) - 2):
            X = linear(X, next(parts)) if self.normalised else linear(X, next(parts), next(parts))
            if self.normalised:
                X = self._normalise(X, at, next(parts), next(parts), averages)
            X = torch.relu(X)
        return linear(X, next(parts), next(parts))

    def _normalise(
        self,
        X: torch.Tensor,
        at: int,
        gain: torch.Tensor,
        shift: torch.Tensor,
        averages: Averages,
    ) -> torch.Tensor:
        mean, variance = self.means[at], self.variances[at]
        if averages == "left":
            return torch.batch_norm(X, gain, shift, None, None, True, MOMENTUM, EPS, False)
        training = averages == "moved"
        return torch.batch_norm(X, gain, shift, mean, variance, training, MOMENTUM, EPS, False)

    @property
    def device(self) -> torch.device:
        return self.parts[0].device

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) by running averages."""
        return torch.softmax(self.logits(X, "used"), dim=1)

    def frozen_copy(self, centre: torch.Tensor | None = None) -> "Network":
        """A copy in float64 for prediction with averages="used", unaffected by training.

        It takes points as they are; this network was trained on points minus their `centre`.
        """
        copies = [
            [t.detach().to(torch.float64, copy=True) for t in tensors]
            for tensors in (self.parts, self.means, self.variances)
        ]
        parts, means, variances = copies
        if centre is not None:
            offset = parts[0] @ centre
            if means:
                means[0] += offset
            else:
                parts[1] -= offset
        return Network(
            self.sizes, parts, normalised=self.normalised, means=means, variances=variances
        )

    def state(self) -> dict[str, torch.Tensor]:
        """The running averages: what training changes beside the parameters."""
        named = zip(self.means, self.variances, strict=True)
        return {
            f"{name}{at}": tensor
            for at, pair in enumerate(named)
            for name, tensor in zip(("mean", "variance"), pair, strict=True)
        }
