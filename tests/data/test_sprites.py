"""Every image can be found on its sheet, with its grey values."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from sslviz import data
from sslviz.data.sprites import sheet_geometry, sprite_sheets


def opened(sheets):
    pictures = [Image.open(BytesIO(sheet)) for sheet in sheets]
    assert all((p.format, p.mode) == ("PNG", "L") for p in pictures)
    return [np.asarray(p) for p in pictures]


def cut(pictures, i, tile):
    sheet, j = divmod(i, tile.per_sheet)
    row, column = divmod(j, tile.columns)
    top, left = row * tile.height, column * tile.width
    return pictures[sheet][top : top + tile.height, left : left + tile.width]


@pytest.mark.parametrize("n", [1, 5, 12, 13, 40])
def test_every_image_is_where_the_tiles_say(n):
    shape, options = (3, 2), {"per_sheet": 12, "columns": 5}
    X = np.random.default_rng(n).integers(0, 256, (n, 6))
    X.flat[:2] = 0, 255  # then grey values are the numbers themselves
    pictures = opened(sprite_sheets(X, shape, **options))
    tile = sheet_geometry(shape, **options)
    assert tile == (2, 3, 5, 12) and len(pictures) == -(-n // 12)
    for i in range(n):
        assert (cut(pictures, i, tile) == X[i].reshape(shape)).all()


def test_grey_values_span_the_whole_data_set():
    X = np.array([[-1.0, 0.0], [1.0, 0.5], [3.0, 1.0]])
    pictures = opened(sprite_sheets(X, (1, 2), per_sheet=1))
    greys = [p[0, :2].tolist() for p in pictures]
    assert greys == [[0, 64], [128, 96], [255, 128]]
    (blank,) = opened(sprite_sheets(np.full((4, 2), 7.0), (1, 2)))
    assert (blank == 0).all()


def test_real_digits_keep_their_grey_values():
    d = data.load("digits")
    pictures, tile = opened(sprite_sheets(d.X, d.image_shape)), sheet_geometry(d.image_shape)
    for i in (0, 49, 50, 1796):
        grey = cut(pictures, i, tile)
        np.testing.assert_allclose(grey * (16 / 255), d.X[i].reshape(8, 8), atol=16 / 255 / 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sprite_sheets(np.ones((3, 5)), (2, 2)), "are not images of 2 × 2"),
        (lambda: sprite_sheets(np.ones((0, 4)), (2, 2)), "are not images of 2 × 2"),
        (lambda: sprite_sheets(np.ones((3, 4)), (2, 2), columns=0), "columns=0"),
        (lambda: sheet_geometry((2, 2), per_sheet=0), "per_sheet=0"),
    ],
)
def test_invalid_images_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
