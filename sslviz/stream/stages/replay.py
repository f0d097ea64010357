"""An online method runs over a set as over a stream: who is known before, and what was said."""

from collections.abc import Iterator

import numpy as np

from sslviz.stream.base import OnlineClassifier


def run(
    model: OnlineClassifier, X: np.ndarray, target: np.ndarray, n_classes: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(n, C) what was said of every point when it came, and the state in the end."""
    F = (target[:, None] == np.arange(n_classes)).astype(np.float64)
    for at, said in watch(model, X, target, n_classes):
        F[at] = said
    return F, model.state()


def watch(
    model: OnlineClassifier, X: np.ndarray, target: np.ndarray, n_classes: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A model running over X: points, and what was said of them; first of those known before."""
    free = np.flatnonzero(target < 0)
    first, later = np.split(free, [model.capacity])
    known = np.sort(np.concatenate([np.flatnonzero(target >= 0), first]))
    model.partial_fit(X[known], target[known], classes=np.arange(n_classes))
    if len(first):
        yield first, model.centroid_distributions()[model.cover_.labels_]
    for i in later:
        model.observe(X[i])
        yield np.array([i]), model.said_
