"""k-means: scikit-learn's result, and the fixed point that it must be."""

import numpy as np
import pytest
import sklearn.cluster

from sslviz import KMeans, data


def test_it_is_scikit_learn_s() -> None:
    for name in ("iris", "wine"):
        X = data.load(name).X
        model = KMeans(3, random_state=3).fit(X)
        peer = sklearn.cluster.KMeans(3, n_init=10, random_state=model._draw_seed()).fit(X)
        np.testing.assert_array_equal(model.labels_, peer.labels_)
        np.testing.assert_array_equal(model.cluster_centers_, peer.cluster_centers_)
        assert model.inertia_ == peer.inertia_


def test_every_point_is_nearest_to_the_mean_of_its_own_cluster(real) -> None:
    X = real("usps_11000").X[::10]
    model = KMeans(10, n_init=2, random_state=0).fit(X)
    means = [X[model.labels_ == j].mean(axis=0, dtype=np.float64) for j in range(10)]
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-4, atol=0.5)
    assert (model.predict(X) == model.labels_).all()
    squares = np.square(X - model.cluster_centers_[model.labels_]).sum()
    assert model.inertia_ == pytest.approx(squares, rel=1e-6)
