r"""Deep embedded clustering (DEC): an autoencoder, then clusters sharpened among its codes.

    q_ij ∝ (1 + ‖z_i − μ_j‖²)⁻¹,   p_ij ∝ q_ij² / Σ_i q_ij,   loss = mean_i Σ_j p_ij log(p_ij/q_ij)

An autoencoder learns to reconstruct every point x from a short code z; k-means places centres μ
among the codes. Then encoder and centres are trained together: q is the probability that a code
belongs to each centre, and the target p is a sharper q that gives large clusters less weight.
Minimising KL[p ‖ q] pulls codes towards centres and empties the space between clusters. The target
is computed anew in every epoch, until hardly any label changes.

**What to look for:** the autoencoder and the first k-means decide the result; the second part
corrects borders, not a wrong start. In the plane there is nothing to compress: rings stay rings,
and k-means cuts them into sectors. On images the code does most of the work. The result is within
.04 of its start, which depends on the initial weights: four clusters .61 to .93 over five seeds,
two moons .73 to .78. For P is made of q alone, so that it sharpens the first clusters and never
asks where gaps are: .92 to .97 of the labels stay. And codes of the plane are a bent copy of it
(distances correlate with those of X by .87 to .94), in which k-means errs as it does in X. Other
sizes of layers and codes on four clusters, and another unit of all features, did not change that;
with each feature scaled to variance 1 it is .60 to .83 and .71 to .88.

Xie, Girshick, Farhadi. Unsupervised deep embedding for clustering analysis. ICML 2016.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_memory
from threadpoolctl import threadpool_limits

from sslviz.clustering.base import ThesisRow
from sslviz.clustering.deep_base import DeepClusterer, layer_sizes
from sslviz.clustering.parameters import Epochs
from sslviz.device import pick_device, to_numpy
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.training.batches import BatchSampler
from sslviz.training.estimator import check_magnitude
from sslviz.training.loop import TrainingRun, train
from sslviz.training.mlp import Network, centre_points, flat_parameters, initial_weights
from sslviz.training.objective import Objective
from sslviz.training.parameters import Layers
from sslviz.training.prediction import BLOCK_POINTS, map_in_blocks

BATCH_POINTS = 256  # as in the paper
QUICK_ENCODER, PAPER_ENCODER = (64, 64), (500, 500, 2000)


class CodeClusters:
    """An encoder and cluster centres among its codes: q of any point."""

    def __init__(self, encoder: Network, centres: torch.Tensor):
        self.encoder, self.centres = encoder, centres

    @property
    def device(self) -> torch.device:
        return self.centres.device

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) Student's t kernel around the centres, rows sum to 1."""
        Z = self.encoder.logits(X, "used")
        squares = (Z[:, None, :] - self.centres).square().sum(dim=2)
        q = 1 / (1 + squares)
        return q / q.sum(dim=1, keepdim=True)


class ReconstructionObjective(Objective):
    """The autoencoder: mean squared error of the reconstruction of a batch."""

    names: tuple[str, ...] = ("reconstruction",)
    weights: tuple[float, ...] = (1.0,)

    def __init__(self, X: np.ndarray, *, sizes: tuple[int, ...], seed: int, device: str):
        self.seed = seed
        at, rng = pick_device(device), np.random.default_rng(seed)
        halves = [
            initial_weights(s, rng, normalised=False, spread=1.0, last=1.0)
            for s in (sizes, sizes[::-1])
        ]
        self.theta, self.parts = flat_parameters([*halves[0], *halves[1]], at)
        cut = len(halves[0])
        self.encoder = Network(sizes, self.parts[:cut], normalised=False)
        self.decoder = Network(sizes[::-1], self.parts[cut:], normalised=False)
        self._X, self._centre = centre_points(X, at)
        self._sampler = BatchSampler((len(X),), (min(BATCH_POINTS, len(X)),), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        (points,) = self._sampler.batch(self.seed, iteration)
        X = self._X[points]
        return ((self.decoder.logits(self.encoder.logits(X)) - X).square().mean(),)

    def predictor(self) -> CodeClusters:
        """One cluster for everything: there are no centres yet."""
        origin = self._X.new_zeros((1, self.encoder.sizes[-1]))
        return CodeClusters(self.encoder.frozen_copy(self._centre), origin)

    def codes(self) -> tuple[np.ndarray, ...]:
        """The codes (n, d) of the points, and the encoder's arrays."""
        with torch.no_grad():
            Z = torch.cat([self.encoder.logits(x) for x in self._X.split(BLOCK_POINTS)])
        return to_numpy(Z), *(to_numpy(part).copy() for part in self.encoder.parts)

    def state(self) -> dict[str, torch.Tensor]:
        return {}


@stage("autoencoder")
def train_autoencoder(
    X: np.ndarray, *, sizes: tuple[int, ...], epochs: int, seed: int, device: str
) -> tuple[np.ndarray, ...]:
    """The codes (n, d) of an autoencoder after so many epochs, and its encoder's arrays."""
    objective = ReconstructionObjective(X, sizes=sizes, seed=seed, device=device)
    train(objective, X, epochs)
    return objective.codes()


@stage("k-means")
def initial_centres(Z: np.ndarray, *, n_clusters: int, seed: int) -> np.ndarray:
    """(C, d) by k-means, the best of the paper's 20 starts."""
    with threadpool_limits(1, user_api="openmp"):  # sums in the same order on every machine
        found = KMeans(n_clusters, n_init=20, random_state=seed).fit(Z.astype(np.float64))
    return found.cluster_centers_


class ClusterObjective(Objective):
    """KL[P ‖ Q] on batches of 256 points; P is computed anew at the start of every epoch."""

    names: tuple[str, ...] = ("divergence",)
    weights: tuple[float, ...] = (1.0,)

    def __init__(
        self,
        X: np.ndarray,
        encoder: tuple[np.ndarray, ...],
        centres: np.ndarray,
        *,
        sizes: tuple[int, ...],
        tol: float,
        seed: int,
        device: str,
    ):
        self.tol, self.seed = tol, seed
        at = pick_device(device)
        self.theta, self.parts = flat_parameters([*encoder, centres], at)
        self.clusters = CodeClusters(
            Network(sizes, self.parts[:-1], normalised=False), self.parts[-1]
        )
        self._X, self._centre = centre_points(X, at)
        self._P = self._X.new_zeros((len(X), len(centres)))
        self._changed = self._X.new_ones(())  # share of labels, since the last target
        self._sampler = BatchSampler((len(X),), (min(BATCH_POINTS, len(X)),), at)

    @property
    def converged(self) -> bool:
        """Whether fewer than the share `tol` of the labels changed in the last epoch."""
        return float(self._changed) < self.tol

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """KL[P ‖ Q], P held constant."""
        if iteration % self.per_epoch == 0:
            self._update_target(first=iteration == 0)
        (points,) = self._sampler.batch(self.seed, iteration)
        p, q = self._P[points], self.clusters.probabilities(self._X[points])
        return ((torch.special.xlogy(p, p) - p * q.log()).sum(dim=1).mean(),)

    @torch.no_grad()
    def _update_target(self, first: bool) -> None:
        blocks = self._X.split(BLOCK_POINTS)
        Q = torch.cat([self.clusters.probabilities(x) for x in blocks])
        P = target_distribution(Q)
        if not first:
            self._changed.copy_((P.argmax(dim=1) != self._P.argmax(dim=1)).float().mean())
        self._P.copy_(P)

    def predictor(self) -> CodeClusters:
        centres = self.clusters.centres.detach().to(torch.float64, copy=True)
        return CodeClusters(self.clusters.encoder.frozen_copy(self._centre), centres)

    def state(self) -> dict[str, torch.Tensor]:
        return {"target": self._P, "changed": self._changed}


def target_distribution(Q: torch.Tensor) -> torch.Tensor:
    """P: Q squared, divided by the column sums of Q, rows scaled to sum 1."""
    P = Q.square() / Q.sum(dim=0)
    return P / P.sum(dim=1, keepdim=True)


@stage("training")
def train_dec(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state at the end of the second part; the arguments are those of a `ClusterObjective`."""
    return train(ClusterObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class DEC(DeepClusterer):
    """Deep embedded clustering: an autoencoder, k-means on its codes, then both together.

    The autoencoder is trained for all epochs, then the second part for as many or until it
    converges. Layer-wise pretraining with dropout, as in the paper, is not needed with today's
    initial weights and Adam, which serves both parts. `training` and `steps` are the second part;
    the first is done before, or watched as `pretraining` and handed to `training`.

    Attributes: `labels_` (n,), `losses_` (epochs, 1) KL[P ‖ Q], `codes_` (n, d) of the points
    and `centres_` (C, d) among them.
    """

    title, abbreviation = "Deep embedded clustering", "DEC"
    paper = "Xie, Girshick & Farhadi, ICML 2016"
    formula = (
        r"\operatorname{mean}_i\sum_jp_{ij}\log(p_{ij}/q_{ij})",
        r"q_{ij}\propto(1+\|z_i-\mu_j\|^2)^{-1},\;j=1,\dots,C",
        r"p_{ij}\propto q_{ij}^2/\textstyle\sum_iq_{ij}",
        r"z\in\mathbb R^d",
    )
    printed = ThesisRow("any", "no", "yes", "low", "medium", "medium")
    condition = "the autoencoder finds a good representation"
    _objective, _train = ClusterObjective, staticmethod(train_dec)

    n_codes: Annotated[
        int,
        Number(
            "Length of the code of a point.",
            valid=(1, 10**4),
            shown=(1, 20),
            label="length of the code",
            symbol="d",
        ),
    ] = 10
    hidden: Annotated[
        tuple[int, ...] | str,
        Layers(
            "Sizes of the encoder's hidden layers; the decoder has them in reverse.",
            ("auto", QUICK_ENCODER, PAPER_ENCODER),
            ("by the number of features", "small and quick", "as in the paper"),
            label="hidden layers",
            advanced=True,
        ),
    ] = "auto"
    epochs: Epochs = 25
    tol: Annotated[
        float,
        Number(
            "Training stops when a smaller share of the labels changes in an epoch.",
            valid=(0, 1),
            shown=(0, 0.05),
            label="tolerance",
            advanced=True,
        ),
    ] = 0.001

    def _network_arguments(self, X: np.ndarray) -> dict[str, Any]:
        check_magnitude(self, X)
        sizes = layer_sizes(
            X.shape[1], self.hidden, self.n_codes, quick=QUICK_ENCODER, paper=PAPER_ENCODER
        )
        return {"sizes": sizes, "seed": self._draw_seed(), "device": self.device}

    def _arguments(self, X: np.ndarray, pretrained: TrainingRun | None = None) -> dict[str, Any]:
        shared, cached = self._network_arguments(X), check_memory(self.memory).cache
        if pretrained is None:
            Z, *encoder = cached(train_autoencoder)(X, epochs=self.epochs, **shared)
        else:
            assert isinstance(pretrained.objective, ReconstructionObjective)
            Z, *encoder = pretrained.objective.codes()
        centres = cached(initial_centres)(Z, n_clusters=self.n_clusters, seed=shared["seed"])
        return dict(X=X, encoder=tuple(encoder), centres=centres, tol=self.tol, **shared)

    @property
    def pretraining_epochs(self) -> int:
        """Of the autoencoder: as many as of the second part."""
        return self.epochs

    def pretraining(self, X: Any) -> TrainingRun:
        """The first part, the autoencoder, ready to be advanced for all epochs."""
        X = self._check(X)
        return TrainingRun(ReconstructionObjective(X, **self._network_arguments(X)), X)

    def training(self, X: Any, pretrained: TrainingRun | None = None) -> TrainingRun:
        """The second part, ready to be advanced, after the first as it stands if it is given."""
        X = self._check(X)
        return TrainingRun(ClusterObjective(**self._arguments(X, pretrained)), X)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        found = self._predictor
        assert isinstance(found, CodeClusters)
        self.codes_ = map_in_blocks(found.encoder.logits, run.X, found.device)
        self.centres_ = to_numpy(found.centres)
        return self
