"""The page "Active learning": its numbers are those of fits with the labels asked for."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened

from sslviz import LabelPropagation, data, labels
from sslviz.propagation.active_learning import questions

SMALL = {"data": "iris", "active_learning.count": "4"}


def test_the_numbers_are_those_of_a_fit_with_the_labels_asked_for():
    app = opened("active_learning", **SMALL)
    assert fine(app)
    iris = data.load("iris")
    y = labels.hide(iris.y, per_class=3, random_state=0)
    before = LabelPropagation().fit(iris.X, y)
    for step in list(questions(before, iris.y, count=4))[1:]:
        y[step.point] = iris.y[step.point]
    after = LabelPropagation().fit(iris.X, y)
    found = numbers(app)
    first = (before.transduction_ == iris.y)[labels.hide(iris.y, per_class=3, random_state=0) < 0]
    assert found["Accuracy before"] == f"{first.mean():.1%}"
    right = (after.transduction_ == iris.y)[y < 0].mean()
    assert found["After 4 queries"] == f"{right:.1%}"
    exec(app.code[-1].value, {})


@pytest.mark.parametrize(
    "url",
    [
        {"data": "two_moons", "two_moons.n_samples.few": "100", "labels": "50"},
        {"data": "swiss_roll", "swiss_roll.n_samples.few": "215"},
        {"LabelPropagation.n_neighbors": "1", "labels": "1", "active_learning.colour": "help"},
    ],
    ids=str,
)
def test_unusual_data_and_settings_are_shown(url):
    assert fine(opened("active_learning", **SMALL | url))


def test_the_labels_can_be_used_on_all_pages():
    app = opened("active_learning", **SMALL)
    app.button(key="open.take").click().run()
    assert fine(app)
    given = [m.value for m in app.markdown if "by hand" in m.value]
    assert given == [":small[4 labels by hand]"]
    iris = data.load("iris")
    held = app.session_state["by_hand.held"]
    (taken,) = held.values()
    assert all(iris.y[p] == c for p, c in taken.items()) and len(taken) == 4
    assert np.isfinite(list(taken)).all()
