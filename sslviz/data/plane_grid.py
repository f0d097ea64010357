"""A grid over the plane of a map, for decision boundaries in the background.

If the data have two features, the map is the data, and a method can predict at every grid cell. If
they have more, the map is a projection and its cells are not points of the data: a cell takes the
prediction of the point nearest to it on the map, and stays empty where no point is near.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

CELLS = 8000
MARGIN = 0.06  # of the larger side, around the points
NEIGHBOUR_RANK = 5  # a cell is empty beyond the usual distance to the fifth neighbour


class Plane(NamedTuple):
    """Cells in rows from the lowest y up."""

    x: np.ndarray  # (a,)
    y: np.ndarray  # (b,)
    places: np.ndarray  # (b·a, 2)
    nearest: np.ndarray | None  # (b·a,) nearest point, -1 if none is near; None: exact

    @property
    def exact(self) -> bool:
        return self.nearest is None

    def cells(self, values: np.ndarray) -> np.ndarray:
        """(b, a, …) on the grid, from values per cell if exact, else per point; nan where empty."""
        if self.nearest is not None:
            found = np.asarray(values, np.float64)[self.nearest]
            found[self.nearest < 0] = np.nan
            values = found
        return values.reshape(len(self.y), len(self.x), *values.shape[1:])


def plane_of(points: np.ndarray, features: int, cells: int = CELLS) -> Plane | None:
    """The grid of a 2-D map, with square cells; None in 3-D, where it would hide the points."""
    if points.shape[1] != 2:
        return None
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    margin = MARGIN * (float((high - low).max()) or 1.0)
    low, high = low - margin, high + margin
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
