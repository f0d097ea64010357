r"""The two objectives of CatGAN: a classifier of real points against a generator of fakes.

    D: max H(p̄_real) − mean H(p_real) + mean H(p_fake) [− cross-entropy of given labels]
    G: max H(p̄_fake) − mean H(p_fake),   p̄ = mean p,   H(p) = −Σ_c p_c log p_c

D is at most 2 log C: sure of every real point, all clusters equally large, undecided about fakes.
Both players take a step at the same time, each along the gradient of its own objective. Batch
normalisation of D has separate statistics for real and fake points; the running averages, used for
prediction, are those of real points alone.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax, nll_loss

from sslviz.clustering.stages.scaling import Scaling, common_scaling
from sslviz.device import one_thread, pick_device, to_numpy, to_torch
from sslviz.training.batches import BatchSampler
from sslviz.training.mlp import Network, flat_parameters, initial_weights
from sslviz.training.objective import Objective

BATCH_POINTS = 100
LABELLED_BATCH = 50  # at most
RATE = 0.001
FAKES_SHOWN = 300


def mean_entropy(log_p: Tensor) -> Tensor:
    """Mean over the rows, given by their logarithms, of H(p)."""
    return -(log_p.exp() * log_p).sum(dim=1).mean()


def entropy_of_mean(log_p: Tensor) -> Tensor:
    """H(p̄) of rows given by their logarithms."""
    shares = log_p.exp().mean(dim=0)
    return -torch.special.xlogy(shares, shares).sum()


class RealPredictor:
    """The frozen classifier with the statistics of real points."""

    def __init__(self, classifier: Network, scaling: Scaling):
        self.classifier, self.scaling = classifier, scaling

    @property
    def device(self) -> torch.device:
        return self.classifier.device

    def probabilities(self, X: Tensor) -> Tensor:
        """(m, C)."""
        return self.classifier.probabilities(self.scaling(X))


class GameObjective(Objective):
    """Batches of real points and of as many fakes; `labels` (n,) are clusters, -1 unlabelled."""

    momenta = (0.5, 0.9)

    def __init__(
        self, X: np.ndarray, labels: np.ndarray, *, n_clusters: int, hidden: tuple[int, ...],
        n_noise: int, input_noise: float, seed: int, device: str,
    ):  # fmt: skip
        self.seed, self.n_noise, self.input_noise = seed, n_noise, input_noise
        self.names: tuple[str, ...] = (
            "entropy of shares", "entropy of points", "entropy of fakes", "entropy of fake shares",
        )  # fmt: skip
        self.weights: tuple[float, ...] = (-1.0, 1.0, -1.0, 0.0)
        at, rng = pick_device(device), np.random.default_rng(seed)
        known = np.flatnonzero(labels >= 0)
        if len(known):
            self.names, self.weights = (*self.names, "cross-entropy"), (*self.weights, 1.0)
        sizes = (X.shape[1], *hidden, n_clusters), (n_noise, *hidden[::-1], X.shape[1])
        arrays = [initial_weights(s, rng, spread=1.0, last=1.0) for s in sizes]
        self.theta, self.parts = flat_parameters([*arrays[0], *arrays[1]], at)
        self._cut = len(arrays[0])
        self.classifier = Network(sizes[0], self.parts[: self._cut])
        self.generator = Network(sizes[1], self.parts[self._cut :])
        points = to_torch(X, at, torch.float64)
        self._scaling = common_scaling(points)
        self._X = self._scaling(points).float()
        self._known, self._given = to_torch(known, at), to_torch(labels[known], at)
        pools = (len(X), len(known))
        sizes_of_batch = (min(BATCH_POINTS, len(X)), min(LABELLED_BATCH, len(known)))
        self._sampler = BatchSampler(pools, sizes_of_batch, at)

    def rate(self, iteration: int) -> float:
        return RATE

    def terms(self, iteration: int) -> tuple[Tensor, ...]:
        """H(p̄) and mean H of real points, mean H and H(p̄) of fakes, cross-entropy of labels."""
        points, labelled = self._sampler.batch(self.seed, iteration)
        real = torch.cat([self._X[points], self._X[self._known[labelled]]])
        noise = self._noise(iteration, len(real), len(points))
        fake = self.generator.logits(noise[1], "moved")
        log_real = log_softmax(self.classifier.logits(real + noise[0], "moved"), dim=1)
        log_fake = log_softmax(self.classifier.logits(fake + noise[2]), dim=1)
        log_given, log_real = log_real[len(points) :], log_real[: len(points)]
        terms: tuple[Tensor, ...] = (
            entropy_of_mean(log_real), mean_entropy(log_real),
            mean_entropy(log_fake), entropy_of_mean(log_fake),
        )  # fmt: skip
        if len(self._known):
            terms = (*terms, nll_loss(log_given, self._given[labelled]))
        return terms

    def _noise(self, iteration: int, real: int, fake: int) -> tuple[Tensor, Tensor, Tensor]:
        """Noise on real inputs, codes of the fakes, noise on the fakes."""
        features = self._X.shape[1]
        shapes = (real, features), (fake, self.n_noise), (fake, features)
        drawn = self._sampler.directions(self.seed, iteration, (sum(a * b for a, b in shapes),))
        parts = drawn.split([a * b for a, b in shapes])
        on_real, codes, on_fake = (p.view(s) for p, s in zip(parts, shapes, strict=True))
        return self.input_noise * on_real, codes, self.input_noise * on_fake

    def gradient(self, terms: Sequence[Tensor]) -> Tensor:
        """Of minus the objective of each player, with respect to its own parameters."""
        fake_entropy, fake_marginal = terms[2], terms[3]
        weighted = (w * term for w, term in zip(self.weights, terms, strict=True))
        classifier = torch.stack([*weighted]).sum()
        players = (
            (classifier, self.parts[: self._cut]),
            (fake_entropy - fake_marginal, self.parts[self._cut :]),
        )
        gradients = [
            g.reshape(-1)
            for loss, parts in players
            for g in torch.autograd.grad(loss, parts, retain_graph=True)
        ]
        return torch.cat(gradients)

    def predictor(self) -> RealPredictor:
        return RealPredictor(self.classifier.frozen_copy(), self._scaling)

    def state(self) -> dict[str, Tensor]:
        return {
            f"{player} {name}": tensor
            for player, network in (("classifier", self.classifier), ("generator", self.generator))
            for name, tensor in network.state().items()
        }

    def fakes(self, count: int, seed: int) -> np.ndarray:
        """(count, d) points of the generator, in the units of the data."""
        rng = np.random.default_rng(seed)
        codes = rng.standard_normal((count, self.n_noise)).astype(np.float32)
        with torch.no_grad(), one_thread():
            generator = self.generator.frozen_copy()
            made = generator.logits(to_torch(codes, generator.device, torch.float64), "used")
            return to_numpy(self._scaling.inverse(made))

    def picture(self) -> dict[str, np.ndarray]:
        """The same few fakes at every moment."""
        return {"fakes": self.fakes(FAKES_SHOWN, self.seed)}
