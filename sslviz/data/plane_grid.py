"""The plane under a map: cells that a field is asked at, or that take the answer of a point.

Data of two features are the plane, and a field can be asked at every place. Of more features the
map shows a shadow: no place of it is one place of the data, so a cell takes the answer of the point
nearest to it on the map, and stays open where no point is near.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

CELLS = 8000
MARGIN = 0.06  # of the width, left free around the points
NEIGHBOUR_RANK = (
    5  # a cell is open where the nearest point is farther than most have their fifth neighbour
)


class Plane(NamedTuple):
    """Cells in rows from the lowest y up."""

    x: np.ndarray  # (a,)
    y: np.ndarray  # (b,)
    places: np.ndarray  # (b·a, 2)
    nearest: np.ndarray | None  # (b·a,) point of each cell, -1 where open; None: places are data

    @property
    def exact(self) -> bool:
        return self.nearest is None

    def cells(self, values: np.ndarray) -> np.ndarray:
        """(b, a, …) from one value per place where exact, per point otherwise; nan where open."""
        if self.nearest is not None:
            found = np.asarray(values, np.float64)[self.nearest]
            found[self.nearest < 0] = np.nan
            values = found
        return values.reshape(len(self.y), len(self.x), *values.shape[1:])


def plane_of(points: np.ndarray, features: int, cells: int = CELLS) -> Plane | None:
    """The plane of a flat map, square cells; none in space, where it would hide the points."""
    if points.shape[1] != 2:
        return None
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    edge = MARGIN * (float((high - low).max()) or 1.0)
    low, high = low - edge, high + edge
    step = float(np.sqrt(np.prod(high - low) / cells))
    x, y = (
        np.linspace(a, b, max(2, round((b - a) / step))) for a, b in zip(low, high, strict=True)
    )
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    if features == 2:
        return Plane(x, y, places, None)
    tree = KDTree(points)
    near = tree.query(points, min(NEIGHBOUR_RANK + 1, len(points)))[0][:, -1]
    distance, nearest = tree.query(places)
    return Plane(x, y, places, np.where(distance > max(np.quantile(near, 0.95), step), -1, nearest))
