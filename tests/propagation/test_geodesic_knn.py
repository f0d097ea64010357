"""Geodesic kNN: the vote of the labels nearest along the graph, found by plain searches."""

from collections.abc import Callable

import numpy as np
import pytest
from propagation.oracles import path_lengths, vote
from propagation.problems import SETS

from sslviz import GeodesicKNN
from sslviz.labels import hide


def assert_as_written(X: np.ndarray, y: np.ndarray, k: int, n_votes: int) -> None:
    model = GeodesicKNN(n_neighbors=k, n_votes=n_votes).fit(X, y)
    given = np.flatnonzero(y != -1).tolist()
    d = path_lengths(X, k, given)
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
