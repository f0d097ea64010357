"""The methods of the family on their page, alone and in pairs."""

import re
from types import SimpleNamespace

import pytest
from pages.opening import fine, numbers, opened

import sslviz
from sslviz import data, labels
from sslviz.recordings.tasks import TaskRun
from sslviz.snippet import Setting
from sslviz.ui.propagation.outlier_curves import OUTLIER_SHARES, curves_of, outlier_tasks

FAMILY = [m for m in sslviz.METHODS if m.family == "propagation"]


@pytest.mark.parametrize("Method", FAMILY)
def test_every_method_can_be_chosen_and_a_point_clicked(Method):
    app = opened("propagation", method=Method.title)
    assert fine(app)
    app.session_state["clicked.point"] = 5
    app.run()
    assert fine(app) and any("oint 5" in s.value for s in app.subheader)
    assert f"{Method.__name__}(" in app.code[-1].value


@pytest.mark.parametrize("Method", FAMILY)
def test_every_method_can_be_the_second(Method):
    app = opened("propagation", versus=Method.title)
    assert fine(app)
    table = app.dataframe[0].value
    first = sslviz.LabelPropagation
    dataset = data.load("two_moons", n_samples=316)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    for row, kind in enumerate((first, Method)):
        found = (kind().fit(dataset.X, y).transduction_ == dataset.y)[y < 0].mean()
        assert table["accuracy"][row] == f"{found:.1%}"


def test_the_second_has_parameters_of_its_own():
    app = opened(
        "propagation",
        versus="Label propagation",
        **{"versus.LabelPropagation.n_neighbors": "30", "LabelPropagation.n_neighbors": "4"},
    )
    assert fine(app)
    titles = list(app.dataframe[0].value["method"])
    assert titles == ["Label propagation, k = 4", "Label propagation, k = 30"]


def test_points_on_which_two_differ_are_counted():
    app = opened("propagation", versus="Label spreading")
    dataset = data.load("two_moons", n_samples=316)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    a, b = (
        getattr(sslviz, m)().fit(dataset.X, y).transduction_
        for m in ("LabelPropagation", "LabelSpreading")
    )
    text = " ".join(m.value for m in app.markdown)
    apart = int(re.search(r"They differ on \*\*(\d+)\*\*", text)[1])
    assert apart == ((a != b) & (y < 0)).sum() > 0


@pytest.mark.parametrize("edges", ["undirected", "directed"])
def test_basins_come_with_the_effective_absorbers_of_both_graphs(edges):
    app = opened("propagation", colour="basin", **{"LabelPropagation.graph": edges})
    assert fine(app)
    text = next(c.value for c in app.caption if "effective absorbers" in c.value)
    assert "undirected" in text and " directed" in text
    app.session_state["clicked.point"] = 0
    app.run()
    assert fine(app)


def test_basins_are_offered_for_random_walks_only():
    app = opened("propagation", method="Geodesic kNN", colour="basin")
    assert fine(app)
    assert not any("effective absorbers" in c.value for c in app.caption)


def test_components_without_a_label_are_explained():
    app = opened("propagation", **{"LabelPropagation.n_neighbors": "2"})
    assert fine(app)
    undetermined = float(numbers(app)["Undetermined"].rstrip("%")) / 100
    count = int(re.search(r"\*\*(\d+) points\*\*", app.info[0].value)[1])
    assert count == round(316 * undetermined) and "separate parts of the graph" in app.info[0].value


def test_accuracy_without_outliers_leaves_them_out():
    app = opened("propagation", method="Label spreading", **{"two_moons.outliers": "0.2"})
    dataset = data.load("two_moons", n_samples=316, outliers=0.2)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    right = sslviz.LabelSpreading().fit(dataset.X, y).transduction_ == dataset.y
    counted = (y < 0) & ~dataset.splits["outliers"]
    assert numbers(app)["Without outliers"] == f"{right[counted].mean():.1%}"


def test_more_outliers_can_be_tried_on_sets_that_have_them():
    app = opened("propagation", outlier_curves="true", versus="Robust label prediction")
    assert fine(app)
    assert any("how outliers affect the prediction" in c.value for c in app.caption)
    app = opened("propagation", data="iris", outlier_curves="true")
    assert fine(app) and "Effect of outliers" not in {s.value for s in app.subheader}


@pytest.mark.parametrize(
    "url",
    [
        {"data": "swiss_roll", "swiss_roll.n_samples": "316", "versus": "Geodesic kNN"},
        {"data": "digits", "digits.n_samples": "274", "colour": "basin", "dimensions": "3"},
        {"data": "iris", "labels": "1", "method": "Minimum cut", "versus": "Geodesic kNN"},
        {"data": "iris", "labels": "50", "versus": "Robust label prediction"},
        {"colour": "winner", "mistakes": "true", "versus": "Minimum cut"},
    ],
)
def test_pairs_run_on_other_data(url):
    assert fine(opened("propagation", **url))


def test_outlier_curves_use_the_labels_by_hand():
    dataset = data.load("two_moons", n_samples=316)
    lies = tuple((i, 1 - int(c)) for i, c in enumerate(dataset.y[:20]))
    setting = Setting("two_moons", {"n_samples": 316}, 3, 0, lies)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    y[:20] = 1 - dataset.y[:20]
    found = sslviz.LabelPropagation().fit(dataset.X, y).transduction_ == dataset.y
    model = {"it": sslviz.LabelPropagation()}
    run = TaskRun("Fitting", outlier_tasks(SimpleNamespace(setting=setting), model))
    run.finish()
    curve = curves_of(run)["it"]
    now = found[(y < 0) & ~dataset.splits["outliers"]].mean()
    assert curve[OUTLIER_SHARES.index(0.05)] == pytest.approx(now)


def test_with_linear_weights_no_width_is_asked_for():
    small = {"two_moons.n_samples": "215"}
    app = opened("propagation", **small)
    assert any(s.key == "LabelPropagation.sigma" for s in app.select_slider)
    app = opened("propagation", **small, **{"LabelPropagation.weights": "linear"})
    assert fine(app) and not any(s.key == "LabelPropagation.sigma" for s in app.select_slider)
    assert "weights='linear'" in app.code[-1].value
