"""Validation of input, and conversion between class labels and class indices.

Unlabelled is -1. Internally a label is its index among the classes, and -1 for none.
"""

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from sslviz.device import pick_device
from sslviz.labels import UNLABELLED, known_classes
from sslviz.params import check_params


def check_labelled(estimator: Any, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, the class index of every point (-1: none) and the classes; ValueError for wrong input."""
    check_params(estimator)
    pick_device(estimator.device)  # refuse a wrong name even where no kernel uses it
    X, y = validate_data(estimator, X, y, dtype=[np.float64, np.float32], ensure_min_samples=2)
    name = type(estimator).__name__
    y = check_targets(name, y)
    classes = known_classes(y)
    if len(classes) == 0:
        raise ValueError(f"{name}: y holds no label, every entry is {UNLABELLED} (unlabelled)")
    if len(classes) == 1:
        raise ValueError(
            f"{name}: the labels name one class only, {classes[0]}, beside {UNLABELLED} for "
            "unlabelled points; two classes or more are needed"
        )
    at = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return X, np.where(classes[at] == y, at, UNLABELLED), classes


def check_targets(name: str, y: np.ndarray) -> np.ndarray:
    """Labels of one kind: numbers or names, but not both."""
    if y.dtype == object and all(isinstance(label, Integral) for label in y):
        y = y.astype(np.int64)
    if y.dtype == object and any(label is None for label in y):
        raise ValueError(f"{name}: y holds None; {UNLABELLED} means unlabelled, among numbers")
    if y.dtype.kind in "OUS" and any(label in (UNLABELLED, str(UNLABELLED)) for label in y):
        raise ValueError(
            f"{name}: {UNLABELLED} cannot mean unlabelled among names; number the classes from 0, "
            "or give every label"
        )
    check_classification_targets(y)
    return y


def clip_to_available(estimator: Any, parameter: str, most: int) -> int:
    """A number of neighbours, cut to the `most` other points there are, with a warning."""
    value = getattr(estimator, parameter)
    if value <= most:
        return value
    name = type(estimator).__name__
    warnings.warn(
        f"{name}: {parameter}={value} but a point has {most} others; taking {most}",
        UserWarning,
        stacklevel=4,
    )
    return most


def warn_not_converged(estimator: Any, where: str, advice: str) -> None:
    """Warn, as scikit-learn does, that an iteration has ended before it converged."""
    text = f"{type(estimator).__name__} has not converged: {where}; {advice}"
    warnings.warn(text, ConvergenceWarning, stacklevel=4)


def check_point(point: int, n: int) -> None:
    """Refuse an index that is not that of a training point."""
    if not 0 <= point < n:
        raise ValueError(f"point={point} is not a training point 0 to {n - 1}")


def row_of(M: sparse.csr_array, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The columns and the values of the stored entries in the row of a training point."""
    check_point(point, M.shape[0])
    row = slice(*M.indptr[point : point + 2])
    return M.indices[row], M.data[row]


def decode_argmax(F: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The class of the largest entry in each row; -1 for a zero row, also among names."""
    answer, known = classes[F.argmax(axis=1)], F.max(axis=1) > 0
    if known.all():
        return answer
    if classes.dtype.kind not in "iuf":
        answer = answer.astype(object)
    return np.where(known, answer, UNLABELLED)


def rows_to_one(F: np.ndarray) -> np.ndarray:
    """Rows scaled to sum 1; zero rows stay zero."""
    total = F.sum(axis=1, keepdims=True)
    return np.divide(F, total, out=np.zeros_like(F), where=total > 0)
