r"""Bounds of SSRL-PL: how much worse is the projection than the one fitted to all true labels?

    gap = √f(V*) − √f(V†) ≤ (2/(n − 1))‖XHE‖_F ≤ (2(2 + √2)/(n − 1)) · errors,   E = Y_true − Y

f(V) = ‖VᵀXHY_true‖²_F/(n − 1)² is the dependence on the true labels, V* its maximiser, V† that for
the labels used. The right-hand side is the paper's: it requires winner-take-all labels and points
in the unit ball. The middle one holds for any labels at any scale.

The errors of winner-take-all labels from one neighbour are those of 1-NN (Eq. 21), with P* the
error of the best classifier (Bayes error) and δ(m) unknown, but vanishing with the number m of
labels:

    P_1NN ≤ 2P* − (C/(C − 1)) P*² + δ(m),   errors = u P_1NN for u unlabelled points

Banijamali, Ghodsi. Semi-supervised representation learning based on probabilistic labeling. 2016,
Theorem 3, Eq. 21. Cover, Hart. Nearest neighbor pattern classification. 1967.
"""

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sslviz.embedding.stages.hsic import centred_labels, class_cross_covariance, linear_directions
from sslviz.graph.search.distances import as_points
from sslviz.labels import UNLABELLED, known_classes, one_hot


class Bound(NamedTuple):
    """The gap, and two upper bounds of it."""

    gap: float
    sharp: float
    printed: float


def performance_bound(
    X: ArrayLike, label_distributions: ArrayLike, y_true: ArrayLike, n_components: int = 1
) -> Bound:
    """√f(V*) − √f(V†) for the labels used, its sharp bound, and that of the paper's Theorem 3.

    Columns of `label_distributions` (n, C) stand for the sorted classes of `y_true`. Directions
    beyond those that labels determine add nothing and are left out. `printed` counts the points
    whose largest share is not their class.
    """
    X, Y, y = as_points(X), np.asarray(label_distributions, np.float64), np.asarray(y_true)
    classes = np.unique(y)
    if len(known_classes(y)) < len(classes):
        raise ValueError(
            f"performance_bound: y_true holds {UNLABELLED} (unlabelled), every label is needed"
        )
    if not np.isfinite(Y).all():
        raise ValueError("performance_bound: label_distributions holds NaN or infinite values")
    if y.shape != (len(X),) or Y.shape != (len(X), len(classes)):
        raise ValueError(
            f"performance_bound: label_distributions of shape {Y.shape} and y_true of shape "
            f"{y.shape} do not fit {len(X)} points of {len(classes)} classes"
        )
    if not isinstance(n_components, Integral) or not 1 <= n_components <= X.shape[1]:
        raise ValueError(
            f"performance_bound: n_components={n_components!r} is not a whole number in "
            f"[1, {X.shape[1]}]"
        )
    truth = one_hot(y, classes)
    used = np.ones(len(X), bool)
    G_true, _, noise_true = class_cross_covariance(X, centred_labels(truth, used))
    G, _, noise = class_cross_covariance(X, centred_labels(Y, used))
    best = linear_directions(G_true, noise_true).S[:n_components]
    V = linear_directions(G, noise).V[:, :n_components]
    gap = (np.linalg.norm(best) - np.linalg.norm(V.T @ G_true)) / (len(X) - 1)
    sharp = 2 * np.linalg.norm(G_true - G) / (len(X) - 1)
    wrong = (Y.argmax(axis=1) != truth.argmax(axis=1)) | ~Y.any(axis=1)
    printed = bound_by_errors(np.count_nonzero(wrong), len(X))
    return Bound(max(float(gap), 0.0), float(sharp), float(printed))


def bound_by_errors(errors: Any, n: int) -> Any:
    """The right-hand side of Theorem 3 for a number of wrong labels, or several, of n points."""
    return 2 * (2 + np.sqrt(2)) * errors / (n - 1)


def one_nn_error_bound(bayes_error: float, n_classes: int, penalty: float = 0.0) -> float:
    """Eq. 21: the largest error of 1-NN for a Bayes error P*; `penalty` is δ(m), 0 in the limit.

    P* is at most (C − 1)/C, the error of guessing; there the bound is the same.
    """
    most = 1.0 - 1.0 / n_classes
    if not 0 <= bayes_error <= most + 1e-12:
        raise ValueError(
            f"one_nn_error_bound: bayes_error={bayes_error!r} is not in [0, {most:g}], the errors "
            f"possible with {n_classes} classes"
        )
    return 2 * bayes_error - bayes_error**2 / most + penalty


def bayes_error_range(one_nn_error: float, n_classes: int) -> tuple[float, float]:
    """The smallest and largest Bayes error for which 1-NN, with many labels, has this error.

    The smallest solves Eq. 21 with equality; the largest is the error itself.
    """
    most = 1.0 - 1.0 / n_classes
    error = min(one_nn_error, most)
    return most * (1.0 - np.sqrt(1.0 - error / most)), error
