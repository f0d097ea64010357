"""Group lasso: conditions of optimality, and agreement with FISTA."""

import numpy as np
import pytest

from sslviz.solve.group_lasso import sweep_groups


def solution(lam: float, weights: np.ndarray, sweeps: int = 2000) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    D, X = rng.normal(size=(7, 5)), rng.normal(size=(len(weights), 5))
    A = np.zeros((7, len(X)))
    C = D @ X.T
    sweep_groups(D @ D.T, C, A, weights, np.full(7, lam), sweeps, 1e-14)
    np.testing.assert_allclose(C, D @ (X - A.T @ D).T, atol=1e-9)
    return X, D, A


@pytest.mark.parametrize("lam", [0.1, 3.0, 8.0])
def test_the_subgradient_is_zero(lam: float) -> None:
    w = np.array([1.0, 0.2, 3.0, 0.7])
    X, D, A = solution(lam, w)
    slope = -2 * w * (D @ (X - A.T @ D).T)  # (atoms, points)
    norm = np.linalg.norm(A, axis=1)
    used = norm > 0
    wanted = -lam * A[used] / norm[used, None]
    np.testing.assert_allclose(slope[used], wanted, atol=1e-5)
    assert (np.linalg.norm(slope[~used], axis=1) <= lam + 1e-9).all()
    assert used.any() and not used.all()


def test_no_sweep_raises_the_objective() -> None:
    w, values = np.array([1.0, 0.2, 3.0, 0.7]), []
    for sweeps in range(1, 8):
        X, D, A = solution(2.0, w, sweeps)
        error = w @ np.square(X - A.T @ D).sum(axis=1)
        values.append(error + 2 * np.linalg.norm(A, axis=1).sum())
    assert (np.diff(values) <= 1e-12).all()


def test_atoms_of_length_zero_and_a_large_penalty_give_zero_codes() -> None:
    G, A = np.zeros((2, 2)), np.zeros((2, 3))
    sweep_groups(G, np.ones((2, 3)), A, np.ones(3), np.ones(2), 5, 0.0)
    assert not A.any()
    assert not solution(1e4, np.ones(4))[2].any()
