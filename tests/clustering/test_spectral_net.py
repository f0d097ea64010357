"""SpectralNet as an estimator: the sets it solves, and the shapes it leaves."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sslviz import clustering_accuracy
from sslviz.clustering.spectral_net import SpectralNet
from sslviz.data import load


@pytest.mark.parametrize("name", ["two_moons", "three_rings"])
def test_it_finds_what_k_means_cannot(name: str) -> None:
    d = load(name, n_samples=1000, random_state=5)
    model = SpectralNet(len(d.classes), random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, model.labels_) > 0.95
    fresh = load(name, n_samples=500, random_state=6)
    assert clustering_accuracy(fresh.y, model.predict(fresh.X)) > 0.95


def test_blobs_far_apart_are_solved_exactly() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), [80, 60, 40, 30])
    X = 9 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[y] + rng.normal(size=(210, 2))
    model = SpectralNet(4, epochs=2, random_state=1).fit(X)
    assert clustering_accuracy(y, model.labels_) == 1
    assert (model.rayleigh_[:4] < 0.01).all() and model.rayleigh_[4] > 0.01


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Few points, and epochs of 20 iterations."""
    monkeypatch.setattr("sslviz.training.batches.EPOCH_ITERATIONS", 20)
    return load("two_moons", n_samples=200, random_state=1).X


def quick() -> SpectralNet:
    return SpectralNet(2, batch_size=80, hidden=(16,), epochs=2, random_state=3)


def test_fitted_attributes_have_the_promised_shapes(small: np.ndarray) -> None:
    model = quick().fit(small)
    assert model.losses_.shape == (2, 1) and model.embedding_.shape == (200, 2)
    np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1, rtol=1e-12)
    assert model.rayleigh_.shape == (8,) and (np.diff(model.rayleigh_) >= 0).all()
    assert abs(model.rayleigh_[0]) < 1e-9  # the constant
    np.testing.assert_array_equal(model.labels_, model.predict(small))
    P = model.predict_proba(small)
    assert ((P == 0) | (P == 1)).all() and (P.sum(axis=1) == 1).all()


def test_the_scale_and_place_of_all_features_do_not_matter(small: np.ndarray) -> None:
    plain, moved = quick().fit(small), quick().fit(4 * small)
    np.testing.assert_allclose(plain.embedding_, moved.embedding_, atol=1e-6)


def test_without_guard_the_rings_are_not_told_apart() -> None:
    """Why the printed method, C functions and no more, is not enough at this length of training."""
    d = load("three_rings", n_samples=1000, random_state=5)
    model = SpectralNet(3, guard=0, random_state=0).fit(d.X)
    assert model.rayleigh_.shape == (3,)
    assert clustering_accuracy(d.y, model.labels_) < 0.8


def test_one_cluster_and_equal_points_are_clustered() -> None:
    assert (SpectralNet(1, guard=0, epochs=1).fit(np.eye(6)).labels_ == 0).all()
    assert SpectralNet(1, epochs=1).fit(np.ones((12, 2))).labels_.shape == (12,)


def test_digits_are_clustered_as_well_as_by_k_means() -> None:
    d = load("digits")
    model = SpectralNet(10, epochs=3, random_state=0).fit(d.X)
    plain = KMeans(10, n_init=3, random_state=0).fit(d.X)
    found = clustering_accuracy(d.y, model.labels_)
    assert found > 0.75 and found > clustering_accuracy(d.y, plain.labels_) - 0.03
