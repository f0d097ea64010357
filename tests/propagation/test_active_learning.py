"""Labels asked for one by one: closed forms against fits from scratch, and what is asked first."""

import numpy as np
import pytest

from sslviz import LabelPropagation, data
from sslviz.graph.components import islands
from sslviz.labels import hide
from sslviz.propagation.active_learning import STRATEGIES, IncrementalPropagation, questions


def problem(name: str, n: int, seed: int = 0) -> tuple:
    d = data.load(name, n_samples=n, random_state=0)
    return d.X, d.y, hide(d.y, per_class=1, random_state=seed)


def fitted(X, y) -> LabelPropagation:
    return LabelPropagation(n_neighbors=5).fit(X, y)


@pytest.mark.parametrize("name", ["two_moons", "three_rings", "four_clusters"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_answer_is_that_of_a_fit_with_the_labels_so_far(name, strategy):
    X, truth, y = problem(name, 120)
    for step in questions(fitted(X, y), truth, strategy, 8, random_state=3):
        if step.point >= 0:
            assert y[step.point] == -1
            y[step.point] = truth[step.point]
        again = fitted(X, y)
        np.testing.assert_allclose(step.F, again.label_distributions_, atol=1e-9)
        wrong = (1 - again.label_distributions_.max(axis=1))[y == -1].sum()
        assert step.risk == pytest.approx(wrong, abs=1e-9)
        np.testing.assert_array_equal(np.isnan(step.help), y != -1)
        # A label can only help in expectation: f is the mean of f⁺, and the risk is concave.
        assert np.nanmin(step.help) >= -1e-9


def test_the_expected_help_is_that_of_fitting_every_label_of_every_point():
    X, _, y = problem("three_rings", 60)
    model = fitted(X, y)
    classes = model.classes_

    def risk(labels) -> float:
        F = fitted(X, labels).label_distributions_
        return float((1 - F.max(axis=1))[labels == -1].sum())

    F, now = model.label_distributions_, risk(y)
    first = next(questions(model, problem("three_rings", 60)[1]))
    for k in np.flatnonzero(y == -1):
        left = 0.0
        for c, share in zip(classes, F[k], strict=True):
            labels = y.copy()
            labels[k] = c
            left += share * risk(labels)
        if F[k].sum() > 0:
            assert first.help[k] == pytest.approx(now - left, abs=1e-9)


def test_an_island_without_a_label_counts_as_all_of_its_points():
    X = np.concatenate([np.linspace(0, 1, 12), np.linspace(100, 101, 9), np.linspace(300, 301, 7)])
    truth = np.repeat([0, 1, 0], [12, 9, 7])
    y = np.full(28, -1)
    y[[0, 11]] = 0, 1
    first, second = list(questions(LabelPropagation(2).fit(X[:, None], y), truth, count=1))
    assert set(first.help[12:21]) == {9.0} and set(first.help[21:]) == {7.0}
    assert second.point == 12 and (second.F[12:21, 1] == 1).all()


def test_hitting_chances_are_those_of_the_walk():
    X, _, y = problem("two_moons", 50)
    model = fitted(X, y)
    P, known = model._P.toarray(), y != -1
    walks = IncrementalPropagation(P, model.label_distributions_, known, islands(model._P))
    at = np.flatnonzero(walks.reached)
    k = at[3]
    hits = np.zeros(len(X))
    hits[k] = 1.0
    for _ in range(20_000):  # from i to k before any label
        hits = np.where(known, 0.0, P @ hits)
        hits[k] = 1.0
    np.testing.assert_allclose(walks.N[at, k] / walks.N[k, k], hits[at], atol=1e-6)


def test_it_ends_when_nothing_is_left_to_ask_and_any_class_names_do():
    X, truth, y = problem("two_moons", 12)
    names = np.array([7, -5])
    y = np.where(y == -1, -1, names[y])
    steps = list(questions(fitted_few(X, y), names[truth], count=99))
    assert len(steps) == (y == -1).sum() + 1
    assert steps[-1].risk == 0 and np.isnan(steps[-1].help).all()


def fitted_few(X, y) -> LabelPropagation:
    return LabelPropagation(n_neighbors=3).fit(X, y)


@pytest.mark.parametrize(
    ("model", "strategy", "words"),
    [
        (LabelPropagation(), "best", "strategy='best'"),
        (LabelPropagation(graph="directed"), "expected risk", "undirected"),
    ],
)
def test_what_cannot_be_asked_is_said(model, strategy, words):
    X, truth, y = problem("two_moons", 40)
    with pytest.raises(ValueError, match=words):
        next(questions(model.fit(X, y), truth, strategy))


def test_an_answer_must_be_a_class_of_the_labels():
    X, truth, y = problem("two_moons", 40)
    with pytest.raises(ValueError, match="no given label"):
        next(questions(fitted(X, y), np.where(y == -1, 9, truth)))
