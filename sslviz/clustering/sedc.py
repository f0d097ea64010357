r"""Cluster the hubs by spectral clustering, then teach a network to agree with them everywhere.

    loss = R_VAT + λ₁/h Σ_hubs KL[p(y|x_i) ‖ q_i] + λ₂ H(Y|X),   H = −mean_x Σ_j p_j log p_j

SGSC says of h hubs to which cluster they belong, and how surely. A network with a softmax takes
these as given and learns three things at once: to agree with them, to be sure everywhere (small
entropy: no border through a crowd), and to say the same within a small distance of every point,
in the worst direction (virtual adversarial training). Labels then spread from hubs over crowds and
stop at gaps, and new points are answered by the network.

**What to look for:** regions of the plane, epoch by epoch. The network can repair hubs that are
few and wrong, not a cluster that SGSC has missed: look at its eigenvalues and at σ first. With the
printed KL[p ‖ q] every p that is sure, rightly or wrongly, is at rest, so a small cluster can be
lost for good: watch the number of clusters used. KL[q ‖ p] pulls it back. Move ξ to a few hundred
radii and the adversarial arrows become random ones.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part II,
Algorithm 4.
"""

from typing import Annotated, Any

import numpy as np
import torch
from torch.nn.functional import log_softmax

from sslviz.clustering.deep_base import DeepClusterer, Epochs, Hidden, Look, Share, finished, layers
from sslviz.clustering.parameters import (
    Clusters,
    GraphNeighbours,
    HubNeighbours,
    Hubs,
    HubWidth,
    Sharpness,
)
from sslviz.clustering.sgsc import hub_distributions
from sslviz.clustering.stages.mlp import Network, centred, first_weights, flat_parameters
from sslviz.clustering.stages.training import BatchSampler, TrainingRun
from sslviz.clustering.stages.vat import adversarial_direction, divergence, knn_radius, vat_loss
from sslviz.device import pick_device, to_torch
from sslviz.params import Choice, Number


class HubLesson:
    """Eq. 35 on batches of h/10 hubs and (n − h)/100 other points."""

    names: tuple[str, ...] = ("vat", "hubs", "entropy")
    still = False

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
            first_weights(sizes, np.random.default_rng(seed)), at
        )
        self.network = Network(sizes, self.parts)
        others = np.setdiff1d(np.arange(len(X)), hubs)
        self.hubs, self.Q, self.radii = hubs, Q, radii
        self._points = to_torch(np.concatenate([hubs, others]), at)
        self._X, self._centre = centred(X, at)
        self._eps = to_torch(radii[:, None], at, torch.float32)
        # Of a cluster that is impossible the logarithm must stay a number.
        self._log_q = to_torch(np.log(np.maximum(Q, 1e-300)), at, torch.float32)
        self._draws = BatchSampler(
            (len(hubs), len(others)), batch_sizes(len(hubs), len(others)), at
        )

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """VAT, hubs, entropy. One clean pass serves all three."""
        hubs, others = self._draws.batch(self.seed, iteration)
        points = self._points[torch.cat([hubs, others + len(self.hubs)])]
        X, eps = self._X[points], self._eps[points]
        log_p = log_softmax(self.network.logits(X, "moved"), dim=1)
        d = self._draws.directions(self.seed, iteration, tuple(X.shape))
        r = adversarial_direction(self.network.logits, X, log_p, d, eps, self.xi)
        vat = vat_loss(self.network.logits, X, log_p, r)
        pair = log_p[: len(hubs)], self._log_q[hubs]
        agreement = divergence(*(pair if self.kl == "pq" else pair[::-1])).mean()
        entropy = -(log_p.exp() * log_p).sum(dim=1).mean()
        return vat, agreement, entropy

    def answer(self) -> Network:
        return self.network.settled(self._centre)

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()


def batch_sizes(hubs: int, others: int) -> tuple[int, int]:
    """A tenth of the hubs and a hundredth of the others; at least two points to normalise by."""
    h, o = max(1, round(hubs / 10)), min(others, max(1, round(others / 100)))
    return (h, o) if h + o > 1 else (min(2, hubs), o)


def sedc_learnt(*, epochs: int, **plan: Any) -> tuple[np.ndarray, ...]:
    """The state of the course after all epochs; the plan is that of a `HubLesson`."""
    return finished(TrainingRun(HubLesson(**plan), plan["X"]), epochs)


class SEDC(DeepClusterer):
    """Spectral embedded deep clustering (Algorithm 4): SGSC's hubs, then a network.

    X is used as given. Batch normalisation on hidden layers only, Adam at .002, 100 iterations per
    epoch. After training the network answers by running averages, for the points it learnt from
    and for new ones alike: `labels_` equals `predict(X)`.

    Attributes: `labels_` (n,), `losses_` (epochs, 3) VAT, hubs and entropy, `hubs_` (h,) best
    first, `hub_distributions_` (h, C).
    """

    title, family = "Spectral embedded deep clustering", "clustering"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part II"

    _lesson, _learnt = HubLesson, staticmethod(sedc_learnt)

    def __init__(
        self,
        n_clusters: Clusters = 8,
        k_graph: GraphNeighbours = 10,
        k_hub: HubNeighbours = 10,
        n_hubs: Hubs = 500,
        sigma: HubWidth = "edges",
        gamma: Sharpness = 1e-60,
        lam1: Annotated[
            float,
            Number(
                "How much the network listens to the hubs.",
                valid=(0, np.inf),
                shown=(0, 4),
                label="weight of the hubs",
                symbol="λ₁",
            ),
        ] = 1.0,
        lam2: Annotated[
            float,
            Number(
                "How much it wants to be sure: borders move out of crowds.",
                valid=(0, np.inf),
                shown=(0, 4),
                label="weight of the entropy",
                symbol="λ₂",
            ),
        ] = 1.0,
        alpha: Share = 0.4,
        xi: Look = 0.1,
        hidden: Hidden = "auto",
        epochs: Epochs = 25,
        kl: Annotated[
            str,
            Choice(
                "How disagreement with a hub is measured.",
                ("pq", "qp"),
                ("as printed, at rest when sure", "flipped, never at rest on the wrong side"),
                label="direction of KL",
            ),
        ] = "pq",
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.k_graph = k_graph
        self.k_hub = k_hub
        self.n_hubs = n_hubs
        self.sigma = sigma
        self.gamma = gamma
        self.lam1 = lam1
        self.lam2 = lam2
        self.alpha = alpha
        self.xi = xi
        self.hidden = hidden
        self.epochs = epochs
        self.kl = kl
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def _plan(self, X: np.ndarray) -> dict[str, Any]:
        seed = self._seed()
        names = ("n_clusters", "k_graph", "k_hub", "n_hubs", "sigma", "gamma", "device", "memory")
        hubs, Q = hub_distributions(X, **{n: getattr(self, n) for n in names}, seed=seed)
        radii = self.alpha * knn_radius(X, memory=self.memory, device=self.device)
        sizes = layers(X.shape[1], self.hidden, self.n_clusters)
        kept = {n: getattr(self, n) for n in ("lam1", "lam2", "xi", "kl", "device")}
        return dict(X=X, hubs=hubs, Q=Q, radii=radii, sizes=sizes, seed=seed, **kept)

    def settle(self, course: TrainingRun) -> "SEDC":
        """Keep what the course has learnt so far: the estimator is fitted with it."""
        super().settle(course)
        assert isinstance(course.lesson, HubLesson)
        self.hubs_, self.hub_distributions_ = course.lesson.hubs, course.lesson.Q
        return self
