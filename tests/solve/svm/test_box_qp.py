"""Quadratic programs in a box: optimality, singular kernels, many free coordinates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from sslviz.solve.svm.box_newton import MAX_FACTORISED, newton_step
from sslviz.solve.svm.box_qp import _largest_gains, solve_box_qp


@pytest.mark.parametrize("rank", [40, 5])
def test_the_minimum_satisfies_kkt_also_where_the_kernel_is_singular(rank: int) -> None:
    rng = np.random.default_rng(rank)
    Z = rng.normal(size=(40, rank))
    K, q, high = Z @ Z.T, rng.normal(size=40), rng.uniform(0.01, 0.3, size=40)
    beta = solve_box_qp(K, q, np.zeros(40), high, np.zeros(40), -q, 1e-12).beta
    g = K @ beta - q
    assert (beta >= 0).all() and (beta <= high).all()
    assert_allclose(g[(beta > 1e-12) & (beta < high - 1e-12)], 0, atol=1e-6)
    assert (g[beta <= 1e-12] > -1e-6).all() and (g[beta >= high - 1e-12] < 1e-6).all()


def test_hundreds_of_free_coordinates_are_solved_to_the_gap() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 20)), rng.choice([-1.0, 1.0], size=600)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 20)
    low, high = np.minimum(3 * y, 0), np.maximum(3 * y, 0)
    start = np.clip(0.1 * y, low, high)
    found = solve_box_qp(K, y, low, high, start, K @ start - y, 1e-11)
    g, free = K @ found.beta - y, (found.beta > low) & (found.beta < high)
    assert free.sum() > MAX_FACTORISED  # as many as conjugate gradients are for
    assert_allclose(found.gradient, g, atol=1e-12)
    assert_allclose(g[free], 0, atol=1e-5)
    value = 0.5 * found.beta @ K @ found.beta + np.abs(high - low) @ np.maximum(-y * g, 0)
    assert 0 <= found.gap + 1e-14 and found.gap <= 1e-11 * value


def test_a_newton_step_ends_at_the_minimum_over_the_coordinates_that_stay_free() -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(50, 30))
    K, beta = Z @ Z.T + 1e-6 * np.eye(50), rng.uniform(0.1, 0.9, size=50)
    beta[:8], q = 0.0, K @ rng.uniform(-0.1, 1.1, size=50)  # eight are at a bound and stay
    moved = newton_step(K, K @ beta - q, beta, np.zeros(50), np.ones(50), gap=1.0)
    assert (moved[:8] == 0).all() and (moved >= 0).all() and (moved <= 1).all()
    free = (moved > 0) & (moved < 1)
    assert 0 < free.sum() < 42  # some have reached a bound
    assert_allclose((K @ moved - q)[free], 0, atol=1e-8)
    assert 0.5 * moved @ K @ moved - q @ moved < 0.5 * beta @ K @ beta - q @ beta


@pytest.mark.parametrize("kinds", [1, 2, 7, 1000])
def test_the_largest_gains_are_those_of_a_sorted_list(kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    for _ in range(200):
        gains = rng.integers(0, kinds, rng.integers(1, 60)).astype(float)  # with equal ones
        count = rng.integers(1, len(gains) + 1)
        chosen = _largest_gains(gains, count)
        assert len(np.unique(chosen)) == count
        assert np.array_equal(np.sort(gains[chosen]), np.sort(gains)[len(gains) - count :])
