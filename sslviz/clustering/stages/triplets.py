"""Triplets: a network learns features in which points of a cluster are near each other.

    loss = mean max(0, ‖z_i − z_same‖² − ‖z_i − z_other‖² + margin),   z = f(x)/‖f(x)‖

Every point is once per epoch the first of a triplet; the second is drawn from its cluster, the
third from another one, all of which are equally likely. Stochastic gradient descent with momentum.
"""

import numpy as np
import torch
from torch.nn.functional import normalize, relu

from sslviz.clustering.stages.scaling import Scaling, common_scaling
from sslviz.device import one_thread, pick_device, to_numpy, to_torch
from sslviz.training.mlp import Network, flat_parameters, initial_weights
from sslviz.training.prediction import map_in_blocks

MARGIN = 0.2
RATE, MOMENTUM = 0.01, 0.9
BATCH_POINTS = 100


def draw_triplets(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n, 3) in random order: each point, one of its cluster, one of another."""
    n, sizes = len(labels), np.bincount(labels)
    order, starts = np.argsort(labels, kind="stable"), np.cumsum(sizes) - sizes
    others = (labels + 1 + rng.integers(len(sizes) - 1, size=n)) % len(sizes)
    same, different = (
        order[starts[c] + (rng.random(n) * sizes[c]).astype(np.int64)] for c in (labels, others)
    )
    return rng.permutation(np.stack([np.arange(n), same, different], axis=1))


class UnitFeatures:
    """A frozen network: features of length 1 of any point."""

    def __init__(self, network: Network, scaling: Scaling):
        self.network, self.scaling = network, scaling

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """(m, p)."""
        return map_in_blocks(self._features, X, self.network.device)

    def _features(self, X: torch.Tensor) -> torch.Tensor:
        return normalize(self.network.logits(self.scaling(X), "used"), dim=1)


class TripletLearner:
    """A network trained on triplets of the present clusters."""

    def __init__(self, X: np.ndarray, *, hidden: tuple[int, ...], seed: int, device: str):
        at = pick_device(device)
        self._rng, sizes = np.random.default_rng(seed), (X.shape[1], *hidden)
        arrays = initial_weights(sizes, self._rng, spread=1.0, last=1.0)
        self.theta, self.parts = flat_parameters(arrays, at)
        self.network = Network(sizes, self.parts)
        points = to_torch(X, at, torch.float64)
        self.scaling = common_scaling(points)
        self._X, self._velocity = self.scaling(points).float(), torch.zeros_like(self.theta)

    def epoch(self, labels: np.ndarray) -> float:
        """One pass through the points, with clusters `labels` (n,) 0 … c−1; the mean loss."""
        triplets = draw_triplets(labels, self._rng)
        total = 0.0
        with one_thread():
            for batch in np.array_split(triplets, -(-len(triplets) // BATCH_POINTS)):
                rows = to_torch(batch.T, self._X.device)
                total += len(batch) * self._step(rows)
        return total / len(triplets)

    def _step(self, rows: torch.Tensor) -> float:
        logits = self.network.logits(self._X[rows.reshape(-1)], "moved")
        z, same, other = normalize(logits, dim=1).view(3, rows.shape[1], -1)
        gaps = (z - same).square().sum(dim=1) - (z - other).square().sum(dim=1)
        loss = relu(gaps + MARGIN).mean()
        gradients = torch.autograd.grad(loss, self.parts)
        with torch.no_grad():
            self._velocity.mul_(MOMENTUM).add_(torch.cat([g.reshape(-1) for g in gradients]))
            self.theta.sub_(RATE * self._velocity)
        return float(loss.detach())

    def features(self) -> UnitFeatures:
        """The network as trained so far, copied."""
        return UnitFeatures(self.network.frozen_copy(), self.scaling)

    def state(self) -> tuple[np.ndarray, ...]:
        """The arrays of the network: what `restore` takes."""
        tensors = (self.theta, *self.network.state().values())
        return tuple(to_numpy(t).copy() for t in tensors)

    def restore(self, state: tuple[np.ndarray, ...]) -> "TripletLearner":
        tensors = (self.theta, *self.network.state().values())
        for tensor, array in zip(tensors, state, strict=True):
            tensor.copy_(to_torch(array, tensor.device))
        return self
