"""Atoms that are not images: profiles in tiles, and arrows."""

import numpy as np
import pytest

from sslviz.figures.animated.atoms import arrow_map, profile_wall
from sslviz.figures.maps.image_grid import NO_CLASS

RNG = np.random.default_rng(0)
TILE_CLASSES = [np.array([0, 1, NO_CLASS, 2, 1])] * 3
NAMES = ["start", "round 1", "round 2"]


@pytest.mark.parametrize("d", [4, 64])
def test_profiles_are_bars_of_their_own_scale(d):
    profiles = [RNG.normal(size=(5, d)) for _ in range(3)]
    fig = profile_wall(profiles, TILE_CLASSES, 3, NAMES, columns=3, clicked=4)
    x, y = np.asarray(fig.data[1].x), np.asarray(fig.data[1].y)
    bars = y.reshape(5, 4 * d + 1)[:, :-1].reshape(5, d, 4)
    row = np.array([0, 0, 0, 1, 1])[:, None]
    high = (row + 0.5 - bars[:, :, 1]) / 0.4
    np.testing.assert_allclose(
        high, profiles[-1] / np.abs(profiles[-1]).max(axis=1, keepdims=True), atol=1e-5
    )
    assert np.isnan(x).sum() == 5 and fig.layout.shapes[0].x0 == 1
    assert [list(row) for row in fig.data[0].z] == [[1, 2, 0], [3, 2, None]]
    assert [f.name for f in fig.frames] == NAMES


@pytest.mark.parametrize("d", [2, 3])
def test_arrows_start_at_the_origin_and_tips_are_clicked(d):
    points, atoms = RNG.normal(size=(30, d)), [RNG.normal(size=(5, d)) for _ in range(3)]
    F = np.eye(3)[RNG.integers(3, size=30)]
    fig = arrow_map(atoms, points, F, TILE_CLASSES, NAMES, facts=list("abcde"), clicked=2)
    spokes, tips, ring = fig.data[1], fig.data[2], fig.data[3]
    reach = np.median(np.linalg.norm(points, axis=1))
    np.testing.assert_allclose(tips.x, reach * atoms[-1][:, 0], rtol=1e-5)
    np.testing.assert_allclose(np.asarray(spokes.y)[1::3], reach * atoms[-1][:, 1], rtol=1e-5)
    assert (np.asarray(spokes.x)[::3] == 0).all() and list(tips.customdata) == list(range(5))
    assert ring.x[0] == tips.x[2] and len(fig.frames) == 3
    assert fig.data[0].customdata is None
