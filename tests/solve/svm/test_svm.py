"""Support vector machines with a bias: no duality gap, the KKT conditions, two equal solvers."""

from collections.abc import Callable

import numpy as np
import pytest
from inductive.oracles import rbf
from numpy.testing import assert_allclose
from scipy.optimize import LinearConstraint, minimize

from sslviz.solve.svm.svm import Machine, solve_dual, solve_primal

BOTH = (solve_dual, solve_primal)


def problem(seed: int, count: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """K and labels ±1, separable or not."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(count) < 0.4, 1.0, -1.0)
    y[:2] = 1, -1
    X = rng.normal(size=(count, 2)) + y[:, None] / noise
    return rbf(X, X, 1.5, False), y


def assert_optimal(K: np.ndarray, y: np.ndarray, lam: float, machine: Machine) -> None:
    """Value of the primal = value of the dual, both feasible; and every condition on its own."""
    alpha, C = machine.alpha, 1 / (2 * lam * len(y))
    f = K @ alpha + machine.b
    a, size = y * alpha, lam * alpha @ K @ alpha
    assert a.min() >= 0 and a.max() <= C and abs(alpha.sum()) < 1e-9 * np.abs(alpha).sum()
    primal = np.maximum(0, 1 - y * f).mean() + size
    assert abs(primal - (2 * lam * a.sum() - size)) < 1e-10
    margin = y * f
    assert (margin[a == 0] > 1 - 1e-7).all() and (margin[a == C] < 1 + 1e-7).all()
    free = (a > 1e-6 * C) & (a < (1 - 1e-6) * C)
    assert_allclose(margin[free], 1, rtol=0, atol=1e-7)


@pytest.mark.parametrize("count", [2, 7, 40])
@pytest.mark.parametrize("noise", [0.5, 3])
@pytest.mark.parametrize("lam", [1e-5, 1e-3, 0.1, 10])
def test_both_solvers_reach_the_optimum(count: int, noise: float, lam: float) -> None:
    K, y = problem(count, count, noise)
    dual, primal = (solve(K, y, lam) for solve in BOTH)
    for machine in (dual, primal):
        assert_optimal(K, y, lam, machine)
    assert_allclose(K @ dual.alpha + dual.b, K @ primal.alpha + primal.b, rtol=0, atol=1e-6)


@pytest.mark.parametrize("solve", BOTH)
@pytest.mark.parametrize("signs", [(1, -1), (1, -1, -1, -1), (1, 1, -1, -1)])
@pytest.mark.parametrize("lam", [1e-5, 0.1, 5])
def test_equal_points_with_opposite_labels_have_an_optimum_too(
    solve: Callable, signs: tuple, lam: float
) -> None:
    K, y = np.ones((len(signs), len(signs))), np.array(signs, float)
    assert_optimal(K, y, lam, solve(K, y, lam))


def test_a_general_solver_finds_nothing_better() -> None:
    K, y = problem(3, 12, 1.0)
    lam, count = 0.02, 12
    Q = y[:, None] * K * y / (2 * lam)
    found = minimize(
        lambda b: b @ Q @ b / 2 - b.sum(),
        np.full(count, 0.01),
        jac=lambda b: Q @ b - 1,
        bounds=[(0, 1 / count)] * count,
        constraints=[LinearConstraint(y, 0, 0)],  # Eq. 12 with its bias, Eq. 13 with ½
        method="trust-constr",
        options={"gtol": 1e-10, "xtol": 1e-12, "maxiter": 3000},
    )
    alpha = solve_primal(K, y, lam).alpha
    value = 2 * lam * (y @ alpha) - lam * alpha @ K @ alpha
    assert abs(-found.fun - value) < 1e-6
