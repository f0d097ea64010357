"""Spectral clustering: scikit-learn's clusters, and its eigenvectors by every route."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score

from sslviz import KMeans, SpectralClustering, clustering_accuracy, data
from sslviz.clustering.spectral_clustering import knn_affinity, smallest_laplacian_eigs
from sslviz.clustering.stages import component_eigs
from sslviz.graph import knn


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
@pytest.mark.parametrize("name, C", [("two_moons", 2), ("four_clusters", 4), ("three_rings", 3)])
def test_it_is_scikit_learn_s(name: str, C: int) -> None:
    X = data.load(name, n_samples=800, outliers=0.0, random_state=2).X
    model = SpectralClustering(C, random_state=0).fit(X)
    peer = sklearn.cluster.SpectralClustering(
        C, affinity="precomputed", random_state=0, n_init=10
    ).fit(model.affinity_matrix_.toarray())
    assert adjusted_rand_score(model.labels_, peer.labels_) > 0.98


def test_the_affinity_is_the_mean_of_both_directions() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    G = knn(X, 4)
    listed = (G.toarray() > 0).astype(float)
    np.testing.assert_array_equal(knn_affinity(G).toarray(), (listed + listed.T) / 2 + np.eye(40))


@pytest.mark.parametrize("factorise", [True, False])
def test_every_route_to_the_eigenvectors_gives_the_same(
    factorise: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(1).normal(size=(300, 3))
    A = knn_affinity(knn(X, 8))
    wanted, V = smallest_laplacian_eigs(A, count=5, factorise=factorise)
    monkeypatch.setattr(component_eigs, "MAX_DENSE", 0)
    values, U = smallest_laplacian_eigs(A, count=5, factorise=factorise)
    np.testing.assert_allclose(values, wanted, atol=1e-10)
    np.testing.assert_allclose(U, V, atol=1e-7)
    d = A.sum(axis=1)
    # The walk's eigenvectors: D⁻¹A u = λu, the first constant.
    np.testing.assert_allclose((A @ U) / d[:, None], U * values, atol=1e-10)
    assert np.ptp(U[:, 0]) < 1e-9


def test_rings_are_found_by_the_graph_and_not_by_k_means() -> None:
    d = data.load("three_rings", n_samples=2000, random_state=0)
    graph = SpectralClustering(3, random_state=0).fit(d.X)
    straight = KMeans(3, random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, graph.labels_) == 1
    assert clustering_accuracy(d.y, straight.labels_) < 0.5
