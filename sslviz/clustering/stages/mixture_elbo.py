r"""The objectives of VaDE: an autoencoder, and the variational bound with a mixture of Gaussians.

    −ELBO = −log p(x|z) + Σ_c γ_c KL[N(m, s²) ‖ N(μ_c, σ_c²)] + Σ_c γ_c log(γ_c/π_c)
    z = m + s ε,   γ_c = p(c|z) ∝ π_c N(z; μ_c, σ_c²)

The encoder gives m and log s², the decoder the mean of p(x|z). All three terms are never negative
but for the constant of a density. log π is counted once (the published code counts it once per
coordinate of the code), and gradients pass through γ.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from sslviz.clustering.stages.scaling import Scaling, pixel_scaling, standard_scaling
from sslviz.device import one_thread, pick_device, to_numpy, to_torch
from sslviz.training.batches import BatchSampler
from sslviz.training.mlp import Network, flat_parameters, initial_weights
from sslviz.training.objective import Objective
from sslviz.training.prediction import map_in_blocks

BATCH_POINTS = 100  # as in the paper
MIN_EPOCH = 10  # iterations, where the points are fewer than ten batches
RATE, DECAY, DECAY_EPOCHS = 0.002, 0.9, 10  # of Adam: times .9 after every ten epochs
# Initial weights in units of √(2/fan_in). Larger ones make the first steps of Adam, which move all
# weights alike, destroy what the autoencoder has learnt.
SPREAD = 6**-0.5
START_LOG_VARIANCE = -4.0  # log s²: codes start nearly without noise


class Components(NamedTuple):
    """A mixture of Gaussians with diagonal covariances."""

    log_weights: Tensor  # (C,) up to a constant
    means: Tensor  # (C, d)
    log_variances: Tensor  # (C, d)

    def log_joint(self, Z: Tensor) -> Tensor:
        """(m, C) log π_c + log N(z; μ_c, σ_c²), without the constant that all have."""
        squares = (Z[:, None] - self.means).square() * (-self.log_variances).exp()
        logs = -(squares + self.log_variances).sum(dim=2) / 2
        return torch.log_softmax(self.log_weights, dim=0) + logs

    def copy(self) -> "Components":
        return Components(*(t.detach().to(torch.float64, copy=True) for t in self))


def bound_terms(
    components: Components, M: Tensor, log_s2: Tensor, Z: Tensor
) -> tuple[Tensor, Tensor]:
    """(m,) Σ_c γ_c KL[N(m, s²) ‖ N(μ_c, σ_c²)] and Σ_c γ_c log(γ_c/π_c), with γ of the codes Z."""
    log_gamma = torch.log_softmax(components.log_joint(Z), dim=1)
    gamma = log_gamma.exp()
    log_s2, M = log_s2[:, None], M[:, None]
    inverse = (-components.log_variances).exp()
    divergences = (
        components.log_variances
        - log_s2
        + (log_s2.exp() + (M - components.means).square()) * inverse
        - 1
    ).sum(dim=2) / 2  # (m, C)
    log_weights = torch.log_softmax(components.log_weights, dim=0)
    return (gamma * divergences).sum(dim=1), (gamma * (log_gamma - log_weights)).sum(dim=1)


def reconstruction_errors(output: Tensor, X: Tensor, likelihood: str, precision: float) -> Tensor:
    """(m,) −log p(x|z): of pixels from 0 to 1, or weighted squares."""
    if likelihood == "bernoulli":
        return binary_cross_entropy_with_logits(output, X, reduction="none").sum(dim=1)
    return precision * (output - X).square().sum(dim=1)


def input_scaling(X: Tensor, likelihood: str) -> Scaling:
    return pixel_scaling(X) if likelihood == "bernoulli" else standard_scaling(X)


class CodeMixture:
    """A frozen encoder and decoder with components among the codes: γ of any point."""

    def __init__(
        self, encoder: Network, decoder: Network, components: Components, scaling: Scaling,
        likelihood: str,
    ):  # fmt: skip
        self.encoder, self.decoder, self.components = encoder, decoder, components
        self.scaling, self.likelihood = scaling, likelihood

    @property
    def device(self) -> torch.device:
        return self.components.means.device

    def codes(self, X: Tensor) -> Tensor:
        """(m, d) the means of the codes."""
        return self.encoder.logits(self.scaling(X))[:, : self.components.means.shape[1]]

    def probabilities(self, X: Tensor) -> Tensor:
        """(m, C) γ at the means of the codes."""
        return torch.softmax(self.components.log_joint(self.codes(X)), dim=1)

    def decode(self, Z: Tensor) -> Tensor:
        """(m, D) the points that codes stand for, in the units of the data."""
        output = self.decoder.logits(Z)
        return self.scaling.inverse(output.sigmoid() if self.likelihood == "bernoulli" else output)


class CodeObjective(Objective):
    """What both parts share: encoder, decoder, points and batches."""

    def __init__(
        self, X: np.ndarray, arrays: Sequence[np.ndarray], *, sizes: tuple[int, ...], n_codes: int,
        likelihood: str, precision: float, seed: int, device: str,
    ):  # fmt: skip
        self.seed, self.n_codes, self.X = seed, n_codes, X
        self.likelihood, self.precision = likelihood, precision
        at = pick_device(device)
        self.theta, self.parts = flat_parameters(arrays, at)
        cut, end = 2 * (len(sizes) - 1), 4 * (len(sizes) - 1)
        encoder, decoder = (*sizes[:-1], 2 * n_codes), sizes[::-1]
        self.encoder = Network(encoder, self.parts[:cut], normalised=False)
        self.decoder = Network(decoder, self.parts[cut:end], normalised=False)
        points = to_torch(X, at, torch.float64)
        self._scaling = input_scaling(points, likelihood)
        self._X = self._scaling(points).float()
        self._sampler = BatchSampler(
            (len(X),), (min(BATCH_POINTS, len(X)),), at, per_epoch=self.per_epoch
        )

    @property
    def per_epoch(self) -> int:
        """A pass through the points, but at least ten iterations."""
        return max(-(-len(self.X) // BATCH_POINTS), MIN_EPOCH)

    def rate(self, iteration: int) -> float:
        return RATE * DECAY ** (iteration // self.per_epoch // DECAY_EPOCHS)

    @property
    def components(self) -> Components:
        """The mixture among the codes."""
        return Components(*self.parts[-3:])

    def predictor(self) -> CodeMixture:
        return CodeMixture(
            self.encoder.frozen_copy(), self.decoder.frozen_copy(), self.components.copy(),
            self._scaling, self.likelihood,
        )  # fmt: skip

    def codes(self) -> np.ndarray:
        """(n, d) of the training points."""
        found = self.predictor()
        return map_in_blocks(found.codes, self.X, found.device)


class AutoencoderObjective(CodeObjective):
    """The first part: points are reconstructed from the means of their codes."""

    names: tuple[str, ...] = ("reconstruction",)
    weights: tuple[float, ...] = (1.0,)

    def __init__(
        self, X: np.ndarray, *, sizes: tuple[int, ...], n_codes: int, seed: int, **more: Any
    ):
        arrays = initial_codes(sizes, n_codes, np.random.default_rng(seed))
        super().__init__(X, arrays, sizes=sizes, n_codes=n_codes, seed=seed, **more)

    def terms(self, iteration: int) -> tuple[Tensor, ...]:
        (points,) = self._sampler.batch(self.seed, iteration)
        X = self._X[points]
        output = self.decoder.logits(self.encoder.logits(X)[:, : self.n_codes])
        return (reconstruction_errors(output, X, self.likelihood, self.precision).mean(),)

    @property
    def components(self) -> Components:
        """One for everything: there are no clusters yet."""
        none = self._X.new_zeros((1, self.n_codes))
        return Components(none[:, 0], none, none)

    def learnt(self) -> tuple[np.ndarray, ...]:
        """The codes (n, d) of the points, and the arrays of encoder and decoder."""
        return self.codes(), *(to_numpy(part).copy() for part in self.parts)


def initial_codes(
    sizes: tuple[int, ...], n_codes: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Arrays of an encoder with twice as many outputs as codes, and of a decoder."""
    encoder, decoder = (
        initial_weights(layers, rng, normalised=False, spread=SPREAD, last=SPREAD)
        for layers in ((*sizes[:-1], 2 * n_codes), sizes[::-1])
    )
    encoder[-2][n_codes:], encoder[-1][n_codes:] = 0.0, START_LOG_VARIANCE
    return [*encoder, *decoder]


class BoundObjective(CodeObjective):
    """The second part: −ELBO over encoder, decoder and components."""

    names: tuple[str, ...] = ("reconstruction", "codes", "clusters")
    weights: tuple[float, ...] = (1.0, 1.0, 1.0)

    def terms(self, iteration: int) -> tuple[Tensor, ...]:
        """−log p(x|z), the divergence of the codes from the components, that of γ from π."""
        (points,) = self._sampler.batch(self.seed, iteration)
        X = self._X[points]
        M, log_s2 = self.encoder.logits(X).split(self.n_codes, dim=1)
        noise = self._sampler.directions(self.seed, iteration, tuple(M.shape))
        Z = M + (log_s2 / 2).exp() * noise
        errors = reconstruction_errors(self.decoder.logits(Z), X, self.likelihood, self.precision)
        codes, clusters = bound_terms(self.components, M, log_s2, Z)
        return errors.mean(), codes.mean(), clusters.mean()

    def picture(self) -> dict[str, np.ndarray]:
        """Codes of the points; weights, means and variances of the components."""
        with torch.no_grad(), one_thread():
            codes = self.encoder.logits(self._X)[:, : self.n_codes]
            weights = torch.softmax(self.components.log_weights, dim=0)
            variances = self.components.log_variances.exp()
        arrays = {"codes": codes, "means": self.components.means, "variances": variances}
        return {name: to_numpy(t).copy() for name, t in (arrays | {"weights": weights}).items()}
