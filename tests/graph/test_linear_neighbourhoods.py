"""Linear neighbourhoods: the weights satisfy the conditions of optimality, or are the LLE's."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_digits

from sslviz.graph.linear_neighbourhoods import LLE_RIDGE, barycentric, convex, convex_graph
from sslviz.graph.neighbours import knn_lists


@pytest.fixture(params=["noise", "plane", "digits"])
def points(request: Any) -> np.ndarray:
    rng = np.random.default_rng(0)
    if request.param == "digits":
        return load_digits(return_X_y=True)[0][:120]
    X = rng.normal(size=(90, 2 if request.param == "plane" else 5))
    return np.vstack([X, X[:4], X[:4]])  # some points three times


def grams(X: np.ndarray, indices: np.ndarray) -> np.ndarray:
    C = np.empty((*indices.shape, indices.shape[1]))
    for i, near in enumerate(indices):
        Z = X[near] - X[i]
        C[i] = Z @ Z.T
        C[i] += LLE_RIDGE * (np.trace(C[i]) or 1.0) * np.eye(len(near))
    return C


@pytest.mark.parametrize("k", [1, 5, 12])
def test_convex_weights_satisfy_the_kkt_conditions(points: np.ndarray, k: int) -> None:
    indices, _ = knn_lists(points, k)
    w = convex(points, points, indices)
    assert w.min() >= 0
    np.testing.assert_allclose(w.sum(axis=1), 1, rtol=1e-12)
    slope = np.einsum("ijk,ik->ij", grams(points, indices), w)
    price = (slope * w).sum(axis=1, keepdims=True)  # the multiplier of Σw = 1
    scale = np.abs(slope).max(axis=1, keepdims=True)
    assert ((slope - price) / scale >= -1e-9).all(), "no neighbour left out would help"
    assert (np.abs(slope - price) * w / scale).max() < 1e-9, "those used help alike"


def test_one_point_agrees_with_a_general_solver(points: np.ndarray) -> None:
    indices, _ = knn_lists(points, 6)
    C = grams(points, indices)
    w = convex(points, points, indices)
    for i in range(0, 60, 12):
        A = C[i] / np.trace(C[i])
        found = minimize(
            lambda v, A=A: v @ A @ v, np.full(6, 1 / 6), jac=lambda v, A=A: 2 * A @ v,
            bounds=[(0, 1)] * 6, constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
            options={"ftol": 1e-14},
        )  # fmt: skip
        assert w[i] @ A @ w[i] <= found.fun + 1e-12
        np.testing.assert_allclose(w[i], found.x, atol=1e-3)


def test_where_no_barycentric_weight_is_negative_both_agree(points: np.ndarray) -> None:
    indices, _ = knn_lists(points, 5)
    free, bound = barycentric(points, points, indices), convex(points, points, indices)
    inside = (free >= 0).all(axis=1)
    assert 0 < inside.sum() < len(points)
    np.testing.assert_allclose(bound[inside], free[inside], rtol=0, atol=1e-12)


def test_the_graph_stores_the_weights_without_zeros(points: np.ndarray) -> None:
    indices, _ = knn_lists(points, 5)
    W = convex_graph(points, indices)
    np.testing.assert_allclose(W.sum(axis=1), 1, rtol=1e-12)
    assert W.data.min() > 0 and W.nnz < indices.size
    w = convex(points, points, indices)
    np.testing.assert_array_equal(W.toarray()[np.arange(len(w))[:, None], indices], w)
