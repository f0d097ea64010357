"""Classes read off an embedding: by the nearest labelled point, or by the nearest soft mean.

Cover, Hart. Nearest neighbor pattern classification. IEEE Trans. Information Theory 1967.
"""

import numpy as np

from sslviz.graph.neighbours import nearest
from sslviz.labels import UNLABELLED
from sslviz.memo import stage


@stage("nearest labels")
def one_nn(Z: np.ndarray, y: np.ndarray, Z_new: np.ndarray) -> np.ndarray:
    """The label of the labelled point nearest to each new one; of equally near ones, the first.

    Z (n, p) are the training points, y their labels with -1 for none, Z_new (m, p) the new ones.
    """
    Z, y = np.asarray(Z), np.asarray(y)
    if y.shape != (len(Z),):
        raise ValueError(f"one_nn: y of shape {y.shape} does not hold a label for {len(Z)} points")
    known = np.flatnonzero(y != UNLABELLED)
    if len(known) == 0:
        raise ValueError(f"one_nn: y holds no label, every entry is {UNLABELLED} (unlabelled)")
    return y[known[nearest(Z_new, Z[known], 1)[0][:, 0]]]


def nearest_soft_mean(Z: np.ndarray, Y: np.ndarray, Z_new: np.ndarray) -> np.ndarray:
    """The column of Y whose weighted mean is nearest to each new point.

    Y (n, C) holds the label distributions of the training points Z (n, p); a class that nobody has
    a share in is never the answer.
    """
    Z, Y = np.asarray(Z), np.asarray(Y)
    if Y.ndim != 2 or len(Y) != len(Z):
        raise ValueError(
            f"nearest_soft_mean: Y of shape {Y.shape} does not hold a row for {len(Z)} points"
        )
    weight = Y.sum(axis=0)
    present = np.flatnonzero(weight > 0)
    if len(present) == 0:
        raise ValueError("nearest_soft_mean: Y holds no mass, every entry is zero")
    means = Y[:, present].T @ Z / weight[present, None]
    return present[nearest(Z_new, means, 1)[0][:, 0]]
