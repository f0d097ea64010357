"""Data without labels: a map on which the first label of each class is given by hand."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.maps.points import add_links, class_map
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.labels.group import grey_others, selected_group
from sslviz.ui.labels.map_marks import mark_options
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.state.manual_labels import class_keys

MAP_HEIGHT = 0.6  # of the window
NAMES_LISTED = 6
NO_LINKS = np.array([], int), np.array([])


def show_first_labels(problem: Any, missing: list[str]) -> None:
    """What to do, and the points; grey, but for those labelled already."""
    st.info(first_labels_text(problem, missing), icon=":material/label:")
    y, classes = problem.y, problem.classes
    fig = class_map(
        problem.points,
        (y[:, None] == np.arange(len(classes))).astype(float),
        y,
        classes,
        facts=problem.point_texts(),
        uirevision=problem.view,
    )
    if problem.point is not None:
        add_links(fig, problem.points, problem.point, *NO_LINKS)
    grey_others(fig, selected_group(problem))
    show_figure(
        fig,
        key="first_labels_map",
        height=MAP_HEIGHT,
        thumbnails=problem.thumbnails,
        alt=f"{problem.dataset.name}, {int((y >= 0).sum())} of {len(y)} points labelled",
        on_event=on_click_remember(),
        **mark_options(problem),
    )


def first_labels_text(problem: Any, missing: list[str]) -> str:
    """Which classes have no label yet, and how to give one."""
    keys = {c: key for key, c in class_keys(problem.dataset.classes).items()}
    names = problem.dataset.classes
    shown = [f"**{keys[c]}** = {escape_markup(names[c])}" for c in sorted(keys)[:NAMES_LISTED]]
    more = len(missing) - NAMES_LISTED
    without = ", ".join(missing[:NAMES_LISTED]) + (f" and {more} more" if more > 0 else "")
    known = "" if problem.dataset.known.any() else " The true classes are unknown."
    return (
        f"**Label a point of each class to begin.** Without a label so far: {without}. Hover a "
        f"point and press its key ({', '.join(shown)}), or click it and choose a class in the "
        f"sidebar.{known} Then the method predicts all other points."
    )
