"""LLReg: local ridge regressions one by one, the linear system, components without labels."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge

from sslviz import LLReg
from sslviz.graph.neighbours import knn_lists
from sslviz.inductive import ll_reg
from sslviz.inductive.ll_reg import local_predictions, mutual
from sslviz.labels import hide


def predictions(X: np.ndarray, k: int, lam: float) -> np.ndarray:
    return local_predictions(X, mutual(knn_lists(X, k)[0]), lam=lam).toarray()


def cloud(d: int, n: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(3, d))[truth]
    return X, hide(truth, per_class=4, random_state=seed), truth


@pytest.mark.parametrize("d", [2, 30])  # fewer and more features than neighbours
@pytest.mark.parametrize("lam", [1e-2, 3.0])
def test_each_row_is_a_ridge_regression_of_the_neighbours(d: int, lam: float) -> None:
    X, _, _ = cloud(d)
    A, f = predictions(X, 8, lam), np.random.default_rng(1).normal(size=60)
    for i in range(60):
        near = np.flatnonzero(A[i])
        peer = Ridge(alpha=lam, solver="svd").fit(X[near], f[near])
        assert A[i] @ f == pytest.approx(peer.predict(X[i : i + 1])[0], abs=1e-9)


def test_rows_add_up_to_one(real: Any) -> None:
    for X in (cloud(2)[0], cloud(30)[0], real("ionosphere").X, real("coil_chapelle").X[:400]):
        for k, lam in ((1, 1.0), (5, 1e-3), (20, 1.0), (20, 1e3)):
            assert_allclose(predictions(X, k, lam).sum(axis=1), 1, atol=1e-9)


def test_without_a_slope_penalty_linear_functions_are_reproduced() -> None:
    X, _, _ = cloud(2)
    A = predictions(X, 15, 1e-10)
    f = X @ [2.0, -1.0] + 3.0
    enough = (A != 0).sum(axis=1) > 3
    assert_allclose((A @ f)[enough], f[enough], atol=1e-6)
    flat = predictions(X, 15, 1e12)
    assert_allclose(flat.max(axis=1), 1 / (flat != 0).sum(axis=1), atol=1e-9)


def test_neighbours_are_mutual_and_a_point_without_any_takes_its_nearest() -> None:
    X = np.array([[0.0], [1.0], [2.1], [3.3], [50.0]])
    G = mutual(knn_lists(X, 2)[0]).toarray()
    assert_array_equal(
        G,
        [[0, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]],
    )


@pytest.mark.parametrize("tradeoff", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("dense", [0.0, 1.0])  # every system by Cholesky, every one by sparse LU
def test_the_values_are_where_the_gradient_vanishes(
    tradeoff: float, dense: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ll_reg, "DENSE_SHARE", dense)
    X, y, _ = cloud(3)
    model = LLReg(12, 0.5, tradeoff).fit(X, y)
    F, R = model.values_, np.eye(60) - predictions(X, 12, 0.5)
    given = y >= 0
    Y = (y[:, None] == np.arange(3)).astype(float)
    gradient = R.T @ (R @ F) + tradeoff * given[:, None] * (F - Y)
    assert_allclose(gradient, 0, atol=1e-10 * max(1, tradeoff))
    brute = np.linalg.solve(R.T @ R + tradeoff * np.diag(given.astype(float)), tradeoff * Y)
    assert_allclose(F, brute, atol=1e-8)
    assert_allclose(F.sum(axis=1), 1, atol=1e-8)


def test_a_component_without_labels_is_undetermined_and_changes_nothing_else() -> None:
    X, y, _ = cloud(2)
    component = np.array([500.0, 500.0]) + np.random.default_rng(0).normal(size=(8, 2))
    whole = LLReg(5).fit(np.vstack([X, component]), np.append(y, np.full(8, -1)))
    alone = LLReg(5).fit(X, y)
    assert (whole.transduction_[60:] == -1).all() and not whole.label_distributions_[60:].any()
    assert_allclose(whole.values_[:60], alone.values_, atol=1e-9)


def test_new_points_and_links_follow_from_local_regressions() -> None:
    X, y, _ = cloud(3)
    model, A = LLReg(7, 0.3).fit(X, y), predictions(X, 7, 0.3)
    for i in (0, 17, 59):
        near, weights = model.links(i)
        assert_allclose(A[i, near], weights, atol=1e-13)
        assert weights.sum() == pytest.approx(1)
    for q in np.random.default_rng(5).normal(size=(6, 3)):
        near = np.argsort(np.square(X - q).sum(axis=1))[:7]
        peer = Ridge(alpha=0.3, solver="svd").fit(X[near], model.values_[near])
        assert_allclose(model.decision_function(q[None]), peer.predict(q[None]), atol=1e-9)


def test_equal_points_and_few_points_are_no_trouble() -> None:
    X = np.repeat(np.eye(2), 6, axis=0)
    y = np.array([0] + [-1] * 5 + [1] + [-1] * 5)
    model = LLReg(3).fit(X, y)
    known = model.transduction_ >= 0
    assert_array_equal(model.transduction_[known], (np.arange(12) // 6)[known])
    with pytest.warns(UserWarning, match="n_neighbors=10"):
        LLReg().fit(X[[0, 6]], np.array([0, 1]))


def test_digits_are_classified(real: Any) -> None:
    d = real("usps_chapelle")
    y = hide(d.y, fraction=0.1, random_state=0)
    model = LLReg(50, lam=64.0, tradeoff=64.0).fit(d.X, y)
    assert (model.transduction_ == d.y)[y < 0].mean() > 0.93


def test_a_penalty_below_rounding_is_named() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    X = rng.normal(size=(60, 3)) + 4 * np.eye(3)[truth]
    y = hide(truth, per_class=1, random_state=0)  # three labels do not hold planes over space
    LLReg(lam=1e14).fit(1e7 * X, y)
    with pytest.raises(ValueError, match=r"lam=1\.0 vanishes beside the squares of X"):
        LLReg().fit(1e7 * X, y)
