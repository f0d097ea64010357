"""A figure in words says what is drawn, and changes with it."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import confidence_histogram, small_chart
from sslviz.figures.description import describe_figure
from sslviz.figures.maps.points import class_map


def test_a_map_tells_its_points_classes_and_given_labels():
    rng = np.random.default_rng(0)
    F = rng.random((300, 2))
    y = np.where(np.arange(300) < 4, 1, -1)
    text = describe_figure(class_map(rng.random((300, 2)), F, y, ("upper", "lower")))
    assert "Map of 300 points" in text and "upper, lower" in text and "4 given labels" in text


def test_a_chart_tells_its_axes_and_its_largest_bar():
    right = np.array([True, True, True, False])
    text = describe_figure(confidence_histogram(np.array([0.9, 0.9, 0.9, 0.2]), right))
    assert text.startswith("Bar chart, points against share of the predicted class")
    assert "right: 20 bars up to 3" in text and "wrong: 20 bars up to 1" in text


def test_a_line_tells_where_it_begins_and_ends_also_without_a_name():
    fig = small_chart("sweep", "change")
    fig.add_scatter(x=[0, 1, 2], y=[0.5, None, 0.25], mode="lines")
    assert describe_figure(fig) == "Lines, change against sweep: from 0.5 to 0.25"
    fig.add_scatter(x=[0, 1], y=[1, 1], mode="lines", name="bound")
    assert describe_figure(fig).endswith("bound at 1")


def test_a_ranking_tells_its_names_and_an_empty_figure_nothing():
    fig = go.Figure(go.Scatter(x=[0.9, 0.8], y=["LP", "1-NN"], mode="markers"))
    assert describe_figure(fig) == "LP 0.9, 1-NN 0.8"
    assert describe_figure(go.Figure()) == ""
