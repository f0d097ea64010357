"""The page "Compare": its numbers are those of the methods alone."""

import re

import numpy as np
import pytest
from pages.opening import fine, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels
from sslviz.experiments.comparison import MethodSpec, trial
from sslviz.ui.compare.sidebar import FAMILIES

SMALL = {"two_moons.n_samples.few": "215", "compare.draws": "2"}
SUMMARY, POINT = 0, -1  # tables of the page
EVERYONE = [m for m in sslviz.METHODS if m.family in FAMILIES]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """The whole comparison before the first picture, however busy the machine is."""
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)


@pytest.fixture
def one_size(monkeypatch):
    """No learning curve."""
    monkeypatch.setattr("sslviz.experiments.comparison.LABELS_PER_CLASS", ())


def text(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


def test_means_are_those_of_the_trials_and_the_code_prints_them(capsys):
    app = opened("compare", **SMALL)
    assert fine(app)
    table = app.dataframe[SUMMARY].value
    dataset = data.load("two_moons", n_samples=215)
    for name, method in (("1-NN", None), ("LapRLS", sslviz.LapRLS)):
        found = [
            trial(
                MethodSpec(name, method, {}), dataset.X, dataset.y, per_class=3, seed=seed
            ).accuracy
            for seed in range(2)
        ]
        row = table[table["method"] == name].iloc[0]
        assert row["mean"] == pytest.approx(100 * np.mean(found))
        assert row["±"] == pytest.approx(100 * np.std(found, ddof=1))
    assert list(table["mean"]) == sorted(table["mean"], reverse=True)
    assert (
        f"**{table['method'][0]}** has the highest mean accuracy, {table['mean'][0]:.1f}%"
        in text(app)
    )
    exec(app.code[-1].value, {})
    printed = dict(re.findall(r"(.+?) +(\d\.\d+)\n", capsys.readouterr().out))
    for _, row in table.iterrows():
        assert float(printed[row["method"]]) == pytest.approx(row["mean"] / 100, abs=6e-4)


def test_every_method_may_take_part(one_size, monkeypatch):
    monkeypatch.setattr("sslviz.ui.compare.sidebar.MAX_METHODS", len(EVERYONE))
    url = {"data": "iris", "labels": "4", "compare.draws": "2"}
    app = opened("compare", **url, **{"compare.methods": [m.title for m in EVERYONE]})
    assert fine(app)
    assert set(app.dataframe[SUMMARY].value["method"]) == {
        "1-NN",
        *(m.short_title() for m in EVERYONE),
    }
    assert not app.warning, [w.value for w in app.warning]


def test_every_method_predicts_the_clicked_point(one_size):
    app = opened("compare", **SMALL, point="5")
    assert fine(app) and "Point 5" in [s.value for s in app.subheader]
    dataset = data.load("two_moons", n_samples=215)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    predicted = sslviz.LabelPropagation().fit(dataset.X, y).transduction_[5]
    rows = app.dataframe[POINT].value.set_index("method")
    assert rows.loc["Label propagation", "predicts"] == dataset.classes[predicted]


def test_a_point_on_which_methods_differ_is_shown_before_any_click(one_size):
    app = opened("compare", **SMALL | {"compare.methods": "Label propagation"}, data="iris")
    assert fine(app) and "differ most on this point" in text(app)
    assert len(set(app.dataframe[POINT].value["predicts"])) == 2


def test_the_settings_of_the_methods_are_folded_away():
    app = opened("compare", **SMALL)
    folded = [e for e in app.sidebar.expander if e.label == "Settings of the methods"]
    assert fine(app) and len(folded) == 1
    outside = len(app.sidebar.slider) - len(folded[0].slider)
    assert len(folded[0].slider) > 5 and outside < 8


@pytest.mark.parametrize(
    "url",
    [
        {"compare.methods": ""},
        {"compare.methods": "Nothing of the kind"},
        {"data": "swiss_roll", "swiss_roll.n_samples.few": "215"},
        {"data": "digits", "digits.n_samples.few": "274", "dimensions": "3", "labels": "1"},
        {"labels": "50"},
        {"compare.draws": "1000"},
    ],
    ids=str,
)
def test_unusual_links_and_data_are_shown(url, one_size):
    app = opened("compare", **SMALL | {"compare.methods": "Label propagation"} | url)
    assert fine(app)
    assert len(app.dataframe[SUMMARY].value) >= 1


def test_a_winning_baseline_is_named(one_size):
    url = {"data": "iris", "labels": "20", "compare.methods": "Gaussian mixture"}
    app = opened("compare", **SMALL | url | {"SemiSupervisedGMM.floor": "10.0"})
    assert fine(app)
    assert app.dataframe[SUMMARY].value["method"][0] == "1-NN"
    assert "no method gains" in text(app)


def test_a_kernel_of_many_points_is_made_on_demand(monkeypatch):
    monkeypatch.setattr("sslviz.ui.cost_warning.PAIRS_UNASKED", 100)
    app = opened("compare", **SMALL)
    assert "all pairs" in app.warning[0].value and not app.dataframe
