"""A grid over a map: cells where a decision function is evaluated, or that show a near point.

Data with two features are the plane itself, and a function has a value in every cell. With more
features the map is a projection: a place of it is not one place of the data, so a cell takes the
value of the point nearest to it on the map, and stays empty where no point is near.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

CELLS = 8000
BORDER_SHARE = 0.06  # of the width, left free around the points
# A cell is empty where the nearest point is farther than this neighbour of most points.
NEIGHBOUR_RANK = 5


class Plane(NamedTuple):
    """Cells in rows from the lowest y up."""

    x: np.ndarray  # (a,)
    y: np.ndarray  # (b,)
    places: np.ndarray  # (b·a, 2)
    nearest: np.ndarray | None  # (b·a,) point of each cell, -1 where empty; None: places are data

    @property
    def exact(self) -> bool:
        return self.nearest is None

    def cells(self, values: np.ndarray) -> np.ndarray:
        """(b, a, …) from one value per place where exact, per point otherwise; nan where empty."""
        if self.nearest is not None:
            found = np.asarray(values, np.float64)[self.nearest]
            found[self.nearest < 0] = np.nan
            values = found
        return values.reshape(len(self.y), len(self.x), *values.shape[1:])


def plane_of(points: np.ndarray, features: int, cells: int = CELLS) -> Plane | None:
    """The grid of a map of two dimensions, with square cells; None in three dimensions."""
    if points.shape[1] != 2:
        return None
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    edge = BORDER_SHARE * (float((high - low).max()) or 1.0)
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
