"""Animations over a map: Gaussian components step by step, edges of a spanning tree one by one."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.decision_field import LINE_OPACITY, background_shades, outline
from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import marker_size, ring_marker
from sslviz.figures.theme import ACCENT, INK, class_colours, css_of, mixed_colours, scatter

ANGLES = np.linspace(0, 2 * np.pi, 65)


def ellipse(mean: np.ndarray, covariance: np.ndarray, radius: float = 2.0) -> np.ndarray:
    """(65, 2): the points at Mahalanobis distance `radius`; 86% of a Gaussian lie within 2."""
    values, vectors = np.linalg.eigh(covariance)
    half = vectors * np.sqrt(np.maximum(values, 0.0))
    return mean + radius * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1) @ half.T


def add_components(fig: go.Figure, means: np.ndarray, covariances: np.ndarray) -> list[int]:
    """An ellipse for every mean (C, 2) and covariance (C, 2, 2), in the colour of its class.

    Returns the numbers of the traces.
    """
    first = len(fig.data)
    for c, colour in enumerate(class_colours(len(means))):
        at = ellipse(means[c], covariances[c])
        line = {"color": css_of(colour), "width": 3.5}
        fig.add_trace(scatter(at, mode="lines", line=line, hoverinfo="skip", showlegend=False))
    return list(range(first, len(fig.data)))


def component_frames(
    fig: go.Figure,
    names: list[str],
    posteriors: list[np.ndarray],
    components: tuple[np.ndarray, np.ndarray] | None = None,
    leads: list[np.ndarray] | None = None,
    wrong: list[np.ndarray] | None = None,
    *,
    full: float = 1.0,
    lines: bool = False,
) -> None:
    """Give a `field_map` one frame per step, with its posteriors (n, C) and leads (b, a, C).

    `components` are means (t, C, 2) and covariances (t, C, 2, 2), `wrong` the mistakes (n,) of each
    step. Ellipses, rings and, with `lines`, the boundary are added here.
    """
    colours, kind = class_colours(posteriors[0].shape[1]), fig.data[0].type
    ground = next((i for i, trace in enumerate(fig.data) if trace.name == "ground"), None)
    points = np.stack([fig.data[0][axis] for axis in "xyz"[: 3 if "3d" in kind else 2]], axis=1)
    if wrong is not None:
        marker = ring_marker(int(wrong[-1].sum()), ACCENT, marker_size(len(points)) + 5)
        look = {"mode": "markers", "name": "mistakes", "marker": marker, "hoverinfo": "skip"}
        fig.add_trace(scatter(points, **look))
    rings = len(fig.data) - 1
    if lines:
        fig.add_trace(_line(points[:0], 2.5, name="boundary"))
    boundary = len(fig.data) - 1
    none = np.empty((len(names), 0, 2)), np.empty((len(names), 0, 2, 2))
    means, covariances = components or none
    ellipses = add_components(fig, means[-1], covariances[-1])
    frames = []
    for t, name in enumerate(names):
        traces = [0]
        data: list[dict] = [{"type": kind, "marker": mixed_colours(posteriors[t], colours)}]
        if leads is not None and ground is not None:
            traces.append(ground)
            data.append({"type": "heatmap", "z": background_shades(leads[t], full)})
            if lines:
                line = outline(leads[t], fig.data[ground].x, fig.data[ground].y).astype(np.float32)
                traces.append(boundary)
                data.append({"type": "scattergl", "x": line[:, 0], "y": line[:, 1]})
        if wrong is not None:
            traces.append(rings)
            data.append({"type": kind, **dict(zip("xyz", points[wrong[t]].T, strict=False))})
        for c, number in enumerate(ellipses):
            line = ellipse(means[t, c], covariances[t, c]).astype(np.float32)
            traces.append(number)
            data.append({"type": "scattergl", "x": line[:, 0], "y": line[:, 1]})
        frames.append({"name": name, "traces": traces, "data": data})
    set_frames(fig, frames)


def _line(places: np.ndarray, width: float, **more: object) -> go.Scattergl | go.Scatter3d:
    style = {"line": {"width": width}, "meta": INK, "opacity": LINE_OPACITY, "hoverinfo": "skip"}
    return scatter(places, mode="lines", **style, **more)


def edge_frames(
    fig: go.Figure, points: np.ndarray, steps: Sequence[tuple[str, np.ndarray, np.ndarray]]
) -> None:
    """Give an `opinion_map` one frame per step: name, edges (2, m), one-hot classes (n, C)."""
    fig.add_trace(_line(edge_segments(points, steps[-1][1]), 1.5, showlegend=False))
    number, kind = len(fig.data) - 1, fig.data[0].type
    colours = class_colours(steps[0][2].shape[1])
    frames = []
    for name, edges, F in steps:
        at = edge_segments(points, edges).astype(np.float32)
        axes = dict(zip("xyz", at.T, strict=False))
        data = [{"type": kind, "marker": mixed_colours(F, colours)}, {"type": kind, **axes}]
        frames.append({"name": name, "traces": [0, number], "data": data})
    set_frames(fig, frames)
