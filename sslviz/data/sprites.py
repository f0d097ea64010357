"""Sprite sheets: the images of a data set on a few PNG sheets, for thumbnails in the browser.

Image i lies on sheet i // per_sheet; with j = i % per_sheet its top left corner is at
(width · (j % columns), height · (j // columns)).
"""

from io import BytesIO
from typing import NamedTuple

import numpy as np

PER_SHEET = 2500
COLUMNS = 50


class SheetGeometry(NamedTuple):
    """Where the browser finds an image on its sheet."""

    width: int
    height: int
    columns: int
    per_sheet: int


def sheet_geometry(
    image_shape: tuple[int, int], *, per_sheet: int = PER_SHEET, columns: int = COLUMNS
) -> SheetGeometry:
    """The geometry of the sheets that `sprite_sheets` makes with these arguments."""
    if per_sheet < 1 or columns < 1:
        raise ValueError(
            f"sprite_sheets: per_sheet={per_sheet} and columns={columns} are not both at least 1"
        )
    height, width = image_shape
    return SheetGeometry(int(width), int(height), columns, per_sheet)


def sprite_sheets(
    X: np.ndarray,
    image_shape: tuple[int, int],
    *,
    per_sheet: int = PER_SHEET,
    columns: int = COLUMNS,
) -> list[bytes]:
    """PNG files, 8-bit grey from the smallest value of X (black) to its largest (white)."""
    from PIL import Image

    tile = sheet_geometry(image_shape, per_sheet=per_sheet, columns=columns)
    X = np.asarray(X)
    if X.ndim != 2 or len(X) == 0 or X.shape[1] != tile.width * tile.height:
        raise ValueError(
            f"sprite_sheets: rows of X {X.shape} are not images of {tile.height} × {tile.width}"
        )
    low, high = float(X.min()), float(X.max())
    sheets = []
    for start in range(0, len(X), per_sheet):
        sheet = _sheet(_grey(X[start : start + per_sheet], low, high), tile)
        file = BytesIO()
        Image.fromarray(sheet).save(file, "PNG", compress_level=1)  # 6: half as fast, 10% less
        sheets.append(file.getvalue())
    return sheets


def _grey(images: np.ndarray, low: float, high: float) -> np.ndarray:
    scale = 255 / (high - low) if high > low else 0.0
    return np.rint((images - low) * scale).astype(np.uint8)


def _sheet(images: np.ndarray, tile: SheetGeometry) -> np.ndarray:
    """The images in rows of `columns`; unused places are black."""
    rows = -(-len(images) // tile.columns)
    places = np.zeros((rows * tile.columns, tile.height, tile.width), dtype=np.uint8)
    places[: len(images)] = images.reshape(-1, tile.height, tile.width)
    grid = places.reshape(rows, tile.columns, tile.height, tile.width).swapaxes(1, 2)
    return grid.reshape(rows * tile.height, tile.columns * tile.width)
