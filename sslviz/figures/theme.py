"""Colours and common layout of all figures.

Okabe and Ito's colours can be told apart with every common kind of colour blindness; black is left
out, since it would not be seen on a dark page. Backgrounds, fonts and grids come from the theme of
the page.
"""

import colorsys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import skip_checks

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800")
UNDETERMINED = "#8C8C8C"  # points without a prediction
ACCENT = "#D81B60"  # the clicked point, and mistakes
DIFFERENCE = "#7B5BE6"  # where two methods differ
HUB_COLOUR = "#7B5BE6"  # hubs whose class is not shown
BACKDROP = "#A9B2BF"  # points and lines in the background
# As `meta` of a trace: its lines take these colours of the page's theme.
INK, PAPER = {"ink": "text-color"}, {"ink": "background-color"}
MAX_MIXTURES = 200  # colours of a map; where there are more, they are rounded further
READABLE_CONTRAST = 4.5  # of words and what is behind them
MAX_TICKS = 7  # on a logarithmic axis
PANEL_TITLE_SIZE = 13  # above the panels of one figure


_chosen: Callable[[], Mapping[int, str]] = dict


def take_colours_from(chosen: Callable[[], Mapping[int, str]]) -> None:
    """Let `chosen` tell the colours '#rrggbb' that a visitor has chosen, by class.

    It is asked at every call of `class_colours`, since each visitor may have chosen others.
    """
    global _chosen
    _chosen = chosen


def class_colours(count: int) -> np.ndarray:
    """(count, 3) in 0..255: the colours of the classes, those that the visitor has chosen first."""
    colours = default_colours(count)
    for c, name in _chosen().items():
        if c < count:
            colours[c] = rgb_of(name)
    return colours


def default_colours(count: int) -> np.ndarray:
    """(count, 3) in 0..255: Okabe and Ito's colours, then hues a golden angle apart."""
    colours = [tuple(rgb_of(c)) for c in OKABE_ITO]
    for i in range(len(colours), count):
        hue, light = (0.08 + i * 0.61803398875) % 1, (0.42, 0.6, 0.72)[i % 3]
        colours.append(tuple(round(255 * v) for v in colorsys.hls_to_rgb(hue, light, 0.65)))
    return np.array(colours[:count], dtype=np.float64).reshape(count, 3)


def mixed_colours(F: np.ndarray, colours: np.ndarray) -> dict[str, Any]:
    """Marker colours, one for each row of F: class colours mixed by its shares; grey for zero rows.

    With more than two classes the shares are squared: otherwise many small shares would give all
    points the same brown.

    Mixtures are rounded to every fourth of 256 levels, or further where many are left, which is not
    visible on a marker. Each point holds the number of its colour, which is faster to validate and
    send than a string.

    Every colour belongs to one class, that of the largest share (-1 for grey), from which the page
    takes the shape of a marker (shapes.js, `classes_title`).
    """
    total = F.sum(axis=1, keepdims=True)
    shares = np.divide(F, total, out=np.zeros(F.shape), where=total > 0)
    pure = shares.max(axis=1, keepdims=True) == 1  # these stay exact
    weights = shares
    if F.shape[1] > 2:
        squares = shares**2
        weights = squares / squares.sum(axis=1, keepdims=True).clip(np.finfo(float).tiny)
    largest = np.where(total[:, 0] > 0, shares.argmax(axis=1) + 1, 0)  # 0 for none
    for level in (4, 12, 24):
        step = np.where(pure, 1, level)
        colour = (step * np.rint(weights @ colours / step)).clip(0, 255).astype(np.int64)
        colour[total[:, 0] == 0] = rgb_of(UNDETERMINED)
        key = (largest << 24) + colour @ [1 << 16, 1 << 8, 1]
        used, number = np.unique(key, return_inverse=True)
        if len(used) <= MAX_MIXTURES:
            break
    if len(used) == 1:
        used = np.repeat(used, 2)  # a scale has two ends
    last = len(used) - 1
    return {
        "color": number.astype(np.uint16),
        "colorscale": [
            [i / last, f"#{value & 0xFFFFFF:06x}"] for i, value in enumerate(used.tolist())
        ],
        "cmin": 0,
        "cmax": last,
        **classes_title([(value >> 24) - 1 for value in used.tolist()]),
    }


def classes_title(classes: Sequence[int]) -> dict[str, Any]:
    """Part of a marker: a colour bar, never drawn, whose title holds the class of every colour.

    -1 stands for none.
    """
    return {"showscale": False, "colorbar": {"title": {"text": " ".join(map(str, classes))}}}


def rgb_of(name: str) -> np.ndarray:
    """The colour '#rrggbb' as three numbers in 0..255."""
    return np.array([int(name[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


def luminance(colour: str) -> float:
    """The relative luminance of '#rrggbb', from 0 to 1 (WCAG 2)."""
    s = rgb_of(colour) / 255
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, paper: str) -> str:
    """The colour, made darker or lighter until words in it can be read on the paper."""
    end = rgb_of("#000000" if luminance(paper) > 0.5 else "#FFFFFF")
    for share in np.linspace(0, 1, 21):
        shade = css_of((1 - share) * rgb_of(colour) + share * end)
        if contrast(shade, paper) >= READABLE_CONTRAST:
            return shade
    return css_of(end)


def css_of(colour: np.ndarray) -> str:
    """A colour as the string '#rrggbb'."""
    return "#" + np.rint(colour).astype(np.uint8).tobytes().hex()


def empty_map(uirevision: str, dimensions: int = 2) -> go.Figure:
    """An empty figure for a map: equal scales, no axes, zoom kept while `uirevision` stays."""
    hidden = {"visible": False, "showgrid": False, "zeroline": False}
    plane = {"dragmode": "pan", "xaxis": hidden, "yaxis": {**hidden, "scaleanchor": "x"}}
    scene = {
        "xaxis": hidden,
        "yaxis": hidden,
        "zaxis": hidden,
        "aspectmode": "data",
        "camera": {"eye": {"x": 0.5, "y": -1.7, "z": 0.6}},
    }
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemsizing": "constant"}
    fig = go.Figure(
        layout={
            "uirevision": uirevision,
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "legend": legend,
            "hovermode": "closest",
            **(plane if dimensions == 2 else {"dragmode": "turntable", "scene": scene}),
        }
    )
    return skip_checks(fig)


def log_axis(values: np.ndarray) -> dict[str, Any]:
    """A logarithmic axis for these values, with ticks at powers of ten (not all, if there are
    many) or, for a short axis, at 1, 2 and 5 times powers of ten; labelled by the full number."""
    exponents = np.log10(values[np.isfinite(values) & (values > 0)])
    if not len(exponents):
        return {"type": "log", "showticklabels": False}
    low, high = exponents.min(), exponents.max()
    powers = np.arange(np.floor(low), np.ceil(high) + 1).astype(int)
    if high - low > 1.5:
        powers = powers[:: -(-len(powers) // MAX_TICKS)]
        text = [f"{10.0**p:g}" if abs(p) < 4 else f"10<sup>{p}</sup>" for p in powers.tolist()]
        return {"type": "log", "tickvals": 10.0**powers, "ticktext": text}
    marks = np.outer(10.0**powers, [1, 2, 5]).ravel()
    return {"type": "log", "tickvals": marks, "ticktext": [f"{v:.5g}" for v in marks]}


def add_line(
    fig: go.Figure, line: dict[str, Any], x: float | None = None, y: float | None = None
) -> None:
    """A straight line across the chart at x or y; plotly's add_vline takes four times as long."""
    if x is None:
        ends = {"y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain"}
    else:
        ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
    fig.add_shape(type="line", line=line, **ends)


def scatter(points: np.ndarray, **trace: object) -> go.Scattergl | go.Scatter3d:
    """Markers or lines at 2-D or 3-D points; a row of NaN breaks a line.

    plotly.py checks it when it is added to a figure, unless that skips checks (`frames`).
    """
    points = np.asarray(points, dtype=np.float32)
    if isinstance(trace.get("text"), list):  # plotly validates every entry of a list
        trace["text"] = np.array(trace["text"])
    x, y = points[:, 0], points[:, 1]
    if points.shape[1] == 2:
        return go.Scattergl(x=x, y=y, _validate=False, **trace)
    marker = trace.get("marker")
    if isinstance(marker, dict):  # the same size looks twice as large in 3-D
        size = np.asarray(marker.get("size", 6)) * 0.45
        trace["marker"] = {**marker, "size": size.tolist() if size.ndim else float(size)}
    return go.Scatter3d(x=x, y=y, z=points[:, 2], _validate=False, **trace)
