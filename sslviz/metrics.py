"""Clustering accuracy: clusters have no names, so they are matched to classes first.

    ACC = max_τ (1/n) Σ_i 1[y_i = τ(ŷ_i)]      over all one-to-one matchings τ

Kuhn. The Hungarian method for the assignment problem. 1955.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

MATCHING_GAIN = 0.02  # of the accuracy that another matching must have to replace the former
CONFIDENCE_GAIN = 0.01  # by which the largest probability must exceed an equal share to count


def clustering_accuracy(y: ArrayLike, labels: ArrayLike) -> float:
    """The share of points in the right cluster under the best matching of clusters to classes."""
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
    """(clusters,) the class of each under the best matching, used as its colour.

    Clusters without a class get numbers beyond the classes; points whose truth is -1 do not count.
    The former matching `before` is kept where it is about as good, as colours would otherwise
    change all the time during training.
    """
    wide = max(clusters, classes)
    counts = np.zeros((clusters, wide))
    known = truth >= 0
    np.add.at(counts, (labels[known], truth[known]), 1.0)
    if before is not None:
        counts[np.arange(clusters), before] += MATCHING_GAIN * max(len(labels), 1)
    return linear_sum_assignment(counts, maximize=True)[1]


def matched_columns(P: np.ndarray, order: np.ndarray, wide: int) -> np.ndarray:
    """(n, wide) the columns of P (n, C) at the positions of their classes."""
    F = np.zeros((len(P), wide), P.dtype)
    F[:, order] = P
    return F


def confident_argmax(P: np.ndarray) -> np.ndarray:
    """One-hot argmax of each row of P; zero for a row that is almost uniform."""
    total = P.sum(axis=1, keepdims=True).astype(float)
    confident = P.max(axis=1, keepdims=True) > (1 / P.shape[1] + CONFIDENCE_GAIN) * total
    return np.eye(P.shape[1])[P.argmax(axis=1)] * confident


def effective_count(B: np.ndarray) -> float:
    """How many columns of B (m, l) share its mass: 1 / Σ p² of their shares p; 0 if it is zero.

    For the probabilities that a random walk ends at each of l labels these are the effective
    absorbers: l if all labels absorb equally many walks, 1 if one absorbs all. Simpson.
    Measurement of diversity. Nature 1949.
    """
    mass = np.asarray(B, np.float64).sum(axis=0)
    return float(mass.sum() ** 2 / np.square(mass).sum()) if mass.any() else 0.0
