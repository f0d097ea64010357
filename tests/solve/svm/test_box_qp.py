"""Choosing the coordinates that gain most, beside sorting."""

import numpy as np
import pytest

from sslviz.solve.svm.box_qp import _largest_gains


@pytest.mark.parametrize("kinds", [1, 2, 7, 1000])
def test_the_foremost_are_those_of_a_sorted_list(kinds):
    rng = np.random.default_rng(kinds)
    for _ in range(200):
        gains = rng.integers(0, kinds, rng.integers(1, 60)).astype(float)  # with equal ones
        many = rng.integers(1, len(gains) + 1)
        chosen = _largest_gains(gains, many)
        assert len(np.unique(chosen)) == many
        assert np.array_equal(np.sort(gains[chosen]), np.sort(gains)[len(gains) - many :])
