"""Accelerated shrinkage and the homotopy solve the lasso; atoms solve least squares in a ball."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pytest
import torch
from second_device import SecondDevice
from sklearn.decomposition import sparse_encode

from sslviz.device import to_numpy
from sslviz.solve.dictionary_learning import (
    NEAR,
    better_codes,
    dictionaries,
    learn_dictionary,
    sparse_codes,
    unit_atoms,
    update_atoms,
)
from sslviz.solve.fista import LOOK, lasso, shrink


@dataclass(frozen=True)
class Plain:
    """‖X − A D‖² in A."""

    X: torch.Tensor
    D: torch.Tensor

    @property
    def linear(self) -> torch.Tensor:
        return -2 * self.X @ self.D.T

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        return 2 * (Z @ self.D - self.X) @ self.D.T


@pytest.fixture(params=["noise", "digits"])
def problem(request: Any, real: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """Points, unit atoms and λ."""
    rng = np.random.default_rng(0)
    if request.param == "noise":
        return rng.normal(size=(40, 12)), unit_atoms(rng.normal(size=(30, 12))), 0.4
    X = real("usps").X[rng.choice(9298, 160, replace=False)]
    return 5 * unit_atoms(X[:60]), unit_atoms(X[60:]), 0.3


def objective(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float) -> float:
    return float(np.square(X - A @ D).sum() + lam * np.abs(A).sum())


def assert_lasso_kkt(g: np.ndarray, A: np.ndarray, lam: float, atol: float) -> None:
    """g, the gradient of the smooth part, is −λ sign(a) where a ≠ 0 and within ±λ elsewhere."""
    np.testing.assert_allclose(g[A != 0], -lam * np.sign(A[A != 0]), rtol=0, atol=atol)
    assert np.abs(g[A == 0]).max() <= lam + atol


def test_shrinking_leaves_exact_zeros_and_is_the_prox() -> None:
    H = torch.linspace(-2, 2, 41, dtype=torch.float64)
    Z = shrink(H, 0.7)
    assert (Z[H.abs() <= 0.7] == 0).all()
    grid = torch.linspace(-3, 3, 6001, dtype=torch.float64)
    cost = 0.5 * (grid[None] - H[:, None]) ** 2 + 0.7 * grid.abs()
    torch.testing.assert_close(Z, grid[cost.argmin(dim=1)], rtol=0, atol=6e-4)


def test_fista_meets_the_conditions_of_the_lasso(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    found = lasso(f, torch.zeros(len(X), len(D), dtype=torch.float64), lam, max_iter=20000)
    assert found.converged
    A = to_numpy(found.Z)
    assert_lasso_kkt(to_numpy(f.gradient(found.Z)), A, lam, 1e-4)
    assert (A == 0).mean() > 0.3
    exact = sparse_codes(X, D, lam)
    assert objective(X, A, D, lam) <= objective(X, exact, D, lam) * (1 + 1e-9)


def test_fista_never_returns_worse_than_it_was_given(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    start = torch.as_tensor(sparse_codes(X, D, lam))
    for steps in (1, 3, 10):
        found = lasso(f, start, lam, max_iter=steps, tol=0.0)
        assert objective(X, to_numpy(found.Z), D, lam) <= objective(X, to_numpy(start), D, lam)


@pytest.mark.parametrize("scale", [1e160, 1e300])
def test_fista_says_so_where_values_overflow(scale: float) -> None:
    rng = np.random.default_rng(0)
    X, D = (
        torch.as_tensor(scale * rng.normal(size=(9, 5))),
        torch.as_tensor(rng.normal(size=(7, 5))),
    )
    with pytest.raises(ValueError, match="overflow; scale them"):
        lasso(Plain(X, D), torch.zeros(9, 7, dtype=torch.float64), 0.3)


def test_codes_are_scikit_learns_lasso_at_half_the_price(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    assert_lasso_kkt(2 * (A @ D - X) @ D.T, A, lam, 1e-8)
    theirs = sparse_encode(X, D, algorithm="lasso_cd", alpha=lam / 2, max_iter=100_000)
    assert objective(X, A, D, lam) <= objective(X, theirs, D, lam) * (1 + 1e-12)
    np.testing.assert_allclose(
        objective(X, A, D, lam), objective(X, theirs, D, lam), rtol=1e-6, atol=0
    )


def test_codes_with_a_ridge_and_a_pull_meet_their_conditions(problem: tuple) -> None:
    X, D, lam = problem
    rng = np.random.default_rng(1)
    ridge, pull = rng.random(len(X)), 0.3 * rng.normal(size=(len(X), len(D)))
    A = sparse_codes(X, D, lam, ridge=ridge, pull=pull)
    g = 2 * (A @ D - X) @ D.T + 2 * ridge[:, None] * A - 2 * pull
    assert_lasso_kkt(g, A, lam, 1e-8)
    assert 0 < (A != 0).mean() < 1


def test_equal_and_dependent_atoms_do_not_disturb_the_codes() -> None:
    rng = np.random.default_rng(2)
    D = unit_atoms(rng.normal(size=(6, 3)))
    D = np.vstack([D, D, -D[:2], np.zeros((1, 3))])
    X = np.vstack([rng.normal(size=(30, 3)), np.zeros((1, 3)), D[:3]])
    A = sparse_codes(X, D, 0.2)
    assert_lasso_kkt(2 * (A @ D - X) @ D.T, A, 0.2, 1e-8)


def test_a_row_is_coded_alike_in_any_company(problem: tuple) -> None:
    X, D, lam = problem
    whole = sparse_codes(np.tile(X, (4, 1)), D, lam)
    np.testing.assert_allclose(whole[: len(X)], sparse_codes(X, D, lam), rtol=0, atol=1e-9)
    np.testing.assert_allclose(whole[[5]], sparse_codes(X[[5]], D, lam), rtol=0, atol=1e-9)


def test_codes_of_moved_atoms_get_better_row_by_row_until_they_are_near(problem: tuple) -> None:
    X, D, lam = problem
    rng = np.random.default_rng(3)
    moved = unit_atoms(D + 0.02 * rng.normal(size=D.shape))

    def values(A: np.ndarray) -> np.ndarray:
        return np.square(X - A @ moved).sum(axis=1) + lam * np.abs(A).sum(axis=1)

    before = sparse_codes(X, D, lam)
    A = better_codes(X, moved, lam, before)
    best = values(sparse_codes(X, moved, lam))
    assert (values(A) <= values(before) * (1 + 1e-12)).all()
    assert (values(A) - best).sum() < 0.2 * (values(before) - best).sum()
    for _ in range(200):
        A, last = better_codes(X, moved, lam, A), A
    np.testing.assert_array_equal(A, last)
    assert_lasso_kkt(2 * (A @ moved - X) @ moved.T, A, lam, NEAR * lam * (1 + 1e-9))


def test_enough_is_a_share_of_what_was_gained(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    start = torch.zeros(len(X), len(D), dtype=torch.float64)

    def value(steps: int) -> float:
        return objective(X, to_numpy(lasso(f, start, lam, max_iter=steps, tol=0.0).Z), D, lam)

    for share in (0.1, 0.01):
        found = lasso(f, start, lam, tol=0.0, enough=share)
        stop = found.iterations
        assert found.converged and stop % LOOK == 0 and LOOK < stop < 500
        first, before, now = value(0), value(stop - LOOK), value(stop)
        assert before - now < share * (first - now)
        assert value(stop - 2 * LOOK) - before >= share * (first - before)


def test_atoms_are_the_best_within_the_ball(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    A[:, 0] = 0  # an atom that nobody uses
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
    assert objective(X, A, E, lam) < objective(X, A, D, lam)


def test_atoms_taken_together_move_as_if_one_after_the_other(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    S, B = A.T @ A, A.T @ X
    E = D.copy()
    for j in np.flatnonzero(S.diagonal() > 0):
        E[j] += (B[j] - S[j] @ E) / S[j, j]
        E[j] /= max(np.linalg.norm(E[j]), 1)
    np.testing.assert_allclose(update_atoms(S, B, D, max_iter=1), E, rtol=0, atol=1e-12)


def test_no_sweep_through_the_atoms_raises_the_error(problem: tuple) -> None:
    X, D, lam = problem
    A = sparse_codes(X, D, lam)
    S, B = A.T @ A, A.T @ X
    errors, E = [objective(X, A, D, lam)], D
    for _ in range(6):
        E = update_atoms(S, B, E, max_iter=1)
        errors.append(objective(X, A, E, lam))
    assert (np.diff(errors) <= 0).all() and errors[-1] < errors[0]
    np.testing.assert_array_equal(E, update_atoms(S, B, D, max_iter=6, tol=0.0))


def test_learning_a_dictionary_never_raises_the_objective(problem: tuple) -> None:
    X, D, lam = problem
    passes = list(islice(dictionaries(X, D, lam, batch=16), 8))
    values = [found.objective for found in passes]
    assert (np.diff(values) <= 0).all() and values[-1] < values[0]
    assert values[-1] < objective(X, sparse_codes(X, D, lam), D, lam)
    for found in passes:
        assert np.linalg.norm(found.D, axis=1).max() <= 1 + 1e-12
        np.testing.assert_allclose(found.objective, objective(X, found.A, found.D, lam))
        best = objective(X, sparse_codes(X, found.D, lam), found.D, lam)
        assert best <= found.objective


def test_a_dictionary_is_learnt_until_a_pass_gains_little(problem: tuple) -> None:
    X, D, lam = problem
    passes = list(islice(dictionaries(X, D, lam), 8))
    last = learn_dictionary(X, D, lam, max_iter=8, tol=0.0)
    np.testing.assert_array_equal(last.D, passes[7].D)
    np.testing.assert_array_equal(last.A, sparse_codes(X, last.D, lam))
    np.testing.assert_allclose(last.objective, objective(X, last.A, last.D, lam))
    values = np.array([found.objective for found in passes])
    gains = -np.diff(values) / values[1:]
    tol = 1.000001 * float(gains[4])
    enough = 1 + int(np.argmax(gains <= tol))
    np.testing.assert_array_equal(learn_dictionary(X, D, lam, tol=tol).D, passes[enough].D)


def test_fista_runs_on_another_device() -> None:
    rng = np.random.default_rng(0)
    X, D = torch.as_tensor(rng.normal(size=(9, 5))), torch.as_tensor(rng.normal(size=(7, 5)))
    start = torch.zeros(9, 7, dtype=torch.float64)
    here = lasso(Plain(X, D), start, 0.3, max_iter=20).Z
    with SecondDevice():
        there = lasso(Plain(X.to("meta"), D.to("meta")), start.to("meta"), 0.3, max_iter=20).Z
        np.testing.assert_array_equal(to_numpy(here), to_numpy(there))
