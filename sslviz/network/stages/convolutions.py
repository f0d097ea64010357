"""A convolutional network: layers, initial weights, forward pass, running averages.

Every hidden layer is a convolution (3 × 3, no padding) or, in the end, a dense layer; then its
activation, perhaps the maximum over 2 × 2 pixels, and a normalisation: by mean and variance of the
batch in training, by their running averages in prediction. A part of the last hidden values is set
to 0 in training (dropout).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import conv2d, linear, max_pool2d

from sslviz.training.mlp import EPS, MOMENTUM, Averages

KERNEL, POOL = 3, 2
DROPPED = 0.25  # share of the last hidden values
BLOCK_NUMBERS = 800_000  # of the largest layer, passed through at once in prediction
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}


class Convolution(NamedTuple):
    """Output channels, activation, and whether 2 × 2 pixels are pooled after it."""

    channels: int
    activation: str
    pooled: bool


class Layout(NamedTuple):
    """The hidden layers of a network."""

    convolutions: tuple[Convolution, ...]
    units: int  # of the dense layer
    activation: str  # of the dense layer

    @property
    def smallest_side(self) -> int:
        """The smallest image of which one pixel is left after the last convolution."""
        side = 1
        for layer in reversed(self.convolutions):
            side = side * (POOL if layer.pooled else 1) + KERNEL - 1
        return side

    def sides(self, shape: Sequence[int]) -> tuple[int, int]:
        """Height and width after the last convolution."""
        height, width = shape
        for layer in self.convolutions:
            height, width = height - KERNEL + 1, width - KERNEL + 1
            if layer.pooled:
                height, width = height // POOL, width // POOL
        return height, width


LAYOUTS = {
    "mnist": Layout(
        (
            Convolution(32, "relu", False),
            Convolution(32, "relu", True),
            Convolution(64, "relu", False),
            Convolution(64, "relu", True),
        ),
        512,
        "relu",
    ),
    "usps": Layout((Convolution(16, "relu", False), Convolution(32, "tanh", True)), 128, "tanh"),
}


def padded_shape(
    n_features: int, image_shape: tuple[int, int] | None, layout: Layout
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The shape of the images, and the shape that they are padded to."""
    if image_shape is None:
        side = int(np.ceil(np.sqrt(n_features)))
        image_shape = side, side
    least = layout.smallest_side
    return image_shape, (max(image_shape[0], least), max(image_shape[1], least))


def as_images(X: Tensor, shape: tuple[int, int], padded: tuple[int, int]) -> Tensor:
    """(m, 1, height, width), rows completed and images surrounded with zeros."""
    m, features = X.shape
    whole = X.new_zeros((m, shape[0] * shape[1]))
    whole[:, :features] = X
    images = X.new_zeros((m, 1, *padded))
    top, left = ((p - s) // 2 for p, s in zip(padded, shape, strict=True))
    images[:, 0, top : top + shape[0], left : left + shape[1]] = whole.view(m, *shape)
    return images


def convolution_weights(
    layout: Layout, padded: tuple[int, int], n_classes: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """W, bias, gain and shift of every hidden layer, W and bias of the output.

    Weights and biases are uniform within ±1/√fan-in, torch's default. Normal weights with variance
    2/fan-in before a ReLU and 1/fan-in otherwise cost 1.6 points on USPS with 20 labels per class.
    """
    arrays, inputs = [], 1
    for layer in layout.convolutions:
        shape = (layer.channels, inputs, KERNEL, KERNEL)
        arrays += _layer_weights(shape, rng)
        inputs = layer.channels
    height, width = layout.sides(padded)
    arrays += _layer_weights((layout.units, inputs * height * width), rng)
    arrays += _layer_weights((n_classes, layout.units), rng)[:2]
    return arrays


def _layer_weights(shape: tuple[int, ...], rng: np.random.Generator) -> list[np.ndarray]:
    outputs, bound = shape[0], 1 / np.sqrt(np.prod(shape[1:]))
    W, bias = rng.uniform(-bound, bound, shape), rng.uniform(-bound, bound, outputs)
    return [W, bias, np.ones(outputs), np.zeros(outputs)]


class ConvolutionalNetwork:
    """A layout made of the tensors of `convolution_weights` in their order."""

    def __init__(
        self,
        layout: Layout,
        parts: Sequence[Tensor],
        averages: Sequence[tuple[Tensor, Tensor]] | None = None,
    ):
        self.layout, self.parts = layout, list(parts)
        sizes = [len(gain) for gain in self.parts[2:-2:4]]
        like = self.parts[0].detach()
        self.averages = list(averages or [(like.new_zeros(s), like.new_ones(s)) for s in sizes])

    @property
    def device(self) -> torch.device:
        return self.parts[0].device

    @property
    def filters(self) -> Tensor:
        """(channels, 3, 3) of the first convolution."""
        return self.parts[0].detach()[:, 0]

    def logits(self, images: Tensor, averages: Averages, kept: Tensor | None = None) -> Tensor:
        """(m, C) before the softmax; `kept` (m, units) marks what dropout leaves."""
        X = images
        for at, layer in enumerate(self.layout.convolutions):
            W, bias, gain, shift = self.parts[4 * at : 4 * at + 4]
            X = ACTIVATIONS[layer.activation](conv2d(X, W, bias))
            if layer.pooled:
                X = max_pool2d(X, POOL)
            X = self._normalise(X, at, gain, shift, averages)
        W, bias, gain, shift = self.parts[-6:-2]
        X = ACTIVATIONS[self.layout.activation](linear(X.flatten(1), W, bias))
        X = self._normalise(X, len(self.layout.convolutions), gain, shift, averages)
        if kept is not None:
            X = X * kept / (1 - DROPPED)
        return linear(X, self.parts[-2], self.parts[-1])

    def _normalise(
        self, X: Tensor, at: int, gain: Tensor, shift: Tensor, averages: Averages
    ) -> Tensor:
        training = averages == "moved"
        return torch.batch_norm(X, gain, shift, *self.averages[at], training, MOMENTUM, EPS, False)

    def state(self) -> dict[str, Tensor]:
        """The running averages: what training changes beside the parameters."""
        return {
            f"{name}{at}": tensor
            for at, pair in enumerate(self.averages)
            for name, tensor in zip(("mean", "variance"), pair, strict=True)
        }


class ImagePredictor:
    """A network with fixed parameters in float64, and how points become images for it."""

    def __init__(
        self,
        network: ConvolutionalNetwork,
        scaling: tuple[float, float],
        shape: tuple[int, int],
        padded: tuple[int, int],
    ):
        def fixed(tensor: Tensor) -> Tensor:
            return tensor.detach().to(torch.float64, copy=True)

        averages = [(fixed(mean), fixed(variance)) for mean, variance in network.averages]
        parts = [fixed(part) for part in network.parts]
        self.network = ConvolutionalNetwork(network.layout, parts, averages)
        self.scaling, self.shape, self.padded = scaling, shape, padded

    @property
    def device(self) -> torch.device:
        return self.network.device

    def probabilities(self, X: Tensor) -> Tensor:
        """(m, C)"""
        lowest, span = self.scaling
        channels = max(layer.channels for layer in self.network.layout.convolutions)
        rows = max(1, BLOCK_NUMBERS // (channels * self.padded[0] * self.padded[1]))
        blocks = [
            self.network.logits(as_images((x - lowest) / span, self.shape, self.padded), "used")
            for x in X.split(rows)
        ]
        return torch.softmax(torch.cat(blocks), dim=1)
