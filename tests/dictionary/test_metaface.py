"""Metaface: one small dictionary learning problem per class."""

import numpy as np
import pytest
from dictionary.problems import noise
from sklearn.decomposition import sparse_encode

from sslviz import Metaface


def test_labelled_codes_use_their_own_block_and_are_its_lasso(problem: tuple) -> None:
    X, y = problem
    model = Metaface(n_atoms=12, max_iter=3).fit(X, y)
    total = 0.0
    for c in model.classes_:
        mine, rows = model.atom_classes_ == c, y == c
        assert not model.codes_[np.ix_(rows, ~mine)].any()
        D, A = model.components_[mine], model.codes_[np.ix_(rows, mine)]
        theirs = sparse_encode(X[rows], D, algorithm="lasso_cd", alpha=0.15, max_iter=100_000)
        value, other = (
            np.square(X[rows] - B @ D).sum() + 0.3 * np.abs(B).sum() for B in (A, theirs)
        )
        np.testing.assert_allclose(value, other, rtol=1e-6)
        total += value
    np.testing.assert_allclose(model.objective_[-1], total)


@pytest.mark.parametrize("coding", ["all", "class"])
def test_new_points_are_coded_by_all_atoms_or_by_each_class_alone(coding: str) -> None:
    X, y = noise()
    model = Metaface(n_atoms=9, coding=coding, max_iter=3).fit(X, y)
    D, new = model.components_, X[:5] + 0.1
    parts = [np.arange(9)] if coding == "all" else [model.atom_classes_ == c for c in range(3)]
    for part in parts:
        lasso = sparse_encode(new, D[part], algorithm="lasso_cd", alpha=0.15, max_iter=100_000)
        np.testing.assert_allclose(model.transform(new)[:, part], lasso, atol=1e-4)


def test_each_class_reconstructs_its_own_points_where_it_codes_alone(problem: tuple) -> None:
    X, y = problem
    model = Metaface(n_atoms=12, max_iter=3).fit(X, y)
    best = model.training_scores().argmax(axis=1)
    for i in np.flatnonzero(y == -1)[:5]:
        mine = model.atom_classes_ == model.classes_[best[i]]
        wanted = model.codes_[i, mine] @ model.components_[mine]
        np.testing.assert_allclose(model.reconstructions()[i], wanted)
        np.testing.assert_allclose(model.reconstruct(i).reconstruction, wanted)
        error = np.square(X[i] - wanted).sum()
        np.testing.assert_allclose(model.reconstruct(i).error, error)


def test_classes_do_not_see_each_other() -> None:
    X, y = noise()
    other = X.copy()
    other[y == 2] += 3
    one, two = (Metaface(n_atoms=12, max_iter=3).fit(Z, y) for Z in (X, other))
    for c, same in ((0, True), (1, True), (2, False)):
        mine = one.atom_classes_ == c
        assert np.array_equal(one.components_[mine], two.components_[mine]) is same
