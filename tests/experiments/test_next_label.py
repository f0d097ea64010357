"""The next point to label: each rule finds what it promises."""

import numpy as np
import pytest

from sslviz import LabelPropagation, data, labels
from sslviz.experiments.next_label import RULES, next_label


@pytest.fixture(scope="module")
def problem():
    moons = data.load("two_moons", n_samples=150, random_state=0)
    return moons.X, labels.hide(moons.y, per_class=2, random_state=0)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_names_an_unlabelled_point_with_its_reason(problem, rule):
    X, y = problem
    found = next_label(X, y, rule)
    assert y[found.point] == -1 and found.reason.endswith(".")


def test_each_rule_finds_its_extreme(problem):
    X, y = problem
    F = LabelPropagation().fit(X, y).label_distributions_
    gap = np.abs(F[:, 0] - F[:, 1]) + 9 * (y >= 0)
    assert next_label(X, y, "smallest margin").point == gap.argmin()
    D = np.linalg.norm(X[:, None] - X[None], axis=2) + 1e9 * np.eye(len(X))
    order = np.argsort(D, axis=1, kind="stable")[:, :10]
    listed = np.bincount(order.ravel(), minlength=len(X)) - 1e9 * (y >= 0)
    assert next_label(X, y, "largest hub").point == listed.argmax()
    mean = np.take_along_axis(D, order, axis=1).mean(axis=1)
    mean[(y[order] >= 0).any(axis=1) | (y >= 0)] = np.inf
    assert next_label(X, y, "densest region").point == mean.argmin()


def test_what_cannot_be_answered_is_said(problem):
    X, _ = problem
    with pytest.raises(ValueError, match="every point"):
        next_label(X, np.zeros(len(X), int), "largest hub")
    many = np.random.default_rng(0).normal(size=(3100, 2))
    y = np.full(3100, -1)
    y[:2] = 0, 1
    with pytest.raises(ValueError, match="at most 3,000"):
        next_label(many, y, "expected risk")
