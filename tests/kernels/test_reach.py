"""Points that the kernel of no label reaches are counted."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sslviz import data, labels
from sslviz.kernels.reach import kernel_reach, unreached_share


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_unreached_points_have_no_kernel_value_above_rounding(exponent: float) -> None:
    dataset, sigma = data.load("two_moons", n_samples=150), 0.05
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    squares = np.square(cdist(dataset.X, dataset.X[y >= 0]))
    largest = np.exp(-squares / (exponent * sigma**2)).max(axis=1)
    found = unreached_share(dataset.X, y, sigma, exponent)
    assert 0 < found == (largest < 1e-16)[y < 0].mean()
    d = kernel_reach(sigma, exponent)
    assert np.exp(-(d**2) / (exponent * sigma**2)) == pytest.approx(1e-16)
