"""The three maps of the page "Hubs": hubs, labels among them, votes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.hubs import add_paths, front_frames, hub_graph_map, hub_map
from sslviz.figures.maps.points import NO_LINKS, add_links, class_map
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.hubs.result import HubResult


class HubMap(NamedTuple):
    """One of the three maps; `option` names it in the URL."""

    option: str
    title: str
    draw: Callable[[HubResult], go.Figure]
    caption: str


def _basis(r: HubResult) -> tuple[Any, ...]:
    return r.problem.points, r.y, r.classes, r.model.hubs_, r.model.hub_scores_


def _mark_point(fig: go.Figure, r: HubResult) -> go.Figure:
    if r.marks_point:
        add_links(fig, r.problem.points, r.point, *NO_LINKS)
    return fig


def _hub_figure(r: HubResult) -> go.Figure:
    outliers = r.problem.outliers
    fig = hub_map(*_basis(r), outliers=outliers, facts=r.hover, uirevision=r.problem.view)
    return _mark_point(fig, r)


def _label_figure(r: HubResult) -> go.Figure:
    W = r.model.hub_graph_
    rows = np.repeat(np.arange(len(r.y)), np.diff(W.indptr))
    once = (rows < W.indices) | (r.model.graph == "directed")  # undirected edges are stored twice
    edges = np.stack([rows, W.indices])[:, once]
    F, view = r.model.hub_distributions_, r.problem.view
    points, y, classes, hubs, degree = _basis(r)
    fig = hub_graph_map(points, y, classes, hubs, degree, F, edges, facts=r.hover, uirevision=view)
    return _mark_point(fig, r)


def _vote_figure(r: HubResult) -> go.Figure:
    points, view = r.problem.points, r.problem.view
    wrong = r.mistakes if r.look.mistakes else None
    fig = class_map(points, r.F, r.y, r.classes, wrong=wrong, facts=r.hover, uirevision=view)
    distance = r.model.voter_distances_[:, 0]
    set_frames(fig, front_frames(r.nearest_votes, distance, r.F, points.shape[1]))
    if r.marks_point:
        colours = [css_of(class_colours(len(r.classes))[c]) for c in r.votes.classes]
        add_paths(fig, points, r.point, r.votes.paths, colours)
    return fig


MAPS = (
    HubMap(
        "1 · hubs",
        "1 · Find the hubs",
        _hub_figure,
        "The larger a star, the more points have it among their nearest neighbours. Ring: an "
        "outlier that is a hub. **Look for** stars where the data are dense.",
    ),
    HubMap(
        "2 · labels",
        "2 · Propagate labels",
        _label_figure,
        "Each hub and labelled point is linked to the nearest others of them; distances are "
        "measured along the graph. **Look for** a link that connects two classes, and for grey "
        "stars that no label reaches.",
    ),
    HubMap(
        "3 · votes",
        "3 · Let the hubs vote",
        _vote_figure,
        "Each point takes the majority class of its nearest voters (hubs and labelled points). "
        "**Play** shows distance along the graph growing from all voters at once. **Click** any "
        "point to see its paths.",
    ),
)
