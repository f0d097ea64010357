"""Figures of a clustering show the numbers they are given."""

import numpy as np
import pytest

from sslviz.figures.maps.clusters import (
    add_cluster_frames,
    add_hubs,
    cluster_map,
    degree_against_density,
    region_shades,
    space_map,
    spectrum_bars,
)
from sslviz.figures.theme import BACKDROP, OKABE_ITO

NAMES = ("a", "b", "no class (1)")


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(40, 2))


def colour(trace, i: int) -> str:
    return trace.marker.colorscale[trace.marker.color[i]][1]


def test_points_have_the_colours_of_their_clusters_and_grey_without_one(points):
    F = np.eye(3)[np.arange(40) % 3]
    F[7] = 0
    fig = cluster_map(points, F, NAMES)
    assert [colour(fig.data[0], i).upper() for i in range(3)] == [c.upper() for c in OKABE_ITO[:3]]
    assert colour(fig.data[0], 7).upper() == "#8C8C8C"
    assert [name for name, _ in fig.layout.meta["key"]] == [*NAMES, "undetermined"]


def test_regions_come_after_the_points_and_frames_change_both(points):
    F, x, y = np.eye(3)[np.arange(40) % 3], np.linspace(0, 1, 4), np.linspace(0, 2, 5)
    field = np.random.default_rng(1).dirichlet(np.ones(3), (5, 4))
    fig = cluster_map(points, F, NAMES, field=(field, x, y), wrong=np.arange(40) < 3)
    assert fig.data[1].name == "ground" and np.array_equal(fig.data[1].z, region_shades(field))
    assert fig.layout.yaxis.range == (-0.25, 2.25)
    assert len(next(t for t in fig.data if t.name == "mistakes").x) == 3
    add_cluster_frames(fig, [("one", F, field), ("two", F[::-1], field[::-1])])
    last = fig.frames[1]
    assert list(last.traces) == [0, 1]
    assert np.array_equal(last.data[1].z, region_shades(field)[::-1])
    assert colour(last.data[0], 0) == colour(fig.data[0], 39)
    add_cluster_frames(fig, [("one", F, None)])
    assert list(fig.frames[0].traces) == [0]


@pytest.mark.parametrize("dimensions", [2, 3])
def test_hubs_are_sized_by_degree(dimensions):
    points = np.random.default_rng(0).normal(size=(30, dimensions))
    degree = np.arange(30)
    fig = cluster_map(points, np.eye(2)[np.arange(30) % 2], ("a", "b"))
    add_hubs(fig, points, np.array([29, 10]), degree, np.eye(2))
    stars = next(t for t in fig.data if t.name == "hubs" and t.customdata is not None)
    assert stars.customdata.tolist() == [29, 10]
    assert stars.marker.size[0] > stars.marker.size[1]


def test_eigenvalues_of_components_and_of_clusters_differ_in_colour():
    fig = spectrum_bars(np.array([1, 1, 0.9, 0.5, 0.4]), components=2, clusters=3)
    bars = fig.data[0]
    assert len(set(bars.marker.color[:2])) == 1 and bars.marker.color[2] != bars.marker.color[1]
    assert set(bars.marker.color[3:]) == {BACKDROP}
    assert fig.layout.shapes[0].x0 == 3.5


def test_degree_and_density_count_the_outliers_among_hubs():
    density, degree = np.arange(20.0) ** 2, np.arange(20)
    outliers = np.arange(20) % 5 == 0
    fig = degree_against_density(density, degree, np.arange(10, 20), outliers)
    by = {t.name: t for t in fig.data}
    assert len(by["hubs"].x) == 10 and len(by["outliers among hubs"].x) == 2
    assert np.all(np.diff(by["hubs"].x) > 0), "ranks follow density"
    assert np.allclose(np.rint(by["others"].y), degree[:10])


def test_the_space_of_k_means_names_its_points():
    E = np.random.default_rng(0).normal(size=(5, 3))
    fig = space_map(E, np.eye(2)[[0, 1, 0, 1, 0]], np.arange(10, 15), centres=E[:2])
    assert fig.data[0].customdata.tolist() == [10, 11, 12, 13, 14]
    assert len(fig.data[1].x) == 2
