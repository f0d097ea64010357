"""The objective of SpectralNet: functions of the points, smooth on the graph and orthonormal.

    loss = ½ Σ_ij w_ij ‖z_i − z_j‖² / Σ_i d_i   where   ZᵀDZ / Σ_i d_i = I,   w = (a + aᵀ)/2

The loss is the sum of the Rayleigh quotients of the columns of Z; each is the value of the cut that
a column stands for. The constant function has quotient 0 and is known: it is the first column.

Three choices matter; the first two decide whether the rings are found:

* Each batch has a graph of its own. In a random batch of m out of n points a point keeps km/n of
  its k neighbours in the whole graph: almost none, and no smoothness. The graph of 256 points of
  the three rings no longer shows them (accuracy of exact spectral clustering of such a batch: .36
  to .48), the graph of 512 does (1.0), with k = 10.
* A network first finds functions that are nearly linear. A span of exactly C functions stays with
  them: on the rings one function separated rings and the other was the angle. With a few more
  functions (guard vectors, as in block eigensolvers) the right ones are found as well, and the C
  with the smallest quotients are used: the Ritz vectors of the span. Initial biases of zero are
  worse still.
* Z is made orthonormal inside the loss, in float64, and the gradient passes through the Cholesky
  factor: the scaling of one batch is never applied to another.
"""

from typing import NamedTuple

import numpy as np
import torch
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from sslviz.clustering.stages.scaling import Scaling, common_scaling
from sslviz.device import one_thread, pick_device, to_numpy, to_torch
from sslviz.graph.neighbours import nearest
from sslviz.memo import stage
from sslviz.training.batches import BatchSampler
from sslviz.training.mlp import Network, flat_parameters, initial_weights
from sslviz.training.objective import Objective
from sslviz.training.prediction import map_in_blocks

MIN_BATCHES = 20  # so that no single random batch matters
JITTER = 1e-12  # relative, on the diagonal: functions may be equal on a batch of equal points


class Batches(NamedTuple):
    """Points of every batch (b, m), and inside it (b, m, k) neighbours and their weights."""

    points: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray


@stage("graphs of batches")
def batch_graphs(X: np.ndarray, *, size: int, k: int, seed: int, device: str = "auto") -> Batches:
    """Random batches and the kNN graph of each, a_ij = exp(−d²/2σ²), σ the median k-th distance."""
    n, m = len(X), min(size, len(X))
    per_pass = n // m
    passes = 1 if m == n else max(2, -(-MIN_BATCHES // per_pass))
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n)[: per_pass * m].reshape(per_pass, m) for _ in range(passes)]
    points = np.vstack(orders)
    k = min(k, m - 1)
    neighbours = np.zeros((len(points), m, k), np.int64)
    weights = np.zeros((len(points), m, k))
    for b, chosen in enumerate(points):
        neighbours[b], d = nearest(X[chosen], X[chosen], k, skip_self=True, device=device)
        sigma = max(float(np.median(d[:, -1])), np.finfo(float).tiny ** 0.25)
        weights[b] = np.exp(-((d / sigma) ** 2) / 2)
    return Batches(points, neighbours, weights)


def degrees(neighbours: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """(m,) row sums of w = (a + aᵀ)/2, of lists (m, k)."""
    out = weights.sum(dim=1)
    into = torch.zeros_like(out).index_add(0, neighbours.reshape(-1), weights.reshape(-1))
    return (out + into) / 2


def with_constant(Y: torch.Tensor) -> torch.Tensor:
    """Y in float64 with the constant function 1 as its first column."""
    return torch.cat([torch.ones_like(Y[:, :1]), Y], dim=1).double()


def orthonormal(Y: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
    """Z with the span of Y and ZᵀDZ/Σd = I; column j is a mixture of the first j of Y."""
    gram = (Y.T * d) @ Y / d.sum()
    tiny = JITTER * gram.diagonal().mean().detach()
    R = torch.linalg.cholesky(gram + tiny * torch.eye(len(gram)).to(gram))
    return torch.linalg.solve_triangular(R, Y.T, upper=False).T


def energy(
    Z: torch.Tensor, neighbours: torch.Tensor, weights: torch.Tensor, d: torch.Tensor
) -> torch.Tensor:
    """(p, p) ZᵀLZ/Σd from differences between neighbours, which avoids cancellation."""
    differences = (Z[:, None] - Z[neighbours]).flatten(0, 1)
    return (differences.T * weights.reshape(-1)) @ differences / (2 * d.sum())


class SpectralPredictor:
    """A frozen network, the C smoothest functions of its span, and k-means centres.

    `rayleigh` are the Rayleigh quotients of all its functions, smallest first.
    """

    def __init__(self, network: Network, scaling: Scaling, rayleigh: np.ndarray, mix: np.ndarray):
        self.network, self.scaling, self.rayleigh = network, scaling, rayleigh
        self.device = network.device
        self.mix = to_torch(mix, self.device)  # (p, C)

    def embedding(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) rows of unit length: the Ritz vectors, smallest quotient first."""
        Y = with_constant(self.network.logits(self.scaling(X)))
        return torch.nn.functional.normalize(Y @ self.mix, dim=1)

    def fit_centres(self, X: np.ndarray, n_clusters: int, seed: int) -> "SpectralPredictor":
        """Place the centres by k-means on the embedded points."""
        embedded = map_in_blocks(self.embedding, X, self.device)
        kmeans = KMeans(n_clusters, n_init=10, random_state=seed).fit(embedded)
        self.centres = to_torch(kmeans.cluster_centers_, self.device)
        return self

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) one for the nearest centre, zero for the others."""
        near = torch.cdist(self.embedding(X), self.centres).argmin(dim=1)
        return torch.eye(len(self.centres), dtype=torch.float64).to(self.device)[near]


class SpectralObjective(Objective):
    """The loss on the batches in turn; it predicts by the Ritz vectors of the span and k-means."""

    names: tuple[str, ...] = ("energy",)
    weights: tuple[float, ...] = (1.0,)

    def __init__(
        self,
        X: np.ndarray,
        points: np.ndarray,
        neighbours: np.ndarray,
        affinities: np.ndarray,
        *,
        n_clusters: int,
        sizes: tuple[int, ...],
        seed: int,
        device: str,
    ):
        self.n_clusters, self.seed, at = n_clusters, seed, pick_device(device)
        rng = np.random.default_rng(seed)
        arrays = initial_weights(sizes, rng, normalised=False, spread=1.0, last=1.0)
        arrays = [a if a.ndim == 2 else rng.uniform(-1, 1, a.shape) for a in arrays]
        self.theta, self.parts = flat_parameters(arrays, at)
        self.network = Network(sizes, self.parts, normalised=False)
        points_64 = to_torch(X, at, torch.float64)
        self._scaling = common_scaling(points_64)
        self.X, self._X = X, self._scaling(points_64).float()
        self._points, self._neighbours = to_torch(points, at), to_torch(neighbours, at)
        self._affinities = to_torch(affinities, at)
        self._sampler = BatchSampler((len(points),), (1,), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """The sum of the Rayleigh quotients on one batch."""
        [[batch]] = self._sampler.batch(self.seed, iteration)
        near, a = self._neighbours[batch], self._affinities[batch]
        d = degrees(near, a)
        Y = with_constant(self.network.logits(self._X[self._points[batch]]))
        return (energy(orthonormal(Y, d), near, a, d).trace(),)

    def predictor(self) -> SpectralPredictor:
        with torch.no_grad(), one_thread():
            rayleigh, mix = self._ritz()
        kept = np.ascontiguousarray(mix[:, : self.n_clusters])
        found = SpectralPredictor(self.network.frozen_copy(), self._scaling, rayleigh, kept)
        return found.fit_centres(self.X, self.n_clusters, self.seed)

    def _ritz(self) -> tuple[np.ndarray, np.ndarray]:
        """Rayleigh quotients of the span over all batches, smallest first, and their mixtures."""
        Y = with_constant(self.network.logits(self._X))
        gram, quotients = Y.new_zeros((Y.shape[1],) * 2), Y.new_zeros((Y.shape[1],) * 2)
        for points, near, a in zip(self._points, self._neighbours, self._affinities, strict=True):
            d = degrees(near, a)
            gram += (Y[points].T * d) @ Y[points] / d.sum()
            quotients += energy(Y[points], near, a, d)
        gram += JITTER * gram.diagonal().mean() * torch.eye(len(gram)).to(gram)
        return eigh(to_numpy(quotients), to_numpy(gram))

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()
