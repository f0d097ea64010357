"""Density of the data at every point, to compare with hubness.

scikit-learn's KernelDensity gives the same numbers, at 2000 kernels four to five times as slowly.
"""

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from sslviz.memo import stage

KERNEL_FEATURES = 3  # with more features a kernel estimate needs more points than there are
KERNEL_CENTRES = 2000  # points on which a kernel is centred
WIDTH_NEIGHBOUR = 15  # neighbours that set the kernel width
ROWS_PER_BLOCK = 500  # n × 2000 distances at once would be a gigabyte


@stage("density")
def kernel_density(X: np.ndarray, core: np.ndarray) -> np.ndarray:
    """(n,) a Gaussian kernel estimate at every point from those of the mask `core`, up to a factor.

    The kernel width is the median distance of a point to its 15th neighbour.
    """
    points = X[core]
    count = min(KERNEL_CENTRES, len(points))
    centres = points[np.linspace(0, len(points) - 1, count).astype(int)]
    near = min(WIDTH_NEIGHBOUR, len(centres) - 1)
    reach = KDTree(centres).query(centres, near + 1)[0][:, -1]
    width = max(float(np.median(reach)), np.finfo(float).tiny)
    found = np.empty(len(X))
    for start in range(0, len(X), ROWS_PER_BLOCK):
        d = cdist(X[start : start + ROWS_PER_BLOCK], centres) / width
        found[start : start + ROWS_PER_BLOCK] = np.exp(-(d**2) / 2).sum(axis=1)
    return found


def nearness(distances: np.ndarray) -> np.ndarray:
    """(n,) one over the distance to the farthest of the listed neighbours (n, k)."""
    return 1 / np.maximum(distances[:, -1], np.finfo(float).tiny)
