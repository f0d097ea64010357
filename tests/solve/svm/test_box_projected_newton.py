"""Projected Newton steps over few coordinates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import LinAlgError

from sslviz.solve.svm.box_projected_newton import _delete_row, projected_newton


def problem(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, n + 5))
    return Z @ Z.T / n, 0.4 * rng.normal(size=n), rng.uniform(0.2, 0.8, size=n)


@pytest.mark.parametrize("seed", range(3))
def test_it_ends_where_free_coordinates_have_no_gradient(seed: int) -> None:
    A, g, x = arguments = problem(seed)
    copies = [a.copy() for a in arguments]
    end = projected_newton(A, g, x, np.zeros(40), np.ones(40))
    gradient, free = g + A @ (end - x), (end > 0) & (end < 1)
    assert (end >= 0).all() and (end <= 1).all() and 0 < free.sum() < 40
    assert_allclose(gradient[free], 0, atol=1e-10)
    assert (end - x) @ (g + 0.5 * A @ (end - x)) < 0
    for a, b in zip(arguments, copies, strict=True):
        assert_array_equal(a, b)
    far = projected_newton(A, g, x, np.full(40, -1e9), np.full(40, 1e9))  # one Newton step
    assert_allclose(far, x - np.linalg.solve(A, g), atol=1e-9)


@pytest.mark.parametrize("p", [0, 1, 17, 38, 39])
def test_deleting_a_row_gives_the_factor_of_the_others(p: int) -> None:
    A = problem(9)[0]
    L, others = np.linalg.cholesky(A), np.delete(np.arange(40), p)
    _delete_row(L, p, 40)
    expected = np.linalg.cholesky(A[np.ix_(others, others)])
    assert_allclose(np.tril(L[:39, :39]), expected, atol=1e-12)


def test_an_indefinite_matrix_is_refused() -> None:
    with pytest.raises(LinAlgError):
        projected_newton(-np.eye(3), np.ones(3), np.full(3, 0.5), np.zeros(3), np.ones(3))
