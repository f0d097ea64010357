"""The animated map of a stream: points arrive and fade, a few centroids stay."""

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import marker_size, ring_marker
from sslviz.figures.theme import (
    ACCENT,
    DIFFERENCE,
    UNDETERMINED,
    class_colours,
    classes_title,
    css_of,
    empty_map,
    rgb_of,
    scatter,
)

MAP_MARGIN = 0.06  # of the width of the map, left free on every side
OPACITY_BY_AGE = ((0, 1.0), (25, 0.65), (80, 0.4), (200, 0.22))  # from this age on: opacity
RECENT_ARRIVALS = 8  # arrivals drawn large
LARGEST_CENTROID = 34  # pixels a centroid may have that stands for all points
TRANSPARENT = "rgba(0,0,0,0)"
RIM_COLOUR = "#66717F"  # of a centroid: seen on a light and on a dark page
NETWORK_COLOUR = "rgba(125,135,148,0.55)"
LEAVING_SIZE = 13  # pixels
BALL_COLOURS = {"R": "rgba(123,91,230,0.55)", "2R": "rgba(140,140,140,0.28)"}


class StreamFrame(NamedTuple):
    """One frame: how many points have arrived, and what is kept; points are given by row."""

    name: str
    arrived: int
    centroids: np.ndarray  # (c,)
    sizes: np.ndarray  # (c,) number of points that each stands for
    predictions: np.ndarray  # (c,) class, -1 for none
    radius: float
    changed: np.ndarray  # (2, k) absorbed centroids and those that absorb them, or new edges
    edges: np.ndarray | None = None  # (2, k) of a network
    left: np.ndarray | None = None  # points that have left the network just now


def stream_map(
    stream_frames: list[StreamFrame],
    points: np.ndarray,
    predicted: np.ndarray,
    given: np.ndarray,
    n_classes: int,
    *,
    names: np.ndarray,
    balls: tuple[str, ...] = (),
    wrong: np.ndarray | None = None,
    uirevision: str = "stream",
) -> go.Figure:
    """The last frame as a figure, all of them as its frames.

    `points` (n, 2) in order of arrival, `predicted` (n,) the class predicted on arrival, -1 for
    none, `given` (n,) class of given labels, -1 without, `names` (n,) what a click reports, `balls`
    some of "R" and "2R", `wrong` (n,) mistakes, which get a ring.
    """
    points = np.asarray(points, np.float32)
    fig = empty_map(uirevision)
    colours = class_colours(n_classes)
    layers = [*(_ball(points, stream_frames, name) for name in balls)]
    layers.append(_all_points(points, stream_frames, predicted, colours))
    if wrong is not None:
        layers.append(_mistakes(points, stream_frames, wrong))
    layers += [
        *_network_layers(points, stream_frames),
        _centroids(points, stream_frames, colours, names),
        _recent(points, stream_frames, predicted, colours, names),
        *_label_layers(points, stream_frames, given, colours, names),
    ]
    for trace, changes in layers:
        trace.update({key: value for key, value in changes[-1].items() if key != "type"})
        fig.add_trace(trace)
    _set_axes(fig, points, max(frame.radius for frame in stream_frames) if balls else 0.0)
    # A legend would be drawn anew with every frame; the key tells the shapes of the classes.
    key = [[str(c), css_of(colour)] for c, colour in enumerate(colours)]
    fig.update_layout(showlegend=False, meta={"key": key})
    numbers = list(range(len(layers)))
    frames = [
        {"name": frame.name, "traces": numbers, "data": [changes[i] for _, changes in layers]}
        for i, frame in enumerate(stream_frames)
    ]
    if len(frames) > 1:
        set_frames(fig, frames)
    return fig


Layer = tuple[go.Scatter | go.Scattergl, list[dict[str, Any]]]


def _positions(places: np.ndarray, **more: Any) -> dict[str, Any]:
    places = np.asarray(places, np.float32)
    x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
    return {"type": "scattergl", "x": x, "y": y, **more}


def _trace(**options: Any) -> go.Scattergl:
    return scatter(np.empty((0, 2)), **options)


def _ball(points: np.ndarray, stream_frames: list[StreamFrame], name: str) -> Layer:
    """Circles, given by centre and radius: the browser draws them without WebGL."""
    factor = 2 if name == "2R" else 1
    changes = [
        _positions(points[s.centroids], meta={"radius": factor * s.radius}) | {"type": "scatter"}
        for s in stream_frames
    ]
    line = {"color": BALL_COLOURS[name], "width": 1.2}
    trace = go.Scatter(mode="lines", name=f"balls of radius {name}", line=line, hoverinfo="skip")
    return trace, changes


def ages(arrived: int, count: int) -> np.ndarray:
    """(count,) 0 for points still to come, then 1 for the newest to len(FADING) for the oldest."""
    age = arrived - 1 - np.arange(count)
    level = np.searchsorted([since for since, _ in OPACITY_BY_AGE], age, side="right")
    return np.where(age < 0, 0, level)


def _all_points(
    points: np.ndarray, stream_frames: list[StreamFrame], predicted: np.ndarray, colours: np.ndarray
) -> Layer:
    """All points; those still to come are transparent, the others fade with their age."""
    kinds = np.vstack([colours, rgb_of(UNDETERMINED)])
    scale = [TRANSPARENT]
    for _, strength in OPACITY_BY_AGE:
        scale += [f"rgba({r:.0f},{g:.0f},{b:.0f},{strength})" for r, g, b in kinds]
    kind = np.where(predicted < 0, len(colours), predicted)
    number = np.uint8 if len(scale) < 256 else np.uint16
    changes = []
    for frame in stream_frames:
        level = ages(frame.arrived, len(points))
        code = np.where(level == 0, 0, 1 + (level - 1) * len(kinds) + kind).astype(number)
        changes.append({"type": "scattergl", "marker": {"color": code}})
    last = len(scale) - 1
    marker = {
        "size": marker_size(len(points)) * 0.8,
        "colorscale": [[i / last, colour] for i, colour in enumerate(scale)],
        "cmin": 0,
        "cmax": last,
        "line": {"width": 0},
        **classes_title([-1, *([*range(len(colours)), -1] * (last // len(kinds)))]),
    }
    trace = scatter(points, mode="markers", marker=marker, name="points", hoverinfo="skip")
    return trace, changes


def _mistakes(points: np.ndarray, stream_frames: list[StreamFrame], wrong: np.ndarray) -> Layer:
    at = np.flatnonzero(wrong)
    changes = [_positions(points[at[at < frame.arrived]]) for frame in stream_frames]
    marker = ring_marker(len(at), ACCENT, marker_size(len(points)) + 4)
    return _trace(mode="markers", name="mistakes", marker=marker, hoverinfo="skip"), changes


def _network_layers(points: np.ndarray, stream_frames: list[StreamFrame]) -> list[Layer]:
    """What has changed just now; for a network also its edges and the points that have left."""
    layers = []
    network = stream_frames[-1].edges is not None
    if network:
        edges, left = zip(*((frame.edges, frame.left) for frame in stream_frames), strict=True)
        line = {"color": NETWORK_COLOUR, "width": 1}
        layers.append(_lines(points, edges, "network", line))
        marker = ring_marker(1, DIFFERENCE, LEAVING_SIZE)
        ring = _trace(mode="markers", name="left just now", marker=marker, hoverinfo="skip")
        layers.append((ring, [_positions(points[at]) for at in left]))
    name = "handed on just now" if network else "merged just now"
    line = {"color": DIFFERENCE, "width": 2.5}
    return [*layers, _lines(points, [frame.changed for frame in stream_frames], name, line)]


def _lines(points: np.ndarray, edges: Any, name: str, line: dict[str, Any]) -> Layer:
    changes = [_positions(edge_segments(points, ends)) for ends in edges]
    return _trace(mode="lines", name=name, line=line, hoverinfo="skip"), changes


def _class_marker(colours: np.ndarray) -> dict[str, Any]:
    """A marker for numbers of classes, one more for none."""
    scale = [css_of(c) for c in colours] + [UNDETERMINED]
    last = len(scale) - 1
    steps = [[i / last, colour] for i, colour in enumerate(scale)]
    classes = classes_title([*range(last), -1])
    return {"colorscale": steps, "cmin": 0, "cmax": last, "opacity": 1, **classes}


def centroid_sizes(sizes: np.ndarray) -> np.ndarray:
    """(c,) pixels: the area grows with the share of all points."""
    share = sizes / max(sizes.sum(), 1)
    return np.rint(7 + (LARGEST_CENTROID - 7) * np.sqrt(share)).astype(np.uint8)


def _centroids(
    points: np.ndarray, stream_frames: list[StreamFrame], colours: np.ndarray, names: np.ndarray
) -> Layer:
    """Centroids in the colour of the class predicted for them now."""
    changes = []
    for s in stream_frames:
        kind = np.where(s.predictions < 0, len(colours), s.predictions).astype(np.uint8)
        now = {"size": centroid_sizes(s.sizes), "color": kind}
        changes.append(_positions(points[s.centroids], marker=now, customdata=names[s.centroids],
                           text=s.sizes.astype(np.int32)))  # fmt: skip
    marker = _class_marker(colours) | {"line": {"width": 1.5, "color": RIM_COLOUR}}
    template = "centroid: point %{customdata}, stands for %{text}<extra></extra>"
    return _trace(mode="markers", name="centroids", marker=marker,
                  hovertemplate=template), changes  # fmt: skip


def _recent(
    points: np.ndarray,
    stream_frames: list[StreamFrame],
    predicted: np.ndarray,
    colours: np.ndarray,
    names: np.ndarray,
) -> Layer:
    """The last arrivals, the newest largest."""
    changes = []
    for frame in stream_frames:
        at = np.arange(max(frame.arrived - RECENT_ARRIVALS, 0), frame.arrived)
        kind = np.where(predicted[at] < 0, len(colours), predicted[at]).astype(np.uint8)
        size = np.linspace(6, 14, RECENT_ARRIVALS)[RECENT_ARRIVALS - len(at) :].astype(np.uint8)
        changes.append(_positions(points[at], marker={"size": size, "color": kind},
                           customdata=names[at]))  # fmt: skip
    marker = _class_marker(colours) | {"symbol": "square", "line": {"width": 1.5, "color": ACCENT}}
    template = "arrived just now: point %{customdata}<extra></extra>"
    return _trace(mode="markers", name="arriving", marker=marker,
                  hovertemplate=template), changes  # fmt: skip


def _label_layers(
    points: np.ndarray,
    stream_frames: list[StreamFrame],
    given: np.ndarray,
    colours: np.ndarray,
    names: np.ndarray,
) -> list[Layer]:
    """Labels given so far as diamonds, rimmed twice to stand out on any ground."""
    at = np.flatnonzero(given >= 0)
    size = float(np.clip(23 - 2 * np.log2(max(len(at), 1)), 9, 15))
    rim = {"size": size + 4, "symbol": "diamond", "color": "#10151C"}
    fill = {
        "size": size,
        "symbol": "diamond",
        "color": [css_of(c) for c in colours[given[at]]],
        "line": {"width": 2, "color": "#FFFFFF"},
    }
    here = [at[at < frame.arrived] for frame in stream_frames]
    below = _trace(mode="markers", marker=rim, hoverinfo="skip")
    above = _trace(mode="markers", name="given labels", marker=fill,
                   hovertemplate="label of point %{customdata}<extra></extra>")  # fmt: skip
    return [
        (below, [_positions(points[now]) for now in here]),
        (above, [_positions(points[now], customdata=names[now]) for now in here]),
    ]


def _set_axes(fig: go.Figure, points: np.ndarray, radius: float) -> None:
    """Axes that hold all points from the first frame on, and balls that are not too large."""
    low, high = points.min(axis=0), points.max(axis=0)
    width = float((high - low).max()) or 1.0
    edge = np.clip(radius, MAP_MARGIN * width, 3 * MAP_MARGIN * width)
    fig.update_xaxes(range=[float(low[0] - edge), float(high[0] + edge)])
    fig.update_yaxes(range=[float(low[1] - edge), float(high[1] + edge)])
