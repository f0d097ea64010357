"""Map of the kNN graph: edges by weight, points by in-degree, colours by class or component."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import marker_size
from sslviz.figures.theme import class_colours, css_of, empty_map, scatter

MAX_EDGES_DRAWN = 60_000  # more would be slow and hide each other
EDGE_COLOUR = "#6F7D93"
WEIGHT_LEVELS = 4  # widths of edges, each a trace
SMALL_GRAPH, LARGE_GRAPH = 300, 3000  # points: up to the first edges are bold, then thinner


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

    Heavier edges are thicker and darker, most of all in small graphs; of very many only the
    heaviest are drawn. `colours` (groups, 3) are the class colours by default.
    """
    fig = empty_map(uirevision, points.shape[1])
    if len(weights) > MAX_EDGES_DRAWN:
        heaviest = np.argpartition(weights, -MAX_EDGES_DRAWN)[-MAX_EDGES_DRAWN:]
        edges, weights = edges[:, heaviest], weights[heaviest]
    level_of = np.minimum((weights * WEIGHT_LEVELS).astype(int), WEIGHT_LEVELS - 1)
    for level, (width, opacity) in enumerate(_line_styles(len(points))):
        mine = edges[:, level_of == level]
        if mine.shape[1]:
            fig.add_trace(
                scatter(
                    edge_segments(points, mine),
                    mode="lines",
                    line={"color": EDGE_COLOUR, "width": width},
                    opacity=opacity,
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
    return fig.update_layout(meta={"key": []})  # the page writes the names above the picture


def _line_styles(n: int) -> list[tuple[float, float]]:
    """Width and opacity of each level of weight, for a graph of n points."""
    bold = float(np.interp(np.log(max(n, 1)), np.log([SMALL_GRAPH, LARGE_GRAPH]), [1, 0]))
    share = np.linspace(0, 1, WEIGHT_LEVELS)
    widths = (0.7 + 0.5 * bold) + (1.2 + 1.8 * bold) * share
    opacities = (0.35 + 0.15 * bold) + (0.6 - 0.15 * bold) * share
    return list(zip(widths.tolist(), opacities.tolist(), strict=True))


def edge_segments(points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """(3m, d) both ends of every edge, then a row of NaN that breaks the line."""
    gap = np.full((edges.shape[1], points.shape[1]), np.nan)
    return np.stack([points[edges[0]], points[edges[1]], gap], axis=1).reshape(-1, points.shape[1])
