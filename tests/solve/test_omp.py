"""OMP: equal to scikit-learn's, and what its definition implies."""

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.omp import omp, omp_gram

RNG = np.random.default_rng(0)


def correlated(n: int, d: int) -> np.ndarray:
    """Rows that share most of their direction."""
    return unit_atoms(RNG.normal(size=(n, d)) + 3 * RNG.normal(size=d))


def theirs(X: np.ndarray, D: np.ndarray, T: int) -> np.ndarray:
    return np.atleast_2d(orthogonal_mp(D.T, X.T, n_nonzero_coefs=T).T)


@pytest.mark.parametrize(
    ("X", "D"),
    [
        (RNG.normal(size=(300, 20)), unit_atoms(RNG.normal(size=(50, 20)))),
        (RNG.normal(size=(200, 30)), RNG.normal(size=(25, 30))),  # atoms of any length
        (correlated(150, 16), correlated(40, 16)),
        (1e-3 * RNG.normal(size=(50, 8)), 1e3 * RNG.normal(size=(9, 8))),
    ],
    ids=["random", "any length", "correlated", "other scales"],
)
@pytest.mark.parametrize("T", [1, 3, 6])
def test_it_is_that_of_scikit_learn(X: np.ndarray, D: np.ndarray, T: int) -> None:
    ours, other = omp(X, D, T), theirs(X, D, T)
    np.testing.assert_array_equal(ours != 0, other != 0)
    np.testing.assert_allclose(ours, other, rtol=1e-7, atol=1e-10 * np.abs(other).max())


def test_it_is_that_of_scikit_learn_for_digits(problem: tuple) -> None:
    X, D, _ = problem
    ours, other = omp(X, D, 8), theirs(X, D, 8)
    np.testing.assert_array_equal(ours != 0, other != 0)
    np.testing.assert_allclose(ours, other, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("copies", [np.repeat(np.arange(12), 2), np.tile(np.arange(12), 3)])
def test_of_equal_atoms_only_one_joins(copies: np.ndarray) -> None:
    """scikit-learn leaves to rounding which one; their codes together are the same."""
    atoms, X = unit_atoms(RNG.normal(size=(12, 10))), RNG.normal(size=(80, 10))
    ours, other = omp(X, atoms[copies], 5), theirs(X, atoms[copies], 5)
    together = np.arange(12) == copies[:, None]
    assert ((ours != 0) @ together).max() == 1
    np.testing.assert_allclose(ours @ together, other @ together, atol=1e-10)
    np.testing.assert_allclose(ours @ together, omp(X, atoms, 5), atol=1e-10)


def test_the_residual_is_orthogonal_to_the_joined_atoms_and_codes_have_t_entries() -> None:
    X, D = RNG.normal(size=(60, 25)), correlated(70, 25)
    A = omp(X, D, 6)
    assert ((A != 0).sum(axis=1) == 6).all()
    assert np.abs(((X - A @ D) @ D.T)[A != 0]).max() < 1e-10


def test_with_orthonormal_atoms_it_keeps_the_largest_coefficients() -> None:
    D = np.linalg.qr(RNG.normal(size=(15, 15)))[0]
    X = RNG.normal(size=(40, 15))
    full = X @ D.T
    least = np.sort(np.abs(full), axis=1)[:, -4]
    np.testing.assert_allclose(omp(X, D, 4), full * (np.abs(full) >= least[:, None]), atol=1e-12)


def test_all_atoms_and_more_are_least_squares() -> None:
    X, D = RNG.normal(size=(30, 12)), RNG.normal(size=(5, 12))
    wanted = np.linalg.lstsq(D.T, X.T, rcond=None)[0].T
    for T in (5, 6, 1000):
        np.testing.assert_allclose(omp(X, D, T), wanted, atol=1e-10)
    np.testing.assert_allclose(theirs(X, D, 5), wanted, atol=1e-10)


def test_a_sum_of_two_atoms_has_two_entries_and_a_zero_row_none() -> None:
    D = unit_atoms(RNG.normal(size=(8, 30)))
    X = np.vstack([2 * D[3] - D[6], np.zeros(30), 1e-200 * D[1]])
    A = omp(X, D, 5)
    np.testing.assert_allclose(A[0], 2 * np.eye(8)[3] - np.eye(8)[6], atol=1e-12)
    assert ((A != 0).sum(axis=1) == [2, 0, 1]).all()
    np.testing.assert_allclose(A[2], 1e-200 * np.eye(8)[1])
    np.testing.assert_allclose(A[:1], theirs(X[:1], D, 2), atol=1e-12)


def test_an_atom_orthogonal_to_the_signal_joins_once_the_residual_needs_it() -> None:
    D = unit_atoms(np.array([[1.0, 1.0], [0.0, 1.0]]))
    np.testing.assert_allclose(omp(np.array([[1.0, 0.0]]), D, 2), [[np.sqrt(2), -1]])


@pytest.mark.parametrize("D", [np.zeros((4, 6)), np.ones((4, 6)), np.vstack([np.zeros(6)] * 2)])
def test_atoms_without_length_or_difference_leave_finite_codes(D: np.ndarray) -> None:
    X = RNG.normal(size=(9, 6))
    A = omp(X, D, 3)
    assert np.isfinite(A).all() and ((A != 0).sum(axis=1) <= 1).all()
    assert (np.square(X - A @ D).sum(axis=1) <= np.square(X).sum(axis=1) + 1e-12).all()


def test_a_ridge_is_the_same_as_longer_atoms_and_signals() -> None:
    X, D, rho = RNG.normal(size=(20, 9)), RNG.normal(size=(12, 9)), RNG.random(20)
    A = omp_gram(D @ D.T, X @ D.T, 4, ridge=rho)
    for x, a, r in zip(X, A, rho, strict=True):
        longer = np.hstack([D, np.sqrt(r) * np.eye(12)])
        np.testing.assert_allclose(a, omp(np.hstack([x, np.zeros(12)])[None], longer, 4)[0])


def test_single_rows_have_the_codes_that_they_have_among_others() -> None:
    X, D = RNG.normal(size=(300, 7)), unit_atoms(RNG.normal(size=(20, 7)))
    frozen = X.copy(), D.copy()
    A = omp(X, D, 4)
    np.testing.assert_allclose(np.vstack([omp(x[None], D, 4) for x in X]), A, atol=1e-12)
    assert (X == frozen[0]).all() and (D == frozen[1]).all()


@pytest.mark.parametrize(
    ("X", "D", "T", "said"),
    [
        (np.ones((2, 3)), np.ones((2, 4)), 1, "rows of X have 3 entries, atoms 4"),
        (np.ones((2, 3)), np.ones((2, 3)), 0, "n_nonzero=0 is not at least 1"),
        (np.full((2, 3), np.nan), np.ones((2, 3)), 1, "X is not a matrix of finite"),
    ],
)
def test_wrong_input_is_refused(X: np.ndarray, D: np.ndarray, T: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        omp(X, D, T)
