"""Hubs are ordered by how many lists name them."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sslviz import graph

digits = load_digits().data[:500]
G = graph.knn(digits, 4)
degree = graph.in_degree(G)


def test_in_degrees_count_the_lists_that_name_a_point() -> None:
    lists, _ = graph.knn_lists(digits, 4)
    assert degree.sum() == 500 * 4
    assert degree.tolist() == [sum(i in row for row in lists) for i in range(500)]


def test_equal_points_count_too() -> None:
    assert graph.in_degree(graph.knn(np.zeros((6, 2)), 2)).tolist() == [5, 5, 2, 0, 0, 0]


def test_hubs_fall_in_degree_and_ties_go_to_the_lower_index() -> None:
    order = graph.hubs(G)
    assert sorted(order) == list(range(500))
    assert order.tolist() == sorted(range(500), key=lambda i: (-degree[i], i))


def test_fewer_hubs_are_the_first_of_more_and_only_allowed_points_are_taken() -> None:
    among = np.random.default_rng(0).random(500) < 0.6
    every = graph.hubs(G, among=among)
    assert set(every) == set(np.flatnonzero(among))
    for count in (0, 1, 17, len(every)):
        np.testing.assert_array_equal(graph.hubs(G, count, among), every[:count])


def test_where_no_distances_tie_the_order_of_points_does_not_matter() -> None:
    X = np.random.default_rng(1).normal(size=(200, 6))
    order = np.random.default_rng(2).permutation(200)
    shuffled = graph.in_degree(graph.knn(X[order], 4))
    np.testing.assert_array_equal(shuffled, graph.in_degree(graph.knn(X, 4))[order])


def test_too_many_hubs_and_wrong_masks_are_refused() -> None:
    with pytest.raises(ValueError, match=r"count=501 .* 0 to 500"):
        graph.hubs(G, 501)
    with pytest.raises(ValueError, match="boolean mask of 500"):
        graph.hubs(G, 3, among=np.arange(10))
