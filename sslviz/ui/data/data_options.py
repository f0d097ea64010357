"""The options of a data set in the sidebar, and its description."""

from typing import Any

import streamlit as st

from sslviz import data
from sslviz.graph.neighbours import EXACT_POINTS
from sslviz.params import Number, Param
from sslviz.ui.controls import choose_parameter
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.server import compile_descent

POINTS_SHOWN = 5000  # of a large data set, unless the visitor chooses another number
SIZES_IN_PAPERS = (3000, 20_000)  # numbers of points for which papers report results


def choose_data_options(name: str, points_shown: int | None) -> dict[str, Any]:
    """Options that differ from the data set's defaults."""
    with st.expander("Data options", key="data_options"):
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


def description(dataset: data.Dataset) -> str:
    """Title, description and size of a data set, in Markdown."""
    n, d, c = dataset.n_samples, dataset.n_features, dataset.n_classes
    title = escape_markup(data.title(dataset.name))
    whole = max(_all_points(dataset.name), n)
    points = f"{n:,} points" if n == whole else f"{n:,} of {whole:,} points"
    about = escape_markup(dataset.about)
    return f"**{title}.** {about} Shown: {points}, {d} features, {c} classes."


def _all_points(name: str) -> int:
    """The number of points of a real data set; 0 for a synthetic one."""
    for p in data.options_of(name):
        if p.name == "n_samples" and isinstance(p.spec, Number) and None in p.spec.rules:
            return int(p.spec.shown[1])
    return 0


def size_note(dataset: data.Dataset) -> str:
    """A note where other pages show more points by default."""
    for p in data.options_of(dataset.name):
        if p.name == "n_samples" and isinstance(p.spec, Number):
            usual = p.default or min(POINTS_SHOWN, int(p.spec.shown[1]))
            if dataset.n_samples < usual:
                return f" Other pages begin with {usual:,} points, so accuracies differ."
    return ""
