"""OSSDL: its objective, points that join, and labels in the code."""

from itertools import pairwise

import numpy as np

from sslviz import OSSDL
from sslviz.dictionary.stages.l0_rounds import unit_rows
from sslviz.dictionary.stages.online_rounds import join
from sslviz.solve.omp import omp

OPTIONS = {"n_atoms": 12, "n_nonzero": 3, "max_iter": 3}


def test_the_objective_is_that_of_the_docstring_with_the_labels_of_joined_points(
    problem: tuple,
) -> None:
    X, y = problem
    X, classes = unit_rows(X), np.unique(y[y != -1])
    for options in ({}, {"labels_in_code": True}):
        model = OSSDL(**OPTIONS, gamma=0.4, rho=0.7, mu=0.2, psi=0.3, sure=0.8, **options)
        for last in model.steps(X, y):
            D, A, W, U, labels = last.learnt()
            given = labels >= 0
            Y = labels[given][:, None] == np.arange(len(classes))
            left = np.square(X - A @ D).sum(axis=1)
            wanted = left[given].sum() + 0.7 * left[~given].sum()
            wanted += 0.4 * (np.square(Y - A[given] @ W.T).sum() + 0.2 * np.square(W).sum())
            Q = labels[given][:, None] == model.learning(X, y).problem.arguments["start"].owner
            wanted += 0.3 * (np.square(Q - A[given] @ U).sum() + 0.2 * np.square(U).sum())
            np.testing.assert_allclose(last.objective, wanted, rtol=1e-9)


def test_points_join_by_the_share_of_their_code_on_one_class() -> None:
    owner, labels = np.array([0, 0, 1, -1]), np.array([-1, -1, -1, -1, 1])
    A = np.array([[1, -2, 1, 0], [1, 0, 1, 1], [0, 0, 0, 5], [0, 0, 0, 0], [9, 0, 0, 0]])
    np.testing.assert_array_equal(join(A, labels, owner, 2, 0.6), [0, -1, -1, -1, 1])
    np.testing.assert_array_equal(join(A, labels, owner, 2, 1.01), labels)


def test_who_joins_stays_and_only_unlabelled_points_do(digits: tuple) -> None:
    X, y, truth = digits
    model = OSSDL(**OPTIONS | {"n_atoms": 30, "max_iter": 5})
    joined = [one.learnt()[4] >= 0 for one in model.steps(X, y)]
    assert all((a <= b).all() for a, b in pairwise(joined))
    assert model.joined_.dtype == bool and not model.joined_[y != -1].any()
    np.testing.assert_array_equal(model.joined_, joined[-1] & (y == -1))
    assert model.joined_.sum() > 10
    assert (model.transduction_ == truth)[model.joined_].mean() > 0.9
    assert not OSSDL(**OPTIONS, sure=1.01).fit(X, y).joined_.any()


def test_labels_and_ideal_codes_have_influence_only_if_they_are_in_the_code(digits: tuple) -> None:
    X, y, _ = digits
    for inside in (False, True):
        a, b = (
            OSSDL(**OPTIONS, labels_in_code=inside, psi=psi, gamma=g).fit(X, y)
            for psi, g in ((0.01, 0.05), (1.0, 2.0))
        )
        assert np.allclose(a.components_, b.components_) == (not inside)
        assert np.allclose(a.coef_, b.coef_) == (not inside)
    plain = OSSDL(**OPTIONS).fit(X, y)
    np.testing.assert_allclose(plain.codes_, omp(unit_rows(X), plain.components_, 3))


def test_the_label_maps_are_ridge_regressions(problem: tuple) -> None:
    X, y = problem
    model, given = OSSDL(**OPTIONS, sure=1.01, mu=0.3).fit(X, y), y != -1
    A = model.codes_[given]
    K = np.linalg.inv(A.T @ A + 0.3 * np.eye(12))
    np.testing.assert_allclose(model.coef_.T, K @ A.T @ (y[given][:, None] == model.classes_))
    np.testing.assert_allclose(model.label_map_, K @ A.T @ model.ideal_codes()[given], atol=1e-12)


def test_atoms_keep_the_class_of_the_point_they_started_as(digits: tuple) -> None:
    X, y, _ = digits
    model = OSSDL(n_atoms=20, n_nonzero=3, max_iter=1).fit(X, y)
    Q, used = model.ideal_codes()[y != -1], model.atom_classes_ != -1
    same = y[y != -1][:, None] == model.atom_classes_
    np.testing.assert_array_equal(Q[:, used], same[:, used])
    assert used.sum() > 15 and set(Q.sum(axis=1)) == {6, 7}
