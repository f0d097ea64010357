"""Charts of a stream, by their numbers."""

import numpy as np
import pytest

from sslviz.figures.charts.stream import (
    accuracy_over_time,
    centroids_by_dimension,
    cover_over_time,
)


def test_curves_of_accuracy_and_ticks_where_labels_came():
    fig = accuracy_over_time({"QLP": np.ones(5), "1-NN": np.zeros(5)}, np.array([3]))
    assert [t.name for t in fig.data] == ["QLP", "1-NN", "a label"]
    assert fig.data[1].line.dash == "dot" and list(fig.data[2].x) == [3]
    assert list(fig.data[0].x) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("radius", [[0.0, 0.1, 0.2, 6.4], [0.0, 0, 0, 0], [0.1, 0.1, 0.1, 0.1]])
def test_the_cover_has_its_radius_in_powers_of_two(radius):
    fig = cover_over_time(np.array([5, 5, 3, 4]), np.array(radius), 5)
    assert list(fig.data[0].y) == [5, 5, 3, 4]
    np.testing.assert_array_equal(fig.data[1].y, np.where(np.array(radius) > 0, radius, np.nan))
    ticks = fig.layout.yaxis2.tickvals
    if ticks is not None:
        ratio = np.log2(np.asarray(ticks) / 0.1)
        np.testing.assert_allclose(ratio, np.rint(ratio), atol=1e-9)


def test_centroids_left_against_features():
    curves = {"doubling": np.array([30.0, 2]), "lazy": np.array([50.0, 50])}
    fig = centroids_by_dimension(np.array([2, 202]), curves, 2, 50)
    assert [t.name for t in fig.data] == ["doubling", "lazy"]
    assert list(fig.layout.xaxis.ticktext) == ["2", "202"]


def test_numbers_of_features_that_would_overprint_are_left_out():
    features = 64 + np.array([0, 1, 2, 5, 10, 20, 50, 100, 200])
    fig = centroids_by_dimension(features, {"lazy": np.ones(9)}, 64, 50)
    shown = np.log(np.asarray(fig.layout.xaxis.tickvals, float))
    assert shown[0] == np.log(64) and shown[-1] == np.log(264) and len(shown) > 4
    assert (np.diff(shown) > 0.05 * np.ptp(shown)).all()
    assert len(fig.data[0].x) == 9
