r"""Spectral embedded deep clustering (SEDC): a network learns to agree with the clustered hubs.

    loss = R_VAT + λ₁/h Σ_hubs KL[p(y|x_i) ‖ q_i] + λ₂ H(Y|X),   H = −mean_x Σ_j p_j log p_j

SGSC gives h hubs the probabilities q of their clusters. A network with a softmax output learns
three things at once: to agree with q on the hubs, to be confident everywhere (small entropy: no
border through dense points), and to keep its prediction within a small distance of every point,
also in the worst direction (virtual adversarial training). Clusters then spread from the hubs
through dense regions and stop at gaps. The network also predicts new points.

**What to look for:** the regions of the plane, epoch by epoch. The network can correct a few wrong
hubs, not a cluster that SGSC has missed: check the eigenvalues and σ first. With the printed
KL[p ‖ q] the gradient vanishes for every confident p, right or wrong, so a small cluster can be
lost for good: watch the number of clusters used. KL[q ‖ p] recovers it. Set ξ to a few hundred
radii and the adversarial directions become random ones.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part II,
Algorithm 4.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
import torch
from torch.nn.functional import log_softmax

from sslviz.clustering.base import HubClusterer, ThesisRow
from sslviz.clustering.deep_base import AdversarialClusterer, layer_sizes
from sslviz.clustering.parameters import Epochs, Hidden
from sslviz.device import pick_device, to_torch
from sslviz.memo import stage
from sslviz.params import Choice, Number
from sslviz.training.batches import BatchSampler
from sslviz.training.loop import TrainingRun, train
from sslviz.training.mlp import Network, centre_points, flat_parameters, initial_weights
from sslviz.training.objective import Objective
from sslviz.training.parameters import PerturbationRadius, ProbeDistance
from sslviz.training.vat import adversarial_direction, divergence, vat_loss


class HubObjective(Objective):
    """Eq. 35 on batches of h/10 hubs and (n − h)/100 other points."""

    names: tuple[str, ...] = ("vat", "hubs", "entropy")

    def __init__(
        self,
        X: np.ndarray,
        hubs: np.ndarray,
        Q: np.ndarray,
        radii: np.ndarray,
        *,
        sizes: tuple[int, ...],
        lam1: float,
        lam2: float,
        xi: float,
        kl: str,
        seed: int,
        device: str,
    ):
        self.weights: tuple[float, ...] = (1.0, lam1, lam2)
        self.xi, self.kl, self.seed = xi, kl, seed
        at = pick_device(device)
        self.theta, self.parts = flat_parameters(
            initial_weights(sizes, np.random.default_rng(seed)), at
        )
        self.network = Network(sizes, self.parts)
        others = np.setdiff1d(np.arange(len(X)), hubs)
        self.hubs, self.Q, self.radii = hubs, Q, radii
        self._points = to_torch(np.concatenate([hubs, others]), at)
        self._X, self._centre = centre_points(X, at)
        self._eps = to_torch(radii[:, None], at, torch.float32)
        # The logarithm of a probability of 0 must stay finite.
        self._log_q = to_torch(np.log(np.maximum(Q, 1e-300)), at, torch.float32)
        self._sampler = BatchSampler(
            (len(hubs), len(others)), batch_sizes(len(hubs), len(others)), at
        )

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """VAT, hubs, entropy; one forward pass of the unperturbed batch serves all three."""
        hubs, others = self._sampler.batch(self.seed, iteration)
        points = self._points[torch.cat([hubs, others + len(self.hubs)])]
        X, eps = self._X[points], self._eps[points]
        log_p = log_softmax(self.network.logits(X, "moved"), dim=1)
        d = self._sampler.directions(self.seed, iteration, tuple(X.shape))
        r = adversarial_direction(self.network.logits, X, log_p, d, eps, self.xi)
        vat = vat_loss(self.network.logits, X, log_p, r)
        pair = log_p[: len(hubs)], self._log_q[hubs]
        agreement = divergence(*(pair if self.kl == "pq" else pair[::-1])).mean()
        entropy = -(log_p.exp() * log_p).sum(dim=1).mean()
        return vat, agreement, entropy

    def predictor(self) -> Network:
        return self.network.frozen_copy(self._centre)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()


def batch_sizes(hubs: int, others: int) -> tuple[int, int]:
    """A tenth of the hubs and a hundredth of the others; at least two points to normalise by."""
    h, o = max(1, round(hubs / 10)), min(others, max(1, round(others / 100)))
    return (h, o) if h + o > 1 else (min(2, hubs), o)


@stage("training")
def train_sedc(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of a `HubObjective`."""
    return train(HubObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class SEDC(HubClusterer, AdversarialClusterer):
    """Spectral embedded deep clustering (Algorithm 4): SGSC's hubs, then a network.

    X is used as given. Batch normalisation on hidden layers only, Adam with rate .002, 100
    iterations per epoch. After training the network predicts with running averages, for training
    points and new ones alike: `labels_` equals `predict(X)`.

    Attributes: `labels_` (n,), `losses_` (epochs, 3) VAT, hubs and entropy, `hubs_` (h,) by falling
    degree, `hub_distributions_` (h, C).
    """

    title, abbreviation = "Spectral embedded deep clustering", "SEDC"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part II"
    formula = (
        r"\textcolor{1}{R_{\mathrm{VAT}}}+\textcolor{2}{\tfrac{\lambda_1}h\sum_{"
        r"\text{hubs}}\operatorname{KL}[\,p(y\mid x_i)\,\|\,q_i\,]}+"
        r"\textcolor{3}{\lambda_2H(Y\mid X)},\;y=1,\dots,C",
        r"\|r\|=\alpha\|x-x^{(10)}\|",
        r"r\propto\nabla_r\operatorname{KL}\text{ at length }\xi\|r\|",
        r"q\text{ by SGSC: }k_0,k_1,\sigma",
    )
    printed = ThesisRow("any", "yes", "yes", "medium", "strong", "medium")
    _objective, _train = HubObjective, staticmethod(train_sedc)

    lam1: Annotated[
        float,
        Number(
            "Weight of the agreement with the hubs.",
            valid=(0, np.inf),
            shown=(0, 4),
            label="weight of the hubs",
            symbol="λ₁",
        ),
    ] = 1.0
    lam2: Annotated[
        float,
        Number(
            "Weight of the entropy. Large: confident everywhere, borders move out of dense "
            "regions.",
            valid=(0, np.inf),
            shown=(0, 4),
            label="weight of the entropy",
            symbol="λ₂",
        ),
    ] = 1.0
    alpha: PerturbationRadius = 0.4
    xi: ProbeDistance = 0.1
    hidden: Hidden = "auto"
    epochs: Epochs = 25
    kl: Annotated[
        str,
        Choice(
            "Which Kullback-Leibler divergence between network (p) and hubs (q) is minimised.",
            ("pq", "qp"),
            (
                "as printed, no gradient once p is confident",
                "corrects confident mistakes",
            ),
            label="direction of KL",
            titles=("KL(p ‖ q)", "KL(q ‖ p)"),
        ),
    ] = "pq"

    def _arguments(self, X: np.ndarray) -> dict[str, Any]:
        seed = self._draw_seed()
        found = self._cluster_hubs(X, seed)
        sizes = layer_sizes(X.shape[1], self.hidden, self.n_clusters)
        own = {n: getattr(self, n) for n in ("lam1", "lam2", "xi", "kl", "device")}
        radii = self.perturbation_radii(X)
        return dict(X=X, hubs=found.hubs, Q=found.Q, radii=radii, sizes=sizes, seed=seed, **own)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        assert isinstance(run.objective, HubObjective)
        self.hubs_, self.hub_distributions_ = run.objective.hubs, run.objective.Q
        return self
