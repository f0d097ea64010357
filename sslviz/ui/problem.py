"""The problem all pages share: a data set, a few given labels, and a map of the points.

Its controls are in the sidebar, their values in the URL. Stages are cached for all sessions.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz import data, labels
from sslviz.data.layout import layout
from sslviz.data.sprites import sheet_geometry
from sslviz.data.stages import load_dataset, sprite_sheets_of
from sslviz.snippet import Setting
from sslviz.ui.components.live_figure import Thumbnails
from sslviz.ui.components.static_files import publish
from sslviz.ui.data import canvas, own_sets
from sslviz.ui.data.data_options import choose_data_options, description, size_note
from sslviz.ui.data.given_labels import GivenLabels, choose_given_labels, known_text
from sslviz.ui.data.picker import choose_dataset, fetch_dataset
from sslviz.ui.data.scaling import file_time, show_scaling, standardise_if_chosen
from sslviz.ui.first_labels import show_first_labels
from sslviz.ui.labels.group import show_group
from sslviz.ui.labels.lab import show_label_lab
from sslviz.ui.look import choose_shapes
from sslviz.ui.messages import stop_on_error
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.server import memory
from sslviz.ui.state import manual_labels
from sslviz.ui.state.class_styles import apply_class_styles
from sslviz.ui.state.clicks import clicked_point
from sslviz.ui.state.slots import PAGE_OUTDATED

UNKNOWN = "unknown"  # in place of the true class


class Problem(NamedTuple):
    """A data set with given labels, and where its points are drawn."""

    dataset: data.Dataset
    setting: Setting  # the choices that produce it
    y: np.ndarray  # class index, -1 where hidden
    points: np.ndarray  # (n, 2 or 3)
    map_name: str
    thumbnails: Thumbnails | None
    point: int | None = None  # the clicked one
    truth_hidden: bool = False  # by the visitor; what is given counts as true

    @property
    def view(self) -> str:
        """Identifies the map: the zoom is kept while it stays the same."""
        return f"{self.dataset.name}:{self.map_name}:{self.points.shape[1]}"

    def clicked(self) -> int | None:
        """The point clicked last; inside a fragment it may be newer than `point`."""
        return clicked_point(self.setting, len(self.y))

    @property
    def held_out(self) -> np.ndarray:
        """(n,) points whose class is known but not given: on these accuracy is measured."""
        return (self.y < 0) & self.dataset.known

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes for figures and Markdown."""
        return tuple(map(escape_markup, self.dataset.classes))

    def true_names(self) -> list[str]:
        """The name of the true class of every point, for figures and Markdown."""
        names = (*self.classes, UNKNOWN)
        return [names[c] for c in self.dataset.y.tolist()]  # -1 is the last

    def true_groups(self) -> tuple[np.ndarray, tuple[str, ...]]:
        """(n,) true classes, and their names; points of unknown class are one group more."""
        truth, names = self.dataset.y, self.classes
        if self.dataset.known.all():
            return truth, names
        return np.where(truth < 0, len(names), truth), (*names, UNKNOWN)

    def point_texts(self) -> list[str]:
        """Number, true class and note of every point: how its hover text begins."""
        notes = self.dataset.notes
        texts = [
            f"point {i} · " + (f"true class {name}" if c >= 0 else "class unknown")
            for i, (name, c) in enumerate(zip(self.true_names(), self.dataset.y, strict=True))
        ]
        if notes is None:
            return texts
        return [
            f"{text}<br>{escape_markup(note)}" if note else text
            for text, note in zip(texts, notes.tolist(), strict=True)
        ]

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
    unlabelled: bool = False,
) -> Problem:
    """Show the shared controls and return the problem they describe.

    `points_shown` is the default number of points of pages whose methods need all pairs; these
    pages have a control of the number of their own. Without `labelled` no label is given; without
    `keys` none can be given by hand. Without `mapped` the choice of the map is left out. `first` is
    the data set that is selected at the start. Unless `unlabelled`, the page waits until every
    class has a label: in a visitor's own data they may have to be given by hand first.
    """
    PAGE_OUTDATED.set(False)
    page = st.container()
    with stop_on_error(), st.sidebar:  # errors are shown on the page: a phone hides the sidebar
        selection = st.container()  # what was clicked or lassoed comes first, to be in sight
        dataset, options = _choose_data(points_shown, first, page)
        given = GivenLabels(np.full(len(dataset.y), labels.UNLABELLED))
        by_hand: manual_labels.Labels = {}
        y = given.y
        if labelled:
            given = choose_given_labels(dataset)
            y = given.y
        hand = labelled and (keys or not dataset.known.any())
        if hand:
            y, by_hand = manual_labels.apply_manual_labels(dataset, options, y)
            manual_labels.show_hint(dataset.classes, by_hand)
        with st.expander("Map and true classes", key="map_options", icon=":material/map:"):
            truth_hidden = bool(dataset.known.any()) and _choose_hidden_truth()
            kind, dimensions = _choose_map(dataset, mapped)
            choose_shapes(len(dataset.y), dataset.n_classes)
        if truth_hidden:
            dataset = replace(dataset, y=y)
        setting = Setting(
            dataset.name, options, given.per_class, given.seed, tuple(sorted(by_hand.items())),
            dataset.source, known_share(dataset.y), given.split,
        )  # fmt: skip
        point = clicked_point(setting, len(y))
        if hand and point is not None:
            with selection:
                manual_labels.choose_label(dataset.classes, point)
        with st.spinner("Computing the map …", show_time=True):
            points = _map_points(dataset, kind, dimensions)
    pictures = _thumbnails(dataset)
    problem = Problem(dataset, setting, y, points, kind, pictures, point, truth_hidden)
    if hand:
        with selection:
            show_group(problem)
        with st.sidebar:
            show_label_lab(problem)
    if labelled and not unlabelled:
        wait_for_labels(problem)
    if text := known_text(dataset, y, hidden=truth_hidden):
        page.caption(text)
    return problem


def _choose_data(
    points_shown: int | None, first: str | None, page: Any
) -> tuple[data.Dataset, dict[str, Any]]:
    """The chosen data set, and its options that differ from the defaults."""
    name = choose_dataset(first, page)
    fetch_dataset(name, page)
    standardise_if_chosen(name)
    options = choose_data_options(name, points_shown)
    with st.spinner("Loading …", show_time=True):
        dataset = memory().cache(load_dataset)(name, options, file_time(name))
    dataset = apply_class_styles(dataset)
    canvas.offer_dataset(dataset)
    st.caption(description(dataset) + (size_note(dataset) if points_shown is not None else ""))
    show_scaling(name, options, page)
    own_sets.show_reading_button(name)
    return dataset, options


def wait_for_labels(problem: Problem) -> None:
    """Stop the page with a map to label, unless every class has a given label."""
    given = set(problem.y[problem.y >= 0].tolist())
    missing = [name for c, name in enumerate(problem.classes) if c not in given]
    if missing:
        show_first_labels(problem, missing)
        st.stop()


def known_share(truth: np.ndarray) -> str:
    """Whether "all", "some" or "none" of the true classes are known."""
    known = truth >= 0
    return "all" if known.all() else "some" if known.any() else "none"


def _choose_hidden_truth() -> bool:
    return st.toggle(
        "Hide the true classes",
        key="truth_hidden",
        bind="query-params",
        help="As in real work: nobody knows the classes of the other points, so there is no "
        "accuracy and no mistake to see.",
    )


def toggle_value(key: str) -> bool:
    """The value of a switch that is off by default, for code that runs before it is drawn."""
    value = st.session_state.get(key, st.query_params.get(key))
    return value is True or str(value).lower() == "true"


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


def _thumbnails(dataset: data.Dataset) -> Thumbnails | None:
    if dataset.image_shape is None:
        return None
    images = memory().cache(sprite_sheets_of)(dataset.X, dataset.image_shape)
    urls = [publish(image, ".png") for image in images]
    return Thumbnails(urls, *sheet_geometry(dataset.image_shape))
