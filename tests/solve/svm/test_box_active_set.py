"""The exact minimum of a quadratic in a box, by the active set of its bounds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from sslviz.kernels.centring import centred_on_unlabelled, shifted_inverse, unlabelled_shares
from sslviz.solve.svm.box_active_set import CentredKernel, solve_active_set
from sslviz.solve.svm.box_qp import solve_box_qp


def problem(seed: int, n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """C, null vector, signs and q of a support vector machine with a regular kernel."""
    rng = np.random.default_rng(seed)
    X, free = rng.normal(size=(n, 8)), np.arange(n) >= n // 8
    C = centred_on_unlabelled(np.exp(-cdist(X, X, "sqeuclidean") / 3), free)
    s = rng.choice([-1.0, 1.0], size=n)
    return C, unlabelled_shares(free), s, s - s[~free].mean()


@pytest.mark.parametrize("bound", [0.05, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("seed", range(2))
def test_it_satisfies_kkt_by_either_system(seed: int, bound: float) -> None:
    C, share, s, q = problem(seed)
    low, high = np.minimum(bound * s, 0), np.maximum(bound * s, 0)
    rough = solve_box_qp(C, q, low, high, np.zeros(len(s)), -q, 1e-2)
    exact = solve_box_qp(C, q, low, high, rough.beta, rough.gradient, 1e-12)
    found = []
    for P in (None, shifted_inverse(C)):
        kernel = CentredKernel(C, P, share)
        beta = solve_active_set(kernel, q, low, high, rough.beta, rough.gradient)
        assert beta is not None and (beta >= low).all() and (beta <= high).all()
        g, free = C @ beta - q, (beta > low) & (beta < high)
        assert_allclose(g[free], 0, atol=1e-10)
        assert (g[~free & (beta == low)] > -1e-10).all()
        assert (g[~free & (beta == high)] < 1e-10).all()
        assert_allclose(C @ beta, C @ exact.beta, atol=1e-5)
        found.append(beta)
    if bound == 5:  # more free coordinates than active ones: the inverse was used
        assert 2 * free.sum() > len(free)
    assert_allclose(found[0], found[1], atol=1e-9)


def test_a_singular_kernel_gives_none_rather_than_a_wrong_minimum() -> None:
    rng = np.random.default_rng(0)
    Z, free = rng.normal(size=(60, 3)), np.arange(60) >= 6
    C, s = centred_on_unlabelled(Z @ Z.T, free), rng.choice([-1.0, 1.0], size=60)
    assert shifted_inverse(C) is None
    kernel = CentredKernel(C, None, unlabelled_shares(free))
    low, high = np.minimum(s, 0), np.maximum(s, 0)
    assert solve_active_set(kernel, s, low, high, 0.5 * s, 0.5 * C @ s - s) is None
