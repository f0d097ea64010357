r"""A field made of kernels: one bump at every training point, added up.

    f(x) = Σ_i k(x, x_i) c_i + b

The methods of this family differ in how they choose c and b from labelled and unlabelled points.
What follows from c and b is the same for all and stands here: the score of a new point, its class,
and a picture of the scores as shares.
"""

from typing import Any

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.kernels.gram import MOST, kernel_rows


class KernelClassifier(ClassifierMixin, Method, BaseEstimator):
    """Scores, classes and shares from `dual_coef_` and `intercept_`.

    A method says how it scales (`_halved`: the Gaussian has 2σ²; `_signed`: targets ±1 and, for two
    classes, one score; otherwise targets 0/1 and one column per class) and ends its fit by
    `_settle`.
    """

    _halved, _signed, _spectra = False, True, 0
    kernel: str = "rbf"
    memory: Any
    classes_: np.ndarray
    dual_coef_: np.ndarray
    intercept_: Any

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        if n > MOST:  # refused at once
            return 0.0
        return 1.4e-7 * n**2 + 2e-10 * cls._spectra * n**3

    @property
    def kernel_exponent(self) -> float:
        """e of the Gaussian kernel exp(−d²/(e σ²))."""
        return 2.0 if self._halved else 1.0

    def _settle(
        self,
        X: np.ndarray,
        target: np.ndarray,
        classes: np.ndarray,
        sigma: float,
        coef: np.ndarray,
        intercept: Any,
        F: np.ndarray,
        weights: np.ndarray | None = None,
    ) -> None:
        """Leave the fitted attributes; F are the scores of the training points.

        A linear field is f(x) = x·w + b; `weights` are w where they are known directly.
        """
        self._X, self.sigma_ = X, sigma
        if self.kernel == "linear":
            self._weights = np.asarray(X, np.float64).T @ coef if weights is None else weights
        # C columns are what the papers have. For an ordinary two-class problem (no unlabelled
        # point) scikit-learn expects one score, and its checks insist: the difference of the two.
        self._differ = not self._signed and len(classes) == 2 and bool((target >= 0).all())
        self.classes_, self.dual_coef_, self.intercept_ = classes, coef, intercept
        scores = self._presented(F)
        self.label_distributions_ = self._shares(scores)
        answer = self._named(scores)
        self.transduction_ = np.where(target >= 0, classes[target], answer)

    def decision_function(self, X: Any) -> np.ndarray:
        """The field at new points: (m, C), or (m,) where two classes share one signed score."""
        Q = self._checked(X)
        if self.kernel == "linear":
            return self._presented(np.asarray(Q, np.float64) @ self._weights + self.intercept_)
        return self._presented(self._field(Q, self.dual_coef_, self.intercept_))

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) shares: the softmax of the scores. They rank as the scores, no more."""
        return self._shares(self.decision_function(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest score."""
        return self._named(self.decision_function(X))

    def _checked(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "transduction_")
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32])

    def _field(self, Q: np.ndarray, coef: np.ndarray, intercept: Any) -> np.ndarray:
        """k(Q, X) @ coef + intercept; the kernel between Q and X is remembered."""
        return self._rows(Q) @ coef + intercept

    def _rows(self, Q: np.ndarray) -> np.ndarray:
        rows = check_memory(self.memory).cache(kernel_rows)
        return rows(Q, self._X, kernel=self.kernel, sigma=self.sigma_, halved=self._halved)

    def _presented(self, F: np.ndarray) -> np.ndarray:
        return F[:, 1] - F[:, 0] if self._differ else F

    def _named(self, scores: np.ndarray) -> np.ndarray:
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]

    def _shares(self, scores: np.ndarray) -> np.ndarray:
        """Shares in which a one-hot target and a target ±1 of the same field look alike."""
        if scores.ndim == 1:
            return np.column_stack([expit(-2 * scores), expit(2 * scores)])
        return softmax(scores if self._signed else 2 * scores, axis=1)


def signs(target: np.ndarray, n_classes: int) -> np.ndarray:
    """(l, 1) targets ±1 of two classes, or (l, C) of each class against the rest."""
    if n_classes == 2:
        return 2.0 * target[:, None] - 1.0
    return 2.0 * (target[:, None] == np.arange(n_classes)) - 1.0
