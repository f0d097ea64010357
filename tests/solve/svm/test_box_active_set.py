"""The exact minimum of a quadratic in a box, found by who stands at which wall."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from sslviz.kernels.centring import centred_on_unlabelled, shifted_inverse, unlabelled_shares
from sslviz.solve.svm.box_active_set import CentredKernel, solve_active_set
from sslviz.solve.svm.box_qp import solve_box_qp


def problem(seed: int, n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """C, who is unlabelled, signs and q of a machine whose kernel is far from singular."""
    rng = np.random.default_rng(seed)
    X, free = rng.normal(size=(n, 8)), np.arange(n) >= n // 8
    C = centred_on_unlabelled(np.exp(-cdist(X, X, "sqeuclidean") / 3), free)
    s = rng.choice([-1.0, 1.0], size=n)
    return C, free, s, s - s[~free].mean()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("price", [0.05, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("inverted", [False, True])
def test_it_is_where_slopes_point_into_walls(seed: int, price: float, inverted: bool) -> None:
    C, free, s, q = problem(seed)
    low, high = np.minimum(price * s, 0), np.maximum(price * s, 0)
    rough = solve_box_qp(C, q, low, high, np.zeros(len(s)), -q, 1e-2)
    kernel = CentredKernel(C, shifted_inverse(C) if inverted else None, unlabelled_shares(free))
    beta = solve_active_set(kernel, q, low, high, rough.beta, rough.gradient)
    assert beta is not None and (beta >= low).all() and (beta <= high).all()
    g, off = C @ beta - q, (beta > low) & (beta < high)
    assert_allclose(g[off], 0, atol=1e-10)
    assert (g[~off & (beta == low)] > -1e-10).all() and (g[~off & (beta == high)] < 1e-10).all()
    exact = solve_box_qp(C, q, low, high, rough.beta, rough.gradient, 1e-12)
    assert_allclose(C @ beta, C @ exact.beta, atol=1e-5)


def test_both_systems_are_taken_and_agree() -> None:
    C, free, s, q = problem(5)
    low, high = np.minimum(2 * s, 0), np.maximum(2 * s, 0)
    rough = solve_box_qp(C, q, low, high, np.zeros(len(s)), -q, 1e-2)
    off = (rough.beta > low) & (rough.beta < high)
    assert 2 * off.sum() > len(off)  # more off the walls than at them: the inverse serves
    one, other = (
        solve_active_set(
            CentredKernel(C, P, unlabelled_shares(free)), q, low, high, rough.beta, rough.gradient
        )
        for P in (None, shifted_inverse(C))
    )
    assert_allclose(one, other, atol=1e-9)


def test_a_singular_kernel_gives_no_answer_rather_than_a_wrong_one() -> None:
    rng = np.random.default_rng(0)
    Z, free = rng.normal(size=(60, 3)), np.arange(60) >= 6
    C, s = centred_on_unlabelled(Z @ Z.T, free), rng.choice([-1.0, 1.0], size=60)
    assert shifted_inverse(C) is None
    low, high = np.minimum(s, 0), np.maximum(s, 0)
    assert (
        solve_active_set(
            CentredKernel(C, None, unlabelled_shares(free)), s, low, high, 0.5 * s, 0.5 * C @ s - s
        )
        is None
    )


def test_the_inverse_inverts_and_has_the_shares_as_its_row_sums() -> None:
    C, free, _, _ = problem(7)
    P = shifted_inverse(C)
    assert P is not None
    assert_allclose(P @ (C + 1), np.eye(len(C)), atol=1e-10)
    assert_allclose(P.sum(axis=0), unlabelled_shares(free), atol=1e-12)
    assert_array_equal(P, P.T)
    assert_allclose(C @ unlabelled_shares(free), 0, atol=1e-12)
