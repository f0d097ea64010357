"""The kNN graph drawn: edges by weight, points by in-degree, islands by colour."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import size_for
from sslviz.figures.theme import blank, class_colours, css, scatter

MOST_EDGES = 60_000  # more would be a grey cloud, and slow
SHADES = 4


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
    fig = blank(uirevision, points.shape[1])
    if len(weights) > MOST_EDGES:
        heaviest = np.argpartition(weights, -MOST_EDGES)[-MOST_EDGES:]
        edges, weights = edges[:, heaviest], weights[heaviest]
    shade = np.minimum((weights * SHADES).astype(int), SHADES - 1)
    for level in range(SHADES):
        mine = edges[:, shade == level]
        if mine.shape[1]:
            fig.add_trace(
                scatter(
                    segments(points, mine),
                    mode="lines",
                    line={"color": "#8592A6", "width": 0.7 + 0.4 * level},
                    opacity=0.35 + 0.2 * level,
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    size = size_for(len(points)) * (0.4 + 1.2 * in_degree / max(in_degree.max(), 1))
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
                        "color": css(colours[g]),
                        "opacity": 1,  # plotly makes markers of many sizes translucent
                        "line": {"width": 0},
                    },
                    showlegend=len(names) <= 12,
                )
            )
    return fig


def segments(points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """(3m, d): both ends of every edge, then a gap."""
    gap = np.full((edges.shape[1], points.shape[1]), np.nan)
    return np.stack([points[edges[0]], points[edges[1]], gap], axis=1).reshape(-1, points.shape[1])
