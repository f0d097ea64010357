"""The grid of a map: exact for two features, values of the nearest point otherwise."""

import numpy as np

from sslviz.data.plane_grid import CELLS, plane_of


def points(n: int = 200, d: int = 2) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n, d)) * [3.0, 1.0, 1.0][:d]


def test_cells_are_square_and_cover_the_points() -> None:
    plane = plane_of(points(), 2)
    assert plane is not None and plane.exact
    across, up = np.diff(plane.x)[0], np.diff(plane.y)[0]
    assert abs(across / up - 1) < 0.03 and abs(len(plane.places) / CELLS - 1) < 0.05
    assert (plane.places.min(axis=0) < points().min(axis=0)).all()
    assert (plane.places.max(axis=0) > points().max(axis=0)).all()


def test_a_cell_of_an_exact_grid_has_its_own_value() -> None:
    plane = plane_of(points(), 2)
    assert plane is not None
    cells = plane.cells(plane.places)
    assert cells.shape == (len(plane.y), len(plane.x), 2)
    assert (cells[3, :, 0] == plane.x).all() and (cells[:, 5, 1] == plane.y).all()


def test_otherwise_a_cell_takes_the_nearest_point_of_the_map_or_stays_empty() -> None:
    at = points()
    plane = plane_of(at, 10)
    assert plane is not None and not plane.exact
    cells = plane.cells(np.arange(200)).ravel()
    gap = np.linalg.norm(plane.places[:, None] - at, axis=2)
    held = ~np.isnan(cells)
    assert 0.1 < held.mean() < 0.9
    assert (cells[held] == gap[held].argmin(axis=1)).all()
    assert gap[held].min(axis=1).max() <= gap[~held].min(axis=1).min()


def test_there_is_no_grid_in_space_but_one_for_equal_points() -> None:
    assert plane_of(points(d=3), 3) is None
    flat = plane_of(np.zeros((5, 2)), 2)
    assert flat is not None and np.isfinite(flat.places).all()
    line = plane_of(np.stack([np.arange(9.0), np.zeros(9)], axis=1), 4)
    assert line is not None and len(line.y) >= 2
