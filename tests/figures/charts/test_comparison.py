"""Charts of a comparison show the numbers they are given."""

import numpy as np

from sslviz.figures.charts.comparison import (
    accuracy_chart,
    learning_curves,
    prediction_map,
    right_counts,
)

TITLES = ["1-NN", "good", "silent"]
ACCURACIES = np.array([[0.6, 0.8], [0.9, 0.95], [np.nan, np.nan]])


def rows(fig, symbol=None):
    return [t for t in fig.data if (t.marker.symbol or None) == symbol]


def test_the_best_method_is_on_top_and_means_have_deviations():
    fig = accuracy_chart(TITLES, ACCURACIES, np.array([0.7, 0.9, np.nan]), baseline=0)
    assert list(fig.layout.yaxis.categoryarray) == ["silent", "1-NN", "good"]
    bars = {t.name: t for t in rows(fig, "line-ns")}
    assert bars["good"].x[0] == np.mean(ACCURACIES[1])
    assert bars["good"].error_x.array[0] == np.std(ACCURACIES[1], ddof=1)
    dots = {t.name: list(t.x) for t in rows(fig)}
    assert dots == {"1-NN": [0.6, 0.8], "good": [0.9, 0.95], "silent": []}
    assert fig.layout.shapes[0].x0 == np.mean(ACCURACIES[0])
    assert {t.name: t.x[0] for t in rows(fig, "diamond")}["1-NN"] == 0.7


def test_curves_leave_out_what_is_not_computed_yet():
    means = np.array([[0.5, np.nan, 0.9], [np.nan] * 3])
    fig = learning_curves([1, 3, 10], ["a", "b"], means, np.full((2, 3), 0.2))
    band, line = fig.data
    assert list(line.x) == [1, 10] and list(line.y) == [0.5, 0.9]
    np.testing.assert_allclose(band.y, [0.7, 1.0, 0.7, 0.3])  # no accuracy above 1


def test_points_are_counted_by_how_many_methods_predict_them():
    right = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]], bool)
    assert list(right_counts(right).data[0].y) == [1, 1, 1, 1]
    assert right_counts(right).data[0].x[0] == "none"


def test_frames_ring_the_hidden_mistakes_of_every_prediction():
    points, truth = np.arange(8.0).reshape(4, 2), np.array([0, 1, 1, 0])
    given = np.array([0, -1, -1, -1])
    answers = [truth, np.array([1, 0, -1, 0]), np.array([0, 1, 0, 1])]
    fig = prediction_map(
        points, answers, truth, given, ("a", "b"), ["t", "p", "q"], facts=["f"] * 4, uirevision="v"
    )
    assert [f.name for f in fig.frames] == ["t", "p", "q"]
    ringed = [list(f.data[1].x) for f in fig.frames]
    assert ringed == [[], [2.0], [4.0, 6.0]]  # neither given points nor silent ones
    assert list(fig.data[-1].x) == ringed[-1] and fig.frames[0].traces == (0, len(fig.data) - 1)
    colours = [f.data[0].marker for f in fig.frames]
    grey = colours[1].colorscale[int(colours[1].color[2])][1]
    assert grey == "#8c8c8c"
