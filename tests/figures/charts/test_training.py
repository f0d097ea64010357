"""Charts of a training show the numbers they are given."""

import numpy as np

from sslviz.figures.charts.training import (
    SMALLEST_TERM,
    arrow_plane,
    ratio_curve,
    ticks,
    training_chart,
)


def test_the_chart_of_a_training_shows_terms_clusters_and_accuracy():
    at = np.array([10, 20, 30])
    terms = {"vat": np.array([0.0, 0.1, 0.2]), "hubs": np.array([4.0, 1.0, 0.1])}
    fig = training_chart(at, terms, np.array([1, 2, 3]), np.array([0.3, 0.6, 0.9]), 4, 100)
    by = {t.name: t for t in fig.data}
    assert by["vat"].y[0] == SMALLEST_TERM and by["hubs"].y[0] == 4
    assert by["clusters used"].y.tolist() == [1, 2, 3] and by["accuracy"].y[-1] == 0.9
    assert fig.layout.xaxis.range == (0, 100)
    nothing = training_chart(at[:0], {"vat": np.empty(0)}, at[:0], at[:0], 4, 100)
    assert len(nothing.data) == 3


def test_an_axis_of_few_decades_has_closer_ticks():
    assert np.allclose(ticks({"a": np.array([0.001, 1.0])})["tickvals"], [1e-3, 1e-2, 0.1, 1])
    close = ticks({"a": np.array([0.15, 0.3])})["tickvals"]
    assert {0.1, 0.2, 0.5} <= {round(float(v), 6) for v in close}


def test_arrows_point_where_the_moves_go():
    points = np.random.default_rng(0).normal(size=(40, 2))
    moves = np.array([[0.0, 1.0], [1.0, 0.0]])
    fig = arrow_plane(points, np.eye(2)[np.arange(40) % 2], points[[3, 4]], moves, uirevision="a")
    heads = fig.data[2]
    assert np.allclose(heads.marker.angle, [0, 90]), "clockwise from up"
    assert np.allclose(np.stack([heads.x, heads.y], axis=1), points[[3, 4]] + moves)


def test_the_ratio_is_marked_at_both_probe_distances():
    fig = ratio_curve(np.array([0.1, 1.0]), np.array([3.0, 1.0]), 0.1, 25.0)
    assert [s.x0 for s in fig.layout.shapes if s.x0 == s.x1] == [0.1, 25.0]
