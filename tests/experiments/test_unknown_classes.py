"""Points of unknown class are fitted with, and left out of every accuracy."""

import numpy as np
import pytest

from sslviz import LabelPropagation, RobustLabelPrediction, data, labels
from sslviz.experiments import active_learning, embedding_evaluation
from sslviz.experiments.comparison import MethodSpec, label_counts, trial
from sslviz.experiments.parameter_curve import parameter_curve
from sslviz.metrics import match_clusters
from sslviz.propagation.active_learning import questions
from sslviz.recordings.stream_measures import purity, running_accuracy


@pytest.fixture
def moons():
    """Points, true classes with two thirds unknown, given labels, and all true classes."""
    d = data.load("two_moons", n_samples=150, outliers=0)
    truth = np.where(np.arange(150) % 3 == 0, d.y, -1)
    return d.X, truth, labels.hide(truth, per_class=2, random_state=0), d.y


def test_hiding_labels_gives_known_ones_only(moons):
    _, truth, y, _ = moons
    assert (y >= 0).sum() == 4 and (y[y >= 0] == truth[y >= 0]).all()


def test_a_trial_counts_known_points_only(moons):
    X, truth, _, _ = moons
    found = trial(MethodSpec("LP", LabelPropagation, {}), X, truth, per_class=2, seed=0)
    y = labels.hide(truth, per_class=2, random_state=0)
    right = LabelPropagation().fit(X, y).transduction_ == truth
    assert found.accuracy == right[(y < 0) & (truth >= 0)].mean()
    assert max(label_counts(truth, 2)) < 25


def test_only_points_of_known_class_are_asked(moons):
    X, truth, y, _ = moons
    steps = list(questions(LabelPropagation().fit(X, y), truth, count=60))
    asked = [step.point for step in steps[1:]]
    assert sorted(asked) == np.flatnonzero((truth >= 0) & (y < 0)).tolist()
    nothing = np.where(y >= 0, y, -1)
    (only,) = questions(LabelPropagation().fit(X, y), nothing, count=5)
    assert np.nanargmax(only.help) in np.flatnonzero(y < 0)


def test_accuracies_of_queries_and_curves_count_known_points(moons):
    X, truth, y, _ = moons
    run = active_learning.query_run({}, X, y, truth, "at random", 3, 0)
    first = LabelPropagation().fit(X, y).transduction_ == truth
    counted = (y < 0) & (truth >= 0)
    assert active_learning.accuracies(run, y, truth)[0] == first[counted].mean()
    curve = parameter_curve("LabelPropagation", {}, "n_neighbors", (5,), X, y, truth)
    assert curve[0] == first[counted].mean()
    scores, _ = embedding_evaluation.one_nn_accuracies({}, X, y, truth)
    assert scores == {}


def test_the_true_accuracy_of_hubs_counts_known_points(moons):
    X, truth, y, _ = moons
    *_, last = RobustLabelPrediction(n_hubs=10).try_out(X, y, truth)
    grid = last.tuning
    model = RobustLabelPrediction(k_hub=grid.k_hub[0], n_hubs=grid.n_hubs[-1]).fit(X, y)
    right = (model.transduction_ == truth)[(y < 0) & (truth >= 0)]
    assert grid.scores[0, -1] == pytest.approx(right.mean())


def test_clusters_are_matched_by_known_points():
    cluster = np.array([0, 0, 1, 1, 1])
    assert match_clusters(cluster, np.array([1, -1, 0, -1, -1]), 2, 2, None).tolist() == [1, 0]


def test_running_accuracy_skips_unknown_points():
    right, known = np.array([1, 0, 1, 1], bool), np.array([1, 0, 0, 1], bool)
    assert running_accuracy(right, None, known).tolist() == [1, 1, 1, 1]
    late = running_accuracy(right, 2, known)
    assert late[:2].tolist() == [1, 1] and np.isnan(late[2]) and late[3] == 1
    assert np.allclose(running_accuracy(right, None), [1, 1 / 2, 2 / 3, 3 / 4])


def test_purity_skips_unknown_points():
    owners = np.array([0, 0, 0, 1, -1])
    assert purity(owners, np.array([0, 1, -1, 1, 0])) == 2 / 3


def test_reveal_gives_the_labels_of_a_split():
    y = np.array([0, 1, 2, 0])
    assert labels.reveal(y, np.array([1, 3])).tolist() == [-1, 1, -1, 0]
