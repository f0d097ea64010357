"""Grids of tiles: every pixel in its place, every click the right tile, rims of the right class."""

from itertools import pairwise

import numpy as np

from sslviz.figures.animated.atoms import arrow_map, profile_wall
from sslviz.figures.maps.image_grid import (
    LARGEST_INK,
    NO_CLASS,
    NO_TILE,
    ZERO_INK,
    TileGrid,
    image_wall,
    shape_of,
    tile_grid,
)
from sslviz.figures.theme import class_colours, css_of

SHAPE = (4, 6)
RNG = np.random.default_rng(0)
IMAGES = [RNG.normal(size=(5, 24)) for _ in range(3)]
TILE_CLASSES = [np.array([0, 1, NO_CLASS, 2, 1])] * 3
NAMES = ["start", "round 1", "round 2"]


def colour_of(scale: list, value: int) -> str:
    """The colour that a scale gives a whole number of 0 … 255, on a step or at a stop."""
    at = value / 255
    return next(c for (p, c), (q, d) in pairwise(scale) if p <= at <= q and c == d)


def pitch(wall: np.ndarray, rows: int, columns: int) -> tuple[int, int]:
    return wall.shape[0] // rows, wall.shape[1] // columns


def test_tiles_are_counted_in_reading_order():
    tiles = TileGrid(5, 3)
    assert tiles.rows == 2 and tiles.corner(4) == (1, 1)
    assert tiles.in_rows([1, 2, 3, 4, 5]) == [[1, 2, 3], [4, 5, None]]
    assert tile_grid(80, (8, 8), 1.4).columns == 11
    assert tile_grid(3, (1, 100)).columns == 1 and tile_grid(3, (100, 1)).columns == 3


def test_an_image_is_drawn_whole_and_keeps_its_signs():
    fig = image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3)
    wall = np.asarray(fig.data[0].z)
    high, wide = pitch(wall, 2, 3)
    for i, image in enumerate(IMAGES[-1]):
        r, c = divmod(i, 3)
        tile = wall[r * high : (r + 1) * high, c * wide : (c + 1) * wide]
        ink = np.where(tile <= LARGEST_INK, tile, 0)
        rows, columns = (
            np.flatnonzero((tile <= LARGEST_INK).any(1)),
            np.flatnonzero((tile <= LARGEST_INK).any(0)),
        )
        assert (len(rows), len(columns)) == SHAPE
        drawn = ink[np.ix_(rows, columns)] / ZERO_INK - 1
        np.testing.assert_allclose(drawn, image.reshape(SHAPE) / np.abs(image).max(), atol=0.006)


def test_rims_have_the_colour_of_the_class():
    fig = image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3)
    wall, scale = np.asarray(fig.data[0].z), [list(stop) for stop in fig.data[0].colorscale]
    high, wide = pitch(wall, 2, 3)
    for i, c in enumerate(TILE_CLASSES[-1]):
        r, k = divmod(i, 3)
        tile = wall[r * high : (r + 1) * high, k * wide : (k + 1) * wide]
        (rim,) = {v for v in np.unique(tile) if v > LARGEST_INK + 1}
        expected = "#A9B2BF" if c == NO_CLASS else css_of(class_colours(3)[c])
        assert colour_of(scale, rim) == expected


def test_tiles_without_a_rim_and_a_common_scale():
    speaks = np.array([NO_TILE, NO_TILE, 0, 0, 0])
    images = np.outer([1, 2, 5, 7, 9], np.ones(24))
    wall = np.asarray(
        image_wall([images], SHAPE, [speaks], 1, [""], columns=5, together=2).data[0].z
    )
    tiles = np.split(wall, 5, axis=1)
    inks = [tile[tile <= LARGEST_INK].max() for tile in tiles]
    assert inks == [
        ZERO_INK + (LARGEST_INK - ZERO_INK) // 2,
        LARGEST_INK,
        LARGEST_INK,
        LARGEST_INK,
        LARGEST_INK,
    ]
    assert [(tile > LARGEST_INK + 1).any() for tile in tiles] == [False, False, True, True, True]


def test_a_click_reports_the_tile_under_the_cursor():
    ids = [7, None, 9, 4, 2]
    fig = image_wall(IMAGES[:1], SHAPE, TILE_CLASSES[:1], 3, [""], columns=3, ids=ids, clicked=4,
                     facts=list("abcde"), titles=list("ABCDE"))  # fmt: skip
    feel = fig.data[1]
    assert [list(row) for row in feel.customdata] == [[7, None, 9], [4, 2, None]]
    wall = np.asarray(fig.data[0].z)
    assert feel.x[-1] - feel.x[0] == wall.shape[1] and feel.y[-1] - feel.y[0] == wall.shape[0]
    frame = fig.layout.shapes[0]
    assert frame.x0 < feel.x[0] + 1 and feel.x[0] + SHAPE[1] < frame.x1 < feel.x[1]
    assert feel.y[1] < frame.y0 < frame.y1 - SHAPE[0] and frame.y1 < feel.y[2]
    assert list(fig.data[2].text) == list("ABCDE") and not fig.frames


def test_frames_are_the_moments_and_the_last_is_shown():
    fig = image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3)
    assert [f.name for f in fig.frames] == NAMES
    np.testing.assert_array_equal(fig.frames[-1].data[0].z, fig.data[0].z)
    assert not np.array_equal(fig.frames[0].data[0].z, fig.data[0].z)


def test_the_shape_of_a_wall_is_that_of_its_pixels():
    fig = image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3, titles=list("ABCDE"))
    high, wide = np.asarray(fig.data[0].z).shape
    assert shape_of(fig) == high / wide
    points = RNG.normal(size=(9, 2))
    arrows = arrow_map([points[:5]] * 3, points, np.ones((9, 3)), TILE_CLASSES, NAMES)
    profiles = profile_wall(IMAGES, TILE_CLASSES, 3, NAMES, columns=3)
    assert shape_of(arrows) is None and shape_of(profiles) is None, "these fill any space"


def test_many_classes_still_have_colours():
    speaks = np.arange(120)
    fig = image_wall([RNG.normal(size=(120, 4))], (2, 2), [speaks], 120, [""], columns=12)
    assert np.asarray(fig.data[0].z).max() <= 255


def test_bars_below_the_tiles_have_the_lengths_and_colours_asked_for():
    lengths = [np.array([0.0, 0.25, 0.5, 1.0, 0.75])] * 3
    plain = np.asarray(image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3).data[0].z)
    fig = image_wall(IMAGES, SHAPE, TILE_CLASSES, 3, NAMES, columns=3, bars=lengths)
    wall = np.asarray(fig.data[0].z)
    rim = (wall.shape[0] - plain.shape[0]) // 4  # two rows of tiles, each two rims higher
    (high, wide), width = pitch(wall, 2, 3), SHAPE[1] + 2 * rim
    for i, length in enumerate(lengths[-1]):
        r, c = divmod(i, 3)
        tile = wall[r * high : (r + 1) * high, c * wide : (c + 1) * wide]
        strip = tile[high - 2 * rim : high - rim]
        coloured = strip[strip > LARGEST_INK + 1]
        assert len(coloured) == rim * round(length * width)
        assert not len(coloured) or (coloured == tile[0, 0]).all(), "in the colour of its rim"
