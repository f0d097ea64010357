r"""Gaussian mixture: C Gaussian components are fitted to the points, each of which is a cluster.

    max_θ Σ_i log Σ_c π_c N(x_i; μ_c, Σ_c),   γ_ic ∝ π_c N(x_i; μ_c, Σ_c),   ŷ_i = argmax_c γ_ic

Two steps alternate until the likelihood hardly grows: γ, the probability that a point comes from
each component, is computed by Bayes' rule; weight, mean and covariance of each component are those
of the points, weighted by γ. Of several starts from k-means the likeliest is kept. The algorithm is
scikit-learn's.

**What to look for:** ellipses of any size and direction, where k-means has equal circles; so
clusters of different sizes are no problem (four clusters .97, k-means .63) unless all starts are
bad (.63 for two of five samples of 600 points). But a moon is not an ellipse (two moons .84), and
rings have one centre (.35). In many dimensions a full covariance has more entries than a cluster
has points: on digits k-means is better (.79, here .71).

Dempster, Laird, Rubin. Maximum likelihood from incomplete data via the EM algorithm. JRSS 1977.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any

import numpy as np
import sklearn.mixture
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import Starts
from sslviz.memo import stage
from sslviz.params import Choice, Number

COVARIANCES = {"full": "full", "diagonal": "diag", "equal": "tied", "round": "spherical"}


@stage("mixture")
def fit_mixture(
    X: np.ndarray, *, n_clusters: int, covariance: str, n_init: int, floor: float, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Weights, means, covariances, Cholesky factors of their inverses; iterations."""
    model = sklearn.mixture.GaussianMixture(
        n_clusters,
        covariance_type=COVARIANCES[covariance],
        n_init=n_init,
        reg_covar=floor,
        max_iter=300,
        random_state=seed,
    ).fit(X.astype(np.float64, copy=False))
    found = (model.weights_, model.means_, model.covariances_, model.precisions_cholesky_)
    return *found, int(model.n_iter_)


@dataclass(repr=False, eq=False)
class GaussianMixture(Clusterer):
    """A mixture of Gaussians fitted by EM, scikit-learn's; a cluster is a component.

    Attributes: `labels_` (n,), `means_` (C, d), `covariances_` (C, d, d), `weights_` (C,),
    `n_iter_`.
    """

    title, abbreviation = "Gaussian mixture clustering", "GMM"
    paper = "Dempster, Laird & Rubin, JRSS 1977"
    formula = (
        r"\max_\theta\sum_i\log\sum_{c=1}^C\pi_c\,\mathcal N(x_i;\mu_c,\Sigma_c)",
        r"\gamma_{ic}\propto\pi_c\,\mathcal N(x_i;\mu_c,\Sigma_c)",
        r"\hat y_i=\arg\max_c\gamma_{ic}",
    )
    condition = "clusters are Gaussian"

    @classmethod
    def option(cls) -> str:
        return cls.title

    covariance: Annotated[
        str,
        Choice(
            "Shape of the components.",
            tuple(COVARIANCES),
            (
                "ellipses of any direction",
                "ellipses along the axes",
                "one ellipse for all of them",
                "circles of different size",
            ),
        ),
    ] = "full"
    n_init: Starts = 10
    floor: Annotated[
        float,
        Number(
            "Variance added in every direction, in the squared units of X, so that no component "
            "collapses onto a point.",
            valid=(0, inf),
            shown=(1e-6, 10),
            log=True,
            label="added variance",
            symbol="ε",
            advanced=True,
        ),
    ] = 1e-6

    def fit(self, X: Any, y: Any = None) -> "GaussianMixture":
        """Fit the components; y is ignored."""
        X = self._check(X)
        weights, means, covariances, factors, n_iter = check_memory(self.memory).cache(fit_mixture)(
            X,
            n_clusters=self.n_clusters,
            covariance=self.covariance,
            n_init=self.n_init,
            floor=self.floor,
            seed=self._draw_seed(),
        )
        kind = COVARIANCES[self.covariance]
        self._mixture = sklearn.mixture.GaussianMixture(self.n_clusters, covariance_type=kind)
        self._mixture.weights_, self._mixture.means_ = weights, means
        self._mixture.covariances_, self._mixture.precisions_cholesky_ = covariances, factors
        self.weights_, self.means_, self.n_iter_ = weights, means, n_iter
        self.covariances_ = full_covariances(covariances, kind, *means.shape)
        self.labels_ = self._mixture.predict(X.astype(np.float64, copy=False))
        return self

    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """Means (C, d) and covariances (C, d, d)."""
        return self.means_, self.covariances_

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) γ: the probabilities of the components."""
        check_is_fitted(self, "labels_")
        X = self._check(X, reset=False)
        return self._mixture.predict_proba(X.astype(np.float64, copy=False))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable component."""
        return self.predict_proba(X).argmax(axis=1)


def full_covariances(covariances: np.ndarray, kind: str, C: int, d: int) -> np.ndarray:
    """(C, d, d) whatever the kind."""
    if kind == "full":
        return covariances
    if kind == "tied":
        return np.repeat(covariances[None], C, axis=0)
    return covariances.reshape(C, -1, 1) * np.eye(d)
