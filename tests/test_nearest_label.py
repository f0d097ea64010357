"""One nearest neighbour and nearest means, against scikit-learn and by hand."""

import numpy as np
import pytest
from embedding.problems import digits
from sklearn.neighbors import KNeighborsClassifier

from sslviz import SSRLPL
from sslviz.nearest_label import NearestLabel, nearest_soft_mean, one_nn


def test_one_nn_is_the_label_of_the_nearest_labelled_point() -> None:
    X, y, _ = digits()
    Z = SSRLPL(4).fit(X, y).embedding_
    known = y != -1
    peer = KNeighborsClassifier(1).fit(Z[known], y[known]).predict(Z)
    np.testing.assert_array_equal(one_nn(Z, y, Z), peer)
    model = NearestLabel().fit(Z, y)
    np.testing.assert_array_equal(model.transduction_, peer)
    np.testing.assert_array_equal(model.predict(Z), peer)
    np.testing.assert_array_equal(model.classes_, np.unique(y[known]))


def test_of_equally_near_points_the_first_answers() -> None:
    Z = np.array([[0.0], [2.0], [1.0], [0.0]])
    assert one_nn(Z, np.array([7, 5, -1, 9]), np.array([[1.0], [0.0]])).tolist() == [7, 7]


def test_with_hard_labels_soft_means_are_means() -> None:
    X, _, truth = digits()
    means = np.array([X[truth == c].mean(axis=0) for c in range(10)])
    nearest = np.linalg.norm(X[:, None] - means, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest_soft_mean(X, np.eye(10)[truth], X), nearest)


def test_soft_means_weigh_points_and_skip_classes_without_any() -> None:
    Z = np.array([[0.0], [4.0], [10.0]])
    Y = np.array([[0.5, 0, 0.5], [0.5, 0, 0], [0, 0, 1]])
    # means 2, none, 20/3: the border lies at 13/3
    assert nearest_soft_mean(Z, Y, np.array([[4.3], [4.4]])).tolist() == [0, 2]


def test_labels_that_do_not_fit_are_named() -> None:
    Z = np.zeros((3, 1))
    with pytest.raises(ValueError, match=r"y of shape \(2,\).*3 points"):
        one_nn(Z, np.array([0, 1]), Z)
    with pytest.raises(ValueError, match="y holds no label"):
        one_nn(Z, np.full(3, -1), Z)
    with pytest.raises(ValueError, match=r"Y of shape \(2, 2\).*3 points"):
        nearest_soft_mean(Z, np.eye(2), Z)
    with pytest.raises(ValueError, match="no weight"):
        nearest_soft_mean(Z, np.zeros((3, 2)), Z)
