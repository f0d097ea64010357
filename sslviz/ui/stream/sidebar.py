"""Which stream runs: a world that drifts, or a data set in some order; and who brings a label."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz.data import Dataset
from sslviz.data.drift import DRIFTING, ordered
from sslviz.data.layout import pca_layout
from sslviz.memo import stage
from sslviz.params import params_of
from sslviz.recordings.stream import Stream, with_noise_features
from sslviz.ui.components.live_figure import Thumbnails
from sslviz.ui.controls import choose_parameter
from sslviz.ui.messages import stop_on_error
from sslviz.ui.problem import choose_problem
from sslviz.ui.server import memory

FEW = 2000  # points of a set unless more are asked for
LENGTH = 2400  # points of a drifting world
PACE = 400  # arrivals that its changes are counted in
MOONS, CLUSTERS, SET = "Turning moons", "Clusters that come and go", "A data set"
KINDS = {
    MOONS: "Two moons turn round their centre while points arrive: what was learnt grows old.",
    CLUSTERS: "Three clusters, one of each class; every now and then one vanishes and its class "
    "comes back elsewhere.",
    SET: "Any data set, its points in the order you choose; its labels are all known before.",
}
DRIFTS = {
    MOONS: ("turning_moons", "turns", 0.25, (0.0, 2.0)),
    CLUSTERS: ("coming_and_going", "lives", 4, (1, 20)),
}
NAMES = {
    "turns": f"Turns in {PACE} arrivals",
    "lives": f"Changes in {PACE} arrivals",
}
ORDERS = {"at random": "shuffled", "class after class": "sorted", "as in the set": "as stored"}


class Source(NamedTuple):
    """Points in order of arrival before it is known how many come before the stream."""

    name: str
    X: np.ndarray
    y: np.ndarray
    given: np.ndarray  # (n,) labels known before
    points: np.ndarray  # (n, 2)
    names: np.ndarray  # (n,) what a point is called
    classes: tuple[str, ...]
    thumbnails: Thumbnails | None
    flat: bool  # the map is the data
    code: list[str]  # lines that make dataset, X, truth and given


def choose_stream() -> Source:
    """Draw the controls of the stream and return its points."""
    with st.sidebar:
        kind = st.selectbox(
            "Stream",
            list(KINDS),
            key="stream.kind",
            bind="query-params",
            help=" ".join(f"**{name}**: {text}" for name, text in KINDS.items()),
        )
        if kind != SET:
            return _drifting(kind)
    return _from_set()


def _drifting(kind: str) -> Source:
    name, speed, usual, (low, high) = DRIFTS[kind]
    make = DRIFTING[name]
    declared = {p.name: p for p in params_of(make)}
    st.caption(KINDS[kind])
    rate = st.slider(
        NAMES[speed], low, high, usual, key=f"{name}.{speed}", bind="query-params",
        step=0.05 if isinstance(usual, float) else 1, help=declared[speed].spec.help,
    )  # fmt: skip
    options: dict[str, Any] = {"n_samples": LENGTH, speed: rate * LENGTH // PACE}
    if isinstance(usual, float):
        options[speed] = round(rate * LENGTH / PACE, 6)
    options["noise"] = choose_parameter(declared["noise"], f"{name}.noise")
    per_class = st.slider(
        "Labels per class", 1, 50, 3, key="stream.labels", bind="query-params",
        help="The first so many points of each class come with a label, before the stream.",
    )  # fmt: skip
    options["random_state"] = st.slider(
        "Draw of the points", 0, 99, 0, key="stream.seed", bind="query-params",
        help="Another number, other points.",
    )  # fmt: skip
    with stop_on_error():
        dataset = memory().cache(drifted)(name, options)
    y = dataset.y
    first = np.concatenate([np.flatnonzero(y == c)[:per_class] for c in range(dataset.n_classes)])
    rest = np.setdiff1d(np.arange(len(y)), first)
    rows = np.concatenate([first, rest])
    arguments = ", ".join(f"{key}={value!r}" for key, value in options.items())
    code = [
        f"from sslviz.data.drift import {name}",
        "",
        f"dataset = {name}({arguments})",
        f"first = [np.flatnonzero(dataset.y == c)[:{per_class}] "
        f"for c in range({dataset.n_classes})]",
        "first = np.concatenate(first)",
        "rows = np.concatenate([first, np.setdiff1d(np.arange(len(dataset.y)), first)])",
        "known = len(first)  # labels",
    ]
    return _source(dataset, rows, len(first), dataset.X, None, True, code)


@stage("data")
def drifted(name: str, options: dict[str, Any]) -> Dataset:
    """A drifting stream. A stage."""
    return DRIFTING[name](**options)


def _from_set() -> Source:
    with st.sidebar:
        word = st.selectbox(
            "Order", list(ORDERS), key="stream.order", bind="query-params",
            help="Class after class is much harder: whoever comes first fills the summary.",
        )  # fmt: skip
    problem = choose_problem(few=FEW, keys=False)
    dataset, order = problem.dataset, ORDERS[word]
    rows = memory().cache(rows_in)(dataset.y, order)
    labelled = rows[problem.y[rows] >= 0]
    rows = np.concatenate([labelled, rows[problem.y[rows] < 0]])
    places = problem.points
    if places.shape[1] != 2:
        places = memory().cache(pca_layout)(dataset.X, dimensions=2)
    code = [
        "from sslviz import data, labels",
        "",
        *problem.setting.lines(),
        "rows = np.arange(len(y))"
        if order == "as stored"
        else "rows = np.random.default_rng(0).permutation(len(y))",
    ]
    if order == "sorted":
        code.append('rows = rows[np.argsort(dataset.y[rows], kind="stable")]')
    code += [
        "rows = np.concatenate([rows[y[rows] >= 0], rows[y[rows] < 0]])",
        "known = (y >= 0).sum()  # labels",
    ]
    flat = dataset.n_features == 2
    return _source(dataset, rows, len(labelled), places, problem.thumbnails, flat, code)


@stage("neighbours")
def rows_in(y: np.ndarray, order: str) -> np.ndarray:
    """The rows of a set in order of arrival. A stage."""
    numbers = Dataset(
        np.arange(len(y))[:, None], y, "rows", "", tuple(map(str, range(y.max() + 1)))
    )
    return ordered(numbers, order).X[:, 0].astype(np.int64)


def _source(
    dataset: Dataset,
    rows: np.ndarray,
    known: int,
    points: np.ndarray,
    thumbnails: Thumbnails | None,
    flat: bool,
    code: list[str],
) -> Source:
    y = dataset.y[rows]
    given = np.arange(len(rows)) < known
    return Source(
        dataset.name, dataset.X[rows], y, given, points[rows], rows.astype(np.int32),
        dataset.classes, thumbnails, flat, code,
    )  # fmt: skip


def stream_of(source: Source, capacity: int, every: int, noise: int) -> Stream:
    """Labels and the first `capacity` others are known before; every so manieth brings a label."""
    start = min(int(source.given.sum()) + capacity, len(source.y))
    told = source.given.copy()
    if every:
        told[start + every - 1 :: every] = True
    X = memory().cache(with_noise_features)(source.X, noise)
    return Stream(np.asarray(X, np.float64), source.y, told, start, len(source.classes))
