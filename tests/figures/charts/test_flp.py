"""Charts of FLP show the numbers they are given."""

import numpy as np
import pytest

from sslviz.figures.charts.flp import (
    add_directions,
    dimension_curves,
    influence_histogram,
    objective_curves,
    width_curves,
)
from sslviz.figures.theme import empty_map


def test_h_is_relative_to_its_start_and_marked_where_it_is_zero() -> None:
    H = np.array([2.0, 1.0, 0.019, 1e-9])
    accuracy, influential = np.array([0, 0.9, 0.8, 0.4]), np.array([1, 0.5, 0.2, 0.1])
    fig = objective_curves(H, accuracy, influential, 1 / 3)
    np.testing.assert_allclose([t.y for t in fig.data], [H / 2, accuracy, influential])
    lines = {(s.x0, s.y0) for s in fig.layout.shapes}
    assert (2, 0) in lines and any(y == pytest.approx(1 / 3) for _, y in lines)
    assert any("H ≈ 0" in a.text for a in fig.layout.annotations)


def test_h_that_stays_is_not_marked() -> None:
    for H in (np.array([2.0, 1.5]), np.zeros(2)):
        fig = objective_curves(H, np.ones(2), np.ones(2), 0.5)
        assert not any("H" in a.text for a in fig.layout.annotations)
        np.testing.assert_allclose(fig.data[0].y, H / max(H[0], 1e-9))


def test_where_nothing_is_hidden_h_is_drawn_alone_and_named() -> None:
    nothing = np.full(3, np.nan)
    fig = objective_curves(np.array([2.0, 1.5, 1.4]), nothing, nothing, 1 / 3)
    assert [t.name for t in fig.data] == ["H, relative to its start"] and fig.layout.showlegend
    assert not fig.layout.shapes and not fig.layout.annotations


def test_guessing_is_written_left_of_the_line_of_the_player() -> None:
    fig = objective_curves(np.ones(5), np.ones(5), np.ones(5), 0.5)
    (guessing,) = fig.layout.annotations
    assert guessing.x == 4 and guessing.xanchor == "right" and guessing.xshift < 0


def test_every_influence_is_in_a_bar() -> None:
    rng = np.random.default_rng(0)
    influence = np.concatenate([[0, 1e-300, 1e-3, 1, 10, 1e5], 10 ** rng.uniform(-5, 2, 300)])
    right = rng.random(len(influence)) < 0.6
    good, bad = influence_histogram(influence, right).data
    assert good.y.sum() == right.sum() and bad.y.sum() == (~right).sum()
    none = influence < 1e-3
    assert good.y[0] + bad.y[0] == none.sum()
    near_mean = (influence >= 1) & (influence < 10**0.2)
    first = int(np.argmin(np.abs(np.asarray(good.x) - 0.1)))
    assert good.y[first] + bad.y[first] == near_mean.sum()


def test_widths_are_on_a_log_scale_with_the_present_one_marked() -> None:
    widths = np.array([0.1, 1, 10])
    fig = width_curves(widths, np.array([0.5, 0.9, 0.7]), np.array([1, 1, 0.2]), 3.0, 0.8)
    assert fig.layout.xaxis.type == "log" and list(fig.data[0].x) == [0.1, 1, 10]
    assert 3.0 in {s.x0 for s in fig.layout.shapes} and 0.8 in {s.y0 for s in fig.layout.shapes}
    (now,) = [a for a in fig.layout.annotations if a.text == "now"]
    assert now.x == pytest.approx(np.log10(3))


def test_methods_with_fewer_dimensions_end_early() -> None:
    curves = {"FLP": np.array([0.4, 0.9, 0.8]), "LDA": np.array([0.3, 0.7, np.nan])}
    fig = dimension_curves(np.array([1, 2, 5]), curves, 5, 2, (0.2, 1))
    assert [t.name for t in fig.data] == ["FLP", "LDA"]
    assert fig.data[0].line.width > fig.data[1].line.width and np.isnan(fig.data[1].y[2])
    assert {s.x0 for s in fig.layout.shapes} == {2, 5}
    assert len(dimension_curves(np.array([1, 2]), curves, 2, 2, (0, 1)).layout.shapes) == 1


def test_directions_are_lines_through_the_middle() -> None:
    fig, points = empty_map("plane"), np.array([[0.0, 0], [2, 0], [2, 4], [0, 4]])
    A = np.array([[[1.0], [0.0]], [[0.0], [5.0]]])
    add_directions(fig, points, A)
    start, end = fig.data
    np.testing.assert_allclose(np.asarray(start.y)[:2], 2)  # along x, through the centre (1, 2)
    np.testing.assert_allclose(np.asarray(end.x)[:2], 1)
    assert np.mean(start.x[:2]) == pytest.approx(1) and np.mean(end.y[:2]) == pytest.approx(2)
    assert start.line.dash == "dot" and end.line.dash is None
