"""Krylov solvers: many right-hand sides at once, each to full accuracy."""

import numpy as np
import pytest
import torch
from second_device import SecondDevice

from sslviz.solve.krylov import bicgstab, cg


def system(n: int, columns: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """A nonsymmetric, diagonally dominant A and random right-hand sides."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.1)
    np.fill_diagonal(A, np.abs(A).sum(axis=1) * 1.05 + 0.1)
    return torch.as_tensor(A), torch.as_tensor(rng.normal(size=(n, columns)))


@pytest.mark.parametrize("n, columns", [(1, 1), (30, 7), (300, 2)])
def test_it_agrees_with_a_direct_solve(n: int, columns: int) -> None:
    A, B = system(n, columns)
    solution = bicgstab(A, B, torch.zeros_like(B))
    assert solution.converged
    torch.testing.assert_close(solution.X, torch.linalg.solve(A, B), rtol=1e-10, atol=1e-12)


def test_columns_of_any_scale_and_of_zeros_are_equally_accurate() -> None:
    A, B = system(100, 4)
    B[:, 1], scales = 0, torch.tensor([1e-150, 1.0, 1.0, 1e150], dtype=torch.float64)
    right, start = B * scales, torch.zeros_like(B)
    solution = bicgstab(A, right, start)
    assert solution.converged and (solution.X[:, 1] == 0).all()
    exact = torch.linalg.solve(A, B)
    torch.testing.assert_close(solution.X / scales, exact, rtol=1e-10, atol=1e-12)
    assert torch.equal(right, B * scales) and not start.any(), "inputs are left alone"


def test_columns_that_converge_at_once_survive_the_slow_ones() -> None:
    n = 400
    A = 2.0 * torch.eye(n, dtype=torch.float64) - torch.diag(torch.ones(n - 1).double(), 1)
    A[:, :-1] -= 0.98 * torch.diag(torch.ones(n - 1).double(), -1)[:, :-1]
    A[0] = 0
    A[0, 0] = 3.0  # the first unit vector is solved in one iteration, the others in hundreds
    B = torch.zeros(n, 2, dtype=torch.float64)
    B[0, 0], B[n // 2, 1] = 1, 1
    B[:, 0] = A[:, 0]
    solution = bicgstab(A, B, torch.zeros_like(B), max_iter=2000)
    assert solution.converged and solution.iterations > 100
    torch.testing.assert_close(A @ solution.X, B, rtol=0, atol=1e-10)
    assert torch.isfinite(solution.X).all() and abs(float(solution.X[0, 0]) - 1) < 1e-8


def test_the_solution_is_a_fixed_point_of_the_solver() -> None:
    A, B = system(80, 4)
    exact = torch.linalg.solve(A, B)
    again = bicgstab(A, A @ exact, exact)
    assert again.converged and again.iterations <= 5
    torch.testing.assert_close(again.X, exact, rtol=1e-13, atol=1e-15)


def test_a_failure_to_converge_is_reported() -> None:
    A, B = system(300, 2)
    assert not bicgstab(A, B, torch.zeros_like(B), max_iter=2).converged
    singular = torch.zeros(5, 5, dtype=torch.float64)
    assert not bicgstab(singular, torch.ones(5, 1).double(), torch.zeros(5, 1).double()).converged


def weighted(n: int, columns: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A, weights w over many scales with w_i A_ij symmetric and definite, right-hand sides."""
    rng = np.random.default_rng(1)
    M = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.1)
    M = M + M.T
    np.fill_diagonal(M, np.abs(M).sum(axis=1) * 1.05 + 0.1)
    w = 10.0 ** rng.uniform(-3, 0, size=n)
    right = rng.normal(size=(n, columns))
    return torch.as_tensor(M / w[:, None]), torch.as_tensor(w), torch.as_tensor(right)


def test_weighted_conjugate_gradients_agree_with_a_direct_solve() -> None:
    A, w, B = weighted(200, 5)
    scale = A.diagonal()[:, None]  # rows of like size, as a chain has them
    A, B, w = A / scale, B / scale, w * scale[:, 0]
    solution = cg(A, B, torch.zeros_like(B), w)
    assert solution.converged
    torch.testing.assert_close(solution.X, torch.linalg.solve(A, B), rtol=1e-9, atol=1e-12)


def test_a_slow_attempt_is_given_up() -> None:
    n = 2000  # a path: information travels one step an iteration
    path = torch.diag(torch.ones(n - 1).double(), 1)
    A = 2.0 * torch.eye(n, dtype=torch.float64) - path - path.T
    B = torch.ones(n, 1, dtype=torch.float64)
    for solution in (
        cg(A, B, B, torch.ones(n).double(), patience=20),
        bicgstab(A, B, B, patience=20),
    ):
        assert not solution.converged and solution.iterations == 20


@pytest.mark.parametrize("symmetric", [True, False])
def test_sparse_matrices_and_a_second_device_give_the_same_numbers(symmetric: bool) -> None:
    A, w, B = weighted(60, 2)

    def solve(A: torch.Tensor, B: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return cg(A, B, B, w).X if symmetric else bicgstab(A, B, B).X

    here = solve(A, B, w)
    torch.testing.assert_close(solve(A.to_sparse_csr(), B, w), here, rtol=1e-9, atol=1e-12)
    with SecondDevice():
        there = solve(*(t.to("meta") for t in (A, B, w)))
        assert there.device == torch.device("meta")
        np.testing.assert_array_equal(there.cpu().numpy(), here.numpy())
