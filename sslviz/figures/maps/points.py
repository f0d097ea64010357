"""Maps of points coloured by class probabilities: arrays in, Figure out."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import (
    ACCENT,
    DIFFERENCE,
    UNDETERMINED,
    class_colours,
    css_of,
    empty_map,
    mixed_colours,
    scatter,
)

NO_LINKS = (np.array([], int), np.array([]))  # a clicked point that depends on no other
RINGS_IN_BOLD = 20  # more rings are drawn thinner
MAX_NAMES_IN_KEY = 24  # of classes above a picture; more are left out


def marker_size(count: int) -> float:
    """The size of markers: the more points, the smaller."""
    return float(np.clip(9 - 1.25 * np.log10(max(count, 1) / 60), 2.5, 9))


def class_map(
    points: np.ndarray,
    F: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    facts: list[str] | None = None,
    wrong: np.ndarray | None = None,
    differ: np.ndarray | None = None,
    uirevision: str = "map",
) -> go.Figure:
    """Points in the colours of their classes, mixed by probability; diamonds at given labels.

    `points` (n, 2 or 3); `F` (n, C) class probabilities, a zero row is undetermined and grey;
    `given` (n,) class index of given labels, -1 elsewhere; `wrong` (n,) mistakes, marked by rings;
    `differ` (n,) points on which another method differs, marked by rings. `facts` are the hover
    texts. The first trace holds all points in order: frames recolour it.
    """
    colours, size = class_colours(len(classes)), marker_size(len(points))
    fig = empty_map(uirevision, points.shape[1])
    fig.add_trace(
        scatter(
            points,
            mode="markers",
            name="points",
            customdata=np.arange(len(points)),
            text=facts,
            hovertemplate=hover_template(facts),
            marker={"size": size, **mixed_colours(F, colours), "line": {"width": 0}},
            showlegend=False,
        )
    )
    if differ is not None:
        add_rings(fig, points, differ, "they differ", DIFFERENCE, size + 5, 1.0)
    if wrong is not None:
        add_rings(fig, points, wrong, "mistakes", ACCENT, size + 5)
    add_given_labels(fig, points, given, classes, facts=facts)
    undetermined = bool((F.sum(axis=1) == 0).any())
    add_colour_key(fig, classes, undetermined)
    return fig


def class_map_frames(
    probabilities: list[np.ndarray], names: list[str], n_classes: int, dimensions: int = 2
) -> list[dict[str, Any]]:
    """One frame for each step, recolouring the first trace of a `class_map`."""
    colours = class_colours(n_classes)
    kind = "scattergl" if dimensions == 2 else "scatter3d"
    return [
        {
            "name": name,
            "traces": [0],
            "data": [{"type": kind, "marker": mixed_colours(F, colours)}],
        }
        for F, name in zip(probabilities, names, strict=True)
    ]


def add_given_labels(
    fig: go.Figure,
    points: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    facts: list[str] | None = None,
    colours: np.ndarray | None = None,
) -> None:
    """Given labels as large diamonds, with two rims to be seen on any background.

    They have the colours of their classes, or `colours` (l, 3), one for each in order.
    """
    at = np.flatnonzero(given >= 0)
    if not len(at):
        return
    if colours is None:
        colours = class_colours(len(classes))[given[at]]
    size = float(np.clip(23 - 2 * np.log2(len(at)), 9, 15))  # smaller if there are many
    rim = {"size": size + 4, "symbol": "diamond", "color": "#10151C"}
    fig.add_trace(
        scatter(
            points[at],
            mode="markers",
            marker=rim,
            customdata=at,
            hoverinfo="skip",
            showlegend=False,
        )
    )
    marker = {
        "size": size,
        "symbol": "diamond",
        "color": [css_of(colour) for colour in colours],
        "line": {"width": 2, "color": "#FFFFFF"},
    }
    fig.add_trace(
        scatter(
            points[at],
            mode="markers",
            name="given labels",
            customdata=at,
            text=[facts[i] for i in at] if facts else None,
            hovertemplate=hover_template(facts),
            marker=marker,
        )
    )


def add_links(
    fig: go.Figure, points: np.ndarray, point: int, others: np.ndarray, weights: np.ndarray
) -> None:
    """Lines from the clicked point to others, thicker for larger weights, and a ring around it."""
    heaviest = weights.max() if len(weights) else 0.0
    strength = weights / heaviest if heaviest > 0 else weights
    thick = 1 if points.shape[1] == 2 else 2
    for other, share in zip(others, strength, strict=True):
        fig.add_trace(
            scatter(
                points[[point, other]],
                mode="lines",
                line={"color": ACCENT, "width": thick * (1 + 3 * float(share))},
                opacity=float(0.25 + 0.75 * share),
                hoverinfo="skip",
                showlegend=False,
            )
        )
    ring = {"size": 20, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
    if points.shape[1] == 3:  # points in front become translucent; clear markers have no rim
        fig.update_traces(opacity=0.25, selector={"name": "points"})
        ring |= {"size": 36, "symbol": "circle-open", "color": ACCENT}
    fig.add_trace(
        scatter(points[[point]], mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    )


def shrink_markers(fig: go.Figure, factor: float) -> None:
    """Make all markers smaller and hide the legend, for maps side by side."""
    for trace in fig.data:
        if trace.marker is not None and trace.marker.size is not None:
            size = np.asarray(trace.marker.size) * factor
            trace.marker.size = size if size.ndim else float(size)
    fig.update_layout(showlegend=False)


def hover_template(facts: list[str] | None) -> str:
    """The template of hover texts: the facts of a point, or its number."""
    return "%{text}<extra></extra>" if facts else "point %{customdata}<extra></extra>"


def add_rings(
    fig: go.Figure,
    points: np.ndarray,
    mask: np.ndarray,
    name: str,
    colour: str,
    size: float,
    width: float = 1.5,
) -> None:
    """Rings around the points of a mask; no trace and no legend entry if it is empty."""
    at = np.flatnonzero(mask)
    if len(at):
        marker = ring_marker(len(at), colour, size, width)
        fig.add_trace(
            scatter(points[at], mode="markers", name=name, marker=marker, hoverinfo="skip")
        )


def ring_marker(count: int, colour: str, size: float, width: float = 1.5) -> dict[str, Any]:
    """The marker of `count` rings: the more, the thinner, smaller and more translucent."""
    many = float(np.clip(np.log10(max(count, 1) / RINGS_IN_BOLD), 0, 1))
    # In 3-D only the line is visible.
    line = {"width": width * (1 - 0.4 * many), "color": colour}
    opacity = 1 - 0.5 * many
    shape = {"size": size - 2 * many, "symbol": "circle-open", "opacity": opacity}
    return {**shape, "color": colour, "line": line}


def add_colour_key(fig: go.Figure, classes: tuple[str, ...], undetermined: bool) -> None:
    """Names and colours of the classes, as `layout.meta["key"]`: the page shows them above the map.

    In plotly's legend each entry would be a trace, which doubles the time of a redraw.
    """
    colours = class_colours(len(classes))
    entries = [[name, css_of(c)] for name, c in zip(classes, colours, strict=True)]
    if len(entries) > MAX_NAMES_IN_KEY:
        entries = []
    if undetermined:
        entries.append(["undetermined", UNDETERMINED])
    fig.update_layout(meta={"key": entries})
