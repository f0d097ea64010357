"""Kernel density against scikit-learn's."""

import numpy as np
from scipy.spatial import KDTree
from sklearn.neighbors import KernelDensity

from sslviz.graph.density import WIDTH_NEIGHBOUR, kernel_density


def test_it_is_proportional_to_that_of_scikit_learn() -> None:
    X = np.random.default_rng(0).normal(size=(400, 2))
    core = np.arange(400) < 350
    reach = KDTree(X[core]).query(X[core], WIDTH_NEIGHBOUR + 1)[0][:, -1]
    peer = KernelDensity(bandwidth=float(np.median(reach))).fit(X[core]).score_samples(X)
    ratio = kernel_density(X, core) / np.exp(peer)
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)
