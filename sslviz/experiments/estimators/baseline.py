"""What one can do without unlabelled points: take the label of the nearest labelled one.

Cover, Hart. Nearest neighbor pattern classification. IEEE Trans. Information Theory 1967.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier

from sslviz.labels import UNLABELLED


class NearestLabel(ClassifierMixin, BaseEstimator):
    """1-NN on the labelled points; y holds -1 for the others."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "NearestLabel":
        given = y != UNLABELLED
        self._nearest = KNeighborsClassifier(1).fit(X[given], y[given])
        self.classes_ = self._nearest.classes_
        self.transduction_ = np.where(given, y, self._nearest.predict(X))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self._nearest.predict(X)
