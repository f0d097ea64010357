"""Krylov solvers: many right-hand sides at once, each to full accuracy."""

import numpy as np
import pytest
import torch
from second_device import SecondDevice

from sslviz.device import to_torch
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


def test_sparse_and_dense_matrices_give_the_same() -> None:
    A, B = system(120, 3)
    dense, csr = (bicgstab(M, B, B) for M in (A, A.to_sparse_csr()))
    torch.testing.assert_close(dense.X, csr.X, rtol=1e-11, atol=1e-13)


def test_a_column_of_zeros_stays_zero_and_leaves_the_others_alone() -> None:
    A, B = system(100, 3)
    B[:, 1] = 0
    solution = bicgstab(A, B, torch.zeros_like(B))
    assert solution.converged and (solution.X[:, 1] == 0).all()
    torch.testing.assert_close(solution.X, torch.linalg.solve(A, B), rtol=1e-10, atol=1e-12)


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


def test_columns_of_any_scale_are_equally_accurate() -> None:
    A, B = system(100, 3)
    scales = torch.tensor([1e-150, 1.0, 1e150], dtype=torch.float64)
    solution = bicgstab(A, B * scales, torch.zeros_like(B))
    assert solution.converged
    torch.testing.assert_close(
        solution.X / scales, torch.linalg.solve(A, B), rtol=1e-10, atol=1e-12
    )


def test_a_failure_to_converge_is_reported() -> None:
    A, B = system(300, 2)
    assert not bicgstab(A, B, torch.zeros_like(B), max_iter=2).converged
    singular = torch.zeros(5, 5, dtype=torch.float64)
    assert not bicgstab(singular, torch.ones(5, 1).double(), torch.zeros(5, 1).double()).converged


def test_inputs_are_left_alone() -> None:
    A, B = system(50, 2)
    start = torch.ones_like(B)
    bicgstab(A, B, start)
    A_again, B_again = system(50, 2)
    assert torch.equal(A, A_again) and torch.equal(B, B_again)
    assert torch.equal(start, torch.ones_like(B))


def test_a_second_device_gives_the_same_numbers() -> None:
    A, B = (t.numpy() for t in system(90, 3))
    here = bicgstab(torch.as_tensor(A), torch.as_tensor(B), torch.as_tensor(B))
    with SecondDevice():
        meta = torch.device("meta")
        there = bicgstab(to_torch(A, meta), to_torch(B, meta), to_torch(B, meta))
        numbers = there.X.cpu().numpy()
        assert there.X.device == meta
    np.testing.assert_array_equal(here.X.numpy(), numbers)
    assert here.iterations == there.iterations and there.converged


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


def test_weighted_conjugate_gradients_stay_on_their_device() -> None:
    A, w, B = weighted(60, 2)
    here = cg(A.to_sparse_csr(), B, B, w)
    with SecondDevice():
        there = [t.numpy() for t in (A, B, w)]
        A2, B2, w2 = (torch.as_tensor(t).to("meta") for t in there)
        X = cg(A2, B2, B2, w2).X.cpu().numpy()
    np.testing.assert_allclose(X, here.X.numpy(), rtol=1e-9, atol=1e-12)
