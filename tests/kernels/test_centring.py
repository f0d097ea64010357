"""A kernel centred on the unlabelled points."""

import numpy as np
from numpy.testing import assert_allclose

from sslviz.kernels.centring import centred_on_unlabelled, unlabelled_shares


def test_points_and_their_linear_kernel_are_centred_alike() -> None:
    X, free = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) >= 5
    Phi = centred_on_unlabelled(X, free)
    assert_allclose(Phi, X - X[free].mean(axis=0), atol=1e-14)
    C = centred_on_unlabelled(X @ X.T, free)
    assert_allclose(Phi @ Phi.T, C, atol=1e-13)
    assert_allclose(C @ unlabelled_shares(free), 0, atol=1e-12)
