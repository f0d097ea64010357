"""Maps of robust label prediction: hubs as stars, labels among the hubs, votes and their paths."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import (
    add_colour_key,
    add_given_labels,
    add_rings,
    class_map_frames,
    hover_template,
    marker_size,
)
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    HUB_COLOUR,
    class_colours,
    empty_map,
    mixed_colours,
    scatter,
)

FRONT_FRAMES = 24  # frames of growing distance


def hub_map(
    points: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    hubs: np.ndarray,
    degree: np.ndarray,
    *,
    outliers: np.ndarray | None = None,
    facts: list[str] | None = None,
    uirevision: str = "map",
) -> go.Figure:
    """Hubs as stars sized by in-degree `degree` (n,), given labels as diamonds, other points pale.

    Hubs that are outliers have a ring.
    """
    fig = empty_map(uirevision, points.shape[1])
    fig.add_trace(_background(points, facts))
    if len(hubs):
        size = hub_sizes(degree[hubs], degree.max(), len(points))
        fig.add_trace(hub_stars(points, hubs, size, {"color": HUB_COLOUR}, facts))
    if outliers is not None:
        chosen = np.zeros(len(points), bool)
        chosen[hubs] = True
        add_rings(fig, points, chosen & outliers, "outliers among the hubs", ACCENT, 16)
    add_given_labels(fig, points, given, classes, facts=facts)
    add_colour_key(fig, classes, undetermined=False)
    return fig


def hub_graph_map(
    points: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    hubs: np.ndarray,
    degree: np.ndarray,
    F: np.ndarray,
    edges: np.ndarray,
    *,
    facts: list[str] | None = None,
    uirevision: str = "map",
) -> go.Figure:
    """Links `edges` (2, m) of hubs and labels; hubs coloured by their distributions F (h, C).

    Hubs that no label reaches are grey.
    """
    fig = empty_map(uirevision, points.shape[1])
    fig.add_trace(_background(points, facts, opacity=0.3))
    if edges.shape[1]:
        fig.add_trace(
            scatter(
                edge_segments(points, edges),
                mode="lines",
                line={"color": "#8592A6", "width": 1},
                opacity=0.6,
                hoverinfo="skip",
                showlegend=False,
            )
        )
    if len(hubs):
        size = hub_sizes(degree[hubs], degree.max(), len(points))
        colours = mixed_colours(F, class_colours(len(classes)))
        fig.add_trace(hub_stars(points, hubs, size, colours, facts, showlegend=False))
    add_given_labels(fig, points, given, classes, facts=facts)
    add_colour_key(fig, classes, bool(len(hubs) and (F.sum(axis=1) == 0).any()))
    return fig


def hub_stars(
    points: np.ndarray,
    hubs: np.ndarray,
    size: np.ndarray,
    colours: dict[str, Any],
    facts: list[str] | None,
    rim: float = 0,
    **options: Any,
) -> go.Scattergl | go.Scatter3d:
    """A trace of the hubs as stars."""
    return scatter(
        points[hubs],
        mode="markers",
        name="hubs",
        customdata=hubs,
        text=[facts[i] for i in hubs] if facts else None,
        hovertemplate=hover_template(facts),
        marker={
            "size": size,
            "symbol": hub_symbol(points.shape[1]),
            **colours,
            "opacity": 1,  # plotly makes markers of many sizes translucent
            "line": {"width": rim},
        },
        **options,
    )


def front_stops(distance: np.ndarray) -> list[float]:
    """The distances of the frames of `front_frames`: between two of them equally many points."""
    reached = np.sort(distance[np.isfinite(distance) & (distance > 0)])
    if not len(reached):
        return [0.0]
    at = np.linspace(0, len(reached) - 1, min(FRONT_FRAMES, len(reached))).astype(int)
    return [0.0, *np.unique(reached[at]).tolist()]


def front_frames(
    nearest: np.ndarray, distance: np.ndarray, F: np.ndarray, dimensions: int
) -> list[dict[str, Any]]:
    """Frames of a distance that grows from all voters at once; a point is coloured once reached.

    `nearest` (n, C) is the class of each point's nearest voter, `distance` (n,) the distance to it
    along the graph; the last frame shows the result F (n, C) of the vote. From frame to frame an
    equal number of points is reached; with equal distances, outliers would take most frames.
    """
    stops = front_stops(distance)
    seen = [nearest * (distance <= stop)[:, None] for stop in stops]
    names = [f"{stop:.2g} away" for stop in stops]
    return class_map_frames([*seen, F], [*names, "vote"], F.shape[1], dimensions)


def add_paths(
    fig: go.Figure, points: np.ndarray, point: int, paths: list[list[int]], colours: list[str]
) -> None:
    """Paths along the graph from a point to its voters, in the colours of their votes."""
    for path, colour in zip(paths, colours, strict=True):
        line = points[np.asarray(path, dtype=int)]
        for width, shade in ((8, "#10151C"), (6, "#FFFFFF"), (3, colour)):  # two rims
            fig.add_trace(_overlay(line, mode="lines", line={"color": shade, "width": width}))
        end = {"size": 13, "symbol": "circle-open", "color": ACCENT, "line": {"width": 3}}
        fig.add_trace(_overlay(line[-1:], mode="markers", marker=end))
    ring = {"size": 20, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
    fig.add_trace(_overlay(points[[point]], mode="markers", marker=ring))


def _overlay(points: np.ndarray, **trace: object) -> go.Scatter | go.Scatter3d:
    """A trace above all points: WebGL lines are drawn below all markers."""
    trace |= {"hoverinfo": "skip", "showlegend": False}
    if points.shape[1] == 3:
        return scatter(points, **trace)
    return go.Scatter(x=points[:, 0], y=points[:, 1], **trace)


def hub_symbol(dimensions: int) -> str:
    """The symbol of a hub; plotly has no stars in 3-D."""
    return "star" if dimensions == 2 else "square"


def hub_sizes(degree: np.ndarray, highest: int, n: int) -> np.ndarray:
    """Sizes of hubs by in-degree; `highest` is the largest in-degree of all n points."""
    return (marker_size(n) + 2) * (0.6 + 1.4 * degree / max(highest, 1))


def _background(points: np.ndarray, facts: list[str] | None, opacity: float = 0.55) -> go.Scattergl:
    marker = {"size": 0.8 * marker_size(len(points)), "color": BACKDROP, "opacity": opacity}
    return scatter(
        points,
        mode="markers",
        name="points",
        customdata=np.arange(len(points)),
        text=facts,
        hovertemplate=hover_template(facts),
        marker=marker,
        showlegend=False,
    )
