"""The map of the page "Neighbour graph"."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.graph import MAX_EDGES_DRAWN, graph_map
from sslviz.figures.maps.points import add_given_labels, add_links
from sslviz.figures.theme import UNDETERMINED, class_colours, rgb_of
from sslviz.ui.graph.result import GraphResult

COLOURED_COMPONENTS = 10  # the largest; all smaller ones share a colour
LABEL_COLOUR = "#10151C"  # of given labels where colours show components, not classes


def edge_map(r: GraphResult) -> go.Figure:
    """Points and edges, coloured by class or by connected component."""
    problem = r.problem
    classes, diamonds = problem.classes, None
    group, groups = problem.true_groups()
    colours = class_colours(len(classes))
    if len(groups) > len(classes):  # one group of unknown class
        colours = np.vstack([colours, rgb_of(UNDETERMINED)])
    if r.colour == "island":
        group, groups, colours = _by_component(r)
        diamonds = np.tile(rgb_of(LABEL_COLOUR), (int((problem.y >= 0).sum()), 1))
    edges, weights = r.edges
    facts = hover_texts(r)
    fig = graph_map(
        problem.points,
        edges,
        weights,
        r.degree,
        group,
        groups,
        colours=colours,
        facts=facts,
        uirevision=problem.view,
    )
    add_given_labels(fig, problem.points, problem.y, classes, facts=facts, colours=diamonds)
    if problem.point is not None or problem.points.shape[1] == 2:  # in space the others turn pale
        others, _, weights = r.neighbours
        add_links(fig, problem.points, r.point, others, weights)
    return fig


def _by_component(r: GraphResult) -> tuple[np.ndarray, tuple[str, ...], np.ndarray]:
    count = min(r.components, COLOURED_COMPONENTS)
    groups = tuple(f"part {i + 1}" for i in range(count))
    colours = class_colours(count)
    if r.components > COLOURED_COMPONENTS:
        groups += ("smaller parts",)
        colours = np.vstack([colours, rgb_of(UNDETERMINED)])
    return np.minimum(r.component, COLOURED_COMPONENTS), groups, colours


def hover_texts(r: GraphResult) -> list[str]:
    rows = zip(r.problem.point_texts(), r.degree, r.component, strict=True)
    return [f"{text}<br>neighbour of {d} others · part {s + 1} of the graph" for text, d, s in rows]


def map_caption(r: GraphResult) -> str:
    """What to look for, and whether all edges are drawn."""
    count = len(r.edges[1])
    drawn = (
        f" The {MAX_EDGES_DRAWN:,} heaviest of {count:,} edges are drawn."
        if count > MAX_EDGES_DRAWN
        else ""
    )
    return (
        "Large points are **hubs**, near neighbours of many others; thick edges have a large "
        "weight. **Look for** edges between two classes: labels cross there. **Click a point** to "
        f"see its edges.{drawn}"
    )
