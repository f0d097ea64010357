"""Geodesic kNN: the vote of the labels nearest along the graph, found by plain searches."""

from collections.abc import Callable

import numpy as np
import pytest
from propagation.oracles import vote, ways
from propagation.problems import SETS

from sslviz import GeodesicKNN
from sslviz.labels import hide


def assert_as_written(X: np.ndarray, y: np.ndarray, k: int, n_votes: int) -> None:
    model = GeodesicKNN(n_neighbors=k, n_votes=n_votes).fit(X, y)
    given = np.flatnonzero(y != -1).tolist()
    d = ways(X, k, given)
    label = dict(zip(given, y[given].tolist(), strict=True))
    for x in range(len(X)):
        near = sorted((w, s) for w, s in zip(d[:, x], given, strict=True) if np.isfinite(w))
        near = near[:n_votes]
        padding = n_votes - len(near)
        assert model.voters_[x].tolist() == [s for _, s in near] + [-1] * padding
        assert model.voter_distances_[x].tolist() == [w for w, _ in near] + [np.inf] * padding
        winner, _ = vote([s for _, s in near], label)
        assert model.transduction_[x] == label.get(x, winner)
        assert model.label_distributions_[x].any() == (model.transduction_[x] != -1)


@pytest.mark.parametrize("n_votes", [1, 3, 6])
@pytest.mark.parametrize("points", SETS)
def test_voters_distances_and_answers_are_those_of_full_searches(
    points: Callable, n_votes: int
) -> None:
    assert_as_written(*points(n_votes), k=4, n_votes=n_votes)


def test_the_same_on_images(real: Callable) -> None:
    d = real("usps", n_samples=400, random_state=0)
    assert_as_written(d.X, hide(d.y, per_class=3, random_state=0), k=5, n_votes=3)


def test_a_good_answer_on_two_moons(moons: tuple) -> None:
    X, y, truth = moons
    assert (GeodesicKNN().fit(X, y).transduction_ == truth).mean() > 0.97


def test_an_island_without_label_is_undetermined_and_changes_nothing(moons: tuple) -> None:
    X, y, _ = moons
    island = X.mean(axis=0) + [500, 0] + 0.1 * np.random.default_rng(0).normal(size=(20, 2))
    alone = GeodesicKNN().fit(X, y)
    both = GeodesicKNN().fit(np.vstack([X, island]), np.append(y, [-1] * 20))
    assert (both.transduction_[300:] == -1).all()
    assert not both.label_distributions_[300:].any() and (both.voters_[300:] == -1).all()
    np.testing.assert_array_equal(both.label_distributions_[:300], alone.label_distributions_)
    assert (both.predict(island + 0.001) == -1).all()


def test_names_of_classes_order_and_scale_change_nothing(moons: tuple) -> None:
    X, y, _ = moons
    plain = GeodesicKNN().fit(X, y)
    names = np.array([12, -5])
    renamed = GeodesicKNN().fit(X, np.where(y == -1, -1, names[y]))
    assert (renamed.transduction_ == names[plain.transduction_]).all()
    for factor in (1e-100, 3.0, 1e100):
        np.testing.assert_array_equal(
            GeodesicKNN().fit(X * factor, y).transduction_, plain.transduction_
        )
    order = np.random.default_rng(1).permutation(len(X))
    shuffled = GeodesicKNN().fit(X[order], y[order])
    np.testing.assert_array_equal(shuffled.transduction_, plain.transduction_[order])


def test_one_far_outlier_changes_nothing_for_the_others(moons: tuple) -> None:
    X, y, _ = moons
    alone = GeodesicKNN().fit(X, y)
    for label in (-1, 0):
        far = GeodesicKNN().fit(np.vstack([X, [[1e6, 0]]]), np.append(y, label))
        np.testing.assert_array_equal(far.transduction_[:-1], alone.transduction_)
