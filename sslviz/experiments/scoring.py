"""One method on one draw: accuracy on the points whose label it was not shown.

The same on points set aside, where a row has some. A classifier's undetermined points count as
wrong. An embedding is judged by the nearest labelled point in it, a clustering by the best matching
of clusters and classes, on the points it puts into one: those at -1 it leaves out.
"""

from pkgutil import resolve_name
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from sslviz.experiments.sampling import Sample
from sslviz.experiments.table import Cell
from sslviz.labels import UNLABELLED
from sslviz.metrics import clustering_accuracy


class Result(NamedTuple):
    """What is stored of a cell."""

    accuracy: float
    undetermined: float  # share of the hidden points
    seconds: float  # of the fit
    test: float | None = None  # accuracy on points set aside


def evaluate(cell: Cell, sample: Sample, memory: Any) -> Result:
    """Fit the cell's method and compare its answer with what it was not shown."""
    hidden = sample.given == UNLABELLED
    if not hidden.any():
        raise ValueError("no point is left unlabelled to be judged on; give fewer labels")
    model = estimator(cell, n_classes=len(np.unique(sample.y)), memory=memory)
    start = perf_counter()
    model.fit(sample.X, sample.given)
    seconds = perf_counter() - start
    truth = sample.y[hidden]
    if not hasattr(model, "transduction_") and hasattr(model, "labels_"):
        found = model.labels_[hidden]
        put = found != UNLABELLED
        return Result(clustering_accuracy(truth[put], found[put]), float(np.mean(~put)), seconds)
    answer = answers(model, sample)[hidden]
    test = None
    if sample.X_test is not None:
        test = float(np.mean(answers(model, sample, sample.X_test) == sample.y_test))
    return Result(
        float(np.mean(answer == truth)), float(np.mean(answer == UNLABELLED)), seconds, test
    )


def estimator(cell: Cell, *, n_classes: int, memory: Any) -> Any:
    """The cell's estimator; it is told memory, seed and number of clusters if it takes them."""
    cls = resolve_name(cell.method.estimator)
    known = cls._get_param_names()
    chance = {"memory": memory, "random_state": cell.seed, "n_clusters": n_classes}
    return cls(**{k: v for k, v in chance.items() if k in known} | dict(cell.method.params))


def answers(model: Any, sample: Sample, new: np.ndarray | None = None) -> np.ndarray:
    """A class for every point of the sample, or for new points; -1 where the model has none."""
    if new is None and hasattr(model, "transduction_"):
        return model.transduction_
    if hasattr(model, "predict"):
        return model.predict(sample.X if new is None else new)
    shown = sample.given != UNLABELLED
    nearest = KNeighborsClassifier(1).fit(model.embedding_[shown], sample.given[shown])
    return nearest.predict(model.embedding_ if new is None else model.transform(new))
