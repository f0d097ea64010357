"""The problem all pages share: a data set, a few given labels, and a map of the points.

Its controls are in the sidebar, their values in the URL. Stages are cached for all sessions.
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
from sslviz.ui.server import compile_descent, memory
from sslviz.ui.state import manual_labels
from sslviz.ui.state.clicks import clicked_point

POINTS_SHOWN = 5000  # of a large data set, unless the visitor chooses another number
SIZES_IN_PAPERS = (3000, 20_000)  # numbers of points for which papers report results


class Problem(NamedTuple):
    """A data set with given labels, and where its points are drawn."""

    dataset: data.Dataset
    setting: Setting  # the choices that produce it
    y: np.ndarray  # class index, -1 where hidden
    points: np.ndarray  # (n, 2 or 3)
    map_name: str
    thumbnails: Thumbnails | None
    point: int | None = None  # the clicked one

    @property
    def view(self) -> str:
        """Identifies the map: the zoom is kept while it stays the same."""
        return f"{self.dataset.name}:{self.map_name}:{self.points.shape[1]}"

    def clicked(self) -> int | None:
        """The point clicked last; inside a fragment it may be newer than `point`."""
        return clicked_point(self.setting, len(self.y))

    @property
    def outliers(self) -> np.ndarray:
        """(n,) which points are outliers; none where the data set does not say."""
        known = (self.dataset.splits or {}).get("outliers", ())
        return np.asarray(known, bool) if np.size(known) else np.zeros(len(self.y), bool)


def choose_problem(
    points_shown: int | None = None,
    *,
    labelled: bool = True,
    keys: bool = True,
    mapped: bool = True,
    first: str | None = None,
) -> Problem:
    """Show the shared controls and return the problem they describe.

    `points_shown` is the default number of points of pages whose methods need all pairs; these
    pages have a control of the number of their own. Without `labelled` no label is given; without
    `keys` none can be given by hand. Without `mapped` the choice of the map is left out. `first` is
    the data set that is selected at the start.
    """
    page = st.container()
    with stop_on_error(), st.sidebar:  # errors are shown on the page: a phone hides the sidebar
        name = choose_dataset(first, page)
        fetch_dataset(name)
        options = _choose_data_options(name, points_shown)
        with st.spinner("Loading …", show_time=True):
            dataset = memory().cache(load_dataset)(name, options, _file_time(name))
        canvas.offer_dataset(dataset)
        st.caption(
            _description(dataset) + (_size_note(dataset) if points_shown is not None else "")
        )
        y, per_class, seed = np.full(len(dataset.y), -1), 0, 0
        given: manual_labels.Labels = {}
        if labelled:
            per_class, seed = _choose_labels(dataset)
            y = labels.hide(dataset.y, per_class=per_class, random_state=seed)
        if labelled and keys:
            y, given = manual_labels.apply_manual_labels(dataset, options, y)
        setting = Setting(dataset.name, options, per_class, seed, tuple(sorted(given.items())))
        if labelled and keys:
            manual_labels.show_label_controls(
                dataset.classes, given, clicked_point(setting, len(y))
            )
        kind, dimensions = _choose_map(dataset, mapped)
        with st.spinner("Computing the map …", show_time=True):
            points = _map_points(dataset, kind, dimensions)
        point = clicked_point(setting, len(y))
    return Problem(dataset, setting, y, points, kind, _thumbnails(dataset), point)


def toggle_value(key: str) -> bool:
    """The value of a switch that is off by default, for code that runs before it is drawn."""
    value = st.session_state.get(key, st.query_params.get(key))
    return value is True or str(value).lower() == "true"


@stage("data")
def load_dataset(name: str, options: dict[str, Any], file_time: int) -> data.Dataset:
    """The data set; `file_time` changes with its file, so that the cache notices."""
    return data.load(name, **options)


def _file_time(name: str) -> int:
    path = npz_files.path_of(name)
    return path.stat().st_mtime_ns if path else 0


def _choose_data_options(name: str, points_shown: int | None) -> dict[str, Any]:
    """Options that differ from the data set's defaults."""
    with st.expander("Data options"):
        options = data.options_of(name)
        if not options:
            st.caption("This data set has no options.")
        values = {p.name: _choose_data_option(name, p, points_shown) for p in options}
    return {p.name: values[p.name] for p in options if values[p.name] != p.default}


def _choose_data_option(name: str, p: Param, points_shown: int | None) -> Any:
    key = f"{name}.{p.name}"
    if points_shown is not None and p.name == "n_samples":
        key = f"{key}.few"  # in the URL: a control apart from that of other pages
        if p.default is not None:
            return choose_parameter(p._replace(default=min(p.default, points_shown)), key)
    if not (isinstance(p.spec, Number) and None in p.spec.rules):
        return choose_parameter(p, key)
    low, high = map(int, p.spec.shown)  # None means all points: offer numbers up to all
    if high > EXACT_POINTS:
        compile_descent()
    if low >= high:
        return None
    default = points_shown or POINTS_SHOWN
    grid = sorted({*p.grid(count=40), *(n for n in (*SIZES_IN_PAPERS, default) if low < n < high)})
    first = max(n for n in grid if n <= max(default, low))
    shared: dict[str, Any] = {"key": key, "help": p.spec.help, "bind": "query-params"}
    value = st.select_slider(p.title, grid, first, **shared)
    return None if value == high else value


def _description(dataset: data.Dataset) -> str:
    n, d, c = dataset.n_samples, dataset.n_features, dataset.n_classes
    title = data.title(dataset.name)
    return f"**{title}.** {dataset.about} Shown: {n:,} points, {d} features, {c} classes."


def _size_note(dataset: data.Dataset) -> str:
    """A note where other pages show more points by default."""
    for p in data.options_of(dataset.name):
        if p.name == "n_samples" and isinstance(p.spec, Number):
            usual = p.default or min(POINTS_SHOWN, int(p.spec.shown[1]))
            if dataset.n_samples < usual:
                return f" Other pages begin with {usual:,} points, so accuracies differ."
    return ""


def _choose_labels(dataset: data.Dataset) -> tuple[int, int]:
    per_class = st.slider(
        "Labels per class",
        1,
        50,
        3,
        key="labels",
        bind="query-params",
        help="How many points of each class have a given label; all other labels are hidden and "
        "predicted.",
    )
    seed = st.slider(
        "Random choice of labels (seed)",
        0,
        99,
        0,
        key="seed",
        bind="query-params",
        help="Which points have a given label: each seed chooses others at random.",
    )
    return per_class, seed


def _choose_map(dataset: data.Dataset, mapped: bool) -> tuple[str, int]:
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
        help="How many features are reduced to two or three for the picture. PCA is immediate; "
        "UMAP shows clusters better and takes half a minute the first time. The methods always use "
        "all features.",
    )
    dimensions = st.segmented_control(
        "Dimensions", [2, 3], default=2, required=True, key="dimensions", bind="query-params"
    )
    return kind or "pca", dimensions or 2


def _map_points(dataset: data.Dataset, kind: str, dimensions: int) -> np.ndarray:
    if kind == "raw":
        return layout(dataset.X, "raw")
    from sslviz.data import layout as layouts

    stage = layouts.umap_layout if kind == "umap" else layouts.pca_layout
    return memory().cache(stage)(dataset.X, dimensions=dimensions)


@stage("thumbnails")
def sprite_sheets_of(X: np.ndarray, image_shape: tuple[int, int]) -> tuple[bytes, ...]:
    """The thumbnails of all points as a few PNG images."""
    return tuple(sprite_sheets(X, image_shape))


def _thumbnails(dataset: data.Dataset) -> Thumbnails | None:
    if dataset.image_shape is None:
        return None
    images = memory().cache(sprite_sheets_of)(dataset.X, dataset.image_shape)
    urls = [publish(image, ".png") for image in images]
    return Thumbnails(urls, *sheet_geometry(dataset.image_shape))
