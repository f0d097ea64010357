"""The points of a stream before it is known how many of them come before it."""

from typing import Any, NamedTuple

import numpy as np

from sslviz.data import Dataset
from sslviz.data.layout import pca_layout
from sslviz.recordings.stream import Stream
from sslviz.recordings.stream_measures import (
    arrival_order,
    drifting_dataset,
    with_noise_features,
)
from sslviz.ui.components.live_figure import Thumbnails
from sslviz.ui.problem import Problem
from sslviz.ui.safe_text import escape_markup

EXTRA_FEATURES = (0, 1, 2, 5, 10, 20, 50, 100, 200)  # random ones that may be added


class StreamSource(NamedTuple):
    """Points in order of arrival, those with a label before the stream first."""

    name: str
    X: np.ndarray
    y: np.ndarray
    given: np.ndarray  # (n,) labels known before
    points: np.ndarray  # (n, 2)
    names: np.ndarray  # (n,) number of each point in the data set
    classes: tuple[str, ...]
    thumbnails: Thumbnails | None
    flat: bool  # the map shows all features
    code: list[str]  # lines that make dataset, rows and known

    def stream(self, capacity: int, every: int, noise: int, memory: Any) -> Stream:
        """The stream that follows the labels and the first `capacity` other points.

        Every n-th arrival has a label, where `every` is n.
        """
        start = min(int(self.given.sum()) + capacity, len(self.y))
        labelled = self.given.copy()
        if every:
            labelled[start + every - 1 :: every] = True
            labelled &= self.y >= 0  # a class that is unknown cannot be given
        X = np.asarray(memory.cache(with_noise_features)(self.X, noise), np.float64)
        return Stream(X, self.y, labelled, start, len(self.classes))


def drifting_source(
    name: str, options: dict[str, Any], per_class: int, memory: Any
) -> StreamSource:
    """A stream whose classes move; the first `per_class` points of each class are labelled."""
    dataset = memory.cache(drifting_dataset)(name, options)
    y, n_classes = dataset.y, dataset.n_classes
    first = np.concatenate([np.flatnonzero(y == c)[:per_class] for c in range(n_classes)])
    rows = np.concatenate([first, np.setdiff1d(np.arange(len(y)), first)])
    arguments = ", ".join(f"{key}={value!r}" for key, value in options.items())
    code = [
        f"from sslviz.data.drift import {name}",
        "",
        f"dataset = {name}({arguments})",
        f"first = [np.flatnonzero(dataset.y == c)[:{per_class}] for c in range({n_classes})]",
        "first = np.concatenate(first)",
        "rows = np.concatenate([first, np.setdiff1d(np.arange(len(dataset.y)), first)])",
        "known = len(first)  # labels",
    ]
    return _source(dataset, rows, len(first), dataset.X, None, code)


def set_source(problem: Problem, order: str, memory: Any) -> StreamSource:
    """The points of a data set in this order, its labelled ones first."""
    dataset = problem.dataset
    rows = memory.cache(arrival_order)(dataset.y, order)
    labelled = rows[problem.y[rows] >= 0]
    rows = np.concatenate([labelled, rows[problem.y[rows] < 0]])
    places = problem.points
    if places.shape[1] != 2:
        places = memory.cache(pca_layout)(dataset.X, dimensions=2)
    shuffled = "np.random.default_rng(0).permutation(len(y))"
    code = [
        "from sslviz import data, labels",
        "",
        *problem.setting.lines(),
        f"rows = {'np.arange(len(y))' if order == 'as stored' else shuffled}",
    ]
    if order == "sorted":
        code.append('rows = rows[np.argsort(dataset.y[rows], kind="stable")]')
    code += [
        "rows = np.concatenate([rows[y[rows] >= 0], rows[y[rows] < 0]])",
        "known = (y >= 0).sum()  # labels",
    ]
    found = _source(dataset, rows, len(labelled), places, problem.thumbnails, code)
    if not problem.setting.by_hand:
        return found
    code.append("truth = np.where(y >= 0, y, dataset.y)  # labels given by hand are taken as true")
    return found._replace(y=np.where(problem.y[rows] >= 0, problem.y[rows], found.y))


def _source(
    dataset: Dataset,
    rows: np.ndarray,
    known: int,
    points: np.ndarray,
    thumbnails: Thumbnails | None,
    code: list[str],
) -> StreamSource:
    return StreamSource(
        dataset.name, dataset.X[rows], dataset.y[rows], np.arange(len(rows)) < known,
        points[rows], rows.astype(np.int32), tuple(map(escape_markup, dataset.classes)), thumbnails,
        dataset.n_features == 2, code,
    )  # fmt: skip
