"""LapRLS minimises Eq. 6, with either kernel, and SSDR is a special case of it."""

from collections.abc import Callable

import numpy as np
import pytest
from inductive.oracles import cloud, deformed, penalty, rbf, union_laplacian
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from sslviz import SSDR, LapRLS, LapSVM
from sslviz.inductive.base import signs
from sslviz.labels import hide
from sslviz.memo import Memo

both_methods = pytest.mark.parametrize("Method", [LapRLS, LapSVM])


def kernel(X: np.ndarray, name: str, sigma: float = 1.5) -> np.ndarray:
    return rbf(X, X, sigma, False) if name == "rbf" else X @ X.T


@pytest.mark.parametrize("lam1, lam2", [(1e-4, 1000), (1e-2, 0), (1, 5e4), (1e-6, 1)])
@pytest.mark.parametrize("name", ["rbf", "linear"])
@pytest.mark.parametrize("d", [3, 90])  # fewer and more features than points
def test_the_gradient_of_eq_6_vanishes(lam1: float, lam2: float, name: str, d: int) -> None:
    X, y = cloud(0, d=d)
    sigma = 1.5 * np.sqrt(d)
    model = LapRLS(name, sigma, lam1, lam2).fit(X, y)
    K, L, known = kernel(X, name, sigma), union_laplacian(X, 6), y != -1
    c = model.dual_coef_
    Y = np.where(known[:, None], 2.0 * (y[:, None] == [2, 5, 8]) - 1, 0)
    f = model.decision_function(X)
    assert_allclose(K @ c + model.intercept_, f, rtol=0, atol=1e-8)
    pull = known[:, None] * (f - Y) / known.sum()
    gradient = K @ (pull + lam2 / len(X) ** 2 * L @ f) + lam1 * (f - model.intercept_)
    assert np.abs(gradient).max() < 1e-11 * np.abs(K).sum(axis=1).max()
    if name == "linear":
        assert_allclose(pull.sum(axis=0), 0, atol=1e-11)
    else:
        assert_array_equal(model.intercept_, 0)


def test_rbf_is_the_closed_form_of_eq_9_corrected() -> None:
    X, y = cloud(1, classes=2)
    lam1, lam2, n = 0.01, 300.0, len(X)
    known = y != -1
    K, L = kernel(X, "rbf"), union_laplacian(X, 6)
    A = np.diag(known * 1.0) @ K + lam1 * known.sum() * np.eye(n)
    alpha = np.linalg.solve(
        A + lam2 * known.sum() / n**2 * L @ K, np.where(known, np.where(y == 5, 1.0, -1.0), 0)
    )
    model = LapRLS("rbf", 1.5, lam1, lam2).fit(X, y)
    Q = cloud(8, n=10)[0]
    expected = rbf(Q, X, 1.5, False) @ alpha
    assert model.decision_function(Q).shape == (10,) and model.dual_coef_.shape == (n,)
    assert_allclose(model.decision_function(Q), expected, rtol=0, atol=1e-10)
    assert_array_equal(model.predict(Q), np.where(expected > 0, 5, 2))


@pytest.mark.parametrize("lam1", [1e-7, 1e-10, 1e-13, 1e-40])
def test_scores_are_accurate_where_one_penalty_is_tiny(lam1: float) -> None:
    X, y = cloud(1, classes=2)
    n, known = len(X), y != -1
    K, L = kernel(X, "rbf", 0.5), union_laplacian(X, 6)  # which is well conditioned
    A = np.diag(known * 1.0) @ K + known.sum() * (lam1 * np.eye(n) + 1000 / n**2 * L @ K)
    f = K @ np.linalg.solve(A, np.where(known, np.where(y == 5, 1.0, -1.0), 0))
    model = LapRLS("rbf", 0.5, lam1, 1000.0).fit(X, y)
    assert_allclose(model.decision_function(X), f, rtol=0, atol=1e-10)
    shares = model.label_distributions_
    assert_allclose(np.log(shares[:, 1] / shares[:, 0]) / 2, f, rtol=0, atol=1e-10)


@both_methods
@pytest.mark.parametrize("name", ["rbf", "linear"])
@pytest.mark.filterwarnings("error")
def test_an_infinite_graph_penalty_leaves_a_constant(Method: type, name: str) -> None:
    X, _ = cloud(1, classes=2)
    y = np.where(np.arange(len(X)) < 9, np.arange(len(X)) % 2, -1)  # five of nine are 0
    f = Method(name, lam1=1e-4, lam2=1e300).fit(X, y).decision_function(X)
    assert np.ptp(f) < 1e-4
    assert_allclose(f, -1 / 9 if Method is LapRLS else -1, rtol=0, atol=1e-3)


def test_ssdr_is_lap_rls_with_the_discriminative_penalty() -> None:
    X, y = cloud(2)
    lam, gamma1, gamma2 = 4.0, 0.5, 2.0
    K, known = rbf(X, X, 1.5, True), y != -1
    K_deformed = deformed(K, penalty(K, lam), gamma2 / gamma1)[:, known]
    Y = (y[known, None] == [2, 5, 8]).astype(float)
    alpha = np.linalg.solve(K_deformed[known] + gamma1 * np.eye(known.sum()), Y)
    model = SSDR(1.5, lam, gamma1, gamma2).fit(X, y)
    assert_allclose(model.decision_function(X), K_deformed @ alpha, rtol=0, atol=1e-10)


def test_without_the_graph_it_is_scikit_learns_ridge() -> None:
    X, y = cloud(3)
    known = y != -1
    Y = signs(np.searchsorted([2, 5, 8], y[known]), 3)
    model = LapRLS("rbf", 1.5, 0.01, 0.0).fit(X, y)
    peer = KernelRidge(alpha=0.01 * known.sum(), kernel="rbf", gamma=1 / 1.5**2)
    assert_allclose(model.decision_function(X), peer.fit(X[known], Y).predict(X), rtol=0, atol=1e-9)
    straight = LapRLS("linear", lam1=0.3, lam2=0.0).fit(X, y)
    line = Ridge(alpha=0.3 * known.sum()).fit(X[known], Y)
    assert_allclose(straight.decision_function(X), line.predict(X), rtol=0, atol=1e-9)
    assert_allclose(straight.intercept_, line.intercept_, rtol=0, atol=1e-9)


@both_methods
def test_moving_a_penalty_keeps_kernel_graph_and_spectra(Method: type) -> None:
    X, y = cloud(0)
    memo = Memo()
    Method(memory=memo).fit(X, y)
    for change in ({"lam1": 0.1}, {"lam2": 3.0}):
        with memo.watch() as stages:
            Method(**change, memory=memo).fit(X, y)
        assert {stage.name for stage in stages if not stage.reused} <= {"machines"}
    with memo.watch() as stages:
        Method(n_neighbors=3, memory=memo).fit(X, y)
    redone = {stage.name for stage in stages if not stage.reused}
    assert redone <= {"graph_laplacian", "kernel_filter_basis", "machines"}


def test_a_linear_kernel_needs_no_matrix_of_all_pairs() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(21_000, 2))
    y = np.where(np.arange(len(X)) < 50, X[:, 0] > 0, -1)
    model = LapRLS("linear").fit(X, y)
    assert (model.transduction_ == (X[:, 0] > 0)).mean() > 0.95


def test_unlabelled_points_raise_accuracy(moons: tuple, real: Callable) -> None:
    d = real("coil_chapelle")
    y = hide(d.y, fraction=0.1, random_state=0)
    for X, y, truth, sigma in ((*moons, "0.25 median"), (d.X[::3], y[::3], d.y[::3], "median")):  # noqa: B020
        memo, right = Memo(), []
        for lam2 in (0, 1000):
            model = LapRLS("rbf", sigma, 1e-4, lam2, memory=memo).fit(X, y)
            right.append((model.transduction_ == truth)[y == -1].mean())
        assert right[1] > right[0]
        assert X.shape[1] > 2 or (right[0] < 0.93 and right[1] > 0.98)


@both_methods
def test_a_linear_function_does_not_depend_on_the_origin(Method: type) -> None:
    rng = np.random.default_rng(2)
    z = rng.integers(0, 2, 60)
    X = np.round((rng.normal(size=(60, 4)) + 2 * z[:, None]) * 1024) / 1024
    y = np.full(60, -1)
    y[:8] = z[:8]
    near, far = Method("linear").fit(X, y), Method("linear").fit(X + 2**20, y)  # both are exact
    f = near.decision_function(X)
    assert_allclose(far.decision_function(X + 2**20), f, rtol=0, atol=1e-9)
    assert_allclose(X @ X.T @ near.dual_coef_ + near.intercept_, f, rtol=0, atol=1e-12)
