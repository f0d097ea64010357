r"""Ladder network: a classifier that also learns to remove noise, in every layer.

    loss = cross-entropy of the noisy pass (labelled) + Σ_l w_l mean (ẑ_l − z_l)²  (all points)

    ẑ = (z̃ − μ(u)) v(u) + μ(u),   μ(u), v(u) = a₁ σ(a₂u + a₃) + a₄u + a₅

Every point passes through one encoder twice: clean (z), and with noise added in every layer (z̃). A
decoder goes back down from the noisy output. In each layer it combines the noisy values with what
it has rebuilt from above (u), and its result ẑ should equal the clean values z. To tell what is
noise, the upper layers must know which values occur together, and this is learnt from unlabelled
points. Labelled points decide which of these patterns belong to which class. Each layer is
normalised by its batch (mean 0, standard deviation 1), labelled and unlabelled rows apart.

**What to look for:** rebuilt images lose their noise within a few epochs, and the accuracy leaves
that of the same network with all w = 0, which learns from the labelled points alone. On digits with
four labels per class: .92 instead of .84. In the plane there is nothing to denoise: on two moons
the weights hardly matter, and label propagation is far better.

Rasmus, Valpola, Honkala, Berglund, Raiko. Semi-supervised learning with ladder networks. NIPS 2015.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.memo import stage
from sslviz.network.base import ClassifierObjective, NetworkClassifier
from sslviz.network.parameters import BatchSize, CostWeights, Epochs
from sslviz.network.stages.ladder import CleanEncoder, Ladder, ladder_weights, layer_costs
from sslviz.params import Number
from sslviz.training.batches import BatchSampler
from sslviz.training.loop import train
from sslviz.training.mlp import centre_points, flat_parameters
from sslviz.training.parameters import Layers

RATE, DECAY_SHARE = (
    0.002,
    1 / 3,
)  # of Adam, and the last part of the training, in which it falls to 0
SPREAD = 0.4  # standard deviation that X is scaled to; pixels from 0 to 1 have .26 to .34
PICTURES, ARROWS = 10, 60  # points shown noisy and rebuilt: images, and places of the plane


class LadderObjective(ClassifierObjective):
    """The loss on batches of labelled points, and of all points taken as unlabelled.

    Without any weight there is no decoder: the same noisy network on labelled points alone.
    """

    def __init__(
        self,
        X: np.ndarray,
        target: np.ndarray,
        *,
        sizes: tuple[int, ...],
        noise: float,
        weights: tuple[float, ...],
        batch_size: int,
        epochs_planned: int,
        seed: int,
        device: str,
    ):
        first, second, rest = weights
        per_layer = (first, second, *[rest] * (len(sizes) - 2))
        self.decodes = any(per_layer)
        self.weights: tuple[float, ...] = (1.0, *(per_layer if self.decodes else ()))
        hidden = [f"layer {at}" for at in range(1, len(sizes) - 1)]
        layers = ("input", *hidden, "output") if self.decodes else ()
        self.names: tuple[str, ...] = ("cross-entropy", *layers)
        self.noise, self.seed, self.target = noise, seed, target
        self._batch_size, self._planned = batch_size, epochs_planned
        at = pick_device(device)
        arrays = ladder_weights(sizes, np.random.default_rng(seed), decoder=self.decodes)
        self.theta, self.parts = flat_parameters(arrays, at)
        self.ladder = Ladder(sizes, self.parts)
        spread = float(np.sqrt(np.var(X, axis=0, dtype=np.float64).mean()))
        self._unit = spread / SPREAD if spread else 1.0
        self._X, self._centre = centre_points(X, at, self._unit)
        labelled = np.flatnonzero(target >= 0)
        self._labelled = to_torch(labelled, at)
        self._classes = to_torch(target[labelled], at)
        pools = len(labelled), len(X)
        batches = tuple(min(batch_size, pool) for pool in pools)
        self._sampler = BatchSampler(pools, batches, at, per_epoch=self.per_epoch)

    @property
    def per_epoch(self) -> int:
        return -(-len(self.target) // self._batch_size)

    def rate(self, iteration: int) -> float:
        """.002, falling to 0 over the last third."""
        total = self._planned * self.per_epoch
        return RATE * float(np.clip((total - iteration) / (DECAY_SHARE * total), 0, 1))

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """Cross-entropy, and the cost of every layer from the input on."""
        rows, others = self._sampler.batch(self.seed, iteration)
        noise = self._noise(iteration, len(rows), len(others) if self.decodes else 0)
        logits = self.ladder.encode(self._X[self._labelled[rows]], noise[0])[1]
        supervised = cross_entropy(logits, self._classes[rows])
        if not self.decodes:
            return (supervised,)
        X = self._X[others]
        clean, _ = self.ladder.encode(X)
        noisy, logits = self.ladder.encode(X, noise[1])
        return supervised, *layer_costs(clean, self.ladder.decode(noisy, logits))

    def _noise(self, iteration: int, *rows: int) -> list[list[torch.Tensor]]:
        """For labelled and unlabelled rows, a tensor for every layer."""
        sizes = self.ladder.sizes
        total = sum(rows) * sum(sizes)
        flat = self.noise * self._sampler.directions(self.seed, iteration, (total,))
        shapes = [(count, size) for count in rows for size in sizes]
        parts = [
            part.view(shape)
            for part, shape in zip(flat.split([a * b for a, b in shapes]), shapes, strict=True)
        ]
        return [parts[: len(sizes)], parts[len(sizes) :]]

    def predictor(self) -> CleanEncoder:
        """The clean pass, normalised by the training points."""
        with torch.no_grad():
            statistics = self.ladder.clean_statistics(self._X)
        return CleanEncoder(self.ladder, statistics, self._centre, self._unit)

    def _points_shown(self) -> np.ndarray:
        """A labelled point of each class, then some others; in the plane, more of them."""
        count = ARROWS if self._X.shape[1] == 2 else PICTURES
        classes, first = np.unique(self.target, return_index=True)
        evenly = np.linspace(0, len(self._X) - 1, count).astype(int)
        order = np.concatenate([first[classes >= 0], evenly])
        return order[np.sort(np.unique(order, return_index=True)[1])][:count]

    @torch.no_grad()
    def picture(self) -> dict[str, np.ndarray]:
        """Some points, (k, d) each: clean, with noise, and rebuilt from it."""
        if not self.decodes:
            return {}
        n, chosen = len(self._X), self._points_shown()
        others = np.setdiff1d(np.linspace(0, n - 1, min(self._batch_size, n)).astype(int), chosen)
        X = self._X[to_torch(np.concatenate([chosen, others]), self._X.device)]
        noise = self._noise(0, 0, len(X))[1]
        noisy, logits = self.ladder.encode(X, noise)
        rebuilt = self.ladder.decode(noisy, logits)[0]
        images = {"clean": X, "noisy": noisy[0].z, "rebuilt": rebuilt}
        return {"points": chosen} | {
            name: to_numpy(self._unit * Z[: len(chosen)] + self._centre)
            for name, Z in images.items()
        }


@stage("training")
def train_ladder(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of a `LadderObjective`."""
    return train(LadderObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class LadderNetwork(NetworkClassifier):
    """Ladder network: cross-entropy under noise, and a decoder that removes noise in every layer.

    An epoch is one pass through all points in batches; each batch has as many labelled points, or
    all if there are fewer. Adam with rate .002, which falls to 0 over the last third. New points
    are predicted by the clean pass, normalised by mean and standard deviation of the training
    points. X is centred, and scaled as a whole to the standard deviation .4, near that of pixels
    from 0 to 1, so that the noise does not depend on the units of X.

    Attributes: `classes_`, `transduction_`, `label_distributions_` (n, C), `losses_` (epochs,
    terms) cross-entropy and the cost of each layer from the input on.
    """

    title = "Ladder network"
    paper = "Rasmus, Valpola, Honkala, Berglund & Raiko, NIPS 2015"
    formula = (
        r"\textcolor{1}{-\operatorname{mean}_{\text{labelled}}\log\tilde p(y\mid x)}+"
        r"\textcolor{unlabelled}{\sum_\ell w_\ell\operatorname{mean}(\hat z_\ell-z_\ell)^2}",
        r"\hat z=(\tilde z-\mu(u))\,v(u)+\mu(u)",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"weights": (0, 0, 0)}
    _objective, _train = LadderObjective, staticmethod(train_ladder)

    hidden: Annotated[
        tuple[int, ...],
        Layers(
            "Sizes of the hidden layers.",
            ((250, 100), (1000, 500, 250)),
            ("small and quick", "as in the table of SSDL-GA"),
            label="hidden layers",
            advanced=True,
        ),
    ] = (250, 100)
    noise: Annotated[
        float,
        Number(
            "Standard deviation of the noise: at the input for pixels from 0 to 1 (other data are "
            "brought to that scale), inside for normalised layers. 0: nothing to remove.",
            valid=(0, np.inf),
            shown=(0, 1),
            label="noise",
        ),
    ] = 0.3
    weights: Annotated[
        tuple[float, ...],
        CostWeights(
            "Weights of the denoising costs of the input, the first layer and each layer above.",
            ((1000, 10, 0.1), (10, 1, 0.1), (0, 0, 0)),
            ("as in the paper", "smaller", "none: labelled points alone"),
            label="weights of the layers",
            symbol="w",
        ),
    ] = (1000, 10, 0.1)
    epochs: Epochs = 60
    batch_size: BatchSize = 100

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with the small network."""
        return 60 * -(-n // 100) * (0.006 + 8e-6 * n_features)

    def _arguments(self, X: np.ndarray, target: np.ndarray, n_classes: int) -> dict[str, Any]:
        return {
            "sizes": (X.shape[1], *self.hidden, n_classes),
            "noise": float(self.noise),
            "weights": tuple(map(float, self.weights)),
            "batch_size": self.batch_size,
            "epochs_planned": self.epochs,
        }
