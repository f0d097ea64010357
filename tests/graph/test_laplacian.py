"""Laplacians against their formulas and scipy."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import laplacian as scipy_laplacian

from sslviz import graph
from sslviz.graph.laplacian import laplacian

cloud = np.random.default_rng(2).normal(size=(120, 3))


def test_laplacians_are_their_formulas_and_agree_with_scipy() -> None:
    W = graph.gaussian(graph.undirected(graph.knn(cloud, 5)), 0.8)
    w, n = W.toarray(), W.shape[0]
    degree = w.sum(axis=1)
    L = laplacian(W).toarray()
    np.testing.assert_allclose(L, np.diag(degree) - w, atol=1e-15)
    np.testing.assert_allclose(L.sum(axis=1), 0, atol=1e-14)
    symmetric = laplacian(W, "symmetric").toarray()
    np.testing.assert_array_equal(symmetric, symmetric.T)
    peer = np.asarray(scipy_laplacian(w, normed=True))
    np.testing.assert_allclose(symmetric, peer, atol=1e-14)
    walk = laplacian(W, "random_walk").toarray()
    np.testing.assert_allclose(walk, np.eye(n) - w / degree[:, None], atol=1e-14)
    assert np.linalg.eigvalsh(L)[0] > -1e-13 and np.linalg.eigvalsh(symmetric)[-1] <= 2 + 1e-13


def test_laplacians_of_isolated_points_have_empty_rows() -> None:
    W = sparse.csr_array(np.array([[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]))
    for kind in ("unnormalised", "symmetric", "random_walk"):
        L = laplacian(W, kind).toarray()
        assert np.isfinite(L).all() and not L[2].any() and not L[:, 2].any()
    with pytest.raises(ValueError, match="kind='signless'"):
        laplacian(W, "signless")
