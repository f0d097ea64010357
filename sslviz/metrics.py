"""How right a clustering is, when its clusters have no names.

    ACC = max_τ (1/n) Σ_i 1[y_i = τ(ŷ_i)]      over all matchings τ of clusters and classes

Kuhn. The Hungarian method for the assignment problem. 1955.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

MATCHING_GAIN = 0.02  # share of the points by which another matching must be better to replace one
CONFIDENCE_GAIN = 0.01  # a chance must exceed an equal share by so much to be an opinion


def clustering_accuracy(y: ArrayLike, labels: ArrayLike) -> float:
    """The share of points in the right cluster when clusters are matched to classes at best."""
    y, labels = np.asarray(y), np.asarray(labels)
    if y.shape != labels.shape or y.ndim != 1 or not len(y):
        raise ValueError(
            f"clustering_accuracy: y of shape {y.shape} and labels of shape {labels.shape}, "
            "expected one of each for every point"
        )
    classes, true = np.unique(y, return_inverse=True)
    clusters, found = np.unique(labels, return_inverse=True)
    counts = np.zeros((len(clusters), len(classes)), np.int64)
    np.add.at(counts, (found, true), 1)
    return float(counts[linear_sum_assignment(counts, maximize=True)].sum() / len(y))


def match_clusters(
    labels: np.ndarray, truth: np.ndarray, clusters: int, classes: int, before: np.ndarray | None
) -> np.ndarray:
    """(clusters,) the colour of each: its class at best, a spare one for those without.

    Colours beyond the classes are spare. `before` is a matching that stays where it is about as
    good: half-learnt clusters would otherwise change colours all the time.
    """
    wide = max(clusters, classes)
    counts = np.zeros((clusters, wide))
    np.add.at(counts, (labels, truth), 1.0)
    if before is not None:
        counts[np.arange(clusters), before] += MATCHING_GAIN * max(len(labels), 1)
    return linear_sum_assignment(counts, maximize=True)[1]


def matched_columns(P: np.ndarray, order: np.ndarray, wide: int) -> np.ndarray:
    """(n, wide) the columns of P (n, C) in the places of their colours."""
    F = np.zeros((len(P), wide), P.dtype)
    F[:, order] = P
    return F


def confident_argmax(P: np.ndarray) -> np.ndarray:
    """P with the winner of each row alone; a row that is hardly more than equal shares is zero."""
    total = P.sum(axis=1, keepdims=True).astype(float)
    sure = P.max(axis=1, keepdims=True) > (1 / P.shape[1] + CONFIDENCE_GAIN) * total
    return np.eye(P.shape[1])[P.argmax(axis=1)] * sure
