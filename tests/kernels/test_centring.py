"""A kernel centred on the unlabelled points, and the inverse of its shifted matrix."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from sslviz.kernels.centring import centred_on_unlabelled, shifted_inverse, unlabelled_shares


def test_the_inverse_inverts_and_its_row_sums_are_the_shares() -> None:
    rng = np.random.default_rng(7)
    X, free = rng.normal(size=(200, 8)), np.arange(200) >= 25
    C, share = (
        centred_on_unlabelled(np.exp(-cdist(X, X, "sqeuclidean") / 3), free),
        unlabelled_shares(free),
    )
    P = shifted_inverse(C)
    assert P is not None
    assert_allclose(P @ (C + 1), np.eye(len(C)), atol=1e-10)
    assert_allclose(P.sum(axis=0), share, atol=1e-12)
    assert_array_equal(P, P.T)
    assert_allclose(C @ share, 0, atol=1e-12)


def test_points_and_their_linear_kernel_are_centred_alike() -> None:
    X, free = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) >= 5
    Phi = centred_on_unlabelled(X, free)
    assert_allclose(Phi, X - X[free].mean(axis=0), atol=1e-14)
    assert_allclose(Phi @ Phi.T, centred_on_unlabelled(X @ X.T, free), atol=1e-13)
