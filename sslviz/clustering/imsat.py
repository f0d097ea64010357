r"""Let a network invent labels that tell as much as possible, and do not change nearby.

    loss = R_VAT + λ (H(Y|X) − μ H(Y)),   H(Y) = −Σ_j p̄_j log p̄_j,   p̄ = mean_x p(y|x)

Nobody gives a label. A good labelling is sure of every point (small H(Y|X)), uses all labels alike
(large H(Y)), which together is a large mutual information of points and labels, and says the same
within a small distance of every point, in the worst direction (virtual adversarial training).

**What to look for:** equal shares. μ pushes towards clusters of one size, so rings of 50, 33 and
17 % are cut across, as are four clusters of which one holds half of all points; on digits, which
come in equal numbers, this is one of the strongest methods there is. Nothing holds a cluster
together but the wish not to change nearby: with few points the radius bridges no gap, and regions
are cut like a cake. X is used as given, as everywhere here.

Hu, Miyato, Tokui, Matsumoto, Sugiyama. Learning discrete representations via information maximizing
self-augmented training. ICML 2017.
"""

from typing import Annotated, Any

import numpy as np
import torch
from torch.nn.functional import log_softmax

from sslviz.clustering.deep_base import DeepClusterer, Epochs, Hidden, Look, Share, finished, layers
from sslviz.clustering.parameters import Clusters
from sslviz.clustering.stages.mlp import Network, centred, first_weights, flat_parameters
from sslviz.clustering.stages.training import BatchSampler, TrainingRun
from sslviz.clustering.stages.vat import adversarial_direction, knn_radius, vat_loss
from sslviz.device import pick_device, to_torch
from sslviz.params import Number

BATCH = 250  # the paper's


class InformationLesson:
    """The loss on batches of 250 points, H(Y) being that of the batch."""

    names: tuple[str, ...] = ("vat", "conditional entropy", "marginal entropy")
    still = False

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
    ):
        self.weights: tuple[float, ...] = (1.0, lam, -lam * mu)
        self.xi, self.seed, self.radii = xi, seed, radii
        at = pick_device(device)
        self.theta, self.parts = flat_parameters(
            first_weights(sizes, np.random.default_rng(seed)), at
        )
        self.network = Network(sizes, self.parts)
        self._X, self._centre = centred(X, at)
        self._eps = to_torch(radii[:, None], at, torch.float32)
        self._draws = BatchSampler((len(X),), (min(BATCH, len(X)),), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """VAT, H(Y|X), H(Y). One clean pass serves all three."""
        (points,) = self._draws.batch(self.seed, iteration)
        X, eps = self._X[points], self._eps[points]
        log_p = log_softmax(self.network.logits(X, "moved"), dim=1)
        d = self._draws.directions(self.seed, iteration, tuple(X.shape))
        r = adversarial_direction(self.network.logits, X, log_p, d, eps, self.xi)
        p = log_p.exp()
        shares = p.mean(dim=0)
        marginal = -torch.special.xlogy(shares, shares).sum()
        return (
            vat_loss(self.network.logits, X, log_p, r),
            -(p * log_p).sum(dim=1).mean(),
            marginal,
        )

    def answer(self) -> Network:
        return self.network.settled(self._centre)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()


def imsat_learnt(*, epochs: int, **plan: Any) -> tuple[np.ndarray, ...]:
    """The state of the course after all epochs; the plan is that of an `InformationLesson`."""
    return finished(TrainingRun(InformationLesson(**plan), plan["X"]), epochs)


class IMSAT(DeepClusterer):
    """Information maximising self-augmented training, with virtual adversarial perturbations.

    The network, its start, Adam at .002, batches of 250, λ and μ are the paper's; an epoch is 100
    iterations. The paper's radius has α = .4, its published code .25.

    Attributes: `labels_` (n,), `losses_` (epochs, 3) VAT, H(Y|X) and H(Y).
    """

    title, family = "Information maximising self-augmented training", "clustering"
    paper = "Hu, Miyato, Tokui, Matsumoto & Sugiyama, ICML 2017"

    _lesson, _learnt = InformationLesson, staticmethod(imsat_learnt)

    def __init__(
        self,
        n_clusters: Clusters = 8,
        lam: Annotated[
            float,
            Number(
                "How much labels should tell, against holding nearby.",
                valid=(0, np.inf),
                shown=(0.01, 10),
                log=True,
                label="weight of the information",
                symbol="λ",
            ),
        ] = 0.1,
        mu: Annotated[
            float,
            Number(
                "How much clusters should be of one size, against being sure of every point.",
                valid=(0, np.inf),
                shown=(0, 10),
                label="balance",
                symbol="μ",
            ),
        ] = 4.0,
        alpha: Share = 0.4,
        xi: Look = 0.1,
        hidden: Hidden = "auto",
        epochs: Epochs = 25,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.lam = lam
        self.mu = mu
        self.alpha = alpha
        self.xi = xi
        self.hidden = hidden
        self.epochs = epochs
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def _plan(self, X: np.ndarray) -> dict[str, Any]:
        radii = self.alpha * knn_radius(X, memory=self.memory, device=self.device)
        sizes = layers(X.shape[1], self.hidden, self.n_clusters)
        kept = {n: getattr(self, n) for n in ("lam", "mu", "xi", "device")}
        return dict(X=X, radii=radii, sizes=sizes, seed=self._seed(), **kept)
