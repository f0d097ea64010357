r"""Base classes of the inductive classifiers.

    f(x) = Σ_i k(x, x_i) c_i + b

The kernel methods differ in how they choose c and b from labelled and unlabelled points. Scores,
classes and probabilities of new points follow from c and b in the same way for all of them.
"""

import warnings
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.kernels.gram import MAX_POINTS, kernel_rows
from sslviz.kernels.reach import MIN_KERNEL_VALUE

MAX_UNREACHED = 0.05  # share of such points without a warning


@dataclass(repr=False, eq=False)
class InductiveClassifier(ClassifierMixin, Method, BaseEstimator):
    """A classifier with a decision function at every place."""

    family = "inductive"
    _is_difference = False

    _: KW_ONLY
    device: str = "auto"
    memory: Any = None
    classes_: np.ndarray = field(init=False)

    def _new_points(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "transduction_")
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32])

    def _note_targets(self, target: np.ndarray, n_classes: int) -> None:
        """Decide the form of the scores of a method with one column per class.

        For two classes without unlabelled points scikit-learn's checks insist on one score per
        point: the difference of the two columns.
        """
        self._is_difference = n_classes == 2 and bool((target >= 0).all())

    def _as_scores(self, F: np.ndarray) -> np.ndarray:
        return F[:, 1] - F[:, 0] if self._is_difference else F


@dataclass(repr=False, eq=False)
class KernelClassifier(InductiveClassifier):
    """Scores, classes and probabilities from `dual_coef_` and `intercept_`.

    A method states its scaling (`_halved`: the Gaussian has 2σ²; `_signed`: targets ±1 and, for two
    classes, one score; otherwise targets 0/1 and one column per class), the number of whole
    spectra that a fit computes (`_spectra`), and ends its fit by `_set_fitted`.
    """

    kernel = "rbf"
    _halved, _signed, _spectra = False, True, 0

    dual_coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        # More than MAX_POINTS are refused at once.
        return 1.4e-7 * n**2 + 2e-10 * cls._spectra * n**3 if n <= MAX_POINTS else 0.0

    @property
    def kernel_exponent(self) -> float:
        """e of the Gaussian kernel exp(−d²/(e σ²))."""
        return 2.0 if self._halved else 1.0

    def _set_fitted(
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
        """Set the fitted attributes; F are the scores of the training points.

        A linear decision function is f(x) = x·w + b; `weights` are w where known directly.
        """
        self._X, self.sigma_ = X, sigma
        if self.kernel == "linear":
            self._weights = np.asarray(X, np.float64).T @ coef if weights is None else weights
        if not self._signed:
            self._note_targets(target, len(classes))
        self.classes_, self.dual_coef_, self.intercept_ = classes, coef, intercept
        scores = self._as_scores(F)
        self.label_distributions_ = self._probabilities(scores)
        self.transduction_ = np.where(target >= 0, classes[target], self._decode(scores))

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of new points: (m, C), or (m,) where two classes share one signed score."""
        Q = self._new_points(X)
        if self.kernel == "linear":
            return self._as_scores(np.asarray(Q, np.float64) @ self._weights + self.intercept_)
        return self._as_scores(self._evaluate(Q, self.dual_coef_, self.intercept_))

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) the softmax of the scores: the same ranking, not calibrated."""
        return self._probabilities(self.decision_function(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest score."""
        return self._decode(self.decision_function(X))

    def _evaluate(self, Q: np.ndarray, coef: np.ndarray, intercept: Any) -> np.ndarray:
        """k(Q, X) @ coef + intercept; the kernel between Q and X is remembered."""
        return self._rows(Q) @ coef + intercept

    def _rows(self, Q: np.ndarray) -> np.ndarray:
        rows = check_memory(self.memory).cache(kernel_rows)
        return rows(Q, self._X, kernel=self.kernel, sigma=self.sigma_, halved=self._halved)

    def _decode(self, scores: np.ndarray) -> np.ndarray:
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Equal for one-hot targets and for targets ±1 of the same function."""
        if scores.ndim == 1:
            return np.column_stack([expit(-2 * scores), expit(2 * scores)])
        return softmax(scores if self._signed else 2 * scores, axis=1)


def signs(target: np.ndarray, n_classes: int) -> np.ndarray:
    """(l, 1) targets ±1 of two classes, or (l, C) of each class against the rest."""
    if n_classes == 2:
        return 2.0 * target[:, None] - 1.0
    return 2.0 * (target[:, None] == np.arange(n_classes)) - 1.0


def warn_if_unreached(name: str, K: np.ndarray, target: np.ndarray) -> None:
    """Warn when σ is so small that many points are not affected by any labelled one."""
    unreached = (K[:, target >= 0].max(axis=1) < MIN_KERNEL_VALUE).mean()
    if unreached > MAX_UNREACHED:
        warnings.warn(
            f"{name}: for {unreached:.0%} of the points the kernel to every labelled point is "
            f"below {MIN_KERNEL_VALUE:g}, their scores are rounding noise; take a larger sigma",
            UserWarning,
            stacklevel=3,
        )
