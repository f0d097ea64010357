"""Sparse codes by homotopy solve the lasso; atoms solve least squares in a ball."""

from itertools import islice

import numpy as np
from sklearn.decomposition import sparse_encode
from solve.oracles import assert_lasso_kkt, lasso_objective

from sslviz.solve.dictionary_learning import (
    STATIONARITY_TOL,
    dictionaries,
    refine_codes,
    sparse_codes,
    unit_atoms,
    update_atoms,
)


def test_codes_are_scikit_learns_lasso_at_half_the_penalty(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    assert_lasso_kkt(2 * (A @ D - X) @ D.T, A, lam, 1e-8)
    theirs = sparse_encode(X, D, algorithm="lasso_cd", alpha=lam / 2, max_iter=100_000)
    assert lasso_objective(X, A, D, lam) <= lasso_objective(X, theirs, D, lam) * (1 + 1e-12)
    np.testing.assert_allclose(
        lasso_objective(X, A, D, lam), lasso_objective(X, theirs, D, lam), rtol=1e-6, atol=0
    )


def test_codes_with_a_ridge_and_a_pull_meet_their_conditions(problem: tuple) -> None:
    X, D, lam = problem
    rng = np.random.default_rng(1)
    ridge, pull = rng.random(len(X)), 0.3 * rng.normal(size=(len(X), len(D)))
    A = sparse_codes(X, D, lam, ridge=ridge, pull=pull)
    g = 2 * (A @ D - X) @ D.T + 2 * ridge[:, None] * A - 2 * pull
    assert_lasso_kkt(g, A, lam, 1e-8)
    assert 0 < (A != 0).mean() < 1


def test_equal_and_dependent_atoms_are_no_obstacle() -> None:
    rng = np.random.default_rng(2)
    D = unit_atoms(rng.normal(size=(6, 3)))
    D = np.vstack([D, D, -D[:2], np.zeros((1, 3))])
    X = np.vstack([rng.normal(size=(30, 3)), np.zeros((1, 3)), D[:3]])
    A = sparse_codes(X, D, 0.2)
    assert_lasso_kkt(2 * (A @ D - X) @ D.T, A, 0.2, 1e-8)


def test_the_code_of_a_row_does_not_depend_on_other_rows(problem: tuple) -> None:
    X, D, lam = problem
    whole = sparse_codes(np.tile(X, (4, 1)), D, lam)
    np.testing.assert_allclose(whole[: len(X)], sparse_codes(X, D, lam), rtol=0, atol=1e-9)
    np.testing.assert_allclose(whole[[5]], sparse_codes(X[[5]], D, lam), rtol=0, atol=1e-9)


def test_refining_codes_of_moved_atoms_improves_every_row_until_stationary(problem: tuple) -> None:
    X, D, lam = problem
    rng = np.random.default_rng(3)
    moved = unit_atoms(D + 0.02 * rng.normal(size=D.shape))

    def values(A: np.ndarray) -> np.ndarray:
        return np.square(X - A @ moved).sum(axis=1) + lam * np.abs(A).sum(axis=1)

    before = sparse_codes(X, D, lam)
    A = refine_codes(X, moved, lam, before)
    best = values(sparse_codes(X, moved, lam))
    assert (values(A) <= values(before) * (1 + 1e-12)).all()
    assert (values(A) - best).sum() < 0.2 * (values(before) - best).sum()
    for _ in range(200):
        A, last = refine_codes(X, moved, lam, A), A
    np.testing.assert_array_equal(A, last)
    assert_lasso_kkt(2 * (A @ moved - X) @ moved.T, A, lam, STATIONARITY_TOL * lam * (1 + 1e-9))


def test_atoms_are_optimal_within_the_ball(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    A[:, 0] = 0  # an atom that no code uses
    E = update_atoms(A.T @ A, A.T @ X, D, max_iter=100_000, tol=1e-18)
    length, g = np.linalg.norm(E, axis=1), 2 * A.T @ (A @ E - X)
    assert length.max() <= 1 + 1e-12
    np.testing.assert_array_equal(E[0], D[0])
    inside = length < 1 - 1e-9
    scale = np.abs(A.T @ X).max()
    np.testing.assert_allclose(g[inside], 0, atol=1e-7 * scale)
    # On the sphere the gradient points straight inwards: g = −ν d with ν ≥ 0.
    nu = -(g * E).sum(axis=1)[~inside]
    assert nu.min() >= -1e-7 * scale
    np.testing.assert_allclose(g[~inside], -nu[:, None] * E[~inside], atol=1e-6 * scale)
    assert lasso_objective(X, A, E, lam) < lasso_objective(X, A, D, lam)


def test_a_sweep_moves_one_atom_after_the_other_and_never_raises_the_error(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    S, B = A.T @ A, A.T @ X
    errors, E = [lasso_objective(X, A, D, lam)], D
    for _ in range(6):
        one_by_one, E = E.copy(), update_atoms(S, B, E, max_iter=1)
        for j in np.flatnonzero(S.diagonal() > 0):
            one_by_one[j] += (B[j] - S[j] @ one_by_one) / S[j, j]
            one_by_one[j] /= max(np.linalg.norm(one_by_one[j]), 1)
        np.testing.assert_allclose(E, one_by_one, rtol=0, atol=1e-12)
        errors.append(lasso_objective(X, A, E, lam))
    assert (np.diff(errors) <= 0).all() and errors[-1] < errors[0]
    np.testing.assert_array_equal(E, update_atoms(S, B, D, max_iter=6, tol=0.0))


def test_learning_a_dictionary_never_raises_the_objective(problem: tuple) -> None:
    X, D, lam = problem
    passes = list(islice(dictionaries(X, D, lam, batch=16), 8))
    values = [found.objective for found in passes]
    assert (np.diff(values) <= 0).all() and values[-1] < values[0]
    assert values[-1] < lasso_objective(X, sparse_codes(X, D, lam), D, lam)
    for found in passes:
        assert np.linalg.norm(found.D, axis=1).max() <= 1 + 1e-12
        np.testing.assert_allclose(found.objective, lasso_objective(X, found.A, found.D, lam))
        best = lasso_objective(X, sparse_codes(X, found.D, lam), found.D, lam)
        assert best <= found.objective
