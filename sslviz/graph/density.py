"""How dense the data are at every point: what hubs are hoped to tell."""

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from sslviz.memo import stage

KERNEL_FEATURES = 3  # with more of them a kernel estimate needs more points than there are
SAMPLE = 2000  # points that carry the kernels
NEAR = 15
ROWS = 500


@stage("density")
def kernel_density(X: np.ndarray, core: np.ndarray) -> np.ndarray:
    """(n,) a Gaussian kernel estimate at every point from those of the mask `core`, up to a factor.

    The kernels are as wide as a typical point is far from its 15th neighbour. A stage.
    """
    centres = X[core]
    centres = centres[np.linspace(0, len(centres) - 1, min(SAMPLE, len(centres))).astype(int)]
    near = min(NEAR, len(centres) - 1)
    reach = KDTree(centres).query(centres, near + 1)[0][:, -1]
    width = max(float(np.median(reach)), np.finfo(float).tiny)
    found = np.empty(len(X))
    for start in range(0, len(X), ROWS):  # n × 2000 at once would be a gigabyte at most sizes
        d = cdist(X[start : start + ROWS], centres) / width
        found[start : start + ROWS] = np.exp(-(d**2) / 2).sum(axis=1)
    return found


def nearness(distances: np.ndarray) -> np.ndarray:
    """(n,) one over the distance to the farthest of the listed neighbours (n, k)."""
    return 1 / np.maximum(distances[:, -1], np.finfo(float).tiny)
