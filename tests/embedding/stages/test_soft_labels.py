"""Soft labels from the k nearest labelled points, and the links they come along."""

import numpy as np
import pytest
from embedding.problems import blobs, digits
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import KNeighborsClassifier

from sslviz import SSRLPL
from sslviz.embedding.stages.soft_labels import neighbour_shares
from sslviz.graph.median_distance import median_distance


@pytest.mark.parametrize("k", [1, 4])
def test_shares_are_equation_11(problem: tuple, k: int) -> None:
    X, y, _ = problem
    model = SSRLPL(n_neighbors=k, sigma_labels="0.5 median").fit(X, y)
    assert model.sigma_labels_ == 0.5 * median_distance(X)
    known = np.flatnonzero(y != -1)
    for i in np.flatnonzero(y == -1)[::17]:
        d = np.linalg.norm(X[known] - X[i], axis=1)
        order = np.argsort(d, kind="stable")[:k]
        s = np.exp(-(d[order] ** 2) / (2 * model.sigma_labels_**2))
        row = [(s * (y[known[order]] == c)).sum() / s.sum() for c in model.classes_]
        assert_allclose(model.label_distributions_[i], row, atol=1e-13)
        indices, weights = model.links(i)
        assert_array_equal(indices, known[order])
        assert_array_equal(model.neighbours_[i], known[order])
        assert_allclose(weights, s / s.sum(), atol=1e-13)


def test_given_labels_are_kept_and_need_no_links() -> None:
    X, y, _ = blobs()
    model = SSRLPL().fit(X, y)
    assert_allclose(model.label_distributions_.sum(axis=1), 1, atol=1e-14)
    for i in np.flatnonzero(y != -1):
        assert model.label_distributions_[i].tolist() == (model.classes_ == y[i]).tolist()
        assert len(model.links(i)[0]) == len(model.links(i)[1]) == 0
        assert (model.neighbours_[i] == -1).all()


def test_one_neighbour_is_the_nearest_neighbour_rule() -> None:
    X, y, _ = digits()
    known = y != -1
    nearest = KNeighborsClassifier(1).fit(X[known], y[known]).predict(X)
    for labels in ("soft", "wta"):
        Y = SSRLPL(n_neighbors=1, labels=labels).fit(X, y).label_distributions_
        assert_array_equal(Y, np.eye(10)[nearest])


def test_winner_takes_all_keeps_the_largest_share() -> None:
    X, y, _ = digits()
    soft = SSRLPL().fit(X, y).label_distributions_
    winner = SSRLPL(labels="wta").fit(X, y).label_distributions_
    assert_array_equal(winner.argmax(axis=1), soft.argmax(axis=1))
    assert set(np.unique(winner)) == {0.0, 1.0} and (winner.sum(axis=1) == 1).all()


@pytest.mark.parametrize("sigma", [1e-300, 1e-8, 1e-3])
def test_a_tiny_width_leaves_the_nearest_and_no_nan(sigma: float) -> None:
    X, y, _ = blobs()
    tiny = SSRLPL(sigma_labels=sigma).fit(X, y)
    one = SSRLPL(n_neighbors=1).fit(X, y)
    assert_allclose(
        tiny.label_distributions_, one.label_distributions_, atol=1e-12 if sigma < 1e-3 else 1e-3
    )
    assert np.isfinite(tiny.embedding_).all()


def test_shares_neither_overflow_nor_cancel() -> None:
    assert neighbour_shares(np.array([[1e200, 1e200, 2e200]]), 1e-3).tolist() == [[0.5, 0.5, 0]]
    # d² − d₀² = (d − d₀)(d + d₀) = 2⁻²⁰ · 2²⁸ = 256: eps · d² would be 4
    close = neighbour_shares(np.array([[2.0**27, 2.0**27 + 2.0**-20]]), 16.0)
    assert_allclose(close[0, 1] / close[0, 0], np.exp(-0.5), rtol=1e-13)
    assert_allclose(neighbour_shares(np.array([[0.0, 0.0]]), 1e-300), 0.5)


def test_more_neighbours_than_labels_takes_all_of_them() -> None:
    X, y, _ = blobs()
    with pytest.warns(UserWarning, match="n_neighbors=50 but 12 points are labelled; taking 12"):
        model = SSRLPL(n_neighbors=50).fit(X, y)
    assert model.n_neighbors_ == 12 and model.neighbours_.shape == (len(X), 12)


def test_a_median_of_zero_asks_for_a_number() -> None:
    X = np.vstack([np.zeros((30, 2)), np.eye(2)])
    y = np.full(32, -1)
    y[[0, 30, 31]] = 0, 1, 1
    with pytest.raises(ValueError, match="sigma_labels='median' is 0: most points are equal"):
        SSRLPL(1, n_neighbors=1).fit(X, y)
    assert SSRLPL(1, n_neighbors=1, sigma_labels=1.0).fit(X, y).embedding_.shape == (32, 1)
