r"""VAT classifier: the prediction should not change within a small distance of any point.

    loss = cross-entropy (labelled) + mean KL[p(y|x) ‖ p(y|x + r)] + λ H(Y|X)   (all points)

    r = the direction of length ε(x) in which the prediction changes most,   ε(x) = α ‖x − x⁽¹⁰⁾‖

Virtual adversarial training of a classifier. Labelled points give the network their classes. Every
point, labelled or not, is moved by its radius ε in the worst direction, and the prediction should
stay the same: no border closer to a point than ε. The radius is α times the distance to the tenth
neighbour, so that neighbouring points cover each other, and a label spreads through dense regions
up to the next gap. The entropy H asks for confident predictions, which moves borders out of dense
regions.

**What to look for:** regions that grow from the labelled points, and arrows that point across the
nearest border. Choose random directions of the same length: few of them point at a border, and the
regions spread less far. Without any perturbation the border is wherever the first iterations put
it. A wrong early border is frozen by the entropy, so the result depends on which points are
labelled: two moons (400 points, 3 labels per class, six draws) .79 to .99, mean .91; six draws of
2000 points .72 to .99, mean .84. Two networks for the same labels differ by half as much as two
draws of labels. Label propagation does the same job on a graph and is more reliable.

Miyato, Maeda, Koyama, Ishii. Virtual adversarial training. IEEE PAMI 41, 2019 (2017).
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import torch
from torch.nn.functional import cross_entropy, log_softmax

from sslviz.device import pick_device, to_torch
from sslviz.memo import stage
from sslviz.network.base import ClassifierObjective, NetworkClassifier
from sslviz.network.parameters import BatchSize, EntropyWeight, Epochs
from sslviz.params import Choice
from sslviz.training.batches import BatchSampler
from sslviz.training.estimator import AdversarialEstimator
from sslviz.training.loop import train
from sslviz.training.mlp import Network, centre_points, flat_parameters, initial_weights
from sslviz.training.parameters import Layers, PerturbationRadius, ProbeDistance
from sslviz.training.vat import adversarial_direction, unit_length, vat_loss


class PerturbationObjective(ClassifierObjective):
    """The loss on batches of labelled and unlabelled points, normalised together."""

    names: tuple[str, ...] = ("cross-entropy", "perturbation", "entropy")

    def __init__(
        self,
        X: np.ndarray,
        target: np.ndarray,
        radii: np.ndarray,
        *,
        sizes: tuple[int, ...],
        entropy: float,
        perturbation: str,
        xi: float,
        batch_size: int,
        seed: int,
        device: str,
    ):
        self.weights: tuple[float, ...] = (1.0, float(perturbation != "none"), entropy)
        self.perturbation, self.xi, self.seed = perturbation, xi, seed
        self.target, self.radii, self._batch_size = target, radii, batch_size
        at = pick_device(device)
        self.theta, self.parts = flat_parameters(
            initial_weights(sizes, np.random.default_rng(seed)), at
        )
        self.network = Network(sizes, self.parts)
        labelled, others = np.flatnonzero(target >= 0), np.flatnonzero(target < 0)
        self._points = to_torch(np.concatenate([labelled, others]), at)
        self._n_labelled = len(labelled)
        self._classes = to_torch(target[labelled], at)
        self._X, self._centre = centre_points(X, at)
        self._eps = to_torch(radii[:, None], at, torch.float32)
        pools = len(labelled), len(others)
        batches = tuple(min(batch_size, pool) for pool in pools)
        self._sampler = BatchSampler(pools, batches, at, per_epoch=self.per_epoch)

    @property
    def per_epoch(self) -> int:
        return -(-len(self.target) // self._batch_size)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """Cross-entropy, change under perturbation, entropy; one unperturbed pass serves all."""
        rows, others = self._sampler.batch(self.seed, iteration)
        points = self._points[torch.cat([rows, others + self._n_labelled])]
        X, eps = self._X[points], self._eps[points]
        logits = self.network.logits(X, "moved")
        log_p = log_softmax(logits, dim=1)
        supervised = cross_entropy(logits[: len(rows)], self._classes[rows])
        entropy = -(log_p.exp() * log_p).sum(dim=1).mean()
        return supervised, self._change(iteration, X, eps, log_p), entropy

    def _change(
        self, iteration: int, X: torch.Tensor, eps: torch.Tensor, log_p: torch.Tensor
    ) -> torch.Tensor:
        if self.perturbation == "none":
            return X.new_zeros(())
        d = self._sampler.directions(self.seed, iteration, tuple(X.shape))
        if self.perturbation == "adversarial":
            r = adversarial_direction(self.network.logits, X, log_p, d, eps, self.xi)
        else:
            r = eps * unit_length(d)
        return vat_loss(self.network.logits, X, log_p, r)

    def predictor(self) -> Network:
        return self.network.frozen_copy(self._centre)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()


@stage("training")
def train_vat_classifier(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of a `PerturbationObjective`."""
    return train(PerturbationObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class VATClassifier(AdversarialEstimator, NetworkClassifier):
    """Classifier with virtual adversarial training: labels, smoothness close to the data, entropy.

    Hidden layers are batch-normalised, labelled and unlabelled rows together. A batch has
    `batch_size` unlabelled points and as many labelled ones, or all if there are fewer; an epoch is
    as many batches as hold all points once. Adam with rate .002. New points are predicted with
    running averages. X is used as given.

    Attributes: `classes_`, `transduction_`, `label_distributions_` (n, C), `losses_` (epochs, 3)
    cross-entropy, change under perturbation (KL) and entropy.
    """

    title, abbreviation = "VAT classifier", "VAT"
    paper = "Miyato, Maeda, Koyama & Ishii, IEEE PAMI 2019"
    formula = (
        r"\textcolor{1}{-\operatorname{mean}_{\text{labelled}}\log p(y\mid x)}+"
        r"\textcolor{2}{\operatorname{mean}\operatorname{KL}[\,p(y\mid x)\,\|\,p(y\mid x+r)"
        r"\,]}+\textcolor{3}{\lambda H(Y\mid X)}",
        r"\|r\|=\alpha\|x-x^{(10)}\|",
        r"r\propto\nabla_r\operatorname{KL}\text{ at length }\xi\|r\|",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"perturbation": "none", "entropy": 0.0}
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "alpha": ("perturbation", ("adversarial", "random")),
        "xi": ("perturbation", ("adversarial",)),
    }
    _objective, _train = PerturbationObjective, staticmethod(train_vat_classifier)

    hidden: Annotated[
        tuple[int, ...],
        Layers(
            "Sizes of the hidden layers.",
            ((128, 128), (1200, 1200)),
            ("small and quick", "as in the paper"),
            label="hidden layers",
            advanced=True,
        ),
    ] = (128, 128)
    alpha: PerturbationRadius = 0.4
    entropy: EntropyWeight = 1.0
    perturbation: Annotated[
        str,
        Choice(
            "In which direction points are moved by their radius.",
            ("adversarial", "random", "none"),
            ("the worst direction", "a random direction", "not moved"),
            label="perturbation",
        ),
    ] = "adversarial"
    epochs: Epochs = 200
    batch_size: BatchSize = 250
    xi: ProbeDistance = 0.1

    @property
    def formula_in_force(self) -> tuple[str, ...]:
        loss, length, direction = self.formula
        if self.perturbation == "none":
            before, _, after = loss.partition(r"\textcolor{2}")
            return (before + after[after.index(r"\textcolor{3}") :],)
        random = self.perturbation == "random"
        return loss, length, r"r\text{ of random direction}" if random else direction

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with the small network."""
        return 200 * -(-n // 250) * (0.006 + 2e-5 * n_features)

    def _arguments(self, X: np.ndarray, target: np.ndarray, n_classes: int) -> dict[str, Any]:
        return {
            "sizes": (X.shape[1], *self.hidden, n_classes),
            "radii": self.perturbation_radii(X),
            "entropy": float(self.entropy),
            "perturbation": self.perturbation,
            "xi": float(self.xi),
            "batch_size": self.batch_size,
        }
