"""Clustering accuracy and the matching of clusters to classes behind it."""

from itertools import permutations

import numpy as np
import pytest

from sslviz.metrics import clustering_accuracy, confident_argmax, match_clusters, matched_columns


def test_accuracy_is_the_best_over_all_names_of_the_clusters() -> None:
    rng = np.random.default_rng(0)
    y, labels = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    best = max(np.mean(np.array(names)[labels] == y) for names in permutations(range(3)))
    for names in permutations((5, 0, 2)):
        assert clustering_accuracy(y, np.array(names)[labels]) == best
        assert clustering_accuracy(np.array(names)[y], labels) == best


def test_more_or_fewer_clusters_than_classes_are_matched_one_to_one() -> None:
    y = np.repeat([0, 1], 50)
    assert clustering_accuracy(y, np.arange(100) // 25) == 0.5
    assert clustering_accuracy(np.arange(100) // 25, y) == 0.5


@pytest.mark.parametrize("y, labels", [([], []), ([0, 1], [0]), ([[0, 1]], [[0, 1]])])
def test_labels_of_unequal_shape_or_of_no_point_are_refused(y: list, labels: list) -> None:
    with pytest.raises(ValueError, match="clustering_accuracy: y of shape"):
        clustering_accuracy(y, labels)


def test_matching_is_optimal_and_keeps_the_former_one_at_almost_equal_accuracy() -> None:
    truth = np.repeat([0, 1, 2], 100)
    labels = np.where(np.arange(300) % 10 == 0, 0, (truth + 1) % 3)
    order = match_clusters(labels, truth, 3, 3, None)
    assert (order[labels] == truth).mean() == clustering_accuracy(truth, labels)
    halves, other = np.arange(300) % 2, np.arange(300) // 2 % 2  # both matchings are as good
    halves[0] = 1 - halves[0]
    for before in ([0, 1], [1, 0]):
        assert match_clusters(halves, other, 2, 2, np.array(before)).tolist() == before


def test_clusters_without_a_class_get_colours_of_their_own() -> None:
    truth, labels = np.repeat([0, 1], 50), np.arange(100) // 25
    order = match_clusters(labels, truth, 4, 2, None)
    assert sorted(order) == [0, 1, 2, 3]
    F = matched_columns(np.eye(4)[labels], order, 4)
    assert (F.argmax(axis=1) == truth).mean() == 0.5
    assert len(set(match_clusters(truth, labels, 2, 4, None))) == 2


def test_almost_equal_probabilities_decide_nothing() -> None:
    P = np.array([[0.25] * 4, [0.26, 0.26, 0.24, 0.24], [0.3, 0.3, 0.2, 0.2], [0, 0, 0, 1.0]])
    assert confident_argmax(P).sum(axis=1).tolist() == [0, 0, 1, 1]
    assert confident_argmax(np.rint(255 * P).astype(np.uint8)).argmax(axis=1)[3] == 3
