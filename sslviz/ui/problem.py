"""The problem all pages share: a data set, a few labels, and a map to draw them on.

Its controls stand in the sidebar and in the URL; its parts come from the shared memory of stages.
"""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz import data, labels
from sslviz.data import npz_files
from sslviz.data.layout import layout
from sslviz.data.sprites import sheet_geometry, sprite_sheets
from sslviz.graph.neighbours import EXACT_POINTS
from sslviz.memo import stage
from sslviz.params import Number, Param
from sslviz.snippet import Setting
from sslviz.ui.components.live_figure import Thumbnails
from sslviz.ui.components.static_files import publish
from sslviz.ui.controls import choose_parameter
from sslviz.ui.data import canvas
from sslviz.ui.data.picker import choose_dataset, fetch_dataset
from sslviz.ui.messages import stop_on_error
from sslviz.ui.server import memory, warm_descent
from sslviz.ui.state import manual_labels
from sslviz.ui.state.clicks import clicked_point

FEW = 5000  # points of a large set shown unless more are asked for
PRINTED = (3000, 20_000)  # sizes that papers report on


class Problem(NamedTuple):
    """What a page works on."""

    dataset: data.Dataset
    setting: Setting  # how it came about
    y: np.ndarray  # class index, -1 where hidden
    points: np.ndarray  # (n, 2 or 3)
    map_name: str
    thumbnails: Thumbnails | None
    point: int | None = None  # the clicked one

    @property
    def view(self) -> str:
        """A name for what is drawn: zoom is kept while it stays the same."""
        return f"{self.dataset.name}:{self.map_name}:{self.points.shape[1]}"

    def clicked(self) -> int | None:
        """The point last clicked; in a fragment, newer than `point`."""
        return clicked_point(self.setting, len(self.y))

    @property
    def outliers(self) -> np.ndarray:
        """(n,) which points are outliers, where the set knows; else none."""
        known = (self.dataset.splits or {}).get("outliers", ())
        return np.asarray(known, bool) if np.size(known) else np.zeros(len(self.y), bool)


def choose_problem(
    few: int | None = None,
    *,
    labelled: bool = True,
    keys: bool = True,
    mapped: bool = True,
    first: str | None = None,
) -> Problem:
    """Draw the shared controls and return what they say.

    `few` is for pages that compare all pairs of points: so many are shown unless more are asked
    for, and how many is then asked apart from the other pages. Without `labelled` no label is
    given, nor asked how many; without `keys` none by hand. Where the map is not shown, it is not
    asked for (`mapped`). `first` is the data set to begin with.
    """
    page = st.container()
    with stop_on_error(), st.sidebar:  # problems are said on the page: a phone hides the sidebar
        name = choose_dataset(first, page)
        fetch_dataset(name)
        options = _options(name, few)
        with st.spinner("Loading …", show_time=True):
            dataset = memory().cache(loaded)(name, options, _stamp(name))
        canvas.offer_dataset(dataset)
        st.caption(_described(dataset) + (_fewer(dataset) if few is not None else ""))
        y, per_class, seed = np.full(len(dataset.y), -1), 0, 0
        given: manual_labels.Labels = {}
        if labelled:
            per_class, seed = _labels(dataset)
            y = labels.hide(dataset.y, per_class=per_class, random_state=seed)
        if labelled and keys:
            y, given = manual_labels.apply_manual_labels(dataset, options, y)
        setting = Setting(dataset.name, options, per_class, seed, tuple(sorted(given.items())))
        if labelled and keys:
            manual_labels.show_label_controls(
                dataset.classes, given, clicked_point(setting, len(y))
            )
        kind, dimensions = _map(dataset, mapped)
        with st.spinner("Drawing the map …", show_time=True):
            points = _points(dataset, kind, dimensions)
        point = clicked_point(setting, len(y))
    return Problem(dataset, setting, y, points, kind, _thumbnails(dataset), point)


def toggle_value(key: str) -> bool:
    """What a switch that is off by default says, for code that runs before it is drawn."""
    said = st.session_state.get(key, st.query_params.get(key))
    return said is True or str(said).lower() == "true"


@stage("data")
def loaded(name: str, options: dict[str, Any], stamp: int) -> data.Dataset:
    """The set; `stamp` changes when its file does."""
    return data.load(name, **options)


def _stamp(name: str) -> int:
    path = npz_files.path_of(name)
    return path.stat().st_mtime_ns if path else 0


def _options(name: str, few: int | None) -> dict[str, Any]:
    """Options that differ from the set's defaults."""
    with st.expander("Shape of the data"):
        knobs = data.options_of(name)
        if not knobs:
            st.caption("Nothing to choose.")
        values = {p.name: _knob(name, p, few) for p in knobs}
    return {p.name: values[p.name] for p in knobs if values[p.name] != p.default}


def _knob(name: str, p: Param, few: int | None) -> Any:
    key = f"{name}.{p.name}"
    if few is not None and p.name == "n_samples":
        key = f"{key}.few"
        if p.default is not None:
            return choose_parameter(p._replace(default=min(p.default, few)), key)
    if not (isinstance(p.spec, Number) and None in p.spec.rules):
        return choose_parameter(p, key)
    low, most = map(int, p.spec.shown)  # None means all points: offer numbers up to all
    if most > EXACT_POINTS:
        warm_descent()
    if low >= most:
        return None
    sizes = (*PRINTED, few or FEW)
    grid = sorted({*p.grid(count=40), *(n for n in sizes if low < n < most)})
    first = max(n for n in grid if n <= max(few or FEW, low))
    shared: dict[str, Any] = {"key": key, "help": p.spec.help, "bind": "query-params"}
    value = st.select_slider(p.title, grid, first, **shared)
    return None if value == most else value


def _described(dataset: data.Dataset) -> str:
    n, d, c = dataset.n_samples, dataset.n_features, dataset.n_classes
    return f"{dataset.about} Shown: {n:,} points, {d} features, {c} classes."


def _fewer(dataset: data.Dataset) -> str:
    """Why accuracies differ from those of pages that begin with more points."""
    for p in data.options_of(dataset.name):
        if p.name == "n_samples" and isinstance(p.spec, Number):
            usual = p.default or min(FEW, int(p.spec.shown[1]))
            if dataset.n_samples < usual:
                return f" Other pages begin with {usual:,}: accuracies differ."
    return ""


def _labels(dataset: data.Dataset) -> tuple[int, int]:
    per_class = st.slider(
        "Labels per class",
        1,
        50,
        3,
        key="labels",
        bind="query-params",
        help="How many points of each class come with a label; all others are to be found.",
    )
    seed = st.slider(
        "Draw of the labels",
        0,
        99,
        0,
        key="seed",
        bind="query-params",
        help="Which points come with a label: another number, another draw.",
    )
    return per_class, seed


def _map(dataset: data.Dataset, mapped: bool) -> tuple[str, int]:
    if dataset.n_features <= 3:
        return ("raw", dataset.n_features) if dataset.n_features > 1 else ("pca", 2)
    if not mapped:
        return "pca", 2
    kind = st.segmented_control(
        "Map",
        ["pca", "umap"],
        default="pca",
        required=True,
        key="map",
        bind="query-params",
        format_func=str.upper,
        help="How many features become two or three. PCA is at once; UMAP shows clusters better "
        "and takes half a minute the first time. The methods always see all features.",
    )
    dimensions = st.segmented_control(
        "Dimensions", [2, 3], default=2, required=True, key="dimensions", bind="query-params"
    )
    return kind or "pca", dimensions or 2


def _points(dataset: data.Dataset, kind: str, dimensions: int) -> np.ndarray:
    if kind == "raw":
        return layout(dataset.X, "raw")
    from sslviz.data import layout as layouts

    stage = layouts.umap_layout if kind == "umap" else layouts.pca_layout
    return memory().cache(stage)(dataset.X, dimensions=dimensions)


@stage("thumbnails")
def sheets(X: np.ndarray, image_shape: tuple[int, int]) -> tuple[bytes, ...]:
    return tuple(sprite_sheets(X, image_shape))


def _thumbnails(dataset: data.Dataset) -> Thumbnails | None:
    if dataset.image_shape is None:
        return None
    images = memory().cache(sheets)(dataset.X, dataset.image_shape)
    urls = [publish(image, ".png") for image in images]
    return Thumbnails(urls, *sheet_geometry(dataset.image_shape))
