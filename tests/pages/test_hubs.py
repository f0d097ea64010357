"""The page of hubs: its numbers are those of the method, and every option works."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened

from sslviz import RobustLabelPrediction, data, labels


def moons(n: int = 316, **options: float) -> tuple:
    dataset = data.load("two_moons", n_samples=n, **options)
    return dataset, labels.hide(dataset.y, per_class=3, random_state=0)


@pytest.mark.parametrize(
    "url",
    [
        {"hubs.show": "1 · hubs"},
        {"hubs.show": "2 · labels", "RobustLabelPrediction.graph": "directed"},
        {"hubs.show": "3 · votes", "mistakes": "true"},
        {"hubs.h": "0"},
        {"hubs.h": "310"},
        {"RobustLabelPrediction.k_hub": "20", "RobustLabelPrediction.n_votes": "1"},
        {"labels": "1"},
        {"data": "swiss_roll", "swiss_roll.n_samples": "316"},
        {"data": "digits", "digits.n_samples": "274", "dimensions": "3"},
        {"data": "iris", "labels": "49"},
        {"hubs.grid": "true"},
    ],
)
def test_every_option_runs(url):
    assert fine(opened("hubs", **url))


def test_the_numbers_are_those_of_the_method(folder):
    app = opened("hubs", **{"hubs.h": "100", "RobustLabelPrediction.k_hub": "7"})
    dataset, y = moons()
    model = RobustLabelPrediction(n_hubs=100, k_hub=7).fit(dataset.X, y)
    found = (model.transduction_ == dataset.y)[y < 0].mean()
    shown = numbers(app)
    assert shown["Robust label prediction"] == f"{found:.1%}"
    outliers = dataset.splits["outliers"]
    assert shown["Outliers among the hubs"] == f"{outliers[model.hubs_].sum()} of {outliers.sum()}"
    unreached = (~model.hub_distributions_.any(axis=1)).sum()
    assert shown.get("Hubs no label reaches", "0") == str(unreached)


def test_without_hubs_only_given_labels_vote():
    shown = numbers(opened("hubs", **{"hubs.h": "0"}))
    assert shown["Robust label prediction"] == shown["Without hubs"]


def test_moving_h_keeps_the_neighbours_and_the_graph(nothing_remembered):
    app = opened("hubs")
    app.slider(key="hubs.h").set_value(120).run()
    text = " ".join(m.value for m in app.markdown)
    assert fine(app)
    assert "neighbours · reused" in text and "graph · reused" in text
    assert "shortest paths · reused" not in text


def test_moving_the_links_keeps_the_shortest_paths(nothing_remembered):
    app = opened("hubs", **{"two_moons.n_samples": "562"})
    app.slider(key="RobustLabelPrediction.k_hub").set_value(9).run()
    text = " ".join(m.value for m in app.markdown)
    assert fine(app) and "shortest paths · reused" in text


def test_the_choice_of_cross_validation_can_be_used():
    app = opened("hubs", **{"hubs.grid": "true"})
    dataset, y = moons()
    *_, last = RobustLabelPrediction().tune(dataset.X, y)
    k_hub, n_hubs = last.tuning.best
    assert any(f"**{n_hubs} hubs** with **{k_hub} links**" in m.value for m in app.markdown)
    next(b for b in app.button if b.label == "Use this setting").click().run()
    assert fine(app)
    assert app.slider(key="hubs.h").value == n_hubs
    assert app.slider(key="RobustLabelPrediction.k_hub").value == k_hub


def test_a_clicked_point_is_explained_and_forgotten_with_its_data():
    app = opened("hubs")
    app.session_state["clicked.point"] = 5
    app.run()
    assert fine(app) and any("oint 5" in s.value for s in app.subheader)
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and not any("oint 5" in s.value for s in app.subheader)


def test_the_code_of_the_picture_reproduces_its_accuracy(capsys):
    app = opened("hubs", **{"hubs.h": "77", "labels": "2"})
    exec(app.code[-1].value, {})
    shown = numbers(app)["Robust label prediction"]
    assert f"{float(capsys.readouterr().out):.1%}" == shown


def test_all_labels_given_leaves_nothing_to_predict():
    app = opened("hubs", data="iris", labels="50")
    assert fine(app) and "Every label is given" in app.info[0].value


def test_a_component_without_a_label_is_explained(folder):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(40, 2)) + c for c in ([0, 0], [50, 0], [0, 50])])
    np.savez(folder / "archipelago.npz", X=X, y=np.repeat([0, 1, 1], 40))
    app = opened("hubs", data="archipelago", labels="1")
    assert fine(app)
    assert "**40 points** are in a separate part of the graph" in app.info[0].value


def test_more_hubs_than_a_smaller_set_has_points_go_back_to_the_default():
    app = opened("hubs", **{"hubs.h": "300"})
    assert app.slider(key="hubs.h").value == 300
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and app.slider(key="hubs.h").value == round(0.3 * 141)
    app.slider(key="labels").set_value(20).run()
    assert fine(app) and app.slider(key="hubs.h").max == 90
