"""Clusters have numbers, classes have colours: the matching that lets colours mean the same."""

import numpy as np
from scipy.optimize import linear_sum_assignment

FAITH = 0.02  # share of the points by which another matching must be better to replace one
SURE = 0.01  # a chance must exceed an equal share by so much to be an opinion


def matched(
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
        counts[np.arange(clusters), before] += FAITH * max(len(labels), 1)
    return linear_sum_assignment(counts, maximize=True)[1]


def recoloured(P: np.ndarray, order: np.ndarray, wide: int) -> np.ndarray:
    """(n, wide) the columns of P (n, C) in the places of their colours."""
    F = np.zeros((len(P), wide), P.dtype)
    F[:, order] = P
    return F


def one_hot(labels: np.ndarray, clusters: int) -> np.ndarray:
    return np.eye(clusters)[labels]


def decided(P: np.ndarray) -> np.ndarray:
    """P with the winner of each row alone; a row that is hardly more than equal shares is zero."""
    total = P.sum(axis=1, keepdims=True).astype(float)
    sure = P.max(axis=1, keepdims=True) > (1 / P.shape[1] + SURE) * total
    return one_hot(P.argmax(axis=1), P.shape[1]) * sure
