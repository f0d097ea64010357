r"""The Ladder network: clean and noisy encoder, decoder with lateral links, costs of all layers.

    encoder   z = (Wh − m)/s (+ noise),   h = relu(z + β);   output  softmax(γ(z + β))
    decoder   u = normalised V ẑ of the layer above (on top: of the output),
              ẑ = (z̃ − μ(u)) v(u) + μ(u),   μ, v = a₁ σ(a₂u + a₃) + a₄u + a₅ for every unit
    cost      mean ((ẑ − m)/s − z)²   with the mean m and standard deviation s of the clean batch

A tilde marks the noisy pass. At the input z = x, m = 0 and s = 1. All parameters lie in one list:
W and β of the encoder's layers from the input on, γ of the output, then V and the ten a of the
decoder's layers from the input on. Without a decoder the list ends with γ.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

EPS = 1e-8  # added to variances: a unit that is equal for all points stays 0


class Layer(NamedTuple):
    """A layer of one pass: normalised values, and the mean and standard deviation before."""

    z: Tensor
    mean: Tensor
    std: Tensor


def ladder_weights(
    sizes: Sequence[int], rng: np.random.Generator, *, decoder: bool = True
) -> list[np.ndarray]:
    """Initial parameters in the order of the list: weights normal with variance 1/fan-in.

    μ and v of the decoder begin at σ's zero, so that ẑ = 0: as in the authors' code.
    """
    arrays = []
    for inputs, outputs in pairwise(sizes):
        arrays += [rng.standard_normal((outputs, inputs)) / np.sqrt(inputs), np.zeros(outputs)]
    arrays.append(np.ones(sizes[-1]))
    if not decoder:
        return arrays
    for at, size in enumerate(sizes):
        if at < len(sizes) - 1:
            above = sizes[at + 1]
            arrays.append(rng.standard_normal((size, above)) / np.sqrt(above))
        a = np.zeros((10, size))
        a[[1, 6]] = 1.0
        arrays.append(a)
    return arrays


class Ladder:
    """Encoder and decoder made of the list of parameters, for layers of the given sizes."""

    def __init__(self, sizes: Sequence[int], parts: Sequence[Tensor]):
        self.sizes, self.parts, L = tuple(sizes), list(parts), len(sizes) - 1
        self.encoder = [(parts[2 * at], parts[2 * at + 1]) for at in range(L)]
        self.gain = parts[2 * L]
        rest = list(parts[2 * L + 1 :])
        self.down, self.links = rest[0 : 2 * L : 2], [*rest[1 : 2 * L : 2], *rest[2 * L :]]

    def encode(
        self, X: Tensor, noise: Sequence[Tensor] | None = None
    ) -> tuple[list[Layer], Tensor]:
        """The layers from the input on, and the logits; `noise` has a tensor for every layer."""
        zero, one = X.new_zeros(()), X.new_ones(())
        h = X if noise is None else X + noise[0]
        layers = [Layer(h, zero, one)]
        for at, (W, shift) in enumerate(self.encoder, start=1):
            layer = normalise(linear(h, W))
            if noise is not None:
                layer = layer._replace(z=layer.z + noise[at])
            layers.append(layer)
            h = layer.z + shift
            h = self.gain * h if at == len(self.encoder) else torch.relu(h)
        return layers, h

    def decode(self, noisy: Sequence[Layer], logits: Tensor) -> list[Tensor]:
        """ẑ of every layer from the input on, given the noisy pass."""
        rebuilt: list[Tensor] = []
        u = normalise(torch.softmax(logits, dim=1)).z
        for at in reversed(range(len(self.sizes))):
            if at < len(self.sizes) - 1:
                u = normalise(linear(rebuilt[-1], self.down[at])).z
            rebuilt.append(combine(noisy[at].z, u, self.links[at]))
        return rebuilt[::-1]

    def clean_statistics(self, X: Tensor) -> list[Layer]:
        """Means and standard deviations of every layer's clean pass over all points."""
        return self.encode(X)[0][1:]


def normalise(values: Tensor) -> Layer:
    """Columns of mean 0 and standard deviation 1 over a batch."""
    variance, mean = torch.var_mean(values, dim=0, correction=0)
    std = (variance + EPS).sqrt()
    return Layer((values - mean) / std, mean, std)


def combine(z: Tensor, u: Tensor, a: Tensor) -> Tensor:
    """ẑ from the noisy values and the signal from above; a (10, units)."""
    mu = a[0] * torch.sigmoid(a[1] * u + a[2]) + a[3] * u + a[4]
    v = a[5] * torch.sigmoid(a[6] * u + a[7]) + a[8] * u + a[9]
    return (z - mu) * v + mu


def layer_costs(clean: Sequence[Layer], rebuilt: Sequence[Tensor]) -> list[Tensor]:
    """The mean squared error of every layer, normalised by the clean batch."""
    return [
        ((z_hat - layer.mean) / layer.std - layer.z).square().mean()
        for layer, z_hat in zip(clean, rebuilt, strict=True)
    ]


class CleanEncoder:
    """The encoder without noise and with fixed means and standard deviations, in float64.

    It takes points as they are; the ladder was trained on (x − centre)/unit.
    """

    def __init__(self, ladder: Ladder, statistics: Sequence[Layer], centre: Tensor, unit: float):
        def fixed(tensor: Tensor) -> Tensor:
            return tensor.detach().to(torch.float64, copy=True)

        self.centre, self.unit, self.gain = fixed(centre), unit, fixed(ladder.gain)
        self.layers = [
            (fixed(W), fixed(shift), fixed(layer.mean), fixed(layer.std))
            for (W, shift), layer in zip(ladder.encoder, statistics, strict=True)
        ]

    @property
    def device(self) -> torch.device:
        return self.gain.device

    def probabilities(self, X: Tensor) -> Tensor:
        """(m, C)"""
        h = (X - self.centre) / self.unit
        for W, shift, mean, std in self.layers[:-1]:
            h = torch.relu((linear(h, W) - mean) / std + shift)
        W, shift, mean, std = self.layers[-1]
        return torch.softmax(self.gain * ((linear(h, W) - mean) / std + shift), dim=1)
