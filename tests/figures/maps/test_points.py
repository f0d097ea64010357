"""A map of classes holds every point once, in order, so that frames and clicks find it."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from figures.colours import seen

from sslviz.figures.maps.points import (
    add_links,
    class_map,
    class_map_frames,
    marker_size,
    ring_marker,
)
from sslviz.figures.theme import UNDETERMINED, class_colours, css_of, mixed_colours

both = pytest.mark.parametrize("dimensions", [2, 3])


def drawn(dimensions: int = 2, n: int = 30, n_classes: int = 3, **options: Any) -> tuple:
    rng = np.random.default_rng(0)
    points, F = rng.normal(size=(n, dimensions)), rng.dirichlet(np.ones(n_classes), size=n)
    given = np.full(n, -1)
    given[:n_classes] = np.arange(n_classes)
    names = tuple(f"class {i}" for i in range(n_classes))
    return points, F, given, names, class_map(points, F, given, names, **options)


def named(fig: go.Figure, name: str) -> Any:
    (trace,) = [t for t in fig.data if t.name == name]
    return trace


@both
def test_the_first_trace_holds_every_point_in_order(dimensions: int) -> None:
    points, F, _, _, fig = drawn(dimensions)
    first = fig.data[0]
    assert first.type == ("scattergl" if dimensions == 2 else "scatter3d")
    assert list(first.customdata) == list(range(30))
    for axis, letter in enumerate("xyz"[:dimensions]):
        np.testing.assert_allclose(first[letter], points[:, axis], rtol=1e-6)
    assert seen(first.marker) == seen(mixed_colours(F, class_colours(3)))


@both
def test_given_labels_stand_out_in_the_colour_of_their_class(dimensions: int) -> None:
    points, _, given, _, fig = drawn(dimensions)
    trace = named(fig, "given labels")
    at = np.flatnonzero(given >= 0)
    assert list(trace.customdata) == at.tolist()
    assert list(trace.marker.color) == [css_of(class_colours(3)[c]) for c in given[at]]
    np.testing.assert_allclose(trace.x, points[at, 0], rtol=1e-6)
    assert trace.marker.size > fig.data[0].marker.size


def test_without_given_labels_there_is_no_trace_of_them() -> None:
    points, F, given, names, _ = drawn()
    fig = class_map(points, F, np.full_like(given, -1), names)
    assert "given labels" not in {t.name for t in fig.data}


def test_only_mistakes_have_rings() -> None:
    wrong = np.zeros(30, bool)
    wrong[[4, 9]] = True
    points, *_, fig = drawn(wrong=wrong)
    np.testing.assert_allclose(named(fig, "mistakes").x, points[[4, 9], 0], rtol=1e-6)
    for fine in (np.zeros(30, bool), None):
        assert "mistakes" not in {t.name for t in drawn(wrong=fine)[-1].data}


def test_many_rings_hide_less_than_few() -> None:
    marks = [ring_marker(count, "red", 12) for count in (1, 20, 60, 200, 5000)]
    for last, what in ((10, "size"), (0.5, "opacity")):
        values = [m[what] for m in marks]
        assert values == sorted(values, reverse=True) and values[-1] == last
    assert marks[0] == marks[1]
    assert marks[-1]["line"]["width"] < marks[0]["line"]["width"]


@pytest.mark.parametrize(("n_classes", "keys"), [(2, 2), (24, 24), (25, 0), (26, 0)])
def test_the_key_names_two_dozen_classes_or_none(n_classes: int, keys: int) -> None:
    *_, names, fig = drawn(n_classes=n_classes)
    colours = [css_of(c) for c in class_colours(n_classes)]
    expected = [list(entry) for entry in zip(names, colours, strict=True)][:keys]
    assert fig.layout.meta["key"] == expected
    assert not {t.name for t in fig.data} & set(names)


@pytest.mark.parametrize("n_classes", [3, 30])
def test_grey_is_in_the_key_where_points_are_undetermined(n_classes: int) -> None:
    points, F, given, names, fig = drawn(n_classes=n_classes)
    assert "undetermined" not in dict(fig.layout.meta["key"])
    F[-1] = 0
    fig = class_map(points, F, given, names)
    assert dict(fig.layout.meta["key"])["undetermined"] == UNDETERMINED
    assert seen(fig.data[0].marker)[-1] == UNDETERMINED.lower()


@both
def test_frames_recolour_the_first_trace_and_keep_its_kind(dimensions: int) -> None:
    *_, fig = drawn(dimensions)
    steps = [np.eye(3)[np.full(30, c)] for c in range(3)]
    fig.frames = class_map_frames(steps, ["a", "b", "c"], 3, dimensions)
    assert [f.name for f in fig.frames] == ["a", "b", "c"]
    for c, frame in enumerate(fig.frames):
        assert list(frame.traces) == [0]
        (change,) = frame.data
        assert change.type == fig.data[0].type
        assert seen(change.marker) == [css_of(class_colours(3)[c])] * 30
    assert "frames" in fig.to_plotly_json()


@both
def test_links_go_from_the_point_to_each_other_one(dimensions: int) -> None:
    points, *_, fig = drawn(dimensions)
    before = len(fig.data)
    add_links(fig, points, 5, np.array([7, 8]), np.array([0.2, 0.4]))
    light, heavy, ring = fig.data[before:]
    for trace, other in ((light, 7), (heavy, 8)):
        np.testing.assert_allclose(trace.x, points[[5, other], 0], rtol=1e-6)
    assert light.line.width < heavy.line.width and light.opacity < heavy.opacity == 1
    np.testing.assert_allclose(ring.x, points[[5], 0], rtol=1e-6)


@pytest.mark.parametrize(("dimensions", "opacity"), [(2, None), (3, 0.25)])
def test_in_space_a_clicked_point_is_seen_through_the_others(dimensions: int, opacity: Any) -> None:
    points, *_, fig = drawn(dimensions)
    add_links(fig, points, 5, np.array([7]), np.array([0.2]))
    assert fig.data[0].opacity == opacity and named(fig, "given labels").opacity is None
    assert (fig.data[-1].marker.symbol == "circle-open") == (dimensions == 3)


def test_links_without_weight_or_without_others_are_drawn_as_well() -> None:
    points, *_, fig = drawn()
    before = len(fig.data)
    add_links(fig, points, 0, np.array([1]), np.zeros(1))
    add_links(fig, points, 0, np.array([], int), np.array([]))
    assert len(fig.data) == before + 3


@both
def test_the_figure_can_be_sent_and_its_inputs_do_not_change(dimensions: int) -> None:
    rng = np.random.default_rng(1)
    points, F = rng.normal(size=(20, dimensions)), rng.random((20, 2))
    given, wrong = rng.integers(-1, 2, size=20), rng.random(20) < 0.3
    arrays: list[np.ndarray] = [points, F, given, wrong]
    before = [a.copy() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    facts = [f"fact {i}" for i in range(20)]
    fig = class_map(points, F, given, ("a", "b"), wrong=wrong, facts=facts, uirevision="mine")
    assert fig.layout.uirevision == "mine" and list(fig.data[0].text) == facts
    sent = json.loads(fig.to_json())
    assert [t["type"] for t in sent["data"]] == [t.type for t in fig.data]
    assert sent["data"][0]["marker"]["color"]["dtype"] == "u2", "sent as numbers, not as names"
    for a, b in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_more_points_the_smaller_the_markers() -> None:
    sizes = [marker_size(n) for n in (1, 60, 1000, 10_000, 10**6)]
    assert sizes == sorted(sizes, reverse=True) and 2 <= sizes[-1] < sizes[0] <= 10
