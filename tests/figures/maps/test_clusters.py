"""Figures of clusters and trainings: their numbers are the ones they were given."""

import numpy as np
import pytest

from sslviz.figures.charts.training import (
    LEAST,
    arrow_plane,
    ratio_curve,
    ticks,
    training_chart,
)
from sslviz.figures.maps.clusters import (
    add_hubs,
    cluster_frames,
    cluster_map,
    degree_against_density,
    embedded_map,
    spectrum_bars,
)
from sslviz.figures.theme import OKABE_ITO, PALE

NAMES = ("a", "b", "no class (1)")


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(40, 2))


def colour(trace, i: int) -> str:
    return trace.marker.colorscale[trace.marker.color[i]][1]


def test_points_have_the_colours_of_their_clusters_and_none_without_an_opinion(points):
    F = np.eye(3)[np.arange(40) % 3]
    F[7] = 0
    fig = cluster_map(points, F, NAMES)
    assert [colour(fig.data[0], i).upper() for i in range(3)] == [c.upper() for c in OKABE_ITO[:3]]
    assert colour(fig.data[0], 7).upper() == "#8C8C8C"
    assert [name for name, _ in fig.layout.meta["key"]] == [*NAMES, "undetermined"]


def test_the_ground_follows_the_points_and_frames_change_both(points):
    F, x, y = np.eye(3)[np.arange(40) % 3], np.linspace(0, 1, 4), np.linspace(0, 2, 5)
    shades = np.arange(20, dtype=np.uint8).reshape(5, 4)
    fig = cluster_map(points, F, NAMES, plane=(shades, x, y), wrong=np.arange(40) < 3)
    assert fig.data[1].name == "ground" and np.array_equal(fig.data[1].z, shades)
    assert fig.layout.yaxis.range == (-0.25, 2.25)
    assert len(next(t for t in fig.data if t.name == "mistakes").x) == 3
    cluster_frames(fig, [("one", F, shades), ("two", F[::-1], shades + 1)])
    last = fig.frames[1]
    assert list(last.traces) == [0, 1] and np.array_equal(last.data[1].z, shades + 1)
    assert colour(last.data[0], 0) == colour(fig.data[0], 39)
    cluster_frames(fig, [("one", F, None)])
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


def test_eigenvalues_of_islands_and_of_clusters_are_told_apart():
    fig = spectrum_bars(np.array([1, 1, 0.9, 0.5, 0.4]), islands=2, clusters=3)
    bars = fig.data[0]
    assert len(set(bars.marker.color[:2])) == 1 and bars.marker.color[2] != bars.marker.color[1]
    assert set(bars.marker.color[3:]) == {PALE}
    assert fig.layout.shapes[0].x0 == 3.5


def test_degree_and_density_count_the_outliers_among_hubs():
    density, degree = np.arange(20.0) ** 2, np.arange(20)
    outliers = np.arange(20) % 5 == 0
    fig = degree_against_density(density, degree, np.arange(10, 20), outliers)
    by = {t.name: t for t in fig.data}
    assert len(by["hubs"].x) == 10 and len(by["outliers among hubs"].x) == 2
    assert np.all(np.diff(by["hubs"].x) > 0), "ranks follow density"
    assert np.allclose(np.rint(by["others"].y), degree[:10])


def test_embedded_places_name_their_points():
    E = np.random.default_rng(0).normal(size=(5, 3))
    fig = embedded_map(E, np.eye(2)[[0, 1, 0, 1, 0]], np.arange(10, 15), centres=E[:2])
    assert fig.data[0].customdata.tolist() == [10, 11, 12, 13, 14]
    assert len(fig.data[1].x) == 2


def test_the_chart_of_a_training_shows_terms_clusters_and_accuracy():
    at = np.array([10, 20, 30])
    terms = {"vat": np.array([0.0, 0.1, 0.2]), "hubs": np.array([4.0, 1.0, 0.1])}
    fig = training_chart(at, terms, np.array([1, 2, 3]), np.array([0.3, 0.6, 0.9]), 4, 100)
    by = {t.name: t for t in fig.data}
    assert by["vat"].y[0] == LEAST and by["hubs"].y[0] == 4
    assert by["clusters used"].y.tolist() == [1, 2, 3] and by["right"].y[-1] == 0.9
    assert fig.layout.xaxis.range == (0, 100)
    nothing = training_chart(at[:0], {"vat": np.empty(0)}, at[:0], at[:0], 4, 100)
    assert len(nothing.data) == 3


def test_few_decades_are_marked_more_closely():
    assert np.allclose(ticks({"a": np.array([0.001, 1.0])})["tickvals"], [1e-3, 1e-2, 0.1, 1])
    close = ticks({"a": np.array([0.15, 0.3])})["tickvals"]
    assert {0.1, 0.2, 0.5} <= {round(float(v), 6) for v in close}


def test_arrows_point_where_the_moves_go(points):
    moves = np.array([[0.0, 1.0], [1.0, 0.0]])
    fig = arrow_plane(points, np.eye(2)[np.arange(40) % 2], np.array([3, 4]), moves, uirevision="a")
    heads = fig.data[2]
    assert np.allclose(heads.marker.angle, [0, 90]), "clockwise from up"
    assert np.allclose(np.stack([heads.x, heads.y], axis=1), points[[3, 4]] + moves)


def test_the_ratio_is_marked_at_both_looks():
    fig = ratio_curve(np.array([0.1, 1.0]), np.array([3.0, 1.0]), 0.1, 25.0)
    assert [s.x0 for s in fig.layout.shapes if s.x0 == s.x1] == [0.1, 25.0]
