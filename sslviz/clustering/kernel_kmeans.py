r"""Kernel k-means: k-means in the feature space of a kernel, where borders need not be straight.

    ŷ_i = argmin_c ‖φ(x_i) − m_c‖² = argmin_c −(2/|c|) Σ_{j∈c} k_ij + (1/|c|²) Σ_{j,l∈c} k_jl
    rbf: k_ij = exp(−‖x_i − x_j‖²/2σ²),   linear: k_ij = x_i·x_j

m_c is the mean of the images φ(x) of the points of cluster c. Neither φ nor m is ever computed:
distances follow from the kernel alone. As in k-means two steps alternate until nothing changes, and
the best of several starts is kept; with the linear kernel it is k-means. All pairs of points take
n² numbers: beyond 5000 points it refuses.

**What to look for:** with a small σ a cluster is a dense region of any size (four clusters .96,
k-means .63). A moon is no such region, and the moons are still cut, only elsewhere (.80 with σ half
the median distance, .55 to .65 with a twentieth; k-means .75); rings are not found at all (.35).
With a large σ the kernel is nearly linear.

Schölkopf, Smola, Müller. Nonlinear component analysis as a kernel eigenvalue problem. Neural
Computation 1998. Dhillon, Guan, Kulis. Kernel k-means, spectral clustering and normalized cuts. KDD
2004.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import IterationLimit, Starts
from sslviz.kernels.gram import KERNELS, gram, kernel_rows, kernel_width
from sslviz.memo import stage
from sslviz.params import Choice, Number

BLOCK_ROWS = 2048  # of the kernel between new and old points, held at once


@stage("kernel k-means")
def kernel_lloyd(
    K: np.ndarray, *, n_clusters: int, n_init: int, max_iter: int, seed: int
) -> tuple[np.ndarray, float, int]:
    """Labels (n,), the sum of squared distances and the iterations of the best start."""
    rng, best = np.random.default_rng(seed), (np.zeros(len(K), np.int64), inf, 0)
    for _ in range(n_init):
        found = _descend(K, _far_apart(K, n_clusters, rng), n_clusters, max_iter)
        best = min(best, found, key=lambda result: result[1])
    return best


def _far_apart(K: np.ndarray, n_clusters: int, rng: np.random.Generator) -> np.ndarray:
    """(n,) the nearest of C points drawn as k-means++ does: each with probability ∝ distance²."""
    diagonal = K.diagonal()
    to_drawn = np.full((n_clusters, len(K)), inf)
    for c in range(n_clusters):
        squares = np.maximum(to_drawn.min(axis=0), 0.0) if c else np.ones(len(K))
        total = squares.sum()
        chosen = rng.choice(len(K), p=squares / total) if total > 0 else rng.integers(len(K))
        to_drawn[c] = np.maximum(diagonal - 2 * K[chosen] + diagonal[chosen], 0.0)
    return to_drawn.argmin(axis=0)


def _descend(
    K: np.ndarray, labels: np.ndarray, n_clusters: int, max_iter: int
) -> tuple[np.ndarray, float, int]:
    squares, n_iter, before = cluster_distances(K, labels, n_clusters), 0, labels - 1
    while n_iter < max_iter and (labels != before).any():
        labels, before = _fill_empty(squares.argmin(axis=1), squares, n_clusters), labels
        squares, n_iter = cluster_distances(K, labels, n_clusters), n_iter + 1
    return labels, float(np.take_along_axis(squares, labels[:, None], axis=1).sum()), n_iter


def _fill_empty(labels: np.ndarray, squares: np.ndarray, n_clusters: int) -> np.ndarray:
    """An empty cluster takes the point farthest from its own, as in scikit-learn's k-means."""
    counts = np.bincount(labels, minlength=n_clusters)
    for c in np.flatnonzero(counts == 0):
        own = np.take_along_axis(squares, labels[:, None], axis=1)[:, 0]
        farthest = int(np.where(counts[labels] > 1, own, -inf).argmax())
        counts[labels[farthest]] -= 1
        labels[farthest], counts[c] = c, 1
    return labels


def cluster_distances(K: np.ndarray, labels: np.ndarray, n_clusters: int) -> np.ndarray:
    """(n, C) ‖φ(x_i) − m_c‖²; infinite for a cluster without points."""
    counts = np.bincount(labels, minlength=n_clusters)
    share = np.eye(n_clusters)[labels] / np.maximum(counts, 1)  # of the points in the means
    to_mean = K @ share
    norms = np.where(counts > 0, np.einsum("ic,ic->c", share, to_mean), inf)
    return K.diagonal()[:, None] - 2 * to_mean + norms


@dataclass(repr=False, eq=False)
class KernelKMeans(Clusterer):
    """k-means with a kernel; new points go to the nearest mean in feature space.

    Attributes: `labels_` (n,), `inertia_` the sum of squared distances in feature space, `sigma_`,
    `n_iter_`.
    """

    title = "Kernel k-means"
    paper = "Schölkopf, Smola & Müller, Neural Computation 1998"
    formula = (
        r"\hat y_i=\arg\min_{c\le C}\;-\tfrac2{|c|}\sum_{j\in c}k_{ij}+\tfrac1{|c|^2}"
        r"\sum_{j,l\in c}k_{jl}",
        r"k_{ij}=e^{-\|x_i-x_j\|^2/2\sigma^2}",
    )
    all_pairs = True
    condition = "clusters are dense regions"
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {"sigma": ("kernel", ("rbf",))}
    kernel_exponent = 2.0

    kernel: Annotated[
        str,
        Choice(
            "Which feature space.",
            KERNELS,
            ("Gaussians around the points", "that of X"),
            titles=("Gaussian", "linear"),
        ),
    ] = "rbf"
    sigma: Annotated[
        float | str,
        Number.width(
            "Width of the Gaussian kernel, in median distances. Small: clusters are dense regions. "
            "Large: as k-means.",
            shown=(0.05, 4),
            rules=("median",),
        ),
    ] = "0.5 median"
    n_init: Starts = 10
    max_iter: IterationLimit = 300

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 1e-7 * n**2 * max(n_classes, 2)

    def fit(self, X: Any, y: Any = None) -> "KernelKMeans":
        """Assign the points and move the means until nothing changes; y is ignored."""
        X = self._check(X)
        self.check_size(len(X))
        cached = check_memory(self.memory).cache
        linear = self.kernel == "linear"
        self.sigma_ = 1.0 if linear else kernel_width(self.sigma, X, np.zeros(0), self.memory)
        self._centre = X.mean(axis=0, dtype=np.float64)
        self._points = X - self._centre if linear else X
        K = cached(gram)(self._points, kernel=self.kernel, sigma=self.sigma_, halved=True)
        self.labels_, self.inertia_, self.n_iter_ = cached(kernel_lloyd)(
            K,
            n_clusters=self.n_clusters,
            n_init=self.n_init,
            max_iter=self.max_iter,
            seed=self._draw_seed(),
        )
        counts = np.bincount(self.labels_, minlength=self.n_clusters)
        self._share = np.eye(self.n_clusters)[self.labels_] / np.maximum(counts, 1)
        self._norms = np.einsum("ic,ic->c", self._share, K @ self._share)
        self._norms[counts == 0] = inf
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The nearest mean in feature space."""
        check_is_fitted(self, "labels_")
        X = self._check(X, reset=False)
        Q = X - self._centre if self.kernel == "linear" else X
        options: dict[str, Any] = {"kernel": self.kernel, "sigma": self.sigma_, "halved": True}
        return np.concatenate(
            [
                self._nearest_mean(kernel_rows(rows, self._points, **options))
                for rows in np.array_split(Q, -(-len(Q) // BLOCK_ROWS))
            ]
        )

    def _nearest_mean(self, K: np.ndarray) -> np.ndarray:
        return (self._norms - 2 * K @ self._share).argmin(axis=1)
