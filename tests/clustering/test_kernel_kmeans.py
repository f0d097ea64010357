"""Kernel k-means: k-means for the linear kernel, the explicit distances, a fixed point."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score

from sslviz import KernelKMeans, clustering_accuracy, data
from sslviz.clustering.kernel_kmeans import cluster_distances, kernel_lloyd
from sslviz.clustering.parameters import MAX_PAIRED_POINTS


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_with_the_linear_kernel_it_is_k_means(name: str) -> None:
    dataset = data.load(name)
    X = dataset.X + 1000.0  # far from the origin
    model = KernelKMeans(3, kernel="linear", n_init=20, random_state=0).fit(X)
    peer = sklearn.cluster.KMeans(3, n_init=20, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(peer.inertia_, rel=1e-9)
    assert adjusted_rand_score(peer.labels_, model.labels_) == 1
    Q = X[::3] + 0.1 * np.random.default_rng(0).normal(size=X[::3].shape)
    assert adjusted_rand_score(peer.predict(Q), model.predict(Q)) == 1


def test_distances_are_those_to_the_mean_in_feature_space() -> None:
    rng = np.random.default_rng(1)
    Phi, labels = rng.normal(size=(40, 5)), rng.integers(3, size=40)
    means = np.stack([Phi[labels == c].mean(axis=0) for c in range(3)])
    found = cluster_distances(Phi @ Phi.T, labels, 4)
    np.testing.assert_allclose(found[:, :3], ((Phi[:, None] - means) ** 2).sum(axis=2), atol=1e-12)
    assert np.isinf(found[:, 3]).all()


def test_no_point_is_nearer_to_another_mean_and_the_objective_is_the_sum_of_squares() -> None:
    X = data.load("four_clusters", n_samples=300, random_state=2).X
    model = KernelKMeans(4, random_state=1).fit(X)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-squares / (2 * model.sigma_**2))
    D = cluster_distances(K, model.labels_, 4)
    np.testing.assert_array_equal(D.argmin(axis=1), model.labels_)
    assert model.inertia_ == pytest.approx(D.min(axis=1).sum(), rel=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    distances = np.sqrt(squares[np.triu_indices(300, 1)])
    assert model.sigma_ == pytest.approx(0.5 * np.median(distances), rel=1e-12)


def test_no_iteration_raises_the_objective() -> None:
    X = data.load("two_moons", n_samples=200, random_state=0).X
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 0.18)
    for seed in range(3):
        found = []
        for max_iter in range(12):
            labels, inertia, _ = kernel_lloyd(
                K, n_clusters=5, n_init=1, max_iter=max_iter, seed=seed
            )
            within = [K[np.ix_(labels == c, labels == c)] for c in range(5)]
            wanted = len(X) - sum(part.sum() / len(part) for part in within)
            assert inertia == pytest.approx(wanted, rel=1e-12)
            found.append(inertia)
        assert (np.diff(found) <= 1e-12 * found[0]).all() and found[-1] < found[0]


def test_four_clusters_of_different_size_are_found_where_k_means_fails() -> None:
    for seed in range(2):
        d = data.load("four_clusters", n_samples=600, random_state=seed)
        found = KernelKMeans(4, random_state=seed).fit(d.X).labels_
        assert clustering_accuracy(d.y, found) > 0.93
        linear = KernelKMeans(4, kernel="linear", random_state=seed).fit(d.X).labels_
        assert clustering_accuracy(d.y, linear) < 0.75


def test_equal_points_and_empty_clusters_do_no_harm() -> None:
    X = np.repeat([[0.0, 0.0], [3.0, 1.0]], 10, axis=0)
    for kernel in ("rbf", "linear"):
        found = KernelKMeans(3, kernel=kernel, sigma=1.0, random_state=0).fit(X).labels_
        assert set(found) == {0, 1, 2} and not set(found[:10]) & set(found[10:])
    labels, inertia, _ = kernel_lloyd(np.ones((4, 4)), n_clusters=2, n_init=1, max_iter=9, seed=0)
    assert set(labels) == {0, 1} and inertia == pytest.approx(0, abs=1e-12)


def test_many_points_are_refused_with_the_memory_they_need() -> None:
    X = np.zeros((MAX_PAIRED_POINTS + 1, 2))
    with pytest.raises(ValueError, match=r"KernelKMeans: n=5001 points need .* 0\.2 GB; at most"):
        KernelKMeans(2).fit(X)
