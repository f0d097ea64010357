"""Decision boundaries: the predicted class at every place of the plane, and where it changes.

The background (trace "ground") is a heat map of whole numbers, class by class from pale to full
colour: it is small to send, and transparent over a light or a dark page.
"""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.graph import edge_segments
from sslviz.figures.maps.points import add_links, add_rings, class_map, marker_size
from sslviz.figures.theme import DIFFERENCE, INK, class_colours

SHADE_COUNT = 12  # shades of a class
MIN_OPACITY, MAX_OPACITY = 0.06, 0.5  # of the background, for no lead and for a full one
MAX_BOUNDARIES = 12  # classes whose boundaries are drawn
LINE_OPACITY = 0.7  # opacity of lines


def margins_over_runner_up(scores: np.ndarray) -> np.ndarray:
    """(m, C): the lead of each class over the best other one, positive for the winner only.

    `scores` (m, C), or (m,) where one signed score separates two classes: then it is the lead of
    the second class.
    """
    if scores.ndim == 1:
        return np.stack([-scores, scores], axis=1)
    if scores.shape[1] == 2:
        return margins_over_runner_up(scores[:, 1] - scores[:, 0])
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return scores - np.where(scores == best, second, best)


def background_shades(lead: np.ndarray, full: float) -> np.ndarray:
    """Colour numbers of the background: winner and shade; without a winner the transparent one.

    `full` is the lead from which on a class has its full colour.
    """
    count = lead.shape[-1]
    with np.errstate(invalid="ignore"):
        most = lead.max(axis=-1)
        led = most > 0  # not where it is nan
    share = np.minimum(np.where(led, most, 0.0) / full, 1.0)
    number = lead.argmax(axis=-1) * SHADE_COUNT + np.rint(share * (SHADE_COUNT - 1)).astype(
        np.int64
    )
    kind = np.uint8 if count * SHADE_COUNT < 256 else np.uint16
    return np.where(led, number, count * SHADE_COUNT).astype(kind)


def ground(number: np.ndarray, x: np.ndarray, y: np.ndarray, n_classes: int) -> go.Heatmap:
    """The heat map of `shades` (len(y), len(x))."""
    last = n_classes * SHADE_COUNT
    alphas = np.linspace(MIN_OPACITY, MAX_OPACITY, SHADE_COUNT)
    colours = [
        f"rgba({r:.0f},{g:.0f},{b:.0f},{a:.3f})"
        for r, g, b in class_colours(n_classes)
        for a in alphas
    ]
    scale = [[i / last, colour] for i, colour in enumerate([*colours, "rgba(0,0,0,0)"])]
    return go.Heatmap(
        z=number,
        x=x,
        y=y,
        zmin=0,
        zmax=last,
        colorscale=scale,
        showscale=False,
        hoverinfo="skip",
        name="ground",
    )


def boundaries(lead: np.ndarray, x: np.ndarray, y: np.ndarray, margin: bool) -> list[go.Contour]:
    """Lines where a class takes the lead; with `margin` (two classes) also where it leads by 1."""
    count = lead.shape[-1]
    drawn = [1] if count == 2 else range(min(count, MAX_BOUNDARIES))
    lines = [_line(lead[..., c], x, y, (0.0, 0.0), 2.5, "solid", "boundary") for c in drawn]
    if margin and count == 2:
        lines.append(_line(lead[..., 1], x, y, (-1.0, 1.0), 1.5, "dash", "margin"))
    lines[0].showlegend = True
    lines[-1].showlegend = lines[-1].name == "margin" or len(lines) == 1
    return lines


def _line(
    z: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    levels: tuple[float, float],
    width: float,
    dash: str,
    name: str,
) -> go.Contour:
    low, high = levels
    return go.Contour(
        z=z.clip(-2, 2).astype(np.float32),
        x=x,
        y=y,
        contours={"coloring": "none", "start": low, "end": high, "size": max(high - low, 1)},
        line={"width": width, "dash": dash},
        meta=INK,
        opacity=LINE_OPACITY,
        showscale=False,
        hoverinfo="skip",
        name=name,
        showlegend=False,
    )


def outline(lead: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(m, 2): the boundary as short lines, separated by nan, for leads (b, a, C).

    Each cell is cut into two triangles; where the lead of a class changes sign inside one, the
    boundary is a line between two of its sides. A hundredth of the numbers of a contour: for
    animations.
    """
    number = np.arange(len(y) * len(x)).reshape(len(y), len(x))
    low, high = slice(-1), slice(1, None)
    a, b, c, d = (number[i, j].ravel() for i in (low, high) for j in (low, high))
    corners = np.concatenate([np.stack([a, b, c], axis=1), np.stack([d, c, b], axis=1)])
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    ends = []
    for one in range(1 if lead.shape[-1] == 2 else 0, lead.shape[-1]):
        z = lead[..., one].ravel()
        above = z[corners] > 0  # (triangles, 3)
        cut = above.any(axis=1) & ~above.all(axis=1)
        above = above[cut]
        single = above == (above.sum(axis=1, keepdims=True) == 1)  # the corner whose sign differs
        turned = (single.argmax(axis=1)[:, None] + np.arange(3)) % 3
        first, *others = np.take_along_axis(corners[cut], turned, axis=1).T
        for other in others:
            share = z[first] / (z[first] - z[other])
            ends.append(places[first] + share[:, None] * (places[other] - places[first]))
    at = [np.concatenate(ends[i::2]) for i in (0, 1)]
    count = len(at[0])
    return edge_segments(np.concatenate(at), np.arange(2 * count).reshape(2, count))


def add_clicked(
    fig: go.Figure, points: np.ndarray, point: int, others: np.ndarray, weights: np.ndarray
) -> None:
    """`add_links` with a square around the selected point: rings of that colour are mistakes."""
    add_links(fig, points, point, others, weights)
    fig.data[-1].update(name="selected point", showlegend=True, marker_symbol="square")


def field_map(
    points: np.ndarray,
    F: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    cells: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
    full: float = 1.0,
    lines: bool = True,
    margin: bool = False,
    wrong: np.ndarray | None = None,
    inside: np.ndarray | None = None,
    support: np.ndarray | None = None,
    facts: list[str] | None = None,
    uirevision: str = "field",
) -> go.Figure:
    """A `class_map` over its background: `cells` are the leads (b, a, C), x (a), y (b).

    `inside` (n,) marks points inside the margin, `support` (n,) support vectors. `full` is the lead
    drawn in full colour.
    """
    fig = class_map(points, F, given, classes, facts=facts, wrong=wrong, uirevision=uirevision)
    fig.update_layout(modebar_orientation="v", margin_r=32)  # buttons beside the legend, not on it
    size = marker_size(len(points))
    if cells is not None:  # points stand out from a background of their colour
        fig.data[0].marker.line = {"width": 0.7, "color": "rgba(255,255,255,0.75)"}
    if inside is not None:
        add_rings(fig, points, inside, "in the margin", DIFFERENCE, size + 5, 1.2)
    if support is not None:
        add_rings(fig, points, support, "support vectors", DIFFERENCE, 27, 3)
        if support.any():  # not round: the legend shows all sizes alike
            fig.data[-1].marker.symbol = "diamond-open"
    if cells is not None:
        lead, x, y = cells
        fig.add_trace(ground(background_shades(lead, full), x, y, len(classes)))
        if lines:
            fig.add_traces(boundaries(lead, x, y, margin))
        fig.update_xaxes(range=ends(x))
        fig.update_yaxes(range=ends(y))
    return fig


def ends(axis: np.ndarray) -> list[float]:
    """The range of an axis that holds all cells whole."""
    half = (axis[1] - axis[0]) / 2
    return [float(axis[0] - half), float(axis[-1] + half)]
