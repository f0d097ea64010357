"""Every graph is a Laplacian, and each is optimal by its own criterion."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from scipy.spatial.distance import cdist
from sklearn.manifold import _locally_linear

from sslviz.dictionary.stages.laplacians import (
    LAPLACIANS,
    MAX_POINTS,
    build,
    learnt_graph,
    learnt_weights,
    project_to_simplex,
)
from sslviz.dictionary.stages.out_of_sample import code_new, weights_to_new_points
from sslviz.graph.linear_neighbourhoods import barycentric
from sslviz.graph.neighbours import knn_lists
from sslviz.memo import Memo

OPTIONS: dict[str, Any] = {"k": 6, "sigma": 1.3, "share": 0.1, "spread": 0.5}


@pytest.fixture(params=["noise", "digits"])
def points(request: Any, real: Any) -> np.ndarray:
    rng = np.random.default_rng(0)
    if request.param == "noise":
        X = rng.normal(size=(60, 4))
        return np.vstack([X, X[:3]])  # three points twice
    X = real("usps").X[rng.choice(9298, 80, replace=False)]
    return 5 * X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.mark.parametrize("kind", LAPLACIANS)
def test_every_l_is_symmetric_positive_and_annihilates_constants(
    points: np.ndarray, kind: str
) -> None:
    graph = build(points, kind, **OPTIONS)
    L = graph.L.toarray()
    np.testing.assert_allclose(L, L.T, rtol=0, atol=1e-12)
    np.testing.assert_allclose(L.sum(axis=1), 0, atol=1e-9)
    assert np.linalg.eigvalsh(L)[0] >= -1e-9
    if kind != "lle":
        np.testing.assert_allclose(np.trace(L), len(points), rtol=1e-9)
        W = graph.weights.toarray()
        assert W.min() >= 0 and (np.diag(W) == 0).all() and (L - np.diag(np.diag(L))).max() <= 0


def test_lle_weights_are_the_best_mixture_of_the_neighbours(points: np.ndarray) -> None:
    indices, _ = knn_lists(points, 6)
    w = barycentric(points, points, indices)
    np.testing.assert_allclose(w.sum(axis=1), 1, rtol=1e-12)
    theirs = _locally_linear.barycenter_weights(points, points, indices, reg=1e-3)
    np.testing.assert_allclose(w, theirs, rtol=0, atol=1e-7)
    V = build(points, "lle", **OPTIONS).weights
    assert (np.diff(V.indptr) == 6).all()
    np.testing.assert_allclose(V.toarray()[np.arange(len(w))[:, None], indices], w)


def test_the_graph_term_is_the_distance_to_the_mixture(points: np.ndarray) -> None:
    graph = build(points, "lle", **OPTIONS)
    A = np.random.default_rng(1).normal(size=(len(points), 5))
    rows = A - graph.weights @ A  # Vᵀ instead of V would be the printed, wrong form
    np.testing.assert_allclose(np.sum(A * (graph.L @ A)), np.square(rows).sum(), rtol=1e-10)


def test_threshold_connects_the_closest_share_of_all_pairs(points: np.ndarray) -> None:
    graph = build(points, "threshold", **OPTIONS)
    d = cdist(points, points)
    above = np.triu_indices(len(d), 1)
    linked = graph.weights.toarray() > 0
    np.testing.assert_array_equal(linked[above], d[above] <= graph.reach)
    assert abs(linked[above].mean() - 0.1) < 0.01
    i, j = np.argwhere(linked)[0]
    wanted = graph.scale * np.exp(-(d[i, j] ** 2) / (2 * 1.3**2))
    np.testing.assert_allclose(graph.weights[i, j], wanted, rtol=1e-6)


def learnt_cost(W: np.ndarray, X: np.ndarray, spread: float) -> float:
    L = np.diag(W.sum(axis=1)) - W
    return float(np.trace(X.T @ L @ X) + spread * np.square(L).sum())


def test_the_learnt_graph_of_five_points_agrees_with_scipy() -> None:
    X = np.random.default_rng(3).normal(size=(5, 2))
    above = np.triu_indices(5, 1)

    def cost(w: np.ndarray) -> float:
        W = np.zeros((5, 5))
        W[above] = w
        return learnt_cost(W + W.T, X, 0.3)

    trace = LinearConstraint(np.ones((1, 10)), 2.5, 2.5)
    there = minimize(
        cost, np.full(10, 0.25), bounds=[(0, None)] * 10, constraints=trace, method="trust-constr",
        options={"gtol": 1e-9, "xtol": 1e-12, "maxiter": 3000},
    )  # fmt: skip
    W = learnt_graph(X, 0.3, tol=1e-12).weights.toarray()
    np.testing.assert_allclose(cost(W[above]), there.fun, rtol=1e-5)
    np.testing.assert_allclose(W[above], there.x, atol=2e-3)


def test_a_new_point_joins_the_learnt_graph_at_least_cost(points: np.ndarray) -> None:
    graph = learnt_graph(points[1:], 0.5)
    W, z = graph.weights.toarray(), cdist(points[:1], points[1:]) ** 2
    row = learnt_weights(z, graph.weights, 0.5)[0]
    np.testing.assert_allclose(row.sum(), 0.5)

    def cost(v: np.ndarray) -> float:
        return learnt_cost(np.block([[W, v[:, None]], [v[None], np.zeros((1, 1))]]), np.vstack(
            [points[1:], points[:1]]), 0.5)  # fmt: skip

    rng = np.random.default_rng(0)
    for _ in range(20):
        other = rng.dirichlet(np.full(len(row), 0.05)) / 2
        assert cost(0.99 * row + 0.01 * other) >= cost(row) * (1 - 1e-12)


def test_the_simplex_projection_is_the_nearest_point() -> None:
    H = np.random.default_rng(0).normal(size=(50, 7))
    Z = project_to_simplex(H, 0.5)
    np.testing.assert_allclose(Z.sum(axis=1), 0.5)
    # H − Z is one number where Z > 0 and less elsewhere: the conditions of the projection.
    gap = np.where(Z > 0, H - Z, np.nan)
    level = np.nanmean(gap, axis=1, keepdims=True)
    np.testing.assert_allclose(np.nan_to_num(gap - level), 0, atol=1e-12)
    assert Z.min() >= 0 and ((H <= level + 1e-12) | (Z > 0)).all()


@pytest.mark.parametrize("kind", LAPLACIANS)
def test_codes_of_new_points_are_pulled_towards_those_of_their_neighbours(
    points: np.ndarray, kind: str
) -> None:
    """Eq. 6, with λ̂ inside the sum and 1 instead of ½: the gradient written out is zero."""
    X, Q = points[8:], points[:8]
    rng = np.random.default_rng(0)
    A, D = rng.normal(size=(len(X), 9)), rng.normal(size=(9, X.shape[1])) / 4
    graph = build(X, kind, **OPTIONS)
    V = weights_to_new_points(Q, X, graph, kind, k=6, sigma=1.3, spread=0.5, device="cpu")
    codes = code_new(Q, D, A, V, lam=0.1, beta=0.7)
    for x, v, a in zip(Q, V.toarray(), codes, strict=True):
        g = 2 * (a @ D - x) @ D.T
        if kind == "lle":
            g += 2 * 0.7 * (a - v @ A)
        else:
            g += 2 * 0.7 * (v[:, None] * (a - A)).sum(axis=0)
        np.testing.assert_allclose(g[a != 0], -0.1 * np.sign(a[a != 0]), rtol=0, atol=1e-7)
        assert np.abs(g[a == 0]).max(initial=0) <= 0.1 + 1e-7


def test_another_sigma_keeps_the_stages_that_do_not_depend_on_it(points: np.ndarray) -> None:
    memo = Memo()
    for kind in ("lle", "knn"):
        for sigma in (1.0, 2.0):
            build(points, kind, memo, **(OPTIONS | {"sigma": sigma}))
    made = [(stage.name, stage.reused) for stage in memo.log]
    assert made.count(("neighbours", False)) == 1 and made.count(("lle_graph", False)) == 1


@pytest.mark.parametrize("kind", ["threshold", "learnt"])
def test_too_many_points_for_all_pairs_are_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=f"laplacian='{kind}' weighs every pair"):
        build(np.zeros((MAX_POINTS + 1, 1)), kind, **OPTIONS)
