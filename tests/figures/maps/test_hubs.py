"""Maps of hubs, votes and basins show the values of their arrays."""

import colorsys
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from figures.colours import seen

from sslviz.figures.charts.basic import absorber_bars, score_grid, share_by_tenth, share_curves
from sslviz.figures.maps.basins import basin_map, label_shades
from sslviz.figures.maps.hubs import add_paths, front_frames, hub_graph_map, hub_map
from sslviz.figures.maps.points import class_map, shrink_markers
from sslviz.figures.theme import BACKDROP, UNDETERMINED, class_colours, css_of

both = pytest.mark.parametrize("dimensions", [2, 3])
NAMES = ("red", "green", "blue")


def cloud(dimensions: int = 2, n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    given = np.full(n, -1)
    given[:6] = [0, 0, 0, 1, 1, 2]
    return rng.normal(size=(n, dimensions)), given, rng.integers(0, 9, n)


def named(fig: Any, name: str) -> Any:
    (trace,) = [t for t in fig.data if t.name == name]
    return trace


@both
def test_hubs_are_stars_sized_by_in_degree(dimensions: int) -> None:
    points, given, degree = cloud(dimensions)
    hubs = np.argsort(-degree, kind="stable")[:10]
    outliers = np.arange(40) % 4 == 0
    fig = hub_map(points, given, NAMES, hubs, degree, outliers=outliers)
    stars = named(fig, "hubs")
    assert list(stars.customdata) == hubs.tolist()
    size = np.asarray(stars.marker.size)
    assert (np.diff(size[np.argsort(degree[hubs], kind="stable")]) >= -1e-12).all()
    ringed = named(fig, "outliers among the hubs")
    np.testing.assert_allclose(ringed.x, points[hubs[outliers[hubs]], 0][np.argsort(
        hubs[outliers[hubs]])], rtol=1e-6)  # fmt: skip
    assert json.loads(fig.to_json())


def test_without_hubs_there_are_no_stars() -> None:
    points, given, degree = cloud()
    none = np.array([], int)
    assert "hubs" not in {t.name for t in hub_map(points, given, NAMES, none, degree).data}
    fig = hub_graph_map(points, given, NAMES, none, degree, np.empty((0, 3)), np.empty((2, 0), int))
    assert not any(t.mode == "lines" for t in fig.data)


@both
def test_hubs_take_the_colours_of_their_distributions(dimensions: int) -> None:
    points, given, degree = cloud(dimensions)
    hubs, F = np.array([10, 20, 30]), np.array([[1.0, 0, 0], [0, 0, 1], [0, 0, 0]])
    edges = np.array([[10, 20], [20, 3]])
    fig = hub_graph_map(points, given, NAMES, hubs, degree, F, edges)
    colours = [css_of(c) for c in class_colours(3)]
    assert seen(named(fig, "hubs").marker) == [colours[0], colours[2], UNDETERMINED.lower()]
    (drawn,) = [t for t in fig.data if t.mode == "lines"]
    np.testing.assert_allclose(np.asarray(drawn.x)[[0, 1, 3, 4]], points[[10, 20, 20, 3], 0], 1e-6)
    assert ["undetermined", UNDETERMINED] in fig.layout.meta["key"]


def test_the_distance_reaches_more_points_in_each_frame_and_ends_with_the_vote() -> None:
    rng = np.random.default_rng(0)
    distance = np.concatenate([np.zeros(5), rng.exponential(size=95), [np.inf] * 10])
    nearest = np.eye(3)[rng.integers(0, 3, 110)] * np.isfinite(distance)[:, None]
    F = rng.dirichlet(np.ones(3), 110)
    frames = go.Figure(frames=front_frames(nearest, distance, F, 2)).frames
    lit = [sum(c != UNDETERMINED.lower() for c in seen(f.data[0].marker)) for f in frames[:-1]]
    assert lit[0] == 5 and lit[-1] == 100 and (np.diff(lit) > 0).all()
    assert frames[-1].name == "vote" and len(frames) <= 26


def test_voters_alone_need_one_frame_and_the_vote() -> None:
    frames = go.Figure(frames=front_frames(np.eye(2), np.zeros(2), np.eye(2), 2)).frames
    assert [f.name for f in frames] == ["0 away", "vote"]


@both
def test_paths_lead_from_the_point_to_its_voters(dimensions: int) -> None:
    points, given, _ = cloud(dimensions)
    fig = class_map(points, np.zeros((40, 3)), given, NAMES)
    before = len(fig.data)
    add_paths(fig, points, 7, [[7, 8, 0], [7, 4]], ["#111111", "#222222"])
    added = fig.data[before:]
    last = [t for t in added if t.mode == "lines" and t.line.color in ("#111111", "#222222")]
    np.testing.assert_allclose(last[0].x, points[[7, 8, 0], 0], rtol=1e-6)
    np.testing.assert_allclose(last[1].y, points[[7, 4], 1], rtol=1e-6)


def test_labels_of_a_class_have_shades_of_its_colour() -> None:
    given = np.array([0, 1, 0, 0, 2])
    found = label_shades(given, 3)
    assert len({css_of(c) for c in found}) == 5
    np.testing.assert_allclose(found[[1, 4]], class_colours(3)[[1, 2]])
    hues = [colorsys.rgb_to_hls(*c)[0] for c in (*found[[0, 2, 3]], class_colours(3)[0])]
    assert np.ptp(hues) < 0.05, "the same colour, darker and lighter"


@both
def test_a_basin_is_coloured_by_its_label_and_can_be_shown_alone(dimensions: int) -> None:
    points, given, _ = cloud(dimensions)
    labelled = np.flatnonzero(given >= 0)
    B = np.zeros((40, 6))
    B[np.arange(39), np.arange(39) % 6] = 1  # the last point ends nowhere
    B[labelled] = np.eye(6)
    colours = [css_of(c) for c in label_shades(given[labelled], 3)]
    coloured = seen(basin_map(points, B, given, NAMES).data[0].marker)
    assert coloured[12:18] == [colours[i % 6] for i in range(12, 18)]
    assert coloured[39] == UNDETERMINED.lower()
    alone = seen(basin_map(points, B, given, NAMES, only=3).data[0].marker)
    assert alone[15] == css_of(class_colours(3)[1]) and alone[16] == BACKDROP.lower()


def test_bars_count_what_each_label_absorbs_largest_first() -> None:
    B = np.array([[1.0, 0], [0.25, 0.75], [0, 1]])
    bars = absorber_bars(B, np.array([0, 1]), 2).data[0]
    assert list(bars.y) == [1.75, 1.25]
    assert list(bars.marker.color) == [css_of(c) for c in class_colours(2)[[1, 0]]]


def test_shares_by_tenth_of_density() -> None:
    density = np.arange(100.0)
    bars = share_by_tenth(density, density >= 85, "density").data[0]
    np.testing.assert_allclose(bars.y, [0] * 8 + [0.5, 1])
    few = share_by_tenth(np.arange(3.0), np.array([False, True, True]), "density").data[0]
    assert np.isfinite(np.asarray(few.y, float)).all()


def test_a_grid_numbers_its_cells_row_by_row_and_frames_one() -> None:
    scores = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    fig = score_grid(scores, (5, 10), (0, 4, 8), ("links", "hubs"), (1, 2))
    assert fig.data[0].customdata[1][2] == 5
    (frame,) = fig.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.5, 2.5, 0.5, 1.5)
    assert not score_grid(scores, (5, 10), (0, 4, 8), ("a", "b"), (-1, -1)).layout.shapes


def test_lines_have_a_colour_each() -> None:
    fig = share_curves(np.arange(3), {"a": np.zeros(3), "b": np.ones(3)}, "x", "y")
    assert [t.name for t in fig.data] == ["a", "b"]
    assert len({t.line.color for t in fig.data}) == 2


def test_smaller_markers_keep_everything_but_the_legend() -> None:
    points, given, _ = cloud()
    fig = class_map(points, np.zeros((40, 3)), given, NAMES)
    before = [np.asarray(t.marker.size) for t in fig.data]
    shrink_markers(fig, 0.5)
    for old, trace in zip(before, fig.data, strict=True):
        np.testing.assert_allclose(np.asarray(trace.marker.size), old / 2)
    assert fig.layout.showlegend is False


def test_rings_mark_where_two_differ() -> None:
    points, given, _ = cloud()
    differ = np.arange(40) % 7 == 0
    fig = class_map(points, np.zeros((40, 3)), given, NAMES, differ=differ)
    np.testing.assert_allclose(named(fig, "they differ").x, points[differ, 0], rtol=1e-6)
