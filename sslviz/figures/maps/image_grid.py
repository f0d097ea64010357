"""Grids of small signed images in one picture, in which every tile can be clicked.

A transparent layer, one cell per tile, holds the text under the cursor and what a click reports.
The rim of a tile has the colour of its class.
"""

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.theme import ACCENT, BACKDROP, class_colours, css_of

NEGATIVE, WHITE, POSITIVE = "#B2182B", "#F7F7F7", "#2166AC"  # signed values on paper
ZERO_INK, LARGEST_INK, RIM_COLOURS = (
    100,
    200,
    54,
)  # values 0 … 200 are ink; after them come the colours of rims
NO_CLASS = -1  # a tile of no class
NO_TILE = -2  # no tile at all
MARGIN = 4  # pixels around a grid


class TileGrid(NamedTuple):
    """Positions of the tiles of a grid: `columns` in a row, in reading order."""

    size: int
    columns: int

    @property
    def rows(self) -> int:
        return -(-self.size // self.columns)

    def in_rows(self, values: list[Any]) -> list[list[Any]]:
        """One value per tile in rows; None where there is no tile."""
        full = [*values, *[None] * (self.rows * self.columns - self.size)]
        return [full[i : i + self.columns] for i in range(0, len(full), self.columns)]

    def corner(self, tile: int) -> tuple[int, int]:
        """(column, row) of a tile."""
        return tile % self.columns, tile // self.columns


def tile_grid(count: int, shape: tuple[float, float], wide: float = 1.6) -> TileGrid:
    """Columns so that a grid of tiles (height, width) is `wide` times as wide as high."""
    columns = round(float(np.sqrt(count * wide * shape[0] / shape[1])))
    return TileGrid(count, int(np.clip(columns, 1, count)))


class TileSizes(NamedTuple):
    """Sizes of a tile in pixels of its image, with what stands around it."""

    height: int
    width: int
    rim: int
    head: int  # above, for a title
    foot: int  # below, for a bar

    @property
    def pitch(self) -> tuple[int, int]:
        """(height, width) from one tile to the next."""
        return self.height + 3 * self.rim + self.head + self.foot, self.width + 3 * self.rim


def image_wall(
    images: list[np.ndarray],
    shape: tuple[int, int],
    tile_classes: list[np.ndarray],
    n_classes: int,
    names: list[str],
    *,
    columns: int,
    ids: list[int | None] | None = None,
    facts: list[str] | None = None,
    titles: list[str] | None = None,
    bars: list[np.ndarray] | None = None,
    clicked: int | None = None,
    together: int = 0,
    uirevision: str = "wall",
) -> go.Figure:
    """Signed images (m, h · w) in tiles, one list entry per frame: red below zero, blue above.

    `tile_classes` (m,) holds the class of each tile, which gives the colour of its rim; NO_CLASS is
    grey. `bars` (m,) are lengths in 0 … 1 of bars below the tiles. Every tile has its own scale,
    but the first `together` share one. A click reports the tile's entry of `ids`, by default its
    number; `titles` are written above the tiles; the tile that reports `clicked` has a frame.
    """
    count, (height, width) = len(images[0]), shape
    tiles, ids = TileGrid(count, columns), list(range(count)) if ids is None else ids
    rim = max(1, round(max(shape) / 14))
    head = round(0.42 * height) if titles else 0
    sizes = TileSizes(height, width, rim, head, 2 * rim if bars else 0)
    pitch = sizes.pitch
    lengths = bars or [np.zeros(count)] * len(images)
    walls = [
        _wall(v, sizes, s, tiles, length, together)
        for v, s, length in zip(images, tile_classes, lengths, strict=True)
    ]
    fig = bare_figure(uirevision)
    fig.add_heatmap(
        z=walls[-1],
        zmin=0,
        zmax=255,
        colorscale=_colour_scale(n_classes),
        showscale=False,
        hoverinfo="skip",
    )
    if len(names) > 1:
        frames = zip(names, walls, strict=True)
        set_frames(
            fig,
            [{"name": n, "data": [{"type": "heatmap", "z": z}], "traces": [0]} for n, z in frames],
        )
    x = np.arange(tiles.columns + 1) * pitch[1] - 0.5
    y = np.arange(tiles.rows + 1) * pitch[0] - 0.5
    hover_layer(fig, tiles, ids, facts, x, y)
    fig.update_xaxes(range=[x[0], x[-1]], constrain="domain")
    fig.update_yaxes(range=[y[-1], y[0]], scaleanchor="x", constrain="domain")
    if titles:
        at = [tiles.corner(i) for i in range(count)]
        fig.add_scatter(
            x=[x[c] + pitch[1] / 2 for c, _ in at],
            y=[y[r] + head / 2 for _, r in at],
            text=titles,
            mode="text",
            hoverinfo="skip",
        )
    if clicked is not None and clicked in ids:
        c, r = tiles.corner(ids.index(clicked))
        left, top, half = x[c] + rim // 2, y[r] + head + rim // 2, rim / 4
        right, bottom = left + width + 2 * rim, top + height + 2 * rim
        add_frame(fig, left - half, right + half, top - half, bottom + half)
    return fig


def _wall(
    values: np.ndarray,
    sizes: TileSizes,
    tile_classes: np.ndarray,
    tiles: TileGrid,
    bars: np.ndarray,
    together: int,
) -> np.ndarray:
    """(rows, columns) of the grid as whole numbers: ink, the colour of a rim, or nothing."""
    count, (height, width, rim, head, foot) = len(values), sizes
    most = np.abs(values).max(axis=1, keepdims=True)
    most[:together] = most[:together].max(initial=0)
    ink = np.divide(values, most, out=np.zeros(values.shape), where=most > 0)
    nothing = LARGEST_INK + 1
    places = np.full((tiles.rows * tiles.columns, *sizes.pitch), nothing)
    top, left, wide = head + rim // 2, rim // 2, width + 2 * rim
    box = places[:count, top : top + height + 2 * rim, left : left + wide]
    colours = (
        nothing + 1 + np.where(tile_classes == NO_CLASS, 0, 1 + tile_classes % (RIM_COLOURS - 3))
    )
    box[:] = colours[:, None, None]
    box[tile_classes == NO_TILE] = nothing
    inked = np.rint(ZERO_INK + ink * (LARGEST_INK - ZERO_INK)).reshape(count, height, width)
    box[:, rim : rim + height, rim : rim + width] = inked
    if foot:
        reached = np.arange(wide) < np.rint(bars * wide)[:, None]  # (m, wide)
        row = top + height + 3 * rim
        strip = np.where(reached, colours[:, None], nothing)
        places[:count, row : row + rim, left : left + wide] = strip[:, None, :]
    grid = places.reshape(tiles.rows, tiles.columns, *places.shape[1:]).swapaxes(1, 2)
    high = tiles.rows * places.shape[1]
    return grid.reshape(high, tiles.columns * places.shape[2]).astype(np.uint8)


def _colour_scale(n_classes: int) -> list[list[Any]]:
    """The colour scale of a grid: red, white, blue, then one step per colour of a rim."""
    stops: list[list[Any]] = [[0, NEGATIVE], [ZERO_INK / 255, WHITE], [LARGEST_INK / 255, POSITIVE]]
    rims = [
        "rgba(0,0,0,0)",
        BACKDROP,
        *(css_of(c) for c in class_colours(min(n_classes, RIM_COLOURS - 3))),
    ]
    for i, colour in enumerate(rims):
        value = LARGEST_INK + 1 + i
        stops += [[(value - 0.5) / 255, colour], [(value + 0.5) / 255, colour]]
    return [*stops, [1, rims[-1]]]


def bare_figure(uirevision: str) -> go.Figure:
    hidden = {"visible": False, "showgrid": False, "zeroline": False}
    return go.Figure(
        layout={
            "uirevision": uirevision,
            "margin": dict.fromkeys("lrtb", MARGIN),
            "showlegend": False,
            "hovermode": "closest",
            "xaxis": hidden,
            "yaxis": hidden,
        }
    )


def shape_of(fig: go.Figure) -> float | None:
    """Height over width of a grid of images; None of other figures, which fill any space."""
    x, y = fig.layout.xaxis, fig.layout.yaxis
    if y.constrain != "domain":
        return None
    return float((y.range[0] - y.range[1]) / (x.range[1] - x.range[0]))


def hover_layer(
    fig: go.Figure,
    tiles: TileGrid,
    ids: list[int | None],
    facts: list[str] | None,
    x: np.ndarray,
    y: np.ndarray,
) -> None:
    """A transparent layer with one cell per tile: its text, and what a click on it reports.

    `x` and `y` are the edges of the tiles.
    """
    texts = facts if facts is not None else [f"{i}" for i in ids]
    fig.add_heatmap(
        z=tiles.in_rows([0] * tiles.size),
        x=x,
        y=y,
        customdata=tiles.in_rows(list(ids)),  # rows must be lists
        text=tiles.in_rows(texts),
        hovertemplate="%{text}<extra></extra>",
        opacity=0,
        showscale=False,
    )


def add_frame(fig: go.Figure, x0: float, x1: float, y0: float, y1: float) -> None:
    line = {"color": ACCENT, "width": 3}
    fig.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line=line)
