"""The picture of the page "Clustering": numbers, the map, and the charts of a training."""

from typing import Any

import streamlit as st

from sslviz.figures.maps.points import add_given_labels
from sslviz.ui.clustering.learning_views import MERGES, WATCHED
from sslviz.ui.clustering.map_view import (
    add_graph_path,
    clustering_map,
    map_caption,
    moments,
    path_caption,
)
from sslviz.ui.clustering.result import PATH_NEIGHBOURS, ClusteringResult, graph_path
from sslviz.ui.clustering.views import NUMBERS, TRAINING
from sslviz.ui.components.live_figure import Event, show_figure
from sslviz.ui.labels.group import grey_others, selected_group
from sslviz.ui.labels.map_marks import mark_options
from sslviz.ui.page import MAP_HEIGHT
from sslviz.ui.problem import UNKNOWN
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.state.slots import CLUSTER_PATH_ENDS
from sslviz.ui.views import follow_film, percent, show_numbers, show_view, show_views

FILM = "clustering"


def show_picture(r: ClusteringResult) -> None:
    """Numbers and map; beside it the charts of a training."""
    show_numbers(NUMBERS, r)
    left, right = (st.container(), None) if r.run is None else st.columns([3, 2])
    with left:
        _show_map(r)
    if right is not None:
        with right:
            show_view(MERGES if MERGES.shown(r) else TRAINING, r, film=FILM)
    show_views(WATCHED, r, columns=2, film=FILM)


def _show_map(r: ClusteringResult) -> None:
    where = (r.problem.dataset.name, str(r.problem.setting.options))
    ends = [p for p in CLUSTER_PATH_ENDS.get(where) if p < len(r.problem.y)]
    path = graph_path(r, ends, memory())
    fig = follow_film(clustering_map(r), NUMBERS, r)
    add_graph_path(fig, r, ends, path)
    if r.given is not None:
        add_given_labels(fig, r.problem.points, r.given, r.problem.classes)
        grey_others(fig, selected_group(r.problem))
    accuracy = f"accuracy {percent(r.accuracy, UNKNOWN)}" if r.trained else "not trained yet"
    show_figure(
        fig,
        key="clustering_map",
        height=MAP_HEIGHT,
        thumbnails=r.problem.thumbnails,
        alt=f"Clusters of {type(r.model).title} on {r.problem.dataset.name}; {accuracy}",
        film=FILM,
        moments=moments(r) if not r.running else None,
        on_event=remember_path_end if r.given is None else on_path_end_or_key,
        **_mark_options(r),
    )
    st.caption(f"{map_caption(r)} {path_caption(r, ends, path)}")


def _mark_options(r: ClusteringResult) -> dict[str, Any]:
    """Neighbours on hover; with labels also the next point and names of keys."""
    k = r.model.k_graph if r.hubs is not None else PATH_NEIGHBOURS
    options = mark_options(r.problem, k)
    return options if r.given is not None else {"neighbours": options["neighbours"]}


def on_path_end_or_key(event: Event) -> None:
    """Points clicked are ends of a path; a key labels the point, a lasso selects a group."""
    remember_path_end(event)
    if event.kind != "click":
        on_click_remember()(event)


def remember_path_end(event: Event) -> None:
    """Keep the last two points clicked; a third starts over."""
    if event.kind == "click" and event.point is not None:
        ends = CLUSTER_PATH_ENDS.get()
        CLUSTER_PATH_ENDS.set([*(ends if len(ends) < 2 else []), event.point])
