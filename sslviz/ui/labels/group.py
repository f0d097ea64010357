"""A group of points selected by a lasso or a box: labelled, looked at, saved."""

from collections import Counter
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.exports.predictions import coordinate_columns
from sslviz.exports.tables import to_csv
from sslviz.figures.maps.image_grid import image_wall
from sslviz.graph.neighbours import knn_lists
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.server import memory
from sslviz.ui.state import manual_labels
from sslviz.ui.state.slots import SELECTED_GROUP
from sslviz.ui.tables import show_file_button

IMAGES_SHOWN, IMAGES_ACROSS = 24, 6
CLASSES_LISTED = 6
NEAREST = 10  # of a member: these are the neighbours of the group
MEMBERS, NEIGHBOURS = "members", "neighbours"
TABLE_HEIGHT = 180  # px


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
    near = group_neighbours(problem, group)
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
            show_file_button("Save (CSV)", lambda: group_csv(problem, group, near), "selection.csv")
            st.button("Clear", key="open.group.clear", type="tertiary", on_click=clear_group)
        _show_points(problem, group, near)


def _show_points(problem: Any, group: tuple[int, ...], near: tuple[int, ...]) -> None:
    """The members of the group or its neighbours, as a table and as images."""
    lists = {f"{MEMBERS} ({len(group):,})": group, f"{NEIGHBOURS} ({len(near):,})": near}
    which = st.segmented_control(
        "Points",
        list(lists),
        default=next(iter(lists)),
        key=f"open.group.points.{len(group)}.{len(near)}",
        label_visibility="collapsed",
        help=f"Neighbours: points outside the group that are among the {NEAREST} nearest of one "
        "of its members.",
    )
    shown = lists.get(str(which), group)
    if which and str(which).startswith(NEIGHBOURS) and near:
        st.button(
            "Select them, too", key="open.group.grow", on_click=set_group, args=((*group, *near),)
        )
    st.dataframe(_list_columns(problem, shown), height=TABLE_HEIGHT, hide_index=True)
    if problem.dataset.image_shape is not None and shown:
        alt = f"Images of {len(shown)} selected points"
        fig = group_images(problem, shown)
        show_figure(fig, key="group_images", height=170, tools=False, alt=alt)


def _list_columns(problem: Any, points: tuple[int, ...]) -> dict[str, list[Any]]:
    rows, data = list(points), problem.dataset
    names = (*data.classes, "")  # -1 is the last
    return {
        "point": rows,
        "given": [names[c] for c in problem.y[rows]],
        "true": [names[c] for c in data.y[rows]],
    }


def group_neighbours(problem: Any, group: tuple[int, ...]) -> tuple[int, ...]:
    """The points outside the group that are among the nearest of its members."""
    near, _ = knn_lists(problem.dataset.X, min(NEAREST, len(problem.y) - 1), memory())
    return tuple(np.setdiff1d(near[list(group)], group).tolist())


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


def set_group(group: tuple[int, ...]) -> None:
    """Select these points instead of those before."""
    SELECTED_GROUP.set(tuple(sorted(group)))


def clear_group() -> None:
    """Select no point."""
    SELECTED_GROUP.set(())


def group_csv(problem: Any, group: tuple[int, ...], near: tuple[int, ...] = ()) -> str:
    """The points of the group, then its neighbours: given and true label and features."""
    rows, data = [*group, *near], problem.dataset
    listed = _list_columns(problem, tuple(rows))
    columns: dict[str, Any] = {
        "point": rows,
        "part": ["member"] * len(group) + ["neighbour"] * len(near),
        "given_label": listed["given"],
        "true_label": listed["true"],
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
