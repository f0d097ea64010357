"""Strips, bars and bounds of an embedding show the numbers they are given."""

import numpy as np
import pytest
from figures.colours import seen

from sslviz.figures.maps.points import class_map
from sslviz.figures.maps.strips import (
    accuracy_bars,
    add_ridges,
    bound_curves,
    eigenvalue_bars,
    small_map,
    strip_places,
)
from sslviz.figures.theme import BACKDROP, OKABE_ITO, class_colours, css_of


@pytest.fixture
def strip() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=200), rng.integers(0, 3, 200)


def test_a_strip_keeps_the_coordinate_and_a_row_for_every_group(strip) -> None:
    z, group = strip
    places = strip_places(z, group)
    np.testing.assert_array_equal(places[:, 0], z)
    below = -group - places[:, 1]
    assert (below > 0).all() and (below < 0.5).all()


def test_ridges_count_the_points_of_their_row(strip) -> None:
    z, group = strip
    fig = class_map(strip_places(z, group), np.eye(3)[group], group * 0 - 1, ("a", "b", "c"))
    before = len(fig.data)
    add_ridges(fig, z, group, ("a", "b", "c"))
    ridges = fig.data[before:]
    assert len(ridges) == 3 and [a.text for a in fig.layout.annotations] == ["a", "b", "c"]
    for g, ridge in enumerate(ridges):
        height = np.asarray(ridge.y)[1:-2:2] + g
        count = np.histogram(z[group == g], np.linspace(z.min(), z.max(), 61))[0]
        np.testing.assert_allclose(height / height.max(), count / count.max(), atol=1e-12)
        assert ridge.line.color == css_of(class_colours(3)[g])
    assert fig.layout.yaxis.scaleanchor is None


def test_a_small_map_tells_seen_unseen_and_given_points_apart() -> None:
    rng = np.random.default_rng(1)
    points, truth = rng.normal(size=(60, 2)), np.arange(60) % 2
    given = np.where(np.arange(60) < 6, truth, -1)
    unseen = (np.arange(60) >= 6) & (np.arange(60) % 3 == 0)
    chosen = np.arange(0, 40)
    fig = small_map(points, np.eye(2)[truth], given, ("a", "b"), chosen=chosen, unseen=unseen,
                    clicked=7)  # fmt: skip
    named = {t.name: t for t in fig.data[:4]}
    assert set(named["unseen"].customdata) == set(np.flatnonzero(unseen[:40]))
    assert set(named["given labels"].customdata) == set(range(6))
    assert sum(len(t.x) for t in fig.data[:3]) == 40
    assert named["unseen"].marker.symbol == "circle-open"
    colours = [css_of(c) for c in class_colours(2)]
    at = np.asarray(named["seen"].customdata)
    assert seen(named["seen"].marker.to_plotly_json()) == [colours[c] for c in truth[at]]
    assert fig.data[3].x[0] == points[7, 0]


def test_a_line_marks_the_number_of_possible_eigenvalues() -> None:
    fig = eigenvalue_bars(np.array([4.0, 2, 1, 0]), kept=2, rank=3)
    (bars,) = fig.data
    assert list(bars.y) == [4, 2, 1, 0] and list(bars.x) == [1, 2, 3, 4]
    assert list(bars.marker.color) == [OKABE_ITO[0]] * 2 + [BACKDROP] * 2
    assert fig.layout.shapes[0].x0 == 3.5 and "3" in fig.layout.annotations[0].text


def test_the_best_accuracy_is_on_top_and_the_chosen_one_is_highlighted() -> None:
    (bars,) = accuracy_bars({"a": 0.2, "b": 0.9, "c": 0.5}, "c", ("a",)).data
    assert list(bars.y) == ["a", "c", "b"] and list(bars.x) == [0.2, 0.5, 0.9]
    assert bars.marker.color[0] == BACKDROP and bars.marker.color[1] == OKABE_ITO[0]


def test_bounds_and_gap_are_drawn_over_the_number_of_labels() -> None:
    bounds = np.array([[0.1, 0.2, 3, 2], [0, 0.05, 1, 0.9]])
    fig = bound_curves(np.array([10, 100]), bounds, 0.4)
    for i, line in enumerate(fig.data[:3]):
        drawn = bounds[:, i][bounds[:, i] > 0]
        y = np.asarray(line.y)
        np.testing.assert_array_equal(y[~np.isnan(y)], drawn)
    assert list(fig.data[4].y) == [0.4, 0.4] and fig.layout.yaxis.type == "log"
