r"""Squeeze the points through a narrow network, then tighten the clusters k-means sees there.

    q_ij ∝ (1 + ‖z_i − μ_j‖²)⁻¹,   p_ij ∝ q_ij² / Σ_i q_ij,   loss = mean_i Σ_j p_ij log(p_ij/q_ij)

An autoencoder learns to rebuild every point x from a short code z; k-means puts centres μ among the
codes. Then encoder and centres move together: q says how likely a code belongs to each centre, and
the target p exaggerates it, sharper and with large clusters held back. Chasing its own exaggeration
the network pulls codes towards centres and empties the space between them. Every epoch the target
is taken anew, until hardly a label changes.

**What to look for:** the answer is decided by the autoencoder and the first k-means; tightening
repairs borders, not a wrong start. In the plane a code has nothing to squeeze: rings stay rings,
and k-means cuts them like a cake. On images the code does most of the work.

Xie, Girshick, Farhadi. Unsupervised deep embedding for clustering analysis. ICML 2016.
"""

from typing import Annotated, Any

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_memory
from threadpoolctl import threadpool_limits

from sslviz.clustering.deep_base import DeepClusterer, Epochs, Layers, finished, layers
from sslviz.clustering.parameters import Clusters
from sslviz.clustering.stages.mlp import Network, centred, first_weights, flat_parameters
from sslviz.clustering.stages.training import EPOCH, BatchSampler, TrainingRun, in_blocks
from sslviz.device import pick_device, to_numpy
from sslviz.memo import stage
from sslviz.params import Number

BATCH = 256  # the paper's
SMALL, PRINTED = (64, 64), (500, 500, 2000)


class Codes:
    """An encoder and centres among its codes: q of any point."""

    def __init__(self, encoder: Network, centres: torch.Tensor):
        self.encoder, self.centres = encoder, centres

    @property
    def device(self) -> torch.device:
        return self.centres.device

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) Student's t kernel around the centres, rows to sum 1."""
        Z = self.encoder.logits(X, "used")
        squares = (Z[:, None, :] - self.centres).square().sum(dim=2)
        q = 1 / (1 + squares)
        return q / q.sum(dim=1, keepdim=True)


class ReconstructionObjective:
    """The autoencoder: mean squared error of a batch passed through the code."""

    names: tuple[str, ...] = ("reconstruction",)
    weights: tuple[float, ...] = (1.0,)
    still = False

    def __init__(self, X: np.ndarray, *, sizes: tuple[int, ...], seed: int, device: str):
        self.seed = seed
        at, rng = pick_device(device), np.random.default_rng(seed)
        halves = [
            first_weights(s, rng, normalised=False, spread=1.0, last=1.0)
            for s in (sizes, sizes[::-1])
        ]
        self.theta, self.parts = flat_parameters([*halves[0], *halves[1]], at)
        cut = len(halves[0])
        self.encoder = Network(sizes, self.parts[:cut], normalised=False)
        self.decoder = Network(sizes[::-1], self.parts[cut:], normalised=False)
        self._X, self._centre = centred(X, at)
        self._draws = BatchSampler((len(X),), (min(BATCH, len(X)),), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        (points,) = self._draws.batch(self.seed, iteration)
        X = self._X[points]
        return ((self.decoder.logits(self.encoder.logits(X)) - X).square().mean(),)

    def answer(self) -> Codes:
        """Everything in one cluster: there are no centres yet."""
        nowhere = self._X.new_zeros((1, self.encoder.sizes[-1]))
        return Codes(self.encoder.settled(self._centre), nowhere)

    def state(self) -> dict[str, torch.Tensor]:
        return {}


@stage("autoencoder")
def encoded(
    X: np.ndarray, *, sizes: tuple[int, ...], epochs: int, seed: int, device: str
) -> tuple[np.ndarray, ...]:
    """The codes (n, d) of an autoencoder after so many epochs, and its encoder's arrays."""
    course = TrainingRun(ReconstructionObjective(X, sizes=sizes, seed=seed, device=device), X)
    course.advance(epochs * EPOCH)
    return codes_of(course)


def codes_of(course: TrainingRun) -> tuple[np.ndarray, ...]:
    """The same of a course of rebuilding as it stands."""
    assert isinstance(course.lesson, ReconstructionObjective)
    encoder, X = course.lesson.encoder, course.lesson._X
    with torch.no_grad():
        Z = torch.cat([encoder.logits(x) for x in X.split(2**13)])
    return to_numpy(Z), *(to_numpy(part).copy() for part in encoder.parts)


@stage("k-means")
def first_centres(Z: np.ndarray, *, n_clusters: int, seed: int) -> np.ndarray:
    """(C, d) by k-means, the best of the paper's 20 starts."""
    with threadpool_limits(1, user_api="openmp"):  # small sums, always in the same order
        found = KMeans(n_clusters, n_init=20, random_state=seed).fit(Z.astype(np.float64))
    return found.cluster_centers_


class ClusterObjective:
    """KL[P ‖ Q] on batches of 256 points; P is taken anew at the beginning of every epoch."""

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
        self.codes = Codes(Network(sizes, self.parts[:-1], normalised=False), self.parts[-1])
        self._X, self._centre = centred(X, at)
        self._P = self._X.new_zeros((len(X), len(centres)))
        self._changed = self._X.new_ones(())  # share of labels that did at the last look
        self._draws = BatchSampler((len(X),), (min(BATCH, len(X)),), at)

    @property
    def still(self) -> bool:
        """Whether hardly a label changed in the epoch before this."""
        return float(self._changed) < self.tol

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """KL[P ‖ Q], P held constant."""
        if iteration % EPOCH == 0:
            self._look(first=iteration == 0)
        (points,) = self._draws.batch(self.seed, iteration)
        p, q = self._P[points], self.codes.probabilities(self._X[points])
        return ((torch.special.xlogy(p, p) - p * q.log()).sum(dim=1).mean(),)

    @torch.no_grad()
    def _look(self, first: bool) -> None:
        Q = torch.cat([self.codes.probabilities(x) for x in self._X.split(2**13)])
        P = target(Q)
        if not first:
            self._changed.copy_((P.argmax(dim=1) != self._P.argmax(dim=1)).float().mean())
        self._P.copy_(P)

    def answer(self) -> Codes:
        centres = self.codes.centres.detach().to(torch.float64, copy=True)
        return Codes(self.codes.encoder.settled(self._centre), centres)

    def state(self) -> dict[str, torch.Tensor]:
        return {"target": self._P, "changed": self._changed}


def target(Q: torch.Tensor) -> torch.Tensor:
    """Q squared, columns divided by their sums, rows to sum 1."""
    P = Q.square() / Q.sum(dim=0)
    return P / P.sum(dim=1, keepdim=True)


def dec_learnt(*, epochs: int, **plan: Any) -> tuple[np.ndarray, ...]:
    """The state of the course at its end; the plan is that of a `TighteningLesson`."""
    return finished(TrainingRun(ClusterObjective(**plan), plan["X"]), epochs)


class DEC(DeepClusterer):
    """Deep embedded clustering: an autoencoder, k-means on its codes, then both together.

    The autoencoder is trained for all epochs, then the second part for as many or until it stops.
    The first happens in one go, plainly: layer by layer with dropout, as in the paper, is
    no longer needed with today's starts and Adam, which is used for both parts. The courses of
    `course` and `steps` are those of the second part; the first is done before they begin, or
    elsewhere: `rebuilding` is its course, and `course` takes what that has learnt.

    Attributes: `labels_` (n,), `losses_` (epochs, 1) KL[P ‖ Q], `codes_` (n, d) of the points
    and `centres_` (C, d) among them.
    """

    title, family = "Deep embedded clustering", "clustering"
    paper = "Xie, Girshick & Farhadi, ICML 2016"

    _lesson, _learnt = ClusterObjective, staticmethod(dec_learnt)

    def __init__(
        self,
        n_clusters: Clusters = 8,
        n_codes: Annotated[
            int,
            Number(
                "Numbers in the code of a point.",
                valid=(1, 10**4),
                shown=(1, 20),
                label="length of the code",
                symbol="d",
            ),
        ] = 10,
        hidden: Annotated[
            tuple[int, ...] | str,
            Layers(
                "Sizes of the encoder's hidden layers; the decoder has them in reverse.",
                ("auto", SMALL, PRINTED),
                ("by the number of features", "small and quick", "as printed"),
                label="hidden layers",
                advanced=True,
            ),
        ] = "auto",
        epochs: Epochs = 25,
        tol: Annotated[
            float,
            Number(
                "Share of labels; when fewer change in an epoch, the next is the last.",
                valid=(0, 1),
                shown=(0, 0.05),
                label="stop at",
                advanced=True,
            ),
        ] = 0.001,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.n_codes = n_codes
        self.hidden = hidden
        self.epochs = epochs
        self.tol = tol
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def _shared(self, X: np.ndarray) -> dict[str, Any]:
        sizes = layers(X.shape[1], self.hidden, self.n_codes, few=SMALL, many=PRINTED)
        return {"sizes": sizes, "seed": self._seed(), "device": self.device}

    def _plan(self, X: np.ndarray, rebuilt: TrainingRun | None = None) -> dict[str, Any]:
        shared, cached = self._shared(X), check_memory(self.memory).cache
        Z, *encoder = (
            codes_of(rebuilt) if rebuilt else cached(encoded)(X, epochs=self.epochs, **shared)
        )
        centres = cached(first_centres)(Z, n_clusters=self.n_clusters, seed=shared["seed"])
        return dict(X=X, encoder=tuple(encoder), centres=centres, tol=self.tol, **shared)

    def rebuilding(self, X: Any) -> TrainingRun:
        """The first part, ready to be advanced for all epochs."""
        X = self._checked(X)
        return TrainingRun(ReconstructionObjective(X, **self._shared(X)), X)

    def course(self, X: Any, rebuilt: TrainingRun | None = None) -> TrainingRun:
        """The second part, ready to be advanced; after the first as it stands, if it is given."""
        X = self._checked(X)
        return TrainingRun(ClusterObjective(**self._plan(X, rebuilt)), X)

    def settle(self, course: TrainingRun) -> "DEC":
        """Keep what the course has learnt so far: the estimator is fitted with it."""
        super().settle(course)
        assert isinstance(self._answer, Codes)
        self.codes_ = in_blocks(self._answer.encoder.logits, course.X, self._answer.device)
        self.centres_ = to_numpy(self._answer.centres)
        return self
