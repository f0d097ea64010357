"""SRC: labelled points as atoms, codes as scikit-learn's lasso has them."""

import numpy as np
from dictionary.problems import noise
from sklearn.decomposition import sparse_encode

from sslviz import SRC


def test_atoms_are_the_labelled_points_class_by_class() -> None:
    X, y = noise()
    model = SRC().fit(X, y)
    order = np.argsort(y, kind="stable")[np.count_nonzero(y == -1) :]
    np.testing.assert_array_equal(model.atom_classes_, y[order])
    lengths = np.linalg.norm(X[order], axis=1, keepdims=True)
    np.testing.assert_allclose(model.components_, X[order] / lengths)


def test_codes_are_the_lasso_and_the_objective_its_value(problem: tuple) -> None:
    X, y = problem
    model = SRC(lam=0.4).fit(X, y)
    D = model.components_
    theirs = sparse_encode(X, D, algorithm="lasso_cd", alpha=0.2, max_iter=100_000)
    values = [np.square(X - A @ D).sum() + 0.4 * np.abs(A).sum() for A in (model.codes_, theirs)]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
    np.testing.assert_allclose(model.objective_, values[:1])


def test_predictions_have_the_least_residual(problem: tuple) -> None:
    X, y = problem
    model = SRC().fit(X, y)
    A = model.transform(X)
    residual = [
        np.linalg.norm(X - A[:, mine] @ model.components_[mine], axis=1)
        for mine in (model.atom_classes_ == c for c in model.classes_)
    ]
    np.testing.assert_array_equal(model.predict(X), model.classes_[np.argmin(residual, axis=0)])
