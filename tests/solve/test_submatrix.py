"""Principal submatrices, factorised and solved in place."""

import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import LinAlgError

from sslviz.solve.submatrix import factorise, solve_factorised, submatrix


def positive(n: int, seed: int = 0) -> np.ndarray:
    Z = np.random.default_rng(seed).normal(size=(n, 2 * n))
    return Z @ Z.T / n


@pytest.mark.parametrize("kind, tol", [(np.float32, 1e-4), (np.float64, 1e-11)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_solutions_are_those_of_numpy(kind: type, tol: float, order: str) -> None:
    M, chosen = positive(60), np.array([3, 5, 6, 20, 21, 40, 59])
    right = np.asarray(np.random.default_rng(1).normal(size=(3, 7)), order=order)
    block = M[np.ix_(chosen, chosen)]
    assert_array_equal(submatrix(M, chosen, kind), block.astype(kind))
    L = factorise(M, chosen, kind)
    assert_allclose(np.tril(L), np.linalg.cholesky(block), rtol=tol, atol=tol)
    expected = np.linalg.solve(block, right.T).T
    assert_allclose(solve_factorised(L, right), expected, rtol=tol, atol=tol)
    assert_allclose(solve_factorised(L, right[1]), expected[1], rtol=tol, atol=tol)


def test_arguments_are_unchanged_and_indefinite_matrices_refused() -> None:
    M, right = positive(30), np.ones(30)
    before = M.copy()
    solve_factorised(factorise(M, np.arange(30), np.float64), right)
    assert_array_equal(M, before)
    assert_array_equal(right, 1)
    with pytest.raises(LinAlgError, match="not positive definite"):
        factorise(-np.eye(4), np.arange(4), np.float64)


def test_threads_have_workspaces_of_their_own() -> None:
    matrices = [positive(120, seed) for seed in range(4)]
    wrong: list[int] = []

    def work(seed: int) -> None:
        M, right = matrices[seed], np.ones(120)
        for _ in range(50):
            x = solve_factorised(factorise(M, np.arange(120), np.float64), right)
            if np.abs(M @ x - right).max() > 1e-9:
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
