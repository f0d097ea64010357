"""Maps of points with opinions: arrays in, Figure out."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import (
    ACCENT,
    UNDETERMINED,
    blank,
    class_colours,
    css,
    mixed,
    scatter,
)


def size_for(count: int) -> float:
    """Marker size that shows single points of few and the shape of many."""
    return float(np.clip(9 - 1.25 * np.log10(max(count, 1) / 60), 2.5, 9))


def opinion_map(
    points: np.ndarray,
    F: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    facts: list[str] | None = None,
    wrong: np.ndarray | None = None,
    uirevision: str = "map",
) -> go.Figure:
    """Every point in the mix of its classes' colours; given labels large, no opinion grey.

    `points` (n, 2 or 3), `F` (n, C) opinions, `given` (n,) class index of given labels, -1 without,
    `wrong` (n,) marks mistakes with a ring. The first trace holds all points in order: frames
    recolour it.
    """
    colours, size = class_colours(len(classes)), size_for(len(points))
    fig = blank(uirevision, points.shape[1])
    fig.add_trace(
        scatter(
            points,
            mode="markers",
            name="points",
            customdata=np.arange(len(points)),
            text=facts,
            hovertemplate=_hover(facts),
            marker={"size": size, **mixed(F, colours), "line": {"width": 0}},
            showlegend=False,
        )
    )
    if wrong is not None:
        _add_rings(fig, points, wrong, size)
    add_given(fig, points, given, classes, facts=facts)
    undetermined = bool((F.sum(axis=1) == 0).any())
    _add_key(fig, classes, colours, undetermined, points.shape[1])
    return fig


def opinion_frames(
    opinions: list[np.ndarray], names: list[str], n_classes: int, dimensions: int = 2
) -> list[go.Frame]:
    """One frame per step, recolouring the first trace of an `opinion_map`."""
    colours = class_colours(n_classes)
    kind = "scattergl" if dimensions == 2 else "scatter3d"
    return [
        go.Frame(
            name=name,
            traces=[0],
            data=[{"type": kind, "marker": mixed(F, colours)}],
        )
        for F, name in zip(opinions, names, strict=True)
    ]


def add_given(
    fig: go.Figure,
    points: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    facts: list[str] | None = None,
) -> None:
    """Given labels as large diamonds, rimmed twice to stand out on any ground."""
    at = np.flatnonzero(given >= 0)
    if not len(at):
        return
    colours = class_colours(len(classes))
    rim = {"size": 19, "symbol": "diamond", "color": "#10151C"}
    fig.add_trace(
        scatter(points[at], mode="markers", marker=rim, hoverinfo="skip", showlegend=False)
    )
    marker = {
        "size": 15,
        "symbol": "diamond",
        "color": [css(colours[c]) for c in given[at]],
        "line": {"width": 2, "color": "#FFFFFF"},
    }
    fig.add_trace(
        scatter(
            points[at],
            mode="markers",
            name="given labels",
            customdata=at,
            text=[facts[i] for i in at] if facts else None,
            hovertemplate=_hover(facts),
            marker=marker,
        )
    )


def add_links(
    fig: go.Figure, points: np.ndarray, point: int, others: np.ndarray, weights: np.ndarray
) -> None:
    """Lines from a clicked point to others, the heavier the thicker, and a ring around it."""
    most = weights.max() if len(weights) else 0.0
    strength = weights / most if most > 0 else weights
    for other, share in zip(others, strength, strict=True):
        fig.add_trace(
            scatter(
                points[[point, other]],
                mode="lines",
                line={"color": ACCENT, "width": 1 + 3 * float(share)},
                opacity=float(0.25 + 0.75 * share),
                hoverinfo="skip",
                showlegend=False,
            )
        )
    ring = {"size": 20, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
    fig.add_trace(
        scatter(points[[point]], mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    )


def _hover(facts: list[str] | None) -> str:
    return "%{text}<extra></extra>" if facts else "point %{customdata}<extra></extra>"


def _add_rings(fig: go.Figure, points: np.ndarray, wrong: np.ndarray, size: float) -> None:
    at = np.flatnonzero(wrong)
    if not len(at):
        return
    marker = {"size": size + 5, "symbol": "circle-open", "color": ACCENT, "line": {"width": 1.5}}
    fig.add_trace(
        scatter(points[at], mode="markers", name="mistakes", marker=marker, hoverinfo="skip")
    )


def _add_key(
    fig: go.Figure,
    classes: tuple[str, ...],
    colours: np.ndarray,
    undetermined: bool,
    dimensions: int,
) -> None:
    """Legend entries of the classes; more than a dozen would hide the picture."""
    entries = [(name, css(c)) for name, c in zip(classes, colours, strict=True)]
    if len(entries) > 12:
        entries = []
    if undetermined:
        entries.append(("undetermined", UNDETERMINED))
    nowhere = np.full((1, dimensions), np.nan)
    for name, colour in entries:
        marker = {"size": 10, "color": colour}
        fig.add_trace(scatter(nowhere, mode="markers", name=name, marker=marker, hoverinfo="skip"))
