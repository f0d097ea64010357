"""Methods side by side are judged as each would be alone, on draws that all of them share."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from sslviz import FLP, SSDR, SSRLPL, LabelPropagation, data
from sslviz.experiments.comparison import (
    MethodSpec,
    MethodSummary,
    Trial,
    label_counts,
    summaries,
    trial,
    trial_order,
)
from sslviz.labels import hide
from sslviz.memo import Memo

PLAIN = MethodSpec("1-NN", None, {})


@pytest.fixture(scope="module")
def iris():
    return data.load("iris")


def test_the_baseline_is_the_nearest_given_label(iris):
    y = hide(iris.y, per_class=4, random_state=1)
    known = y >= 0
    peer = KNeighborsClassifier(1).fit(iris.X[known], y[known]).predict(iris.X)
    np.testing.assert_array_equal(PLAIN.answer(iris.X, y), np.where(known, y, peer))


@pytest.mark.parametrize("Method", [LabelPropagation, SSDR, FLP])
def test_a_method_answers_as_it_does_alone(Method, iris):
    y = hide(iris.y, per_class=4, random_state=1)
    alone = Method().fit(iris.X, y).transduction_
    found = MethodSpec("it", Method, {}).answer(iris.X, y, Memo())
    np.testing.assert_array_equal(found[y < 0], alone[y < 0])
    np.testing.assert_array_equal(found[y >= 0], y[y >= 0])


def test_an_embedding_answers_by_its_nearest_label(iris):
    y = hide(iris.y, per_class=4, random_state=1)
    Z, known = SSRLPL(n_components=2).fit(iris.X, y).embedding_, y >= 0
    peer = KNeighborsClassifier(1).fit(Z[known], y[known]).predict(Z)
    found = MethodSpec("SSRL-PL", SSRLPL, {"n_components": 2}).answer(iris.X, y)
    np.testing.assert_array_equal(found[~known], peer[~known])


def test_a_trial_counts_hidden_points_only_and_undetermined_ones_as_wrong():
    X = np.array([[0.0], [1.0], [1.1], [50.0], [50.1], [50.2], [90.0], [90.1]])
    truth = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    spec = MethodSpec("LP", LabelPropagation, {"n_neighbors": 1})
    for seed in range(4):
        y = hide(truth, per_class=1, random_state=seed)
        answer = LabelPropagation(n_neighbors=1).fit(X, y).transduction_[y < 0]
        found = trial(spec, X, truth, per_class=1, seed=seed)
        assert found.accuracy == (answer == truth[y < 0]).mean()
        assert found.undetermined == (answer < 0).mean() > 0


def test_what_a_method_refuses_is_its_own_affair(iris):
    found = trial(MethodSpec("SSDR", SSDR, {"lam": -1.0}), iris.X, iris.y, per_class=2, seed=0)
    assert np.isnan(found.accuracy) and "lam=-1.0" in found.failed


def test_every_size_meets_every_draw_once_and_the_present_size_comes_first():
    found = list(trial_order([1, 3, 10], 3, 4))
    assert found[:4] == [(3, seed) for seed in range(4)]
    assert sorted(found) == [(size, seed) for size in (1, 3, 10) for seed in range(4)]


def test_sizes_leave_hidden_points_of_every_class():
    truth = np.repeat([0, 1, 3], [40, 12, 30])  # a class may have no point
    assert label_counts(truth, 3) == [1, 2, 3, 5, 10]
    assert label_counts(truth, 25) == [1, 2, 3, 5, 10, 25]


def test_standings_are_means_over_draws_and_wins_in_the_same_draw():
    found = [
        *(Trial("a", 3, seed, acc, 0.0, 1.0) for seed, acc in enumerate([0.5, 0.7, 0.9])),
        *(Trial("b", 3, seed, acc, 0.1, 2.0) for seed, acc in enumerate([0.6, 0.7])),
        Trial("b", 3, 2, np.nan, np.nan, 9.0, "no"),
        Trial("a", 5, 0, 0.1, 0.0, 1.0),
    ]
    a, b, c = summaries(found, ["a", "b", "c"], 3, 3)
    assert (a.mean, a.drawn) == (pytest.approx(0.7), 3)
    assert a.std == pytest.approx(np.std([0.5, 0.7, 0.9], ddof=1))
    assert (b.mean, b.drawn, b.failed, b.seconds) == (pytest.approx(0.65), 2, "no", 2.0)
    assert a.against(b) == (0, 1) and b.against(a) == (1, 0)
    assert c.drawn == 0 and np.isnan(c.mean) and np.isnan(c.std)
    assert isinstance(c, MethodSummary)
