"""SSDR minimises Eq. 12 with the discriminative penalty, and every slider is a filter."""

from collections.abc import Callable

import numpy as np
import pytest
from inductive.oracles import about_mean, cloud, deformed, penalty, rbf
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from sslviz import SSDR
from sslviz.inductive.ssdr import spectrum_curve
from sslviz.labels import hide
from sslviz.memo import Memo

SETTINGS = [(64, 1, 1 / 64), (1, 0.25, 4), (0.1, 2, 16)]
settings = pytest.mark.parametrize("lam, gamma1, gamma2", SETTINGS)


def problem(seed: int, sigma: float = 1.5) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """X, y, K and one-hot targets with zeros for unlabelled points."""
    X, y = cloud(seed)
    return X, y, rbf(X, X, sigma, True), (y[:, None] == [2, 5, 8]).astype(float)


@settings
@pytest.mark.parametrize("centre", [False, True])
def test_it_is_where_the_gradient_of_eq_12_vanishes(
    lam: float, gamma1: float, gamma2: float, centre: bool
) -> None:
    X, y, K, Y = problem(0)
    model = SSDR(1.5, lam, gamma1, gamma2, centre=centre).fit(X, y)
    K = about_mean(K) if centre else K
    c, known = model.dual_coef_, (y != -1)[:, None]
    Y = Y - Y[y != -1].mean(axis=0) if centre else Y
    residual = known * (K @ c - Y)
    gradient = K @ residual + gamma1 * K @ c + gamma2 * K @ penalty(K, lam) @ K @ c
    assert np.abs(gradient).max() < 1e-11 * (1 + gamma1 + gamma2)


def test_a_general_minimiser_of_eq_12_finds_the_same_function() -> None:
    X, y, K, Y = problem(1)
    lam, gamma1, gamma2 = 2.0, 0.5, 3.0
    known, P = y != -1, gamma1 * K + gamma2 * K @ penalty(K, lam) @ K

    def cost(c: np.ndarray) -> tuple[float, np.ndarray]:
        residual = np.where(known, K @ c - Y[:, 0], 0.0)
        return float(residual @ residual + c @ P @ c), 2 * (K @ residual + P @ c)

    tight = {"maxiter": 3000, "maxfun": 5000, "ftol": 1e-16, "gtol": 1e-12}
    found = minimize(cost, np.zeros(len(X)), jac=True, method="L-BFGS-B", options=tight)
    model = SSDR(1.5, lam, gamma1, gamma2).fit(X, y)
    assert cost(model.dual_coef_[:, 0])[0] <= found.fun * (1 + 1e-12)
    assert_allclose(K @ found.x, model.decision_function(X)[:, 0], rtol=0, atol=1e-4)


@settings
@pytest.mark.parametrize("printed", [False, True])
def test_new_points_are_scored_by_the_deformed_kernel_of_eq_14(
    lam: float, gamma1: float, gamma2: float, printed: bool
) -> None:
    X, y, K, Y = problem(2)
    Q, r, known = cloud(7, n=15)[0], gamma2 / gamma1, y != -1
    D, k = penalty(K, lam), rbf(Q, X, 1.5, True)
    change = np.linalg.solve(np.eye(len(X)) + r * D @ K, D @ K)
    factor = 1.0 if printed else -r
    K_deformed, k_deformed = K + factor * K @ change, k + factor * k @ change
    block = K_deformed[np.ix_(known, known)]
    alpha = np.linalg.solve(block + gamma1 * np.eye(known.sum()), Y[known])
    model = SSDR(1.5, lam, gamma1, gamma2, as_printed=printed).fit(X, y)
    assert_allclose(model.decision_function(Q), k_deformed[:, known] @ alpha, rtol=0, atol=1e-10)
    assert_array_equal(
        model.predict(Q), np.array([2, 5, 8])[(k_deformed[:, known] @ alpha).argmax(axis=1)]
    )


@settings
def test_the_filter_is_the_spectrum_of_the_deformed_kernel(
    lam: float, gamma1: float, gamma2: float
) -> None:
    X, y, K, _ = problem(3)
    D = penalty(K, lam)
    mu = np.linalg.eigvalsh(K)
    assert_allclose(np.linalg.eigvalsh(D)[::-1], 1 / (1 + mu / lam), rtol=1e-10)
    model = SSDR(1.5, lam, gamma1, gamma2).fit(X, y)
    K_deformed = deformed(K, D, gamma2 / gamma1)
    expected = np.linalg.eigvalsh((K_deformed + K_deformed.T) / 2)[::-1]
    assert_allclose(np.sort(model.filtered_)[::-1], expected, rtol=0, atol=1e-11)
    for M in (K_deformed, K - K_deformed):
        assert np.linalg.eigvalsh((M + M.T) / 2).min() > -1e-12
    curve = model.filter_curve()
    assert_array_equal(curve.mu, model.eigenvalues_)
    assert_array_equal(curve.right, model.filtered_)


def test_curves_hold_the_right_and_the_printed_sign() -> None:
    curve = spectrum_curve(np.array([0.0, 1.0, 100.0]), lam=64, ratio=0.25)
    assert_allclose(curve.right[1:], [65 / (65 + 16), 100 * 164 / (164 + 1600)])
    assert_allclose(curve.printed[1:], [1 + 64 / 81, 100 + 64e4 / 1764])
    assert curve.right[0] == curve.printed[0] == 0


def test_without_the_penalty_it_is_ridge_regression() -> None:
    X, y, K, Y = problem(4)
    known = y != -1
    block = K[np.ix_(known, known)] + 0.3 * np.eye(known.sum())
    ridge = K[:, known] @ np.linalg.solve(block, Y[known])
    for tiny in (0.0, 1e-13):
        model = SSDR(1.5, gamma1=0.3, gamma2=tiny).fit(X, y)
        assert_allclose(model.decision_function(X), ridge, rtol=0, atol=1e-10)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("printed", [False, True])
def test_the_bump_is_a_row_of_both_kernels(centre: bool, printed: bool) -> None:
    X, y, K, _ = problem(5)
    model = SSDR(1.5, 2.0, 0.5, 3.0, centre=centre, as_printed=printed).fit(X, y)
    K = about_mean(K) if centre else K
    change = K @ np.linalg.solve(np.eye(len(X)) + 6 * penalty(K, 2) @ K, penalty(K, 2) @ K)
    for place in (4, X[4]):  # by its number, or any place
        k, k_deformed = model.bump(place, X)
        assert_allclose(k, K[4], rtol=0, atol=1e-13)
        expected = K + (1 if printed else -6) * change
        assert_allclose(k_deformed, expected[4], rtol=0, atol=1e-10)
        assert (k_deformed[4] > k[4]) is np.bool_(printed)  # the right sign subtracts


def test_moving_a_penalty_keeps_the_spectrum() -> None:
    X, y = cloud(0)
    memo = Memo()
    SSDR(memory=memo).fit(X, y)
    for change in ({"lam": 3}, {"gamma1": 0.1}, {"gamma2": 2}, {"as_printed": True}):
        with memo.watch() as stages:
            SSDR(**change, memory=memo).fit(X, y)
        assert all(stage.reused for stage in stages), change


def test_two_classes_have_a_column_each_and_probabilities_of_the_same_order() -> None:
    X, y = cloud(0, classes=2)
    model = SSDR().fit(X, y)
    F, P = model.decision_function(X), model.predict_proba(X)
    assert F.shape == (len(X), 2) and model.dual_coef_.shape == (len(X), 2)
    assert_allclose(P.sum(axis=1), 1)
    assert_array_equal(np.argsort(F[:, 1] - F[:, 0]), np.argsort(P[:, 1]))
    whole = SSDR().fit(X, np.where(X[:, 0] > 0, 1, 0))  # all labels given: one score
    assert whole.decision_function(X).shape == (len(X),)


def test_ionosphere_is_as_good_as_the_notes_say(real: Callable) -> None:
    d = real("ionosphere")
    right = []
    for seed in range(5):
        y = hide(d.y, fraction=0.1, random_state=seed)
        model = SSDR().fit(d.X, y)
        right.append((model.transduction_ == d.y)[y == -1].mean())
    assert np.mean(right) > 0.75
