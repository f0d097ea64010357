"""Animated map of a projection while it is learned.

The colour of a point shows its label distribution, its size its influence. Given labels, the width
of the kernel, rings and the lines of the clicked point move with the points.
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.animated_map import AnimatedMap
from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import add_colour_key, hover_template, marker_size, ring_marker
from sslviz.figures.maps.strips import add_row_names, ridge_outline, strip_places
from sslviz.figures.theme import ACCENT, BACKDROP, class_colours, css_of, mixed_colours

SIZE_LEVELS = 20  # sizes of points are sent as small whole numbers
MIN_SIZE = 0.45  # of a point without influence, relative to one of mean influence
ROOM_FOR_CIRCLES = 0.15  # of the map at most, on each side
LABELS_WITH_REACH = 30  # up to so many given labels are large and show the kernel width
LINE_LEVELS = 3  # widths of the lines of the clicked point
CIRCLE_ERROR = 1e-4  # of the width of the map: distance of a polygon from its circle


class ProjectionFrame(NamedTuple):
    """One frame of the map."""

    name: str
    places: np.ndarray  # (n, 2 or 3), or (n, 1) for a strip
    F: np.ndarray  # (n, C) label distributions
    influence: np.ndarray  # (n,) on the labelled points, in units of the mean
    reach: float | None  # the kernel width, in the units of the places
    wrong: np.ndarray | None = None  # (n,) mistakes, marked by rings
    links: tuple[np.ndarray, np.ndarray] | None = None  # of the clicked point: others, weights


def animated_projection(
    stills: list[ProjectionFrame],
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    rows: np.ndarray,
    clicked: int | None = None,
    facts: list[str] | None = None,
    uirevision: str = "moving",
) -> go.Figure:
    """The last of the stills as a figure, with all of them as its frames.

    `given` (n,) is the class index of given labels, -1 elsewhere. A projection to one dimension is
    drawn as strips, a row for each class of `rows` (n,). The first trace holds all points in order.
    """
    strip = stills[0].places.shape[1] == 1
    places = [strip_places(s.places[:, 0], rows) if strip else s.places for s in stills]
    film = AnimatedMap(places, [s.name for s in stills], uirevision)
    _add_points(film, stills, len(classes), facts)
    if strip:
        _add_ridges(film, rows, classes)
    at = np.flatnonzero(given >= 0)
    around = at if len(at) <= LABELS_WITH_REACH else at[:0]
    if clicked is not None and stills[-1].links is not None:
        around = np.union1d(around, [clicked])
    if film.dimensions == 2 and len(around) and stills[-1].reach is not None:
        _add_reach(film, stills, around, strip)
    if stills[-1].wrong is not None:
        _add_mistakes(film, stills)
    if clicked is not None:
        _add_lines(film, stills, clicked)
    if len(at):
        _add_given(film, at, class_colours(len(classes))[given[at]], facts)
    undetermined = any(bool((s.F.sum(axis=1) == 0).any()) for s in stills)
    add_colour_key(film.fig, classes, undetermined)
    return film.done()


def influence_sizes(influence: np.ndarray) -> np.ndarray:
    """(n,) sizes in units of 1/SIZE_LEVELS, growing with the logarithm of the influence.

    They grow from a hundredth of the mean influence to the mean, and more slowly up to four times.
    """
    log = np.log10(np.clip(influence, 0.01, 4))
    size = np.where(log < 0, MIN_SIZE + (1 - MIN_SIZE) * (1 + log / 2), 1 + 0.5 * log)
    return np.rint(SIZE_LEVELS * size).astype(np.uint8)


def _add_points(
    film: AnimatedMap, stills: list[ProjectionFrame], n_classes: int, facts: list[str] | None
) -> None:
    colours, n = class_colours(n_classes), len(film.places[0])
    markers = [
        {"marker": {**mixed_colours(s.F, colours), "size": influence_sizes(s.influence)}}
        for s in stills
    ]
    unit = SIZE_LEVELS / marker_size(n) / (1 if film.dimensions == 2 else 0.45)
    film.add(
        film.places,
        markers,
        mode="markers",
        name="points",
        customdata=np.arange(n),
        text=facts,
        hovertemplate=hover_template(facts),
        # plotly makes markers of many sizes translucent
        marker={"sizeref": unit, "sizemode": "diameter", "opacity": 1, "line": {"width": 0}},
        showlegend=False,
    )


def _add_reach(
    film: AnimatedMap, stills: list[ProjectionFrame], around: np.ndarray, strip: bool
) -> None:
    """The distance at which the kernel is 1/e: a circle around each, or both sides in a strip."""
    width, gap = float(np.max(film.high - film.low)), np.full((len(around), 1, 2), np.nan)
    outlines = []
    for p, reach in zip(film.places, [s.reach or 0.0 for s in stills], strict=True):
        ring = np.array([[-1.0, 0.0], [1.0, 0.0]]) if strip else _circle(reach / width)
        outline = np.concatenate([p[around, None] + reach * ring, gap], axis=1)
        outlines.append(outline.reshape(-1, 2))
    line = {"color": BACKDROP, "width": 1.5}
    film.add(outlines, mode="lines", name="width of the kernel", line=line, hoverinfo="skip")
    if not strip:  # room for whole circles, unless they are far larger than the map
        room = ROOM_FOR_CIRCLES * (film.high - film.low)
        low, high = np.nanmin(outlines[-1], axis=0), np.nanmax(outlines[-1], axis=0)
        film.low = np.clip(low, film.low - room, film.low)
        film.high = np.clip(high, film.high, film.high + room)


def _circle(size: float) -> np.ndarray:
    """A closed polygon in the unit circle, with more sides the larger it is drawn.

    `size` is its radius relative to the width of the map; n sides have an error of size π²/2n².
    """
    sides = int(np.clip(np.pi * np.sqrt(size / (2 * CIRCLE_ERROR)), 48, 192))
    angle = np.linspace(0, 2 * np.pi, sides + 1)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _add_mistakes(film: AnimatedMap, stills: list[ProjectionFrame]) -> None:
    nowhere = np.full_like(film.places[0], np.nan)
    rings = [
        nowhere if s.wrong is None else np.where(s.wrong[:, None], p, np.nan)
        for s, p in zip(stills, film.places, strict=True)
    ]
    last = stills[-1].wrong
    marker = ring_marker(
        0 if last is None else int(last.sum()), ACCENT, marker_size(len(nowhere)) + 5
    )
    film.add(rings, mode="markers", name="mistakes", marker=marker, hoverinfo="skip")


def _add_lines(film: AnimatedMap, stills: list[ProjectionFrame], point: int) -> None:
    """Lines from a point to its neighbours, thicker for larger weights, and a ring around it."""
    shades: list[list[np.ndarray]] = [[] for _ in range(LINE_LEVELS)]
    for still, places in zip(stills, film.places, strict=True):
        others, weights = still.links or (np.array([], int), np.array([]))
        share = weights / weights.max() if len(weights) else weights
        shade = np.minimum((share * LINE_LEVELS).astype(int), LINE_LEVELS - 1)
        for level in range(LINE_LEVELS):
            mine = others[shade == level]
            shades[level].append(edge_segments(places, np.stack([np.full_like(mine, point), mine])))
    for level, lines in enumerate(shades):
        line = {"color": ACCENT, "width": 0.8 + level}
        opacity = 0.4 + 0.6 * level / (LINE_LEVELS - 1)
        film.add(
            lines, mode="lines", line=line, opacity=opacity, hoverinfo="skip", showlegend=False
        )
    marker = {"size": 20, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
    here = [p[[point]] for p in film.places]
    film.add(here, mode="markers", marker=marker, hoverinfo="skip", showlegend=False)


def _add_given(
    film: AnimatedMap, at: np.ndarray, colours: np.ndarray, facts: list[str] | None
) -> None:
    """Given labels as diamonds, with two rims to be seen on any background."""
    here, large = [p[at] for p in film.places], len(at) <= LABELS_WITH_REACH
    rim = {"size": 19 if large else 12, "symbol": "diamond", "color": "#10151C"}
    film.add(here, mode="markers", marker=rim, customdata=at, hoverinfo="skip", showlegend=False)
    marker = {
        "size": 15 if large else 9,
        "symbol": "diamond",
        "color": [css_of(c) for c in colours],
        "line": {"width": 2 if large else 1, "color": "#FFFFFF"},
    }
    film.add(
        here,
        mode="markers",
        name="given labels",
        customdata=at,
        text=[facts[i] for i in at] if facts else None,
        hovertemplate=hover_template(facts),
        marker=marker,
    )


def _add_ridges(film: AnimatedMap, rows: np.ndarray, names: tuple[str, ...]) -> None:
    """A histogram above each row of a strip, in every frame."""
    ends = float(film.low[0]), float(film.high[0])
    for g, colour in enumerate(class_colours(len(names))):
        film.add(
            [ridge_outline(p[rows == g, 0], g, *ends) for p in film.places],
            drawn=go.Scatter,
            mode="lines",
            fill="toself",
            line={"color": css_of(colour), "width": 1},
            opacity=0.6,
            hoverinfo="skip",
            showlegend=False,
        )
    add_row_names(film.fig, names)
