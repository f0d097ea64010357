"""The minimum cut leaves as little weight between classes as can be, and guesses nothing."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from propagation.oracles import weights
from propagation.problems import archipelago, cloud, digits
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sslviz import MinCut, data
from sslviz.labels import hide


def cost(W: np.ndarray, answer: np.ndarray) -> float:
    """Weight between different answers, each edge once."""
    return float((W * (answer[:, None] != answer)).sum() / 2)


@pytest.mark.parametrize("seed", range(8))
def test_no_labelling_of_a_small_set_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(16, 2)), np.full(16, -1)
    y[[0, 1, 2, 3]] = [0, 1, 0, 1]
    model = MinCut(n_neighbors=3).fit(X, y)
    W = weights(X, 3)
    free = np.flatnonzero(y == -1)
    costs, answers = [], []
    for bits in product([0, 1], repeat=len(free)):
        answer = y.copy()
        answer[free] = bits
        answers.append(answer)
        costs.append(cost(W, answer))
    assert np.isclose(model.cut_value_, min(costs), rtol=1e-12, atol=1e-15)
    cheapest = np.array(answers)[np.array(costs) <= min(costs) * (1 + 1e-9) + 1e-15]
    unanimous = (cheapest == cheapest[0]).all(axis=0)
    np.testing.assert_array_equal(model.transduction_, np.where(unanimous, cheapest[0], -1))


@pytest.mark.parametrize("points", [cloud, archipelago, digits])
def test_each_class_is_cut_from_the_others_at_the_told_cost(points: Callable) -> None:
    X, y = points(0)
    model = MinCut().fit(X, y)
    W = weights(X, 5)
    assert len(model.cut_value_) == len(model.classes_) > 2
    claimed = model.label_distributions_ > 0
    assert (claimed.sum(axis=1) <= 1).all()
    for c, value in enumerate(model.cut_value_):
        assert np.isclose(cost(W, claimed[:, c].astype(int)), value, rtol=1e-9, atol=1e-15)
        two = MinCut().fit(X, np.where(y == -1, -1, y == model.classes_[c]))
        assert np.isclose(two.cut_value_, value, rtol=1e-12, atol=1e-15)
        np.testing.assert_array_equal(two.transduction_ == 1, claimed[:, c])
        edges = model.cut_edges(c)
        assert np.isclose(W[edges[:, 0], edges[:, 1]].sum(), value, rtol=1e-9, atol=1e-15)


def test_given_labels_are_kept_and_rows_are_certain_or_empty(moons: tuple) -> None:
    X, y, _ = moons
    model = MinCut().fit(X, y)
    given = y != -1
    assert (model.transduction_[given] == y[given]).all()
    sums = model.label_distributions_.sum(axis=1)
    assert np.isin(model.label_distributions_, [0, 1]).all() and (sums <= 1).all()
    assert ((model.transduction_ == -1) == (sums == 0)).all()
    assert isinstance(model.cut_value_, float)


def test_many_labels_give_the_gap_and_few_give_a_ring() -> None:
    d = data.load("two_moons", n_samples=600, noise=0.1, outliers=0.0, random_state=0)
    many = MinCut().fit(d.X, hide(d.y, per_class=20, random_state=0))
    assert (many.transduction_ == d.y).mean() > 0.95
    # Classes that overlap: cutting off a single label is cheaper than any way through the middle.
    X = np.random.default_rng(0).normal(size=(400, 2))
    y = np.full(400, -1)
    y[[0, 1, 2]] = [0, 1, 1]
    answer = MinCut(n_neighbors=8).fit(X, y).transduction_
    assert (answer == 0).sum() < 10


def test_islands_without_label_are_undetermined() -> None:
    X, y = archipelago(1)
    model = MinCut(n_neighbors=4).fit(X, y)
    _, island = connected_components(sparse.csr_array(weights(X, 4)))
    lonely = ~np.isin(island, island[y != -1])
    assert lonely.any() and (model.transduction_[lonely] == -1).all()
