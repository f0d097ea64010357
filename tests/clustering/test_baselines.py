"""k-means and spectral clustering: scikit-learn's answers, and what makes them what they are."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score

from sslviz import KMeans, SpectralClustering, clustering_accuracy, data
from sslviz.clustering.spectral_clustering import links, smallest_laplacian_eigs
from sslviz.clustering.stages import component_eigs
from sslviz.graph import knn


def test_k_means_is_scikit_learn_s() -> None:
    for name in ("iris", "wine"):
        X = data.load(name).X
        model = KMeans(3, random_state=3).fit(X)
        peer = sklearn.cluster.KMeans(3, n_init=10, random_state=model._seed()).fit(X)
        np.testing.assert_array_equal(model.labels_, peer.labels_)
        np.testing.assert_array_equal(model.cluster_centers_, peer.cluster_centers_)
        assert model.inertia_ == peer.inertia_


def test_k_means_rests_where_every_point_is_at_its_nearest_mean(real) -> None:
    X = real("usps_11000").X[::10]
    model = KMeans(10, n_init=2, random_state=0).fit(X)
    means = [X[model.labels_ == j].mean(axis=0, dtype=np.float64) for j in range(10)]
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-4, atol=0.5)
    assert (model.predict(X) == model.labels_).all()
    squares = np.square(X - model.cluster_centers_[model.labels_]).sum()
    assert model.inertia_ == pytest.approx(squares, rel=1e-6)


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
@pytest.mark.parametrize("name, C", [("two_moons", 2), ("four_clusters", 4), ("three_rings", 3)])
def test_spectral_clustering_is_scikit_learn_s(name: str, C: int) -> None:
    X = data.load(name, n_samples=800, outliers=0.0, random_state=2).X
    model = SpectralClustering(C, random_state=0).fit(X)
    peer = sklearn.cluster.SpectralClustering(
        C, affinity="precomputed", random_state=0, n_init=10
    ).fit(model.affinity_matrix_.toarray())
    assert adjusted_rand_score(model.labels_, peer.labels_) > 0.98


def test_links_are_the_mean_of_both_directions() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    G = knn(X, 4)
    listed = (G.toarray() > 0).astype(float)
    np.testing.assert_array_equal(links(G).toarray(), (listed + listed.T) / 2 + np.eye(40))


@pytest.mark.parametrize("seamed", [True, False])
def test_every_way_to_the_eigenvectors_leads_to_the_same(
    seamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(1).normal(size=(300, 3))
    A = links(knn(X, 8))
    wanted, V = smallest_laplacian_eigs(A, count=5, seamed=seamed)
    monkeypatch.setattr(component_eigs, "DENSE", 0)
    values, U = smallest_laplacian_eigs(A, count=5, seamed=seamed)
    np.testing.assert_allclose(values, wanted, atol=1e-10)
    np.testing.assert_allclose(U, V, atol=1e-7)
    d = A.sum(axis=1)
    # The walk's eigenvectors: D⁻¹A u = λu, the first constant.
    np.testing.assert_allclose((A @ U) / d[:, None], U * values, atol=1e-10)
    assert np.ptp(U[:, 0]) < 1e-9


def test_rings_are_whole_for_the_graph_and_slices_for_k_means() -> None:
    d = data.load("three_rings", n_samples=2000, random_state=0)
    graph = SpectralClustering(3, random_state=0).fit(d.X)
    straight = KMeans(3, random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, graph.labels_) == 1
    assert clustering_accuracy(d.y, straight.labels_) < 0.5


def test_accuracy_does_not_depend_on_the_names_of_clusters() -> None:
    rng = np.random.default_rng(0)
    d = data.load("iris")
    labels = KMeans(3, random_state=0).fit(d.X).labels_
    first = clustering_accuracy(d.y, labels)
    for _ in range(6):
        assert clustering_accuracy(d.y, rng.permutation(3)[labels]) == first
        assert clustering_accuracy(rng.permutation(3)[d.y], labels) == first
