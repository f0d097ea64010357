"""LapSVM: the corrected Eq. 10, support vectors and margins, several classes."""

import numpy as np
import pytest
from inductive.oracles import cloud, deformed, rbf, union_laplacian
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

from sslviz import LapSVM
from sslviz.solve.svm.svm import solve_dual

solvers = pytest.mark.parametrize("solver", ["dual", "primal"])


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
def test_scores_are_eq_10_corrected_at_training_and_new_points(
    solver: str, lam1: float, lam2: float
) -> None:
    X, y = cloud(1, classes=2)
    known = y != -1
    sign = np.where(y[known] == 5, 1.0, -1.0)
    K, L = rbf(X, X, 1.5, False), union_laplacian(X, 6)
    rho = lam2 / (lam1 * len(X) ** 2)
    K_deformed = deformed(K, L, rho)
    machine = solve_dual(K_deformed[np.ix_(known, known)], sign, lam1)
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
    dual = 2 * lam1 * (sign @ alpha) - lam1 * spread @ K_deformed @ spread
    assert abs(value - dual) < 1e-9


def test_only_labelled_points_within_the_margin_are_support_vectors() -> None:
    X, y = cloud(2, classes=2)
    model = LapSVM("rbf", 1.5, 0.01, 10.0).fit(X, y)
    f, known = model.decision_function(X), y != -1
    sign = np.where(y == 5, 1.0, -1.0)
    assert_allclose(model.margins_, np.where(known, sign * f, np.abs(f)), rtol=0, atol=1e-9)
    others = known.copy()
    others[model.support_vectors()] = False
    assert known[model.support_].all() and (model.margins_[others] >= 1 - 1e-9).all()


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
