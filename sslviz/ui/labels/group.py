"""A group of points selected by a lasso or a box: labelled, looked at, saved."""

from collections import Counter
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.exports.predictions import coordinate_columns
from sslviz.exports.tables import to_csv
from sslviz.figures.maps.image_grid import image_wall
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.state import manual_labels
from sslviz.ui.state.slots import SELECTED_GROUP
from sslviz.ui.tables import show_file_button

IMAGES_SHOWN, IMAGES_ACROSS = 24, 6
CLASSES_LISTED = 6


def grey_others(fig: go.Figure, group: tuple[int, ...]) -> None:
    """Let the points of a group stand out: the others stay, faint."""
    if not group:
        return
    for trace in fig.data:
        if trace.customdata is None or not (trace.mode or "").startswith("markers"):
            continue
        names = np.asarray(trace.customdata)
        names = names if names.ndim == 1 else names[:, 0]
        trace.selectedpoints = np.flatnonzero(np.isin(names, group))
        trace.unselected = {"marker": {"opacity": 0.12}}


def show_group(problem: Any) -> None:
    """The selected group: how many points, of which classes, and what to do with them."""
    group = selected_group(problem)
    if not group:
        return
    with st.container(border=True, key="group"):
        st.markdown(f"**{len(group):,} points selected.** {composition(problem, group)}")
        names = ("none", *problem.dataset.classes)
        label = st.selectbox("Label of all", names, key="open.group.label")
        chosen = names.index(label) - 1
        with st.container(horizontal=True):
            st.button(
                "Set it",
                key="open.group.set",
                icon=":material/label:",
                on_click=label_group,
                args=(group, chosen),
            )
            show_file_button("Save (CSV)", lambda: group_csv(problem, group), "selection.csv")
            st.button("Clear", key="open.group.clear", type="tertiary", on_click=clear_group)
        if problem.dataset.image_shape is not None:
            show_figure(
                group_images(problem, group),
                key="group_images",
                height=170,
                tools=False,
                alt=f"Images of {len(group)} selected points",
            )


def selected_group(problem: Any) -> tuple[int, ...]:
    """The points selected on this data set."""
    where = (problem.setting.dataset, str(problem.setting.options))
    return tuple(p for p in SELECTED_GROUP.get(where) if p < len(problem.y))


def composition(problem: Any, group: tuple[int, ...]) -> str:
    """How many of the points are of which true class, and how many have a given label."""
    rows = list(group)
    names = problem.true_names()
    counts = Counter(names[i] for i in rows).most_common(CLASSES_LISTED)
    classes = ", ".join(f"{name}: {count:,}" for name, count in counts)
    given = int((problem.y[rows] >= 0).sum())
    return f"True classes — {classes}. Given labels: {given:,}."


def label_group(group: tuple[int, ...], label: int) -> None:
    """Give all points of the group a label by hand; -1 takes labels away."""
    refused = manual_labels.label_points({point: label for point in group})
    if refused:
        st.toast(refused, icon=":material/front_hand:")


def clear_group() -> None:
    SELECTED_GROUP.set(())


def group_csv(problem: Any, group: tuple[int, ...]) -> str:
    """The points of the group with given and true label and their features."""
    rows, data = list(group), problem.dataset
    names = (*data.classes, "")  # -1 is the last
    columns: dict[str, Any] = {
        "point": rows,
        "given_label": [names[c] for c in problem.y[rows]],
        "true_label": [names[c] for c in data.y[rows]],
    }
    features = data.features or tuple(f"x{j + 1}" for j in range(data.n_features))
    return to_csv(columns | coordinate_columns(data.X[rows], features))


def group_images(problem: Any, group: tuple[int, ...]) -> go.Figure:
    """The images of the first points of the group."""
    rows: list[int | None] = list(group[:IMAGES_SHOWN])
    names = problem.true_names()
    return image_wall(
        [problem.dataset.X[rows]],
        problem.dataset.image_shape,
        [problem.y[rows]],
        problem.dataset.n_classes,
        [""],
        columns=IMAGES_ACROSS,
        ids=rows,
        facts=[f"point {i} · {names[i]}" for i in group[:IMAGES_SHOWN]],
    )
