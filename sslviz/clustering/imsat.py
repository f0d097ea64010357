r"""IMSAT: a network learns informative clusters that do not change within a small distance.

    loss = R_VAT + λ (H(Y|X) − μ H(Y)),   H(Y) = −Σ_j p̄_j log p̄_j,   p̄ = mean_x p(y|x)

Information maximising self-augmented training uses no labels at all. A good clustering is confident
for every point (small H(Y|X)) and uses all clusters equally (large H(Y)): together, a large mutual
information between points and clusters. It also keeps the prediction within a small distance of
every point, in the worst direction (virtual adversarial training).

**What to look for:** clusters of equal size. μ pushes towards them, so rings with 50, 33 and 17%
of the points are cut across, as are four clusters of which one holds half of all points. Digits
come in equal numbers, and there IMSAT is one of the strongest methods. Only the perturbation term
holds a cluster together: with few points the radius reaches no neighbour, and the regions are
arbitrary sectors. X is used as given.

Without perturbations and with a penalty on the squared weights of the network instead
(`perturbation="none"`, `decay` > 0) it is regularised information maximisation (RIM): smooth in all
of space rather than around the points. Digits, 1500 iterations, two seeds: IMSAT 0.95, 0.87; RIM
with decay 0.001 0.82, 0.74; neither term 0.73, 0.65; decay 0.01 makes all predictions equal.

Hu, Miyato, Tokui, Matsumoto, Sugiyama. Learning discrete representations via information maximizing
self-augmented training. ICML 2017. Krause, Perona, Gomes. Discriminative clustering by regularized
information maximization. NIPS 2010.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import torch
from torch.nn.functional import log_softmax

from sslviz.clustering.base import ThesisRow
from sslviz.clustering.deep_base import AdversarialClusterer, layer_sizes
from sslviz.clustering.parameters import Epochs, Hidden
from sslviz.device import pick_device, to_torch
from sslviz.memo import stage
from sslviz.params import Choice, Number
from sslviz.training.batches import BatchSampler
from sslviz.training.loop import train
from sslviz.training.mlp import Network, centre_points, flat_parameters, initial_weights
from sslviz.training.objective import Objective
from sslviz.training.parameters import PerturbationRadius, ProbeDistance
from sslviz.training.vat import adversarial_direction, vat_loss

BATCH_POINTS = 250  # as in the paper


class InformationObjective(Objective):
    """The loss on batches of 250 points; H(Y) is that of the batch."""

    names: tuple[str, ...] = ("vat", "conditional entropy", "marginal entropy")

    def __init__(
        self,
        X: np.ndarray,
        radii: np.ndarray,
        *,
        sizes: tuple[int, ...],
        lam: float,
        mu: float,
        xi: float,
        seed: int,
        device: str,
        perturbation: str = "adversarial",
        decay: float = 0.0,
    ):
        self.weights: tuple[float, ...] = (1.0, lam, -lam * mu)
        if decay:
            self.names, self.weights = (*self.names, "squared weights"), (*self.weights, decay)
        self.perturbed = perturbation == "adversarial"
        self.xi, self.seed, self.radii = xi, seed, radii
        at = pick_device(device)
        self.theta, self.parts = flat_parameters(
            initial_weights(sizes, np.random.default_rng(seed)), at
        )
        self.network = Network(sizes, self.parts)
        self._X, self._centre = centre_points(X, at)
        self._eps = to_torch(radii[:, None], at, torch.float32)
        self._sampler = BatchSampler((len(X),), (min(BATCH_POINTS, len(X)),), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """VAT, H(Y|X), H(Y); one forward pass of the unperturbed batch serves all three."""
        (points,) = self._sampler.batch(self.seed, iteration)
        X, eps = self._X[points], self._eps[points]
        log_p = log_softmax(self.network.logits(X, "moved"), dim=1)
        vat = log_p.new_zeros(())
        if self.perturbed:
            d = self._sampler.directions(self.seed, iteration, tuple(X.shape))
            r = adversarial_direction(self.network.logits, X, log_p, d, eps, self.xi)
            vat = vat_loss(self.network.logits, X, log_p, r)
        p = log_p.exp()
        shares = p.mean(dim=0)
        marginal = -torch.special.xlogy(shares, shares).sum()
        found = (vat, -(p * log_p).sum(dim=1).mean(), marginal)
        return (*found, self.squared_weights()) if len(self.weights) > len(found) else found

    def squared_weights(self) -> torch.Tensor:
        """Σ W² over the weights of all layers; gains and shifts are not counted."""
        return torch.stack([part.square().sum() for part in self.parts if part.ndim == 2]).sum()

    def predictor(self) -> Network:
        return self.network.frozen_copy(self._centre)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()


@stage("training")
def train_imsat(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of an `InformationObjective`."""
    return train(InformationObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class IMSAT(AdversarialClusterer):
    """Information maximising self-augmented training with virtual adversarial perturbations.

    The network, its initial weights, Adam with rate .002, batches of 250, λ and μ are the paper's;
    an epoch is 100 iterations. The paper's radius has α = .4, its published code .25.

    Attributes: `labels_` (n,), `losses_` (epochs, 3) VAT, H(Y|X) and H(Y); with `decay` a fourth
    column, the squared weights.
    """

    title, abbreviation = "Information maximising self-augmented training", "IMSAT"
    paper = "Hu, Miyato, Tokui, Matsumoto & Sugiyama, ICML 2017"
    formula = (
        r"\textcolor{1}{R_{\mathrm{VAT}}}+\lambda\bigl(\textcolor{2}{H(Y\mid X)}-\mu\,"
        r"\textcolor{3}{H(Y)}\bigr),\;y=1,\dots,C",
        r"\|r\|=\alpha\|x-x^{(10)}\|",
        r"r\propto\nabla_r\operatorname{KL}\text{ at length }\xi\|r\|",
    )
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "alpha": ("perturbation", ("adversarial",)),
        "xi": ("perturbation", ("adversarial",)),
    }
    printed = ThesisRow("any", "yes", "yes", "medium", "medium", "medium")
    condition = "clusters are equally large"
    _objective, _train = InformationObjective, staticmethod(train_imsat)

    lam: Annotated[
        float,
        Number(
            "Weight of the information between points and clusters, against the perturbation term.",
            valid=(0, np.inf),
            shown=(0.01, 10),
            log=True,
            label="weight of the information",
            symbol="λ",
        ),
    ] = 0.1
    mu: Annotated[
        float,
        Number(
            "Weight of equal cluster sizes, against confidence in every point.",
            valid=(0, np.inf),
            shown=(0, 10),
            label="balance",
            symbol="μ",
        ),
    ] = 4.0
    alpha: PerturbationRadius = 0.4
    xi: ProbeDistance = 0.1
    hidden: Hidden = "auto"
    epochs: Epochs = 25
    perturbation: Annotated[
        str,
        Choice(
            "What keeps the prediction from changing close to the points.",
            ("adversarial", "none"),
            ("points are moved in the worst direction", "nothing: RIM, together with decay"),
            advanced=True,
        ),
    ] = "adversarial"
    decay: Annotated[
        float,
        Number(
            "Penalty on the squared weights of the network.",
            valid=(0, np.inf),
            shown=(0, 0.01),
            stops=(0.0, 1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01),
            label="weight decay",
            advanced=True,
        ),
    ] = 0.0

    @property
    def formula_in_force(self) -> tuple[str, ...]:
        loss, *radius = self.formula
        if self.perturbation == "none":
            loss, radius = loss.removeprefix(r"\textcolor{1}{R_{\mathrm{VAT}}}+"), []
        if self.decay:
            loss = loss.replace(r",\;y", r"+\textcolor{4}{\text{decay}\,\textstyle\sum W^2},\;y")
        return (loss, *radius)

    def _arguments(self, X: np.ndarray) -> dict[str, Any]:
        sizes = layer_sizes(X.shape[1], self.hidden, self.n_clusters)
        own = {n: getattr(self, n) for n in ("lam", "mu", "xi", "device", "perturbation", "decay")}
        radii = self.perturbation_radii(X)
        return dict(X=X, radii=radii, sizes=sizes, seed=self._draw_seed(), **own)
