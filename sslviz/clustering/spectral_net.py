r"""A network learns the eigenvectors of spectral clustering, and answers for new points too.

    min_θ ½ Σ_ij w_ij ‖z_i − z_j‖² / Σ_i d_i   so that   ZᵀDZ / Σ_i d_i = I,   Z = f_θ(X) R⁻¹

Spectral clustering draws points that are near along the graph together and all others apart: its
eigenvectors are the cheapest orthonormal functions on the graph. Here a network is such a function.
It sees batches, each with its own graph of nearest neighbours (Gaussian weights exp(−d²/2σ²), σ the
median distance to the k-th neighbour; Euclidean distances, no Siamese network), and its outputs are
made orthonormal on the batch by a Cholesky factor R. k-means on the outputs names the clusters.

**What to look for:** the Rayleigh quotients sink towards the eigenvalues. On three rings the
network learns the way *round* the rings early; set *guard* to 0, as printed, and one function stays
there. Make the batch small, and its graph no longer shows the rings: no training will help. With
outliers between the rings a batch of 512 is too small in some seeds; try 1024 and more epochs.
Images need more than this: on 10 000 digits of MNIST the graph inside a batch of 1024 lets exact
spectral clustering have about .55 right, and the network has as much. The paper's better numbers
rest on a learnt distance.

Shaham, Stanton, Li, Nadler, Basri, Kluger. SpectralNet: spectral clustering using deep neural
networks. ICLR 2018. Guard vectors and Ritz values: Saad. Numerical methods for large eigenvalue
problems. 2011.
"""

from typing import Annotated, Any, cast

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.clustering.deep_base import DeepClusterer, Epochs, Hidden, finished, layers
from sslviz.clustering.parameters import Clusters
from sslviz.clustering.stages.spectral_loss import SpectralAnswer, SpectralLesson, batch_graphs
from sslviz.clustering.stages.training import TrainingRun
from sslviz.params import Number


def spectral_net_learnt(*, epochs: int, **plan: Any) -> tuple[np.ndarray, ...]:
    """The state of the course after all epochs; the plan is that of a `SpectralLesson`."""
    return finished(TrainingRun(SpectralLesson(**plan), plan["X"]), epochs)


class SpectralNet(DeepClusterer):
    """Spectral clustering by a network trained on batches under an orthogonality constraint.

    X is shifted and scaled as a whole, which changes no neighbour; features keep their proportions.
    `predict_proba` is 0 or 1: k-means knows no doubt. A page that draws per epoch asks
    `epoch.course.lesson.answer()`, which has `rayleigh`, `embedding` and `probabilities`.

    Attributes: `labels_` (n,), `embedding_` (n, C) rows of unit length, `rayleigh_` (C + guard,)
    Rayleigh quotients of the learnt functions on the batches, smallest first, of which the first C
    are used, `losses_` (epochs, 1) their sum on average while learning.
    """

    title, family = "SpectralNet", "clustering"
    paper = "Shaham, Stanton, Li, Nadler, Basri & Kluger, ICLR 2018"

    _lesson, _learnt = SpectralLesson, staticmethod(spectral_net_learnt)

    def __init__(
        self,
        n_clusters: Clusters = 8,
        k_batch: Annotated[
            int,
            Number(
                "Each point is linked to its k nearest in the batch. Few: the batch falls into "
                "islands. Many: edges jump over gaps between clusters.",
                valid=(1, 10**6),
                shown=(2, 50),
                label="neighbours",
                symbol="k",
            ),
        ] = 10,
        batch_size: Annotated[
            int,
            Number(
                "Points of a batch, which sees only the graph among them. Few: gaps between "
                "clusters are no wider than those inside.",
                valid=(2, 10**6),
                shown=(64, 2048),
                log=True,
                label="batch",
                symbol="m",
            ),
        ] = 512,
        guard: Annotated[
            int,
            Number(
                "Functions learnt beside the C that are kept. Without, as printed, the network "
                "stays with the functions that it finds first.",
                valid=(0, 10**4),
                shown=(0, 20),
                label="guard functions",
            ),
        ] = 6,
        hidden: Hidden = (128, 128),
        epochs: Epochs = 8,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.k_batch = k_batch
        self.batch_size = batch_size
        self.guard = guard
        self.hidden = hidden
        self.epochs = epochs
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def _plan(self, X: np.ndarray) -> dict[str, Any]:
        seed = self._seed()
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
            "sizes": layers(X.shape[1], self.hidden, outputs),
            "seed": seed,
            "device": self.device,
        }

    def settle(self, course: TrainingRun) -> "SpectralNet":
        """Keep what the course has learnt so far: the estimator is fitted with it."""
        super().settle(course)
        answer = cast(SpectralAnswer, self._answer)
        self.rayleigh_ = answer.rayleigh
        self.embedding_ = answer.embedded(course.X)
        return self
