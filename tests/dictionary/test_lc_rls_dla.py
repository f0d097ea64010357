"""LC-RLSDLA: recursive least squares equals least squares, also after rescaling."""

import numpy as np
import pytest

from sslviz import LCRLSDLA
from sslviz.dictionary.stages.l0_rounds import unit_rows
from sslviz.dictionary.stages.recursive_least_squares import (
    RecursiveFit,
    add_point,
    add_points,
    add_to_atoms,
    gain,
    rescale,
)

RNG = np.random.default_rng(0)
OPTIONS = {"n_atoms": 12, "n_nonzero": 3}
p, d = 7, 5


def sparse_codes(n: int) -> np.ndarray:
    return RNG.normal(size=(n, p)) * (RNG.random((n, p)) < 0.4)


@pytest.mark.parametrize("forgetting", [1.0, 0.9])
@pytest.mark.parametrize("prior", [1.0, 0.1])
def test_it_is_least_squares_with_forgotten_points(forgetting: float, prior: float) -> None:
    A, X, E = sparse_codes(40), RNG.normal(size=(40, d)), RNG.normal(size=(p, d))
    fit = RecursiveFit(np.eye(p) / prior, E.copy())
    for a, x in zip(A, X, strict=True):
        add_point(fit, *gain(fit, a, x, forgetting), forgetting)
    weight = forgetting ** np.arange(39, -1, -1.0)[:, None]
    prior *= forgetting**40
    K = np.linalg.inv(prior * np.eye(p) + (A * weight).T @ A)
    np.testing.assert_allclose(fit.K, K, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(fit.M, K @ (prior * E + (A * weight).T @ X), rtol=1e-8, atol=1e-10)


def test_rescaled_atoms_continue_the_same_fit() -> None:
    A, X, D = sparse_codes(30), RNG.normal(size=(30, d)), unit_rows(RNG.normal(size=(p, d)))
    plain, scaled = RecursiveFit(np.eye(p), D.copy()), RecursiveFit(np.eye(p), D.copy())
    total, G = np.ones(p), D @ D.T
    for a, x in zip(A, X, strict=True):
        add_point(plain, *gain(plain, a, x, 0.95), 0.95)
        total *= add_to_atoms(scaled, G, a * total, x, 0.95)
        np.testing.assert_allclose(np.linalg.norm(scaled.M, axis=1), 1)
        np.testing.assert_allclose(G, scaled.M @ scaled.M.T, atol=1e-10)
    np.testing.assert_allclose(scaled.M * total[:, None], plain.M, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(scaled.K * np.outer(total, total), plain.K, rtol=1e-7, atol=1e-10)
    rescale(scaled, 1 / total)
    np.testing.assert_allclose(scaled.K, plain.K, rtol=1e-7, atol=1e-10)


def test_an_atom_that_is_not_used_is_not_forgotten_beyond_all_bounds() -> None:
    atoms = RecursiveFit(np.eye(2), np.eye(2, 3))
    labels = RecursiveFit(np.eye(2), np.zeros((2, 1)))
    X = np.tile([1.0, 0, 0], (5000, 1))
    none, often = np.zeros((5000, 1)), np.ones(5000)
    add_points(X, none, np.zeros(5000, int), often, 0.5 * often, 1, atoms, labels)
    assert np.isfinite(atoms.K).all() and atoms.K.max() < 1e9
    np.testing.assert_allclose(atoms.M, np.eye(2, 3), atol=1e-12)


def test_the_objective_is_that_of_the_docstring(problem: tuple) -> None:
    X, y = problem
    given, X = y != -1, unit_rows(X)
    model = LCRLSDLA(**OPTIONS, gamma=0.4, rho=0.7, mu=0.2, psi=0.3, max_iter=2).fit(X, y)
    A, U, W = model.codes_, model.label_map_, model.coef_
    left = np.square(X - A @ model.components_).sum(axis=1)
    wanted = left[given].sum() + 0.7 * left[~given].sum()
    Y, Q = y[given][:, None] == model.classes_, model.ideal_codes()[given]
    wanted += 0.4 * (np.square(Y - A[given] @ W.T).sum() + 0.2 * np.square(W).sum())
    wanted += 0.3 * (np.square(Q - A[given] @ U).sum() + 0.2 * np.square(U).sum())
    np.testing.assert_allclose(model.objective_[-1], wanted, rtol=1e-9)


def test_labels_and_ideal_codes_have_influence_only_if_they_are_in_the_code(digits: tuple) -> None:
    X, y, _ = digits
    for inside in (False, True):
        a, b = (
            LCRLSDLA(**OPTIONS, labels_in_code=inside, psi=psi, gamma=g).fit(X, y)
            for psi, g in ((0.01, 0.05), (1.0, 2.0))
        )
        assert np.allclose(a.components_, b.components_) == (not inside)
        assert np.allclose(a.coef_, b.coef_) == (not inside)


def test_without_forgetting_the_classifier_is_nearly_a_ridge_regression(digits: tuple) -> None:
    """Only nearly: codes were found while the atoms were still moving."""
    X, y, _ = digits
    given = y != -1
    model = LCRLSDLA(n_atoms=30, forgetting=1.0).fit(X, y)
    A, Y = model.codes_[given], y[given][:, None] == model.classes_
    W = np.linalg.solve(A.T @ A + 0.1 * np.eye(30), A.T @ Y).T
    scores = [A @ M.T for M in (model.coef_, W)]
    assert np.corrcoef(scores[0].ravel(), scores[1].ravel())[0, 1] > 0.9


def test_nobody_joins_and_the_order_of_points_follows_the_seed(digits: tuple) -> None:
    X, y, _ = digits
    a, b, c = (LCRLSDLA(**OPTIONS, random_state=s).fit(X, y) for s in (0, 0, 1))
    assert a.joined_.dtype == bool and a.joined_.shape == (len(X),) and not a.joined_.any()
    np.testing.assert_array_equal(a.components_, b.components_)
    assert not np.allclose(a.components_, c.components_)
