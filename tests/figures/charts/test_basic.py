"""Small charts count everything they are given."""

import numpy as np

from sslviz.figures.charts.basic import (
    class_bars,
    confidence_histogram,
    curve,
    degree_histogram,
    length_histogram,
)
from sslviz.figures.theme import class_colours, css_of


def test_every_prediction_is_in_a_bar_right_or_wrong() -> None:
    rng = np.random.default_rng(0)
    confidence, right = rng.random(500), rng.random(500) < 0.7
    confidence[:4] = 0, 1, 1 + 2e-16, -1e-17  # the ends, and rounding errors there
    good, bad = confidence_histogram(confidence, right).data
    assert (good.name, bad.name) == ("right", "wrong")
    assert sum(good.y) == right.sum() and sum(bad.y) == (~right).sum()
    at = np.minimum((np.clip(confidence, 0, 1) * 20).astype(int), 19)
    np.testing.assert_array_equal(good.y, np.bincount(at[right], minlength=20))


def test_degrees_are_counted_with_their_mean_marked() -> None:
    degree = np.array([0, 3, 3, 1, 8])
    fig = degree_histogram(degree, 3)
    assert list(fig.data[0].y) == [1, 1, 0, 2, 0, 0, 0, 0, 1]
    assert list(fig.data[0].x) == list(range(9))
    assert fig.layout.shapes[0].x0 == 3 and "3" in fig.layout.annotations[0].text


def test_every_edge_is_in_the_histogram_of_lengths_under_the_weight_of_its_length() -> None:
    lengths = np.concatenate([np.random.default_rng(0).random(300), [0.0, 2.5]])
    bars, weight = length_histogram(lengths, 0.5).data
    assert sum(bars.y) == len(lengths) and bars.y[-1] == 1  # the longest is in the last bar
    at = np.searchsorted(weight.x, 0.5)
    assert weight.x[at] == 0.5 and weight.y[at] == np.exp(-1) and weight.y[0] == 1
    assert weight.yaxis == "y2"
    assert sum(length_histogram(np.zeros(3), 1.0).data[0].y) == 3  # equal points


def test_bars_of_probabilities_have_the_colours_of_the_classes() -> None:
    fig = class_bars(np.array([0.25, 0.75, 0]), ("0", "1", "2"))
    (bars,) = fig.data
    assert list(bars.x) == ["0", "1", "2"] and list(bars.y) == [0.25, 0.75, 0]
    assert list(bars.marker.color) == [css_of(c) for c in class_colours(3)]
    assert fig.layout.xaxis.type == "category" and tuple(fig.layout.yaxis.range) == (0, 1)


def test_ticks_of_a_logarithmic_axis_are_full_numbers() -> None:
    wide = curve(np.arange(4), np.array([3.0, 0.2, 0.004, 0.0]), "", "", log_y=True).layout.yaxis
    assert list(wide.ticktext) == ["0.001", "0.01", "0.1", "1", "10"]
    close = curve(np.arange(2), np.array([0.3, 0.9]), "", "", log_y=True).layout.yaxis
    assert {"0.2", "0.5", "1"} <= set(close.ticktext)
    many = curve(np.arange(2), np.array([1e-14, 1.0]), "", "", log_y=True).layout.yaxis
    assert len(many.tickvals) <= 7 and "10<sup>-14</sup>" in many.ticktext


def test_a_curve_is_one_line_over_its_steps() -> None:
    x, y = np.arange(1, 6), 10.0 ** -np.arange(5)
    for log_y in (False, True):
        fig = curve(x, y, "sweep", "change", log_y=log_y)
        (line,) = fig.data
        assert list(line.x) == x.tolist() and list(line.y) == y.tolist()
        assert (fig.layout.yaxis.type == "log") is log_y
        assert fig.layout.xaxis.title.text == "sweep" and fig.to_json()
