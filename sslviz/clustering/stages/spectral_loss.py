"""What SpectralNet learns: functions of the points that are smooth on the graph, and orthonormal.

    loss = ½ Σ_ij w_ij ‖z_i − z_j‖² / Σ_i d_i   where   ZᵀDZ / Σ_i d_i = I,   w = (a + aᵀ)/2

It is the sum of the Rayleigh quotients of the columns of Z, each the price of the cut that a
column draws. The constant costs nothing and is known: it stands in the first column by itself.

Three things matter here; the first two decided on the rings:

* A batch has a graph of its own, drawn among its points. Of the k neighbours of a point in the
  whole graph a random batch of m out of n points holds km/n: next to nothing, and no smoothness.
  The graph inside 256 points of the three rings no longer shows them (exact spectral clustering
  of such a batch: .36 to .48 right), that inside 512 does (1.0), with k = 10.
* The first functions that a network finds are nearly linear. A span of exactly C functions stays
  with them: on the rings one function told rings apart and the other was the angle. With a few more
  (guard vectors, as in block eigensolvers) the right ones are found too, and the cheapest C are
  kept: the Ritz vectors of the span. Biases that start at zero are worse still.
* Z is made orthonormal inside the loss, in float64, and the slope goes through the Cholesky
  factor: what one batch is scaled by is never applied to another.
"""

from typing import NamedTuple

import numpy as np
import torch
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from sslviz.clustering.stages.mlp import Network, first_weights, flat_parameters
from sslviz.clustering.stages.training import BLOCK, BatchSampler
from sslviz.device import one_thread, pick_device, to_numpy, to_torch
from sslviz.graph.neighbours import nearest
from sslviz.memo import stage

FEWEST = 20  # batches to draw from, so that chance in a single one does not matter
JITTER = 1e-12  # keeps functions apart that are equal on the batch, such as on equal points


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
    passes = 1 if m == n else max(2, -(-FEWEST // per_pass))
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
    """1 in front of every row, in float64."""
    return torch.cat([torch.ones_like(Y[:, :1]), Y], dim=1).double()


def orthonormal(Y: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
    """Z with the span of Y, every column a mix of those up to it, and ZᵀDZ/Σd = I."""
    gram = (Y.T * d) @ Y / d.sum()
    tiny = JITTER * gram.diagonal().mean().detach()
    R = torch.linalg.cholesky(gram + tiny * torch.eye(len(gram)).to(gram))
    return torch.linalg.solve_triangular(R, Y.T, upper=False).T


def energy(
    Z: torch.Tensor, neighbours: torch.Tensor, weights: torch.Tensor, d: torch.Tensor
) -> torch.Tensor:
    """(p, p) ZᵀLZ/Σd out of differences: what neighbours share does not cancel, it never enters."""
    steps = (Z[:, None] - Z[neighbours]).flatten(0, 1)
    return (steps.T * weights.reshape(-1)) @ steps / (2 * d.sum())


class Frame(NamedTuple):
    """How points are shifted and scaled, all features alike, before the network sees them."""

    centre: torch.Tensor
    scale: float

    def __call__(self, X: torch.Tensor) -> torch.Tensor:
        return (X - self.centre) / self.scale


class SpectralAnswer:
    """A network that learns no more, the C best functions of its span, and centres among them.

    `rayleigh` are the Rayleigh quotients of all its functions, smallest first.
    """

    def __init__(self, network: Network, frame: Frame, rayleigh: np.ndarray, mix: np.ndarray):
        self.network, self.frame, self.rayleigh = network, frame, rayleigh
        self.device = network.device
        self.mix = to_torch(mix, self.device)  # (p, C)

    def embedding(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) rows of unit length: the Ritz vectors, cheapest first."""
        Y = with_constant(self.network.logits(self.frame(X)))
        return torch.nn.functional.normalize(Y @ self.mix, dim=1)

    def embedded(self, X: np.ndarray) -> np.ndarray:
        """The same of an array, block by block."""
        with torch.no_grad(), one_thread():
            blocks = np.array_split(X, max(1, -(-len(X) // BLOCK)))
            points = (to_torch(block, self.device, torch.float64) for block in blocks)
            return np.vstack([to_numpy(self.embedding(block)) for block in points])

    def clustered(self, X: np.ndarray, n_clusters: int, seed: int) -> "SpectralAnswer":
        """With the centres of k-means on the embedded points."""
        kmeans = KMeans(n_clusters, n_init=10, random_state=seed).fit(self.embedded(X))
        self.centres = to_torch(kmeans.cluster_centers_, self.device)
        return self

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) one for the nearest centre, zero for the others: k-means knows no doubt."""
        near = torch.cdist(self.embedding(X), self.centres).argmin(dim=1)
        return torch.eye(len(self.centres), dtype=torch.float64).to(self.device)[near]


class SpectralLesson:
    """The loss above on the batches in turn; the answer is the span's Ritz vectors and k-means."""

    names: tuple[str, ...] = ("energy",)
    weights: tuple[float, ...] = (1.0,)
    still = False  # a batch always teaches something

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
        arrays = first_weights(sizes, rng, normalised=False, spread=1.0, last=1.0)
        arrays = [a if a.ndim == 2 else rng.uniform(-1, 1, a.shape) for a in arrays]
        self.theta, self.parts = flat_parameters(arrays, at)
        self.network = Network(sizes, self.parts, normalised=False)
        points_64 = to_torch(X, at, torch.float64)
        centre = points_64.mean(dim=0)
        self._frame = Frame(centre, float((points_64 - centre).square().mean().sqrt()) or 1.0)
        self.X, self._X = X, self._frame(points_64).float()
        self._points, self._neighbours = to_torch(points, at), to_torch(neighbours, at)
        self._affinities = to_torch(affinities, at)
        self._draws = BatchSampler((len(points),), (1,), at)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """The sum of the Rayleigh quotients on one batch."""
        [[batch]] = self._draws.batch(self.seed, iteration)
        near, a = self._neighbours[batch], self._affinities[batch]
        d = degrees(near, a)
        Y = with_constant(self.network.logits(self._X[self._points[batch]]))
        return (energy(orthonormal(Y, d), near, a, d).trace(),)

    def answer(self) -> SpectralAnswer:
        with torch.no_grad(), one_thread():
            rayleigh, mix = self._ritz()
        kept = np.ascontiguousarray(mix[:, : self.n_clusters])
        answer = SpectralAnswer(self.network.settled(), self._frame, rayleigh, kept)
        return answer.clustered(self.X, self.n_clusters, self.seed)

    def _ritz(self) -> tuple[np.ndarray, np.ndarray]:
        """Rayleigh quotients of the span over all batches, smallest first, and who has them."""
        Y = with_constant(self.network.logits(self._X))
        gram, cost = Y.new_zeros((Y.shape[1],) * 2), Y.new_zeros((Y.shape[1],) * 2)
        for points, near, a in zip(self._points, self._neighbours, self._affinities, strict=True):
            d = degrees(near, a)
            gram += (Y[points].T * d) @ Y[points] / d.sum()
            cost += energy(Y[points], near, a, d)
        gram += JITTER * gram.diagonal().mean() * torch.eye(len(gram)).to(gram)
        return eigh(to_numpy(cost), to_numpy(gram))

    def state(self) -> dict[str, torch.Tensor]:
        return self.network.state()
