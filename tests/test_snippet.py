"""The code that a page shows reproduces the numbers of the page."""

from typing import Any

import numpy as np
import pytest

from sslviz import METHODS, SEDC, SSDLGA, LabelPropagation, LabelSpreading, OnlineQLP, data
from sslviz.data.drift import turning_moons
from sslviz.data.preprocess import prepared
from sslviz.labels import hide
from sslviz.memo import Memo
from sslviz.metrics import clustering_accuracy
from sslviz.snippet import (
    Setting,
    clustering_snippet,
    dictionary_snippet,
    model_snippet,
    stream_snippet,
)

OPTIONS: dict[str, Any] = {"n_samples": 150, "noise": 0.1, "random_state": 3}
MOONS = Setting("two_moons", OPTIONS, 2, 5)
IRIS = Setting("iris", {}, 1, 0)


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
def test_the_code_of_a_model_gives_its_labels_and_prints_its_accuracy(model, capsys):
    names = run(model_snippet(model, MOONS))
    d = data.load("two_moons", **OPTIONS)
    y = hide(d.y, per_class=2, random_state=5)
    model.fit(d.X, y)
    np.testing.assert_array_equal(names["model"].transduction_, model.transduction_)
    assert type(names["model"]) is type(model)
    assert float(capsys.readouterr().out) == (model.transduction_ == d.y)[y == -1].mean()


@pytest.mark.parametrize("iterations", [None, 3])
def test_the_code_of_a_clustering_stops_where_training_stopped(iterations, capsys):
    model = SEDC(2, hidden=(8,), epochs=1, n_hubs=20, random_state=0)
    run(clustering_snippet(model, MOONS._replace(per_class=0), iterations))
    d = data.load("two_moons", **OPTIONS)
    if iterations is None:
        model.fit(d.X)
    else:
        training = model.training(d.X)
        training.advance(iterations)
        model.settle(training)
    assert float(capsys.readouterr().out) == clustering_accuracy(d.y, model.labels_)


@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_the_code_of_a_dictionary_continues_from_fit_to_fit(noise, capsys):
    setting, steps = Setting("digits", {"n_samples": 100}, 2, 1), ("length 5",)
    path = ({"n_atoms": 20, "lam": 0.3, "max_iter": 3}, {"n_atoms": 20, "lam": 1.0, "max_iter": 2})
    code = dictionary_snippet(SSDLGA, path, setting, steps, noise)
    assert "SSDLGA(n_atoms=20, max_iter=3)" in code
    assert "set_params(lam=1.0, max_iter=2, warm_start=True)" in code
    run(code)
    d = data.load("digits", n_samples=100)
    X, y = prepared(d.X.astype(float), steps), hide(d.y, per_class=2, random_state=1)
    if noise:
        X = X + noise * np.square(X).mean() * np.random.default_rng(0).normal(size=X.shape)
    model = SSDLGA(**path[0]).fit(X, y).set_params(**path[1], warm_start=True).fit(X, y)
    assert float(capsys.readouterr().out) == (model.transduction_ == d.y)[y < 0].mean()


@pytest.mark.parametrize("every", [0, 10])
def test_the_code_of_a_stream_labels_every_so_many_arrivals(every, capsys):
    source = [
        "from sslviz.data.drift import turning_moons",
        "dataset = turning_moons(n_samples=120)",
        "rows, known = np.arange(120), 20",
    ]
    model = OnlineQLP(capacity=10)
    run(stream_snippet(model, source, 2, every, 0, 60))
    d = turning_moons(n_samples=120)
    y = np.where(np.arange(120) < 20, d.y, -1)
    model.partial_fit(d.X[:30], y[:30], classes=[0, 1])
    right = []
    for i, (x, label) in enumerate(zip(d.X[30:90], d.y[30:90], strict=True), 1):
        labelled = every and i % every == 0
        answer = model.predict([x])[0] if labelled else model.observe(x)
        right.append(answer == label)
        if labelled:
            model.partial_fit([x], [label])
    assert float(capsys.readouterr().out) == np.mean(right)


@pytest.mark.parametrize("Method", METHODS)
def test_defaults_are_not_repeated(Method):
    code = model_snippet(Method(), IRIS)
    assert f"model = {Method.__name__}().fit(dataset.X, y)" in code
    assert "data.load('iris')" in code


def test_only_changed_parameters_are_written_and_never_the_memory():
    code = model_snippet(LabelSpreading(alpha=0.25, memory=Memo()), IRIS)
    assert "LabelSpreading(alpha=0.25)" in code and "memory" not in code
    assert all(len(line) <= 100 for line in code.splitlines())


@pytest.mark.parametrize("count", [3, 100])
def test_labels_by_hand_replace_drawn_labels(count):
    by_hand = tuple((i, -1 if i % 2 else 1) for i in range(count))
    code = model_snippet(LabelPropagation(), MOONS._replace(per_class=40, by_hand=by_hand))
    assert all(len(line) <= 100 for line in code.splitlines())
    y = hide(data.load("two_moons", **OPTIONS).y, per_class=40, random_state=5)
    y[:count] = [given for _, given in by_hand]
    np.testing.assert_array_equal(run(code)["y"], y)


def test_without_labels_none_are_hidden():
    assert IRIS._replace(per_class=0).lines() == ["dataset = data.load('iris')"]
