"""The code a page shows reproduces what the page shows."""

from typing import Any

import numpy as np
import pytest

from sslviz import METHODS, LabelPropagation, LabelSpreading, data
from sslviz.labels import hide
from sslviz.memo import Memo
from sslviz.snippet import Setting, model_snippet

OPTIONS: dict[str, Any] = {"n_samples": 150, "noise": 0.1, "random_state": 3}


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(code, names)
    return names


@pytest.mark.parametrize(
    "model",
    [
        LabelPropagation(),
        LabelPropagation(3, sigma="0.5 mean", graph="directed", class_mass=True),
        LabelPropagation(n_neighbors=np.int64(7), sigma=np.float64(0.3)),
        LabelSpreading(alpha=0.5, max_iter=5, memory=Memo()),
    ],
    ids=str,
)
def test_running_it_gives_the_same_answers(model: Any, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(model_snippet(model, Setting("two_moons", OPTIONS, 2, 5)))
    d = data.load("two_moons", **OPTIONS)
    y = hide(d.y, per_class=2, random_state=5)
    model.fit(d.X, y)
    np.testing.assert_array_equal(names["model"].transduction_, model.transduction_)
    assert type(names["model"]) is type(model)
    right = (model.transduction_ == d.y)[y == -1].mean()
    assert float(capsys.readouterr().out) == right


@pytest.mark.parametrize("Method", METHODS)
def test_defaults_are_not_repeated(Method: type) -> None:
    code = model_snippet(Method(), Setting("iris", {}, 1, 0))
    assert f"model = {Method.__name__}().fit(dataset.X, y)" in code
    assert "data.load('iris')" in code


def test_what_was_changed_is_all_that_is_said() -> None:
    code = model_snippet(LabelSpreading(alpha=0.25, memory=Memo()), Setting("iris", {}, 1, 0))
    assert "LabelSpreading(alpha=0.25)" in code and "memory" not in code
    assert all(len(line) <= 100 for line in code.splitlines())


def test_labels_by_hand_are_put_on_those_drawn() -> None:
    setting = Setting("two_moons", OPTIONS, 2, 5, ((3, 1), (7, 0), (11, -1)))
    assert setting.lines()[2:] == ["y[[3, 7, 11]] = [1, 0, -1]"]
    names = run(model_snippet(LabelPropagation(), setting))
    y = hide(data.load("two_moons", **OPTIONS).y, per_class=2, random_state=5)
    y[[3, 7, 11]] = [1, 0, -1]
    np.testing.assert_array_equal(names["y"], y)


def test_many_labels_by_hand_are_still_read() -> None:
    many = tuple((i, -1 if i % 2 else 1) for i in range(100))
    code = model_snippet(LabelPropagation(), Setting("two_moons", OPTIONS, 60, 0, many))
    assert all(len(line) <= 100 for line in code.splitlines())
    np.testing.assert_array_equal(run(code)["y"][:100], [1, -1] * 50)


def test_without_labels_none_are_hidden() -> None:
    assert Setting("iris", {}, 0, 0).lines() == ["dataset = data.load('iris')"]
