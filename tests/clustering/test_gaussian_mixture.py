"""Gaussian mixture clustering: scikit-learn's result, Bayes' rule, covariances of every kind."""

import numpy as np
import pytest
import sklearn.mixture
from scipy.stats import multivariate_normal

from sslviz import GaussianMixture, clustering_accuracy, data
from sslviz.clustering.gaussian_mixture import COVARIANCES


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_it_is_scikit_learn_s_and_follows_bayes_rule(covariance: str) -> None:
    X = data.load("iris").X
    model = GaussianMixture(3, covariance=covariance, n_init=2, random_state=3).fit(X)
    peer = sklearn.mixture.GaussianMixture(
        3, covariance_type=COVARIANCES[covariance], n_init=2, max_iter=300,
        random_state=model._draw_seed(),
    ).fit(X)  # fmt: skip
    np.testing.assert_array_equal(model.labels_, peer.predict(X))
    means, covariances = model.components()
    assert covariances.shape == (3, 4, 4)
    density = np.stack(
        [
            weight * multivariate_normal(mean, S).pdf(X)
            for weight, mean, S in zip(model.weights_, means, covariances, strict=True)
        ],
        axis=1,
    )
    posterior = density / density.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), posterior, atol=1e-8)
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_clusters_of_different_size_are_found() -> None:
    d = data.load("four_clusters", n_samples=1000, random_state=0)
    found = GaussianMixture(4, random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, found.labels_) > 0.93
    assert found.weights_.max() > 0.4 and found.weights_.sum() == pytest.approx(1)
