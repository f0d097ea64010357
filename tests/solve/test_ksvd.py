"""K-SVD: rank-one updates equal the SVD, and the objective never rises."""

from itertools import islice

import numpy as np
import pytest

from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.ksvd import ksvd, ksvd_rounds, sample_atoms
from sslviz.solve.omp import omp
from sslviz.solve.rank_one import sweep_atoms_and_codes

RNG = np.random.default_rng(0)


def plain_sweep(X: np.ndarray, A: np.ndarray, D: np.ndarray) -> None:
    """The definition: the SVD of the residual of the users of every atom."""
    for j in range(len(D)):
        users = np.flatnonzero(A[:, j])
        if len(users) == 0:
            continue
        E = X[users] - A[users] @ D + np.outer(A[users, j], D[j])
        U, sigma, Vt = np.linalg.svd(E, full_matrices=False)
        side = 1 if Vt[0] @ D[j] >= 0 else -1
        D[j], A[users, j] = side * Vt[0], side * sigma[0] * U[:, 0]


def test_a_sweep_is_the_svd_of_what_the_users_of_each_atom_leave(problem: tuple) -> None:
    X, D, _ = problem
    D = unit_atoms(D)
    A = omp(X, D, 5)
    ours, theirs = (A.copy(), D.copy()), (A.copy(), D.copy())
    sweep_atoms_and_codes(X - A @ D, *ours)
    plain_sweep(X, *theirs)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)
    np.testing.assert_array_equal(ours[0] != 0, A != 0)


@pytest.mark.parametrize("shape", [(1, 7), (30, 4), (4, 30), (20, 20)])
@pytest.mark.parametrize("gap", [0.5, 1e-3, 1e-6])
def test_one_atom_becomes_the_first_singular_vector(shape: tuple, gap: float) -> None:
    rank = min(shape)
    U = np.linalg.qr(RNG.normal(size=(shape[0], rank)))[0]
    V = np.linalg.qr(RNG.normal(size=(shape[1], rank)))[0]
    sigma = np.linspace(1 - gap, 0.1, rank)
    sigma[0] = 1.0
    X, D = U * sigma @ V.T, unit_atoms(RNG.normal(size=(1, shape[1])))
    A = X @ D.T
    sweep_atoms_and_codes(X - A @ D, A, D)
    np.testing.assert_allclose(np.abs(D[0] @ V[:, 0]), 1, atol=1e-12)
    np.testing.assert_allclose(A @ D, np.outer(U[:, 0], V[:, 0]), atol=1e-13 / gap)


def test_an_atom_orthogonal_to_the_first_singular_vector_still_becomes_it() -> None:
    X = np.diag([3.0, 2.0, 1.0])
    A, D = np.array([[0.0], [1.0], [1e-3]]), np.array([[0.0, 1.0, 0.0]])
    A[0] = 1e-300  # a user of the atom, though the atom is orthogonal to it
    sweep_atoms_and_codes(X - A @ D, A, D)
    np.testing.assert_allclose(np.abs(D), [[1, 0, 0]], atol=1e-9)


def test_atoms_have_length_one_codes_t_entries_and_the_error_never_rises(problem: tuple) -> None:
    X = problem[0]
    start = sample_atoms(X, 25, np.random.RandomState(0))
    seen = list(islice(ksvd_rounds(X, start, 3), 12))
    for D, A, error in seen:
        np.testing.assert_allclose(np.linalg.norm(D, axis=1), 1)
        assert (A != 0).sum(axis=1).max() <= 3
        np.testing.assert_allclose(error, np.square(X - A @ D).sum())
    errors = np.array([one.error for one in seen])
    assert (np.diff(errors) <= 1e-12 * errors[0]).all() and errors[-1] < 0.95 * errors[0]


def test_ksvd_returns_the_last_of_its_rounds() -> None:
    X = RNG.normal(size=(40, 6))
    D, A = ksvd(X, 9, 2, max_iter=5, random_state=3)
    again = list(islice(ksvd_rounds(X, sample_atoms(X, 9, np.random.RandomState(3)), 2), 5))[-1]
    assert (D == again.D).all() and (A == again.A).all()


def test_as_many_atoms_as_points_are_the_points() -> None:
    X = RNG.normal(size=(12, 7))
    D, A = ksvd(X, 12, 3, max_iter=2, random_state=0)
    np.testing.assert_allclose(A @ D, X, atol=1e-12)
    assert ((A != 0).sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((8, 3)),
        np.ones((8, 3)),
        np.repeat(RNG.normal(size=(2, 3)), 4, axis=0),
        np.vstack([np.zeros((4, 3)), RNG.normal(size=(2, 3))]),
        RNG.normal(size=(2, 3)),
    ],
    ids=["zero", "constant", "duplicates", "zero rows", "more atoms than points"],
)
def test_degenerate_points_leave_unit_atoms_and_finite_codes(X: np.ndarray) -> None:
    D, A = ksvd(X, 5, 4, max_iter=4, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(D, axis=1), 1)
    assert np.isfinite(A).all()
    np.testing.assert_allclose(A @ D, X, atol=1e-9)


def test_an_unused_atom_becomes_the_point_reconstructed_worst() -> None:
    X = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.2, 0], [0, 0, 0, 5]])
    start = np.eye(4)[[0, 1, 0]]
    first = next(ksvd_rounds(X, start, 1))
    np.testing.assert_array_equal(first.D[2], np.eye(4)[3])
    assert first.error == pytest.approx(25.04)


@pytest.mark.parametrize("wrong", [{"n_atoms": 0}, {"n_nonzero": 0}, {"max_iter": 0}])
def test_wrong_counts_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="=0 is not at least 1"):
        ksvd(np.ones((3, 3)), **({"n_atoms": 2, "n_nonzero": 1} | wrong))
