"""Newton steps over few coordinates that stay where they meet a wall."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import LinAlgError

from sslviz.solve.svm.box_projected_newton import _delete_row, projected_newton


def problem(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, n + 5))
    return Z @ Z.T / n, 0.4 * rng.normal(size=n), rng.uniform(0.2, 0.8, size=n)


@pytest.mark.parametrize("seed", range(5))
def test_it_ends_where_nobody_off_the_walls_has_a_slope(seed: int) -> None:
    A, g, x = problem(seed)
    low, high = np.zeros(40), np.ones(40)
    end = projected_newton(A, g, x, low, high)
    slope, off = g + A @ (end - x), (end > 0) & (end < 1)
    assert (end >= 0).all() and (end <= 1).all() and 0 < off.sum() < 40
    assert_allclose(slope[off], 0, atol=1e-10)
    assert (end - x) @ (g + 0.5 * A @ (end - x)) < 0


def test_without_walls_it_is_one_newton_step() -> None:
    A, g, x = problem(7)
    end = projected_newton(A, g, x, np.full(40, -1e9), np.full(40, 1e9))
    assert_allclose(end, x - np.linalg.solve(A, g), atol=1e-9)


def test_what_is_given_stays_as_it_is() -> None:
    given = problem(8)
    copies = [a.copy() for a in given]
    projected_newton(*given, np.zeros(40), np.ones(40))
    for a, b in zip(given, copies, strict=True):
        assert_array_equal(a, b)


@pytest.mark.parametrize("p", [0, 1, 17, 38, 39])
def test_struck_out_is_the_factor_of_the_others(p: int) -> None:
    A = problem(9)[0]
    L, others = np.linalg.cholesky(A), np.delete(np.arange(40), p)
    _delete_row(L, p, 40)
    assert_allclose(np.tril(L[:39, :39]), np.linalg.cholesky(A[np.ix_(others, others)]), atol=1e-12)


def test_no_factor_is_said() -> None:
    with pytest.raises(LinAlgError):
        projected_newton(-np.eye(3), np.ones(3), np.full(3, 0.5), np.zeros(3), np.ones(3))
