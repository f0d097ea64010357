"""Films over a map: clouds, ground and boundary that move, edges that join."""

import numpy as np
import pytest

from sslviz.figures.animated.mixture import component_frames, edge_frames, ellipse
from sslviz.figures.maps.decision_field import (
    background_shades,
    field_map,
    margins_over_runner_up,
    outline,
)
from sslviz.figures.maps.points import class_map

NAMES = ("a", "b", "c")


def test_an_ellipse_is_where_the_distance_is_two() -> None:
    A = np.random.default_rng(0).normal(size=(2, 2))
    mean, S = np.array([3.0, -1.0]), A @ A.T
    z = ellipse(mean, S) - mean
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", z, np.linalg.inv(S), z), 4.0)


def test_a_film_moves_colours_ground_rings_and_ellipses() -> None:
    rng, x, y = np.random.default_rng(0), np.linspace(0, 1, 5), np.linspace(0, 2, 4)
    points, F = rng.normal(size=(12, 2)), rng.dirichlet(np.ones(3), size=(2, 12))
    lead = margins_over_runner_up(rng.normal(size=(20, 3))).reshape(4, 5, 3)
    fig = field_map(points, F[1], np.full(12, -1), NAMES, cells=(lead, x, y), lines=False)
    two = [lead, lead[::-1]]
    means, S = rng.normal(size=(2, 3, 2)), np.tile(np.eye(2), (2, 3, 1, 1))
    wrong = [np.arange(12) < 5, np.arange(12) < 2]
    component_frames(fig, ["one", "two"], list(F), (means, S), two, wrong, full=2.0, lines=True)
    assert [f.name for f in fig.frames] == ["one", "two"]
    named = [fig.data[i].name for i in fig.frames[0].traces]
    assert named[:4] == ["points", "ground", "boundary", "mistakes"] and len(named) == 7
    for frame, now, mistaken in zip(fig.frames, two, wrong, strict=True):
        np.testing.assert_array_equal(frame.data[1].z, background_shades(now, 2.0))
        np.testing.assert_allclose(frame.data[2].x, outline(now, x, y)[:, 0], rtol=1e-6)
        np.testing.assert_allclose(frame.data[3].x, points[mistaken, 0], rtol=1e-6)
    ring = ellipse(means[0, 0], S[0, 0])
    np.testing.assert_allclose(fig.frames[0].data[4].x, ring[:, 0], rtol=1e-6)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_edges_join_frame_by_frame(dimensions: int) -> None:
    points, F = np.random.default_rng(0).normal(size=(4, dimensions)), np.eye(3)[[0, 1, 2, 0]]
    fig = class_map(points, F, np.array([0, 1, -1, -1]), NAMES)
    edges = np.array([[0, 1], [2, 3]])
    edge_frames(fig, points, [("0", edges[:, :0], F), ("2", edges, F)])
    assert [len(f.data[1].x) for f in fig.frames] == [0, 6]
    np.testing.assert_allclose(fig.frames[1].data[1].x[:2], points[[0, 2], 0], rtol=1e-6)
