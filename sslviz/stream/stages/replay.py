"""Replay of a data set as a stream: which points are known before, and the answers on arrival."""

import numpy as np

from sslviz.stream.base import OnlineClassifier


def replay(
    model: OnlineClassifier, X: np.ndarray, target: np.ndarray, n_classes: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(n, C) the answer to every point when it arrived, and the state at the end.

    The labelled points and the first `capacity` unlabelled ones are known before the stream.
    """
    F = (target[:, None] == np.arange(n_classes)).astype(np.float64)
    first, later = np.split(np.flatnonzero(target < 0), [model.capacity])
    known = np.sort(np.concatenate([np.flatnonzero(target >= 0), first]))
    model.partial_fit(X[known], target[known], classes=np.arange(n_classes))
    if len(first):
        F[first] = model.centroid_distributions()[model.owners_]
    for i in later:
        model.observe(X[i])
        F[i] = model.last_distribution_
    return F, model.state()
