"""Atoms that are not images: profiles in tiles, or arrows over the points of a plane or space."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.animated_map import AnimatedMap
from sslviz.figures.frames import set_frames
from sslviz.figures.maps.image_grid import TileGrid, add_frame, bare_figure, hover_layer
from sslviz.figures.theme import ACCENT, BACKDROP, class_colours, css_of, mixed_colours

BAR_COLOUR = "#6B7785"  # readable on the colours of all classes, light and dark


def profile_wall(
    profiles: list[np.ndarray],
    tile_classes: list[np.ndarray],
    n_classes: int,
    names: list[str],
    *,
    columns: int,
    facts: list[str] | None = None,
    clicked: int | None = None,
    uirevision: str = "wall",
) -> go.Figure:
    """Vectors (m, d) as bars in tiles, one bar per feature, each tile with its own scale."""
    count, d = profiles[0].shape
    tiles = TileGrid(count, columns)
    fig = bare_figure(uirevision)
    x, y = np.arange(tiles.columns + 1), np.arange(tiles.rows + 1)
    colours = [css_of(c) for c in class_colours(n_classes)]
    grounds = [_backgrounds(s, tiles) for s in tile_classes]
    scale = _steps([BACKDROP, *colours])
    hover_layer(fig, tiles, list(range(count)), facts, x, y)
    ground = {"z": grounds[-1], "opacity": 0.3, "zmin": 0, "zmax": n_classes, "colorscale": scale}
    fig.data[0].update(ground | {"xgap": 3, "ygap": 3})
    bars = [_stairs(v, tiles) for v in profiles]
    line = {"color": BAR_COLOUR, "width": 1}
    fig.add_scatter(
        x=bars[-1][0],
        y=bars[-1][1],
        mode="lines",
        line=line,
        fill="toself" if d <= 40 else "none",
        hoverinfo="skip",
    )
    if len(names) > 1:
        set_frames(
            fig,
            [
                {
                    "name": name,
                    "traces": [0, 1],
                    "data": [{"type": "heatmap", "z": z}, {"type": "scatter", "y": bar[1]}],
                }
                for name, z, bar in zip(names, grounds, bars, strict=True)
            ],
        )
    fig.update_xaxes(range=[0, tiles.columns])
    fig.update_yaxes(range=[tiles.rows, 0])
    if clicked is not None and clicked < count:
        c, r = tiles.corner(clicked)
        add_frame(fig, c, c + 1, r, r + 1)
    return fig


def arrow_map(
    atoms: list[np.ndarray],
    points: np.ndarray,
    F: np.ndarray,
    tile_classes: list[np.ndarray],
    names: list[str],
    *,
    facts: list[str] | None = None,
    clicked: int | None = None,
    uirevision: str = "arrows",
) -> go.Figure:
    """Atoms (m, 2 or 3) as arrows from the origin, over points coloured by class probabilities."""
    reach = float(np.median(np.linalg.norm(points, axis=1))) or 1.0
    colours = class_colours(F.shape[1])
    ends = [reach * a for a in atoms]
    film = AnimatedMap([np.concatenate([points, e]) for e in ends], names, uirevision)
    still = [points] * len(names)
    marker = {"size": 5, **mixed_colours(F, colours), "line": {"width": 0}, "opacity": 0.5}
    film.add(still, mode="markers", marker=marker, hoverinfo="skip", showlegend=False)
    line = {"color": BACKDROP, "width": 2}
    film.add(
        [_spokes(e) for e in ends], mode="lines", line=line, hoverinfo="skip", showlegend=False
    )
    hues = np.vstack([colours, [140, 140, 140]])  # the last for NOBODY
    tips = [{"marker": {"color": [css_of(hues[c]) for c in s]}} for s in tile_classes]
    tip = {"size": 11, "symbol": "circle", "line": {"width": 1.5, "color": "#10151C"}}
    tip_data: dict[str, Any] = {
        "customdata": np.arange(len(atoms[0])),
        "text": facts,
        "showlegend": False,
    }
    film.add(
        ends, tips, mode="markers", marker=tip, hovertemplate="%{text}<extra></extra>", **tip_data
    )
    if clicked is not None and clicked < len(atoms[0]):
        ring = {"size": 20, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
        film.add([e[[clicked]] for e in ends], mode="markers", marker=ring, hoverinfo="skip",
                 showlegend=False)  # fmt: skip
    return film.done()


def _steps(colours: list[str]) -> list[list[Any]]:
    """A colour scale with one colour for each whole number from 0."""
    last = max(len(colours) - 1, 1)
    return [[i / last, colour] for i, colour in enumerate(colours)]


def _backgrounds(tile_classes: np.ndarray, tiles: TileGrid) -> list[list[Any]]:
    return tiles.in_rows([int(s) + 1 for s in tile_classes])


def _stairs(values: np.ndarray, tiles: TileGrid) -> tuple[np.ndarray, np.ndarray]:
    """Outlines of bars, NaN between tiles: x and y (m · (4 d + 1),)."""
    count, d = values.shape
    most = np.abs(values).max(axis=1, keepdims=True)
    share = np.divide(values, most, out=np.zeros(values.shape), where=most > 0)
    column, row = np.arange(count) % tiles.columns, np.arange(count) // tiles.columns
    left = 0.1 + 0.8 * np.arange(d) / d
    edges = np.stack([left, left, left + 0.8 / d, left + 0.8 / d], axis=1).ravel()
    high = np.stack([0 * share, share, share, 0 * share], axis=2).reshape(count, -1)
    gap = np.full((count, 1), np.nan)
    x = np.hstack([column[:, None] + edges[None], gap])
    y = np.hstack([row[:, None] + 0.5 - 0.4 * high, gap])
    return x.ravel().astype(np.float32), y.ravel().astype(np.float32)


def _spokes(ends: np.ndarray) -> np.ndarray:
    """Lines from the origin to each end, broken by NaN."""
    lines = np.full((len(ends), 3, ends.shape[1]), np.nan)
    lines[:, 0], lines[:, 1] = 0, ends
    return lines.reshape(-1, ends.shape[1])
