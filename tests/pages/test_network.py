"""The page "Networks": every method, its twin, training, stopping and continuing."""

import re

import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz.ui.network.sidebar import methods
from sslviz.ui.runs import run_store

TITLES = {method.__name__: title for title, method in methods().items()}
TRAIN = {"network.train": "true"}
TWIN = "Without unlabelled points"


@pytest.fixture(autouse=True)
def whole_trainings(monkeypatch):
    """A training is finished before the first picture: a test has no browser to ask for more."""
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)
    run_store.clear()


def shown(name: str, **url: str) -> AppTest:
    small = {f"{name}.epochs": "3", "two_moons.n_samples.few": "147", "ConvNet.layout": "usps"}
    return opened("network", **small | {"network.method": TITLES[name]} | url)


def text(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


@pytest.mark.parametrize("name", TITLES)
def test_every_method_learns_and_its_code_prints_the_same_accuracy(name, capsys):
    app = shown(name, **TRAIN)
    found = numbers(app)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    assert {"1-NN", "Label propagation"} <= set(found) and (TWIN in found) == (name != "ConvNet")
    assert "**Play** replays" in text(app) and "The background is the prediction" in text(app)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == found["Accuracy"]


def test_a_link_without_training_waits_for_start():
    app = shown("VATClassifier")
    assert fine(app) and numbers(app)["Accuracy"] == numbers(app)[TWIN] == "–"
    assert "Press **Start**" in text(app)
    next(b for b in app.button if b.label == "Start").click().run()
    assert fine(app) and "%" in numbers(app)["Accuracy"] and "%" in numbers(app)[TWIN]


def test_without_unlabelled_terms_there_is_no_twin():
    off = {"VATClassifier.perturbation": "none", "VATClassifier.entropy": "0.0"}
    app = shown("VATClassifier", **TRAIN, **off)
    assert fine(app) and TWIN not in numbers(app)
    assert not any(w.key == "VATClassifier.alpha" for w in app.select_slider), "it has no effect"


def test_a_stopped_training_has_code_that_stops_there(monkeypatch, capsys):
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 1e-9)
    app = shown("LadderNetwork", **TRAIN, **{"LadderNetwork.epochs": "300"})
    run = next(iter(run_store()._runs.values()))
    while not run.taken:
        run.go_on(1e-9).result()
    next(b for b in app.button if b.label == "Stop here").click().run()
    assert fine(app) and any(b.label == "Continue" for b in app.button)
    assert re.search(r"run.advance\(\d+\)", app.code[-1].value)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_images_show_the_inside_of_the_network():
    few = {"data": "digits", "digits.n_samples.few": "210", **TRAIN}
    app = shown("LadderNetwork", **few, **{"network.colour": "mix"}, mistakes="true")
    assert fine(app) and "**rebuilt** by the decoder" in text(app)
    assert "projection of 64 features" in text(app)
    app = shown("ConvNet", **few, **{"ConvNet.epochs": "1"})
    assert fine(app) and "The filters of the first convolution" in text(app)
    assert "image_shape=(8, 8)" in app.code[-1].value
    app = shown("VATClassifier", **few, **{"VATClassifier.epochs": "1"})
    assert fine(app) and "the images whose predictions change most" in text(app)


def test_a_look_trains_nothing():
    app = shown("VATClassifier", **TRAIN)
    runs = dict(run_store()._runs)
    app.toggle(key="mistakes").set_value(True).run()
    app.select_slider(key="network.xi").set_value(1000.0).run()
    assert fine(app) and dict(run_store()._runs) == runs
    app.slider(key="network.seed").set_value(3).run()
    assert fine(app) and len(run_store()._runs) == 2


def test_a_baseline_that_wins_is_named():
    app = shown("LadderNetwork", **TRAIN, **{"LadderNetwork.epochs": "1"})
    found = numbers(app)
    assert float(found["Label propagation"].rstrip("%")) > float(found["Accuracy"].rstrip("%")) + 2
    assert any("Label propagation" in i.value and "without training" in i.value for i in app.info)


def test_all_labels_given_leaves_nothing_to_predict():
    method = sslviz.VATClassifier.option()
    app = opened("network", data="iris", labels="50", **{"network.method": method})
    assert not app.exception and "Every label is given" in app.info[0].value
