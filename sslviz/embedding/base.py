"""What every embedding promises at its border: coordinates of the training points and of new ones.

Methods that project on directions share how they do it: z = A(x − m), A (p, d) and m (d,).
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

BLOCK = 2**20  # numbers centred at once: a few MB, so that no copy of X is made


def centred_blocks(X: np.ndarray, mean: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Rows of X − mean in float64, a block at a time."""
    step = max(1, BLOCK // X.shape[1])
    for i in range(0, len(X), step):
        rows = slice(i, min(i + step, len(X)))
        yield rows, np.subtract(X[rows], mean, dtype=np.float64)


def project(X: np.ndarray, mean: np.ndarray, components: np.ndarray) -> np.ndarray:
    """(n, p) coordinates of X − mean along the rows of `components`."""
    Z = np.empty((len(X), len(components)))
    for rows, centred in centred_blocks(X, mean):
        Z[rows] = centred @ components.T
    return Z


def sign_of_first_large(A: np.ndarray) -> np.ndarray:
    """(columns,) ±1: the signs that make each column's first large entry positive.

    Large is nine tenths of the largest: entries that differ only by rounding never swap places.
    """
    large = np.abs(A) >= 0.9 * np.abs(A).max(axis=0)
    first = A[large.argmax(axis=0), np.arange(A.shape[1])]
    return np.where(first < 0, -1.0, 1.0)


def warn_fewer_components(estimator: Any, found: int, why: str) -> None:
    """Warn when there are fewer directions than were asked for."""
    asked = estimator.n_components
    if asked is not None and found < asked:
        warnings.warn(
            f"{type(estimator).__name__}: n_components={asked} but {why}; taking {found}",
            UserWarning,
            stacklevel=3,
        )


def check_differ(estimator: Any, X: np.ndarray) -> None:
    """Refuse labelled points that are all the same point."""
    if (X == X[0]).all():
        raise ValueError(
            f"{type(estimator).__name__}: the labelled points are all equal, no direction tells "
            "them apart"
        )


class Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An estimator that leaves `embedding_` (n, p) and maps new points by `transform`."""

    embedding_: np.ndarray

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    @property
    def _n_features_out(self) -> int:  # scikit-learn names the coordinates by it
        return self.embedding_.shape[1]

    def _new_points(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "embedding_")
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32])


class Projection(Embedding):
    """A linear embedding z = A(x − m): `components_` is A (p, d), `mean_` is m (d,)."""

    components_: np.ndarray
    mean_: np.ndarray

    def transform(self, X: Any) -> np.ndarray:
        """(m, p) coordinates of new points."""
        return project(self._new_points(X), self.mean_, self.components_)
