"""Score of one method on one draw: accuracy on the hidden labels, and on test points if any.

Undetermined points of a classifier count as wrong. An embedding is scored by 1-NN, a clustering by
the best matching of clusters and classes on the points that have a cluster (not -1).
"""

from pkgutil import resolve_name
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_clusterer

from sslviz.abilities import Predicts, Transduces
from sslviz.experiments.sampling import Sample
from sslviz.experiments.table import Cell
from sslviz.labels import UNLABELLED
from sslviz.metrics import clustering_accuracy
from sslviz.nearest_label import one_nn


class CellScore(NamedTuple):
    """The stored result of a cell."""

    accuracy: float
    undetermined: float  # share of the hidden points
    seconds: float  # of the fit
    test: float | None = None  # accuracy on test points


def evaluate(cell: Cell, sample: Sample, memory: Any) -> CellScore:
    """Fit the cell's method and score it."""
    hidden = sample.given == UNLABELLED
    if not hidden.any():
        raise ValueError("every point is labelled, none is left for scoring; give fewer labels")
    model = estimator(cell, n_classes=len(np.unique(sample.y)), memory=memory)
    start = perf_counter()
    model.fit(sample.X, sample.given)
    seconds = perf_counter() - start
    truth = sample.y[hidden]
    if is_clusterer(model):
        clusters = model.labels_[hidden]
        assigned = clusters != UNLABELLED
        accuracy = clustering_accuracy(truth[assigned], clusters[assigned])
        return CellScore(accuracy, float(np.mean(~assigned)), seconds)
    predicted = predictions(model, sample)[hidden]
    test = None
    if sample.X_test is not None:
        test = float(np.mean(predictions(model, sample, sample.X_test) == sample.y_test))
    return CellScore(
        float(np.mean(predicted == truth)), float(np.mean(predicted == UNLABELLED)), seconds, test
    )


def estimator(cell: Cell, *, n_classes: int, memory: Any) -> Any:
    """The cell's estimator, with memory, seed and number of clusters if it has these parameters."""
    cls = resolve_name(cell.method.estimator)
    known = cls._get_param_names()
    given = {"memory": memory, "random_state": cell.seed, "n_clusters": n_classes}
    return cls(**{k: v for k, v in given.items() if k in known} | dict(cell.method.params))


def predictions(model: Any, sample: Sample, new: np.ndarray | None = None) -> np.ndarray:
    """Predicted classes of the sample, or of new points; -1 where undetermined."""
    if new is None and isinstance(model, Transduces):
        return model.transduction_
    if isinstance(model, Predicts):
        return model.predict(sample.X if new is None else new)
    Z = model.embedding_
    return one_nn(Z, sample.given, Z if new is None else model.transform(new))
