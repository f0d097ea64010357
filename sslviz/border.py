"""What every method does at its border: check the input, name the classes, answer.

Unlabelled is -1; internally a label is its index among the classes, and -1 again for none.
"""

import warnings
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from sslviz.device import pick_device
from sslviz.labels import UNLABELLED, known_classes
from sslviz.params import check_params


def check_labelled(estimator: Any, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, the class index of every point (-1: none) and the classes; or a sentence what is wrong."""
    check_params(estimator)
    pick_device(estimator.device)  # a wrong name is wrong also where no kernel will ask for it
    X, y = validate_data(estimator, X, y, dtype=[np.float64, np.float32], ensure_min_samples=2)
    check_classification_targets(y)
    classes = known_classes(y)
    name = type(estimator).__name__
    if len(classes) == 0:
        raise ValueError(f"{name}: y holds no label, every entry is {UNLABELLED} (unlabelled)")
    if len(classes) == 1:
        raise ValueError(
            f"{name}: the labels name one class only, {classes[0]}; two classes or more are needed"
        )
    at = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return X, np.where(classes[at] == y, at, UNLABELLED), classes


def clipped(estimator: Any, parameter: str, most: int) -> int:
    """A number of neighbours, or all other points with a warning when there are not so many."""
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


def decide(F: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The class of the largest entry in each row; -1 for a row without any."""
    answer = classes[F.argmax(axis=1)]
    return (
        np.where(F.max(axis=1) > 0, answer, UNLABELLED) if classes.dtype.kind in "iuf" else answer
    )


def rows_to_one(F: np.ndarray) -> np.ndarray:
    """Rows scaled to sum 1; rows without mass stay zero."""
    total = F.sum(axis=1, keepdims=True)
    return np.divide(F, total, out=np.zeros_like(F), where=total > 0)
