r"""Convolutional network: a classifier of images that learns from the labelled ones alone.

    loss = −mean log p(y|x)   over the labelled images

    MNIST  C32 ReLU · C32 ReLU pool · C64 ReLU · C64 ReLU pool · dense 512 ReLU · drop ¼ · softmax
    USPS   C16 ReLU · C32 tanh pool · dense 128 tanh · drop ¼ · softmax

The baseline for images in the papers on dictionaries: the same small filters (C: 3 × 3 pixels) are
applied everywhere in the image, so a stroke counts wherever it is. Each layer is normalised by its
batch after activation and pooling. The loss is the cross-entropy of labelled images; unlabelled
ones are not used at all, so this is what semi-supervised methods have to beat.

**What to look for:** filters that become edges of different directions. With twenty labels per
class the network is a strong baseline (USPS .89, MNIST .91 of test images), with four per class it
falls behind methods that use unlabelled points: digits .8 with the two convolutions, .7 with the
four, where a Ladder network or label propagation reach .9 and more. It suits images only: it takes
neighbouring features for neighbouring pixels.

Tran, Ngolè Mboula, Starck, Prost. Semi-supervised dictionary learning with graph regularization and
active points. SIAM J. Imaging Sciences 2020, Table 6.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from sklearn.utils import Tags
from torch.nn.functional import cross_entropy

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.memo import stage
from sslviz.network.base import ClassifierObjective, NetworkClassifier
from sslviz.network.parameters import Epochs, ImageShape
from sslviz.network.stages.convolutions import (
    DROPPED,
    LAYOUTS,
    ConvolutionalNetwork,
    ImagePredictor,
    as_images,
    convolution_weights,
    padded_shape,
)
from sslviz.params import Choice
from sslviz.training.batches import BatchSampler
from sslviz.training.loop import train
from sslviz.training.mlp import flat_parameters

BATCH_POINTS = 20
RATE = 0.001  # of Adam


class ImageObjective(ClassifierObjective):
    """Cross-entropy on batches of 20 labelled images."""

    names: tuple[str, ...] = ("cross-entropy",)
    weights: tuple[float, ...] = (1.0,)

    def __init__(
        self,
        X: np.ndarray,
        target: np.ndarray,
        *,
        layout: str,
        shape: tuple[int, int],
        padded: tuple[int, int],
        n_classes: int,
        seed: int,
        device: str,
    ):
        self.seed, self.target = seed, target
        self._shape, self._padded = shape, padded
        at, design = pick_device(device), LAYOUTS[layout]
        rng = np.random.default_rng(seed)
        arrays = convolution_weights(design, padded, n_classes, rng)
        self.theta, self.parts = flat_parameters(arrays, at)
        self.network = ConvolutionalNetwork(design, self.parts)
        lowest, span = float(X.min()), float(np.ptp(X))
        self._scaling = lowest, span or 1.0
        labelled = np.flatnonzero(target >= 0)
        pixels = (X[labelled] - lowest) / self._scaling[1]
        self._images = as_images(to_torch(pixels, at, torch.float32), shape, padded)
        self._classes = to_torch(target[labelled], at)
        size = min(BATCH_POINTS, len(labelled))
        self._sampler = BatchSampler((len(labelled),), (size,), at, per_epoch=self.per_epoch)

    @property
    def per_epoch(self) -> int:
        return -(-int((self.target >= 0).sum()) // BATCH_POINTS)

    def rate(self, iteration: int) -> float:
        return RATE

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        (rows,) = self._sampler.batch(self.seed, iteration)
        shape = (len(rows), self.network.layout.units)
        kept = self._sampler.uniforms(self.seed, iteration, shape) >= DROPPED
        logits = self.network.logits(self._images[rows], "moved", kept)
        return (cross_entropy(logits, self._classes[rows]),)

    def predictor(self) -> ImagePredictor:
        return ImagePredictor(self.network, self._scaling, self._shape, self._padded)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()

    def picture(self) -> dict[str, np.ndarray]:
        """The filters (channels, 9) of the first convolution."""
        return {"filters": to_numpy(self.network.filters).reshape(-1, 9).copy()}


@stage("training")
def train_conv_net(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of an `ImageObjective`."""
    return train(ImageObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class ConvNet(NetworkClassifier):
    """Convolutional network with one of the two layouts of the paper; labelled images only.

    Rows of X are images, by default square ones. Rows that do not fill a square are completed with
    zeros, and images too small for the layout are surrounded with them (16 × 16 for "mnist",
    6 × 6 for "usps"). Pixels are scaled to 0 … 1 by the smallest and largest value of X. Initial
    weights are uniform within ±1/√fan-in (the paper prints neither these nor the training). Adam
    with rate .001, batches of 20, an epoch is one pass through the labelled images. New points are
    predicted with running averages.

    Attributes: `classes_`, `transduction_`, `label_distributions_` (n, C), `losses_` (epochs, 1)
    cross-entropy.
    """

    title, abbreviation = "Convolutional network", "CNN"
    paper = "Tran, Ngolè Mboula, Starck & Prost 2020, Table 6"
    formula = (r"\textcolor{1}{-\operatorname{mean}_{\text{labelled}}\log p(y\mid x)}",)
    _objective, _train = ImageObjective, staticmethod(train_conv_net)

    image_shape: Annotated[
        tuple[int, int] | None,
        ImageShape(
            "Height and width of the images; None: square.",
            (None,),
            ("square",),
            label="image shape",
            advanced=True,
        ),
    ] = None
    layout: Annotated[
        str,
        Choice(
            "Layers of the network.",
            ("mnist", "usps"),
            ("four convolutions, for MNIST", "two convolutions, for USPS"),
            label="layout",
            titles=("MNIST", "USPS"),
        ),
    ] = "mnist"
    epochs: Epochs = 30

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with twenty labels per class, and of the prediction."""
        side = max(16, n_features**0.5)
        return side**2 * (3e-4 * n_classes + 2e-6 * n)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # where features are not pixels
        return tags

    def _arguments(self, X: np.ndarray, target: np.ndarray, n_classes: int) -> dict[str, Any]:
        if self.image_shape is not None and np.prod(self.image_shape) != X.shape[1]:
            raise ValueError(
                f"ConvNet: image_shape={self.image_shape!r} has {np.prod(self.image_shape)} "
                f"pixels, but X has {X.shape[1]} features"
            )
        shape, padded = padded_shape(X.shape[1], self.image_shape, LAYOUTS[self.layout])
        return {"layout": self.layout, "shape": shape, "padded": padded, "n_classes": n_classes}
