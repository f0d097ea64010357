r"""SpectralNet: a network learns the eigenvectors of spectral clustering, for new points too.

    min_θ ½ Σ_ij w_ij ‖z_i − z_j‖² / Σ_i d_i   so that   ZᵀDZ / Σ_i d_i = I,   Z = f_θ(X) R⁻¹

The eigenvectors of spectral clustering are the orthonormal functions on the graph that change least
along its edges. Here a network is such a function. It is trained on batches, each with its own
graph of nearest neighbours (Gaussian weights exp(−d²/2σ²), σ the median distance to the k-th
neighbour; Euclidean distances, no Siamese network), and its outputs are made orthonormal on the
batch by a Cholesky factor R. k-means on the outputs gives the clusters.

**What to look for:** the Rayleigh quotients fall towards the eigenvalues. On three rings the
network first learns functions that vary *along* the rings; with *guard* = 0, as printed, one of its
functions stays there. A small batch has a graph that no longer shows the rings, and no training
helps. With outliers between the rings a batch of 512 is too small for some seeds; try 1024 and more
epochs. Images need more: on 10 000 digits of MNIST exact spectral clustering of a batch of 1024
reaches an accuracy of about .55, and the network the same. The paper's better numbers rest on a
learnt distance.

Shaham, Stanton, Li, Nadler, Basri, Kluger. SpectralNet: spectral clustering using deep neural
networks. ICLR 2018. Guard vectors and Ritz values: Saad. Numerical methods for large eigenvalue
problems. 2011.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Self, cast

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.clustering.base import ThesisRow
from sslviz.clustering.deep_base import DeepClusterer, layer_sizes
from sslviz.clustering.parameters import Epochs, Hidden
from sslviz.clustering.stages.spectral_loss import (
    SpectralObjective,
    SpectralPredictor,
    batch_graphs,
)
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.training.loop import TrainingRun, train
from sslviz.training.prediction import map_in_blocks


@stage("training")
def train_spectral_net(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of a `SpectralObjective`."""
    return train(SpectralObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class SpectralNet(DeepClusterer):
    """SpectralNet: spectral clustering by a network trained under an orthogonality constraint.

    X is shifted and scaled as a whole, which changes no neighbour; features keep their proportions.
    `predict_proba` is 0 or 1: k-means gives no probabilities. `epoch.run.objective.predictor()` has
    `rayleigh`, `embedding` and `probabilities` of the network as trained so far.

    Attributes: `labels_` (n,), `embedding_` (n, C) rows of unit length, `rayleigh_` (C + guard,)
    Rayleigh quotients of the learnt functions on the batches, smallest first, of which the first C
    are used, `losses_` (epochs, 1) their sum, averaged over each epoch.
    """

    title = "SpectralNet"
    paper = "Shaham, Stanton, Li, Nadler, Basri & Kluger, ICLR 2018"
    formula = (
        r"\min_\theta\;\tfrac12\sum_{ij}w_{ij}\|z_i-z_j\|^2/\sum_id_i",
        r"Z^\top DZ/\sum_id_i=I,\;Z=f_\theta(X)R^{-1}\in\mathbb R^{m\times C}",
        r"w_{ij}=e^{-d^2/2s^2},\;j\in\mathcal N_k(i)",
    )
    printed = ThesisRow("any", "yes", "yes", "medium", "weak", "medium")
    _objective, _train = SpectralObjective, staticmethod(train_spectral_net)

    k_batch: Annotated[
        int,
        Number(
            "Neighbours of each point within its batch. Small: the graph of the batch falls apart. "
            "Large: edges cross the gaps between clusters.",
            valid=(1, 10**6),
            shown=(2, 50),
            label="neighbours",
            symbol="k",
        ),
    ] = 10
    batch_size: Annotated[
        int,
        Number(
            "Points of a batch, whose graph has no other points. Small: gaps between clusters are "
            "no wider than distances within.",
            valid=(2, 10**6),
            shown=(64, 2048),
            log=True,
            label="batch size",
            symbol="m",
        ),
    ] = 512
    guard: Annotated[
        int,
        Number(
            "Functions learnt beside the C that are used. With 0, as printed, the network keeps "
            "the functions that it finds first.",
            valid=(0, 10**4),
            shown=(0, 20),
            label="guard functions",
        ),
    ] = 6
    hidden: Hidden = (128, 128)
    epochs: Epochs = 8

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: the network is small for images too."""
        return 10.0

    def _arguments(self, X: np.ndarray) -> dict[str, Any]:
        seed = self._draw_seed()
        graphs = check_memory(self.memory).cache(batch_graphs)(
            X, size=self.batch_size, k=self.k_batch, seed=seed, device=self.device
        )
        points, neighbours, affinities = graphs
        # More functions than points in a batch cannot be orthonormal, and the constant is one.
        outputs = min(max(self.n_clusters - 1 + self.guard, 1), points.shape[1] - 1)
        return {
            "X": X,
            "points": points,
            "neighbours": neighbours,
            "affinities": affinities,
            "n_clusters": self.n_clusters,
            "sizes": layer_sizes(X.shape[1], self.hidden, outputs),
            "seed": seed,
            "device": self.device,
        }

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        found = cast(SpectralPredictor, self._predictor)
        self.rayleigh_ = found.rayleigh
        self.embedding_ = map_in_blocks(found.embedding, run.X, found.device)
        return self
