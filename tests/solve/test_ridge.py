"""Kernel ridge regression from features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sslviz.solve.ridge import ridge


@pytest.mark.parametrize("bias", [True, False])
def test_points_and_features_give_the_same_solution(bias: bool) -> None:
    rng = np.random.default_rng(0)
    Phi, Y = rng.normal(size=(20, 6)), rng.normal(size=(20, 2))
    wide = np.hstack([Phi, np.zeros((20, 30))])  # more features than points: the other system
    (c, *narrow), (d, *other) = (ridge(A, Y, 0.3, bias=bias) for A in (Phi, wide))
    for left, right in zip((c, *narrow), (d[:6], *other), strict=True):
        assert_allclose(left, right, rtol=0, atol=1e-11)
    assert_array_equal(d[6:], 0)
