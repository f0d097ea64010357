r"""k-means: place C centres so that points are as close as possible to the nearest one.

    min Σ_i ‖x_i − μ_{ŷ_i}‖²;   ŷ_i = argmin_j ‖x_i − μ_j‖,   μ_j = mean of {x_i : ŷ_i = j}

Two steps alternate until nothing changes: every point joins its nearest centre, every centre moves
to the mean of its points. The start matters: the first centres are drawn far apart (k-means++), and
the best of several starts is kept. The algorithm is scikit-learn's.

**What to look for:** borders between clusters are straight and half-way between centres, so only
round clusters of similar size are found. k-means cuts moons across and rings into sectors, and
splits a large cluster rather than leave a small one alone.

Lloyd. Least squares quantization in PCM. 1957 (1982). Arthur, Vassilvitskii. k-means++: the
advantages of careful seeding. SODA 2007.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn.cluster
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import IterationLimit, Starts
from sslviz.graph.neighbours import nearest
from sslviz.memo import stage


@stage("k-means")
def lloyd(
    X: np.ndarray, *, n_clusters: int, n_init: int, max_iter: int, seed: int
) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Centres (C, d), labels (n,), the sum of squares and the iterations of the best start."""
    model = sklearn.cluster.KMeans(
        n_clusters, n_init=n_init, max_iter=max_iter, random_state=seed
    ).fit(X.astype(np.float64, copy=False))
    return (
        model.cluster_centers_,
        model.labels_.astype(np.int64),
        float(model.inertia_),
        int(model.n_iter_),
    )


@dataclass(repr=False, eq=False)
class KMeans(Clusterer):
    """k-means with k-means++ starts, scikit-learn's; new points go to their nearest centre.

    Attributes: `labels_` (n,), `cluster_centers_` (C, d), `inertia_` the sum of squares, `n_iter_`.
    """

    title = "k-means"
    paper = "Lloyd 1957; Arthur & Vassilvitskii, SODA 2007"
    formula = (
        r"\min\sum_i\|x_i-\mu_{\hat y_i}\|^2",
        r"\hat y_i=\arg\min_{j\le C}\|x_i-\mu_j\|",
        r"\mu_j=\operatorname{mean}\{x_i:\hat y_i=j\}",
    )
    condition = "clusters are round and of similar size"

    n_init: Starts = 10
    max_iter: IterationLimit = 300

    def fit(self, X: Any, y: Any = None) -> "KMeans":
        """Find the centres; y is ignored."""
        X = self._check(X)
        self.cluster_centers_, self.labels_, self.inertia_, self.n_iter_ = check_memory(
            self.memory
        ).cache(lloyd)(
            X,
            n_clusters=self.n_clusters,
            n_init=self.n_init,
            max_iter=self.max_iter,
            seed=self._draw_seed(),
        )
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The number of the nearest centre."""
        check_is_fitted(self, "labels_")
        X = self._check(X, reset=False)
        return nearest(X, self.cluster_centers_, 1, device=self.device)[0][:, 0]
