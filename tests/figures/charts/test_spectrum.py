"""Small pictures inside a field show the numbers they are given."""

import numpy as np

from sslviz.figures.charts.spectrum import (
    amplification_bars,
    kernel_over_distance,
    score_histogram,
    spectrum_lines,
    surfaces,
)


def test_eigenvalues_that_are_rounding_are_left_out() -> None:
    mu = np.array([100.0, 1.0, 1e-3, 1e-12])
    fig = spectrum_lines(mu, {"right": mu / 2, "printed": 2 * mu}, "right")
    unchanged, right, printed = fig.data
    assert list(right.x) == [100.0, 1.0, 1e-3] and list(right.y) == [50.0, 0.5, 5e-4]
    assert right.line.width > printed.line.width, "the one in use stands out"
    assert list(unchanged.x) == list(unchanged.y)


def test_every_score_is_counted_once() -> None:
    scores = np.array([-3.0, -0.5, 0.2, 1.0, 3.0])
    right = np.array([True, False, True, True, True])
    fig = score_histogram(scores, right)
    assert [int(np.sum(bar.y)) for bar in fig.data] == [4, 1]
    assert [shape.x0 for shape in fig.layout.shapes] == [-1, 0, 1]


def test_both_kernels_stand_over_the_distance() -> None:
    d = np.linspace(0, 1, 7)
    fig = kernel_over_distance(d, np.exp(-d), np.exp(-2 * d))
    assert [len(trace.x) for trace in fig.data] == [7, 7]


def test_surfaces_share_a_scale_that_is_symmetric_and_leave_gaps_open() -> None:
    x, y = np.arange(6.0), np.arange(4.0)
    z = np.outer(y, x) - 5
    z[0, 0] = np.nan
    points = np.array([[1.0, 1.0], [2.0, 2.0]])
    fig = surfaces([z, z / 2], ["f", "half"], x, y, points, np.array([0, -1]), 2, marked=1)
    heat = [trace for trace in fig.data if trace.type == "heatmap"]
    assert {(h.zmin, h.zmax) for h in heat} == {(-10.0, 10.0)}
    assert np.isnan(heat[0].z[0, 0]) and heat[0].z.shape == (2, 3)
    assert [axis.scaleanchor for axis in fig.select_yaxes()] == ["x", "x2"], "round stays round"
    assert {axis.constrain for axis in (*fig.select_xaxes(), *fig.select_yaxes())} == {"domain"}
    dots = [trace for trace in fig.data if trace.type == "scatter"]
    marked = [trace for trace in dots if trace.marker.symbol == "circle-open"]
    assert [list(trace.x) for trace in marked] == [[2.0], [2.0]]


def test_a_negative_factor_turns_a_bar_down_and_changes_its_colour() -> None:
    fig = amplification_bars(np.array([2.0, 0.5]), np.array([3.0, -4.0]), ["bias", "1"])
    ridge, upright, down = fig.data
    assert list(ridge.y) == [2.0, 0.5]
    assert (list(upright.x), list(upright.y), list(upright.text)) == (["bias"], [6.0], ["×3.0"])
    assert (list(down.x), list(down.y), list(down.text)) == (["1"], [-2.0], ["×-4.0"])
    assert upright.marker.color != down.marker.color
