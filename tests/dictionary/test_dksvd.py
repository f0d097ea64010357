"""D-KSVD: a stacked K-SVD, rescaled."""

from itertools import islice

import numpy as np
import pytest

from sslviz import DKSVD
from sslviz.dictionary.stages.l0_rounds import unit_rows
from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.ksvd import ksvd_rounds

OPTIONS = {"n_atoms": 9, "n_nonzero": 3, "max_iter": 5}


def test_rescaling_keeps_the_objective_of_the_stacked_problem(problem: tuple) -> None:
    X, y = problem
    model, gamma, given = DKSVD(**OPTIONS, gamma=0.3).fit(X, y), 0.3, y != -1
    A, Y = model.codes_[given], y[given][:, None] == model.classes_
    left = np.square(unit_rows(X)[given] - A @ model.components_).sum()
    left += gamma * np.square(Y - A @ model.coef_.T).sum()
    np.testing.assert_allclose(model.objective_[-1], left, rtol=1e-10)
    start = DKSVD(**OPTIONS, gamma=gamma).learning(X, y).fitted()
    atoms = unit_atoms(np.hstack([start.components_, np.sqrt(gamma) * start.coef_.T]))
    signals = np.hstack([unit_rows(X)[given], np.sqrt(gamma) * Y])
    errors = [one.error for one in islice(ksvd_rounds(signals, atoms, 3), 5)]
    np.testing.assert_allclose(model.objective_, errors, rtol=1e-10)


@pytest.mark.parametrize("gamma", [0.01, 0.05, 4.0])
def test_the_objective_never_rises(problem: tuple, gamma: float) -> None:
    objective = DKSVD(**OPTIONS | {"max_iter": 12}, gamma=gamma).fit(*problem).objective_
    assert (np.diff(objective) <= 1e-12 * objective[0]).all() and objective[-1] < objective[0]


def test_unlabelled_points_have_no_influence(problem: tuple) -> None:
    X, y = problem
    given = y != -1
    alone, beside = DKSVD(**OPTIONS).fit(X[given], y[given]), DKSVD(**OPTIONS).fit(X, y)
    np.testing.assert_allclose(alone.components_, beside.components_)
    np.testing.assert_allclose(alone.coef_, beside.coef_)


def test_as_many_atoms_as_labelled_points_become_these_points(digits: tuple) -> None:
    X, y, _ = digits
    given = y != -1
    model = DKSVD(n_atoms=int(given.sum()), max_iter=10).fit(X, y)
    assert model.objective_[-1] < 1e-6
    near = np.abs(model.components_ @ unit_rows(X)[given].T).max(axis=0)
    np.testing.assert_allclose(near, 1, atol=1e-3)


def test_atoms_belong_to_the_class_of_their_largest_weight(digits: tuple) -> None:
    X, y, _ = digits
    model = DKSVD(**OPTIONS).fit(X, y)
    used = model.codes_[y != -1].any(axis=0)
    found = model.classes_[model.coef_.argmax(axis=0)]
    np.testing.assert_array_equal(model.atom_classes_, np.where(used, found, -1))
