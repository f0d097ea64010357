"""The kNN graph drawn: edges by weight, points by in-degree, islands by colour."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import marker_size
from sslviz.figures.theme import class_colours, css_of, empty_map, scatter

MAX_EDGES_DRAWN = 60_000  # more would be a grey cloud, and slow
WEIGHT_LEVELS = 4


def graph_map(
    points: np.ndarray,
    edges: np.ndarray,
    weights: np.ndarray,
    in_degree: np.ndarray,
    group: np.ndarray,
    names: tuple[str, ...],
    *,
    colours: np.ndarray | None = None,
    facts: list[str] | None = None,
    uirevision: str = "graph",
) -> go.Figure:
    """Edges (2, m) with weights in [0, 1] under points sized by in-degree, coloured by group.

    Heavier edges are darker; of very many only the heaviest are drawn. `colours` (groups, 3) are
    those of classes unless given.
    """
    fig = empty_map(uirevision, points.shape[1])
    if len(weights) > MAX_EDGES_DRAWN:
        heaviest = np.argpartition(weights, -MAX_EDGES_DRAWN)[-MAX_EDGES_DRAWN:]
        edges, weights = edges[:, heaviest], weights[heaviest]
    shade = np.minimum((weights * WEIGHT_LEVELS).astype(int), WEIGHT_LEVELS - 1)
    for level in range(WEIGHT_LEVELS):
        mine = edges[:, shade == level]
        if mine.shape[1]:
            fig.add_trace(
                scatter(
                    edge_segments(points, mine),
                    mode="lines",
                    line={"color": "#8592A6", "width": 0.7 + 0.4 * level},
                    opacity=0.35 + 0.2 * level,
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    size = marker_size(len(points)) * (0.4 + 1.2 * in_degree / max(in_degree.max(), 1))
    if colours is None:
        colours = class_colours(len(names))
    for g, name in enumerate(names):
        at = np.flatnonzero(group == g)
        if len(at):
            fig.add_trace(
                scatter(
                    points[at],
                    mode="markers",
                    name=name,
                    customdata=at,
                    text=[facts[i] for i in at] if facts else None,
                    hovertemplate="%{text}<extra></extra>" if facts else None,
                    marker={
                        "size": size[at],
                        "color": css_of(colours[g]),
                        "opacity": 1,  # plotly makes markers of many sizes translucent
                        "line": {"width": 0},
                    },
                    showlegend=len(names) <= 12,
                )
            )
    return fig


def edge_segments(points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """(3m, d): both ends of every edge, then a gap."""
    gap = np.full((edges.shape[1], points.shape[1]), np.nan)
    return np.stack([points[edges[0]], points[edges[1]], gap], axis=1).reshape(-1, points.shape[1])
