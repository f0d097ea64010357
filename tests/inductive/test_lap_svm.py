"""LapSVM: no duality gap, the KKT conditions, two solvers with one answer."""

import numpy as np
import pytest
from inductive.oracles import bent, cloud, rbf, union_laplacian
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import LinearConstraint, minimize
from sklearn.svm import SVC

from sslviz import LapSVM
from sslviz.solve.svm.svm import Machine, solve_dual, solve_primal

solvers = pytest.mark.parametrize("solver", ["dual", "primal"])
BOTH = (solve_dual, solve_primal)


def kernel(seed: int, count: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
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
    K, y = kernel(count, count, noise)
    dual, primal = (solve(K, y, lam) for solve in BOTH)
    for machine in (dual, primal):
        assert_optimal(K, y, lam, machine)
    assert_allclose(K @ dual.alpha + dual.b, K @ primal.alpha + primal.b, rtol=0, atol=1e-6)


@pytest.mark.parametrize("solve", BOTH)
@pytest.mark.parametrize("signs", [(1, -1), (1, -1, -1, -1), (1, 1, -1, -1)])
@pytest.mark.parametrize("lam", [1e-5, 0.1, 5])
def test_equal_points_with_opposite_labels_have_an_optimum_too(
    solve: type, signs: tuple, lam: float
) -> None:
    K, y = np.ones((len(signs), len(signs))), np.array(signs, float)
    assert_optimal(K, y, lam, solve(K, y, lam))


def test_a_general_solver_finds_nothing_cheaper() -> None:
    K, y = kernel(3, 12, 1.0)
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


@solvers
def test_without_the_graph_it_is_a_support_vector_machine(solver: str) -> None:
    X, y = cloud(0, classes=2)
    known = y != -1
    peer = SVC(C=1 / (2 * 0.01 * known.sum()), gamma=1 / 1.5**2, tol=1e-8).fit(X[known], y[known])
    model = LapSVM("rbf", 1.5, 0.01, 0.0, solver=solver).fit(X, y)
    assert_allclose(model.decision_function(X), peer.decision_function(X), rtol=0, atol=1e-6)
    assert_array_equal(model.support_, np.sort(np.flatnonzero(known)[peer.support_]))


@solvers
@pytest.mark.parametrize("lam1, lam2", [(1e-4, 1000.0), (1e-2, 1e4)])
def test_the_field_is_eq_10_corrected_at_points_old_and_new(
    solver: str, lam1: float, lam2: float
) -> None:
    X, y = cloud(1, classes=2)
    known = y != -1
    sign = np.where(y[known] == 5, 1.0, -1.0)
    K, L = rbf(X, X, 1.5, False), union_laplacian(X, 6)
    rho = lam2 / (lam1 * len(X) ** 2)
    K_bent = bent(K, L, rho)
    machine = solve_dual(K_bent[np.ix_(known, known)], sign, lam1)
    spread = np.zeros(len(X))
    spread[known] = machine.alpha
    coef = np.linalg.solve(np.eye(len(X)) + rho * L @ K, spread)  # Eq. 11
    model = LapSVM("rbf", 1.5, lam1, lam2, solver=solver).fit(X, y)
    Q = cloud(8, n=10)[0]
    assert_allclose(
        model.decision_function(Q), rbf(Q, X, 1.5, False) @ coef + machine.b, rtol=0, atol=1e-6
    )
    f = K @ model.dual_coef_ + model.intercept_
    assert_allclose(model.decision_function(X), f, rtol=0, atol=1e-9)
    value = np.maximum(0, 1 - sign * f[known]).mean()
    value += lam1 * model.dual_coef_ @ K @ model.dual_coef_ + lam2 / len(X) ** 2 * f @ L @ f
    alpha = spread[known]
    dual = 2 * lam1 * (sign @ alpha) - lam1 * spread @ K_bent @ spread
    assert abs(value - dual) < 1e-9


def test_support_and_margins_say_who_holds_the_field_up() -> None:
    X, y = cloud(2, classes=2)
    model = LapSVM("rbf", 1.5, 0.01, 10.0).fit(X, y)
    f, known = model.decision_function(X), y != -1
    sign = np.where(y == 5, 1.0, -1.0)
    assert_allclose(model.margins_, np.where(known, sign * f, np.abs(f)), rtol=0, atol=1e-9)
    idle = known.copy()
    idle[model.support_] = False
    assert known[model.support_].all() and (model.margins_[idle] >= 1 - 1e-9).all()


@solvers
@pytest.mark.parametrize("kernel_name", ["rbf", "linear"])
def test_three_classes_are_three_machines(solver: str, kernel_name: str) -> None:
    X, y = cloud(3)
    model = LapSVM(kernel_name, 1.5, 0.01, 100.0, solver=solver).fit(X, y)
    assert model.decision_function(X).shape == model.margins_.shape == (len(X), 3)
    assert model.gap_ < 1e-9
    for place, name in enumerate(model.classes_):
        one = np.where(y == -1, -1, (y == name).astype(int))
        alone = LapSVM(kernel_name, 1.5, 0.01, 100.0, solver=solver).fit(X, one)
        assert_allclose(
            model.decision_function(X)[:, place], alone.decision_function(X), rtol=0, atol=1e-9
        )
