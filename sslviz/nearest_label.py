"""Nearest label: a point takes the class of the nearest labelled point, or of the nearest mean.

The baseline that every method is compared with, and the way to read classes off an embedding.

Cover, Hart. Nearest neighbor pattern classification. IEEE Trans. Information Theory 1967.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from sslviz.graph.neighbours import nearest
from sslviz.labels import UNLABELLED, known_classes
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

    Y (n, C) holds the label distributions of the training points Z (n, p); a class without any
    weight is never the answer.
    """
    Z, Y = np.asarray(Z), np.asarray(Y)
    if Y.ndim != 2 or len(Y) != len(Z):
        raise ValueError(
            f"nearest_soft_mean: Y of shape {Y.shape} does not hold a row for {len(Z)} points"
        )
    weight = Y.sum(axis=0)
    present = np.flatnonzero(weight > 0)
    if len(present) == 0:
        raise ValueError("nearest_soft_mean: Y has no weight, every entry is zero")
    means = Y[:, present].T @ Z / weight[present, None]
    return present[nearest(Z_new, means, 1)[0][:, 0]]


class NearestLabel(ClassifierMixin, BaseEstimator):
    """`one_nn` as an estimator: 1-NN on the labelled points, y holds -1 for the others."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "NearestLabel":
        given = y != UNLABELLED
        self._X, self._y, self.classes_ = X[given], y[given], known_classes(y)
        self.transduction_ = np.where(given, y, self.predict(X))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The label of the labelled point nearest to each point."""
        return one_nn(self._X, self._y, X)
