"""JDL: its objective, its three blocks, and the weight of unlabelled points."""

import numpy as np
import pytest

from sslviz import JDL
from sslviz.dictionary.stages.joint_rounds import JointDictionary, joint_codes
from sslviz.dictionary.stages.l0_rounds import unit_rows
from sslviz.solve.omp import omp

OPTIONS = {"n_atoms": 12, "n_nonzero": 3}


def test_the_objective_is_that_of_the_paper_and_never_rises(problem: tuple) -> None:
    X, y = problem
    given, X = y != -1, unit_rows(X)
    model = JDL(**OPTIONS, gamma=0.4, rho=0.7, mu=0.2, max_iter=8)
    for last in model.steps(X, y):
        D, A, W = last.learnt()
        Y = y[given][:, None] == np.unique(y[given])
        left = np.square(X - A @ D).sum(axis=1)
        wanted = left[given].sum() + 0.7 * left[~given].sum()
        wanted += 0.4 * (np.square(Y - A[given] @ W.T).sum() + 0.2 * np.square(W).sum())
        np.testing.assert_allclose(last.objective, wanted, rtol=1e-10)
    assert (np.diff(model.objective_) <= 1e-12 * model.objective_[0]).all()


def test_the_classifier_is_a_ridge_regression_on_the_labelled_codes(problem: tuple) -> None:
    X, y = problem
    given = y != -1
    model = JDL(**OPTIONS, mu=0.3).fit(X, y)
    A, W = model.codes_[given], model.coef_
    Y = y[given][:, None] == model.classes_
    np.testing.assert_allclose(A.T @ (A @ W.T - Y) + 0.3 * W.T, 0, atol=1e-10)


def test_labelled_points_are_coded_with_their_labels_and_others_without(problem: tuple) -> None:
    X, y = problem
    X, given, rng = unit_rows(X), y != -1, np.random.default_rng(0)
    Y = (y[given][:, None] == np.unique(y[given])).astype(float)
    D, W = unit_rows(rng.normal(size=(12, X.shape[1]))), rng.normal(size=(3, 12))
    state = JointDictionary(D, np.zeros((len(X), 12)), W)
    A = joint_codes(X, Y, given, state, 3, 0.25)
    np.testing.assert_allclose(A[~given], omp(X[~given], D, 3))
    longer = np.hstack([D, 0.5 * W.T])
    np.testing.assert_allclose(A[given], omp(np.hstack([X[given], 0.5 * Y]), longer, 3))
    better = joint_codes(X, Y, given, state._replace(A=A), 1, 0.25)  # one atom is no improvement
    np.testing.assert_array_equal(better, A)


@pytest.mark.parametrize("rho", [0.0, 1.0])
def test_without_weight_unlabelled_points_have_no_influence(problem: tuple, rho: float) -> None:
    X, y = problem
    moved = np.where((y == -1)[:, None], X[::-1], X)
    a, b = (JDL(**OPTIONS, rho=rho).fit(points, y) for points in (X, moved))
    assert np.allclose(a.components_, b.components_) == (rho == 0)
