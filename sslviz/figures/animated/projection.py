"""The moving map of a projection that is being learnt.

Points have the mix of their labels for a colour and their voice for a size. What belongs to them
moves with them: given labels, the reach of the kernel, rings, and the lines of a clicked point.
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.animated_map import AnimatedMap
from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import add_colour_key, hover_template, marker_size, ring_marker
from sslviz.figures.maps.strips import add_row_names, ridge_outline, strip_places
from sslviz.figures.theme import ACCENT, BACKDROP, class_colours, css_of, mixed_colours

SIZE_LEVELS = 20  # sizes of points, as small numbers: quick to send
MIN_SIZE = 0.45  # size of a point that nobody hears, of one that is heard as a fair share
LABELS_WITH_REACH = 30  # given labels drawn large, with their reach
LINE_LEVELS = 3
CIRCLE_ERROR = 1e-4  # of the width of the map: what a side of a ring may be off the circle


class ProjectionFrame(NamedTuple):
    """One step of the map."""

    name: str
    places: np.ndarray  # (n, 2 or 3), or (n, 1) for a strip
    F: np.ndarray  # (n, C) opinions
    voice: np.ndarray  # (n,) 1 is the fair share, 0 is nobody hears it
    reach: float | None  # how far the kernel reaches, in the units of the places
    wrong: np.ndarray | None = None  # (n,) mistakes to ring
    heard: tuple[np.ndarray, np.ndarray] | None = None  # whom the clicked point hears, how much


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
    """The last still as a figure, all of them as its frames.

    `given` (n,) class index of given labels, -1 without. A map of one dimension is drawn as strips,
    a row for each class of `rows` (n,). The first trace holds all points in order.
    """
    strip = stills[0].places.shape[1] == 1
    places = [strip_places(s.places[:, 0], rows) if strip else s.places for s in stills]
    film = AnimatedMap(places, [s.name for s in stills], uirevision)
    _add_points(film, stills, len(classes), facts)
    if strip:
        _add_ridges(film, rows, classes)
    at = np.flatnonzero(given >= 0)
    around = at if len(at) <= LABELS_WITH_REACH else at[:0]
    if clicked is not None:
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


def influence_sizes(voice: np.ndarray) -> np.ndarray:
    """(n,) sizes in units of 1/LEVELS: the quieter the smaller, by the logarithm of the voice.

    From a hundredth of the fair share to the share itself; up to four times of it a little more.
    """
    log = np.log10(np.clip(voice, 0.01, 4))
    size = np.where(log < 0, MIN_SIZE + (1 - MIN_SIZE) * (1 + log / 2), 1 + 0.5 * log)
    return np.rint(SIZE_LEVELS * size).astype(np.uint8)


def _add_points(
    film: AnimatedMap, stills: list[ProjectionFrame], n_classes: int, facts: list[str] | None
) -> None:
    colours, n = class_colours(n_classes), len(film.places[0])
    markers = [
        {"marker": {**mixed_colours(s.F, colours), "size": influence_sizes(s.voice)}}
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
    """Where the kernel has fallen to 1/e: a circle around each, or both sides in a strip."""
    width, gap = float(np.max(film.high - film.low)), np.full((len(around), 1, 2), np.nan)
    outlines = []
    for p, reach in zip(film.places, [s.reach or 0.0 for s in stills], strict=True):
        ring = np.array([[-1.0, 0.0], [1.0, 0.0]]) if strip else _circle(reach / width)
        outline = np.concatenate([p[around, None] + reach * ring, gap], axis=1)
        outlines.append(outline.reshape(-1, 2))
    line = {"color": BACKDROP, "width": 1.5}
    film.add(outlines, mode="lines", name="reach of the kernel", line=line, hoverinfo="skip")


def _circle(size: float) -> np.ndarray:
    """A closed polygon in the unit circle, with more sides the larger it is drawn.

    `size` is its radius as a share of the width of the map; a side of n is off by size π²/2n².
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
    """Lines to whom a point hears, in a few shades, and a ring around it."""
    shades: list[list[np.ndarray]] = [[] for _ in range(LINE_LEVELS)]
    for still, places in zip(stills, film.places, strict=True):
        others, weights = still.heard or (np.array([], int), np.array([]))
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
    """Given labels as diamonds, rimmed twice to stand out on any ground."""
    here, few = [p[at] for p in film.places], len(at) <= LABELS_WITH_REACH
    rim = {"size": 19 if few else 12, "symbol": "diamond", "color": "#10151C"}
    film.add(here, mode="markers", marker=rim, hoverinfo="skip", showlegend=False)
    marker = {
        "size": 15 if few else 9,
        "symbol": "diamond",
        "color": [css_of(c) for c in colours],
        "line": {"width": 2 if few else 1, "color": "#FFFFFF"},
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
    """Counts above the rows of a strip; they move too."""
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
