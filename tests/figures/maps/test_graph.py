"""The map of a graph shows each point and edge once; of too many edges the heaviest."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from sslviz.figures.maps import graph
from sslviz.figures.maps.graph import graph_map

both = pytest.mark.parametrize("dimensions", [2, 3])


def drawn(dimensions: int = 2, n: int = 25, m: int = 60, groups: int = 3) -> tuple:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, dimensions))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = np.array(pairs)[rng.choice(len(pairs), m, replace=False)].T
    weights, degree = rng.random(m), rng.integers(0, 9, size=n)
    group = rng.integers(groups, size=n)
    names = tuple(f"component {i}" for i in range(groups))
    fig = graph_map(points, edges, weights, degree, group, names)
    return points, edges, weights, degree, group, names, fig


def test_groups_can_have_colours_of_their_own() -> None:
    points, edges, weights, degree, group, names, _ = drawn()
    grey = np.full((3, 3), 140.0)
    fig = graph_map(points, edges, weights, degree, group, names, colours=grey)
    assert {t.marker.color for t in fig.data if t.mode == "markers"} == {"#8c8c8c"}


def segments(fig: go.Figure) -> list[np.ndarray]:
    """The ends (2, d) of every line in the figure."""
    found = []
    for trace in fig.data:
        if trace.mode != "lines":
            continue
        letters = "xy" if trace.type == "scattergl" else "xyz"
        axes = [np.asarray(trace[letter], float) for letter in letters]
        line = np.stack(axes, axis=1).reshape(-1, 3, len(axes))
        assert np.isnan(line[:, 2]).all()  # a gap after every edge
        found += [*line[:, :2]]
    return found


@both
def test_every_edge_is_drawn_once_with_a_gap_behind_it(dimensions: int) -> None:
    points, edges, *_, fig = drawn(dimensions)
    expected = {tuple(np.float32(points[pair]).ravel().tolist()) for pair in edges.T}
    lines = [tuple(np.float32(s).ravel().tolist()) for s in segments(fig)]
    assert len(lines) == len(expected) and set(lines) == expected


@both
def test_every_point_is_drawn_once_in_its_group(dimensions: int) -> None:
    points, _, _, _, group, names, fig = drawn(dimensions)
    markers = [t for t in fig.data if t.mode == "markers"]
    assert sorted(i for t in markers for i in t.customdata) == list(range(25))
    for trace in markers:
        at = np.asarray(trace.customdata)
        assert (group[at] == names.index(trace.name)).all()
        np.testing.assert_allclose(trace.x, points[at, 0], rtol=1e-6)
    assert len({t.marker.color for t in markers}) == len(markers)


@both
def test_points_of_higher_in_degree_are_larger(dimensions: int) -> None:
    *_, degree, _, _, fig = drawn(dimensions)
    size = np.empty(25)
    for trace in fig.data:
        if trace.mode == "markers":
            size[np.asarray(trace.customdata)] = trace.marker.size
    order = np.argsort(degree, kind="stable")
    steps = np.diff(degree[order]) > 0
    assert (np.diff(size[order])[steps] > 0).all() and size.min() > 0
    assert (np.diff(size[order])[~steps] == 0).all()


def test_heavier_edges_are_thicker_and_darker() -> None:
    points, edges, weights, *_, fig = drawn()
    lines = [t for t in fig.data if t.mode == "lines"]
    assert len(lines) == graph.WEIGHT_LEVELS
    weight_of = {
        tuple(np.float32(points[pair]).ravel().tolist()): w
        for pair, w in zip(edges.T, weights, strict=True)
    }
    ranges = []
    for trace in lines:
        ends = np.stack([trace.x, trace.y], axis=1).reshape(-1, 3, 2)[:, :2]
        mine = [weight_of[tuple(np.float32(e).ravel().tolist())] for e in ends]
        ranges.append((min(mine), max(mine)))
    assert all(lighter[1] <= heavier[0] for lighter, heavier in pairwise(ranges))
    for get in (lambda t: t.line.width, lambda t: t.opacity):
        values = [get(t) for t in lines]
        assert values == sorted(values) and len(set(values)) == len(values)


def test_of_too_many_edges_the_heaviest_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MAX_EDGES_DRAWN", 20)
    points, edges, weights, *_, fig = drawn()
    heaviest = np.argsort(weights)[-20:]
    expected = {tuple(np.float32(points[edges[:, e]]).ravel().tolist()) for e in heaviest}
    assert {tuple(np.float32(s).ravel().tolist()) for s in segments(fig)} == expected


def test_edges_of_weight_zero_and_one_are_drawn() -> None:
    points = np.eye(3)[:, :2]
    edges, ends = np.array([[0, 1], [1, 2]]), np.array([0.0, 1.0])
    fig = graph_map(points, edges, ends, np.zeros(3, int), np.zeros(3, int), ("all",))
    assert len(segments(fig)) == 2 and np.isfinite(fig.data[-1].marker.size).all()


@pytest.mark.parametrize(("groups", "listed"), [(12, True), (13, False)])
def test_more_than_a_dozen_groups_have_no_legend(groups: int, listed: bool) -> None:
    fig = drawn(groups=groups)[-1]
    assert {t.showlegend for t in fig.data if t.mode == "markers"} == {listed}


def test_a_graph_without_edges_is_points() -> None:
    none = np.zeros((2, 0), int)
    fig = graph_map(np.eye(2), none, np.zeros(0), np.zeros(2, int), np.zeros(2, int), ("all",))
    assert [t.mode for t in fig.data] == ["markers"] and fig.to_json()


@both
def test_inputs_do_not_change_and_the_figure_can_be_sent(dimensions: int) -> None:
    first = drawn(dimensions)
    arrays = [a for a in first if isinstance(a, np.ndarray)]
    before = [a.copy() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    fig = graph_map(*first[:-1], facts=[str(i) for i in range(25)], uirevision="same")
    assert fig.layout.uirevision == "same" and len(fig.to_json()) > 100
    for a, b in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(a, b)
