"""Maps of points with opinions: arrays in, Figure out."""

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
RINGS_IN_BOLD = 20  # that may be bold
MAX_NAMES_IN_KEY = 24  # of classes above a picture; more are a wall of words


def marker_size(count: int) -> float:
    """Marker size that shows single points of few and the shape of many."""
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
    """Every point in the mix of its classes' colours; given labels large, no opinion grey.

    `points` (n, 2 or 3), `F` (n, C) opinions, `given` (n,) class index of given labels, -1 without,
    `wrong` (n,) marks mistakes with a ring, `differ` those where another method says something
    else. The first trace holds all points in order: frames recolour it.
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
    opinions: list[np.ndarray], names: list[str], n_classes: int, dimensions: int = 2
) -> list[go.Frame]:
    """One frame per step, recolouring the first trace of a `class_map`."""
    colours = class_colours(n_classes)
    kind = "scattergl" if dimensions == 2 else "scatter3d"
    return [
        go.Frame(
            name=name,
            traces=[0],
            data=[{"type": kind, "marker": mixed_colours(F, colours)}],
        )
        for F, name in zip(opinions, names, strict=True)
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
    """Given labels as large diamonds, rimmed twice to stand out on any ground.

    They have the colours of their classes, or `colours` (l, 3), one for each in order.
    """
    at = np.flatnonzero(given >= 0)
    if not len(at):
        return
    if colours is None:
        colours = class_colours(len(classes))[given[at]]
    size = float(np.clip(23 - 2 * np.log2(len(at)), 9, 15))  # many would hide everything else
    rim = {"size": size + 4, "symbol": "diamond", "color": "#10151C"}
    fig.add_trace(
        scatter(points[at], mode="markers", marker=rim, hoverinfo="skip", showlegend=False)
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
    """Lines from a clicked point to others, the heavier the thicker, and a ring around it."""
    most, thick = (weights.max() if len(weights) else 0.0), 1 if points.shape[1] == 2 else 2
    strength = weights / most if most > 0 else weights
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
    if points.shape[1] == 3:  # one looks through the points in front; clear markers have no rim
        fig.update_traces(opacity=0.25, selector={"name": "points"})
        ring |= {"size": 36, "symbol": "circle-open", "color": ACCENT}
    fig.add_trace(
        scatter(points[[point]], mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    )


def map_height(points: np.ndarray, width: int, least: int, most: int) -> int:
    """The height in pixels that leaves a map of this width no empty bands, within bounds."""
    if points.shape[1] != 2:
        return most
    across, up = np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    return int(np.clip(1.15 * width * up / across, least, most))


def shrink_markers(fig: go.Figure, factor: float) -> None:
    """Make all markers smaller, for one of several maps side by side, and leave out the legend."""
    for trace in fig.data:
        if trace.marker is not None and trace.marker.size is not None:
            size = np.asarray(trace.marker.size) * factor
            trace.marker.size = size if size.ndim else float(size)
    fig.update_layout(showlegend=False)


def hover_template(facts: list[str] | None) -> str:
    """What the label under the cursor says: a point's own facts, or its number."""
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
    """Rings around the points of a mask; nothing, not even in the legend, if there are none."""
    at = np.flatnonzero(mask)
    if len(at):
        marker = ring_marker(len(at), colour, size, width)
        fig.add_trace(
            scatter(points[at], mode="markers", name=name, marker=marker, hoverinfo="skip")
        )


def ring_marker(count: int, colour: str, size: float, width: float = 1.5) -> dict[str, Any]:
    """The marker of so many rings: many are thin, narrow and let crowded points shine through."""
    many = float(np.clip(np.log10(max(count, 1) / RINGS_IN_BOLD), 0, 1))
    # In space the line is what is seen.
    line = {"width": width * (1 - 0.4 * many), "color": colour}
    opacity = 1 - 0.5 * many
    shape = {"size": size - 2 * many, "symbol": "circle-open", "opacity": opacity}
    return {**shape, "color": colour, "line": line}


def add_colour_key(fig: go.Figure, classes: tuple[str, ...], undetermined: bool) -> None:
    """What the colours mean, as `layout.meta["key"]`: the page writes it above the picture.

    In the legend each entry would be a trace, and half the time of every redraw would be theirs.
    """
    colours = class_colours(len(classes))
    entries = [[name, css_of(c)] for name, c in zip(classes, colours, strict=True)]
    if len(entries) > MAX_NAMES_IN_KEY:
        entries = []
    if undetermined:
        entries.append(["undetermined", UNDETERMINED])
    fig.update_layout(meta={"key": entries})
