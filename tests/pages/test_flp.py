"""The page of FLP: what it counts is what the method says, and every choice can be made."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz import FLP, data, labels

WINE = {"data": "wine", "wine.standardise": "true", "labels": "2"}
ALL_GIVEN = {"data": "iris", "labels": "50"}


def wine() -> tuple:
    dataset = data.load("wine", standardise=True)
    return dataset.X, labels.hide(dataset.y, per_class=2, random_state=0), dataset.y


def share(model: FLP) -> str:
    X, y, truth = wine()
    return f"{(model.fit(X, y).transduction_ == truth)[y < 0].mean():.1%}"


def said(app: AppTest) -> str:
    return " ".join(element.value for kind in ("markdown", "caption", "info", "warning")
                    for element in getattr(app, kind))  # fmt: skip


@pytest.mark.parametrize(
    "url",
    [
        {},
        {"FLP.mode": "fixed", "mistakes": "true"},
        {"FLP.mode": "printed", "flp.start": "3", "flp.part": "The width"},
        {"FLP.n_components": "2", "flp.part": "The width"},
        {"FLP.n_components": "7", "flp.part": "Dimensions"},
        {"labels": "1", "flp.part": "Dimensions", "FLP.outer": "1"},
        {"data": "swiss_roll", "swiss_roll.n_samples": "316", "flp.part": "Directions"},
        {"data": "digits", "digits.n_samples": "274", "flp.drawn": "space"},
        {"data": "digits", "digits.n_samples": "274", "flp.part": "Directions"},
        ALL_GIVEN | {"FLP.mode": "fixed"},
        ALL_GIVEN | {"flp.data.many": "true"},
        WINE | {"flp.part": "Dimensions"},
    ],
    ids=str,
)
def test_every_choice_can_be_made(url):
    app = opened("flp", **url)
    assert fine(app)
    assert app.title[0].value == "FLP"


def test_the_numbers_are_the_methods():
    app = opened("flp", **WINE)
    now = numbers(app)
    assert now["Accuracy"] == share(FLP())
    assert now["Projection fixed"] == share(FLP(mode="fixed"))
    assert now["Without influence"] == "0.0%"
    X, y, _ = wine()
    H = FLP().fit(X, y).harmony_
    assert now["Objective H"] == f"{H[0]:.2g} → {H[-1]:.2g}"


def test_as_printed_harmony_is_perfect_and_labels_are_worthless():
    app = opened("flp", **WINE | {"FLP.mode": "printed"})
    assert fine(app)
    assert numbers(app)["Accuracy"] == share(FLP(mode="printed", random_state=0))
    assert numbers(app)["Projection learnt"] == share(FLP())
    assert float(numbers(app)["Without influence"].rstrip("%")) > 80
    assert "A perfect objective, worthless labels" in app.warning[0].value


def test_moving_the_width_moves_the_answer_and_keeps_what_it_can(nothing_remembered):
    app = opened("flp", **WINE)
    app.select_slider(key="FLP.width").set_value(100.0).run()
    assert fine(app)
    assert numbers(app)["Accuracy"] == share(FLP(width=100.0))
    assert float(numbers(app)["Without influence"].rstrip("%")) > 50
    assert "PCA · reused" in said(app) and "half-steps · reused" not in said(app)
    app.select_slider(key="FLP.width").set_value(3.0).run()
    assert "half-steps · reused" in said(app)


def test_a_printed_start_is_remembered(nothing_remembered):
    app = opened("flp", **WINE | {"FLP.mode": "printed", "flp.start": "5"})
    app.toggle(key="mistakes").set_value(True).run()
    assert fine(app) and "half-steps · reused" in said(app)


def test_units_that_decide_are_named_and_can_be_taken_away():
    app = opened("flp", data="wine")
    assert "times the standard deviation" in app.info[0].value
    app.button(key="open.scale").click().run()
    assert fine(app) and not any("times the standard deviation" in i.value for i in app.info)
    assert app.toggle(key="wine.standardise").value


def test_a_button_sets_up_the_papers_setting():
    app = opened("flp", labels="9", mistakes="true")
    app.button(key="open.flp_1").click().run()
    assert fine(app) and app.selectbox(key="data").value == "wine"
    assert app.slider(key="labels").value == 2 and not app.toggle(key="mistakes").value
    assert numbers(app)["Accuracy"] == share(FLP(mode="printed", random_state=0))


@pytest.mark.parametrize("given", [True, False])
def test_a_clicked_point_is_explained_and_forgotten_with_its_data(given):
    app = opened("flp", **WINE)
    _, y, _ = wine()
    point = int(np.flatnonzero((y >= 0) == given)[0])
    app.session_state["clicked.point"] = point
    app.run()
    assert fine(app)
    assert f"Point {point}, at the end" in [s.value for s in app.subheader]
    (text,) = [c.value for c in app.caption if "largest weight is that of point" in c.value]
    assert ("Its label is given" in text) == given and "A thicker line" in text
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "point" not in app.query_params


def test_more_dimensions_than_there_are_is_said():
    app = opened("flp", **{"FLP.n_components": "9"})
    assert fine(app) and "the data span only 2" in said(app)


@pytest.mark.parametrize("mode", ["recipe", "printed"])
def test_the_code_of_the_picture_reproduces_its_accuracy(mode, capsys):
    app = opened("flp", **WINE | {"FLP.mode": mode, "FLP.n_components": "3"})
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_many_classes_and_one_label_each(folder):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(8, 5)) + 6 * rng.normal(size=5) for _ in range(24)])
    np.savez(folder / "many.npz", X=X, y=np.repeat(np.arange(24), 8))
    app = opened("flp", data="many", labels="1")
    assert fine(app) and float(numbers(app)["Accuracy"].rstrip("%")) > 50


def test_bad_input_is_a_sentence(folder):
    np.savez(
        folder / "one.npz", X=np.random.default_rng(0).normal(size=(20, 3)), y=np.zeros(20, int)
    )
    app = opened("flp", data="one")
    assert not app.exception and "one class only" in app.error[0].value


def test_a_map_of_the_data_is_chosen_where_it_is_shown():
    app = opened("flp", **WINE, map="umap")
    assert fine(app) and not {"map", "dimensions"} & {b.key for b in app.get("button_group")}
    app = opened("flp", **WINE, dimensions="3", **{"flp.data.many": "true"})
    chosen = {b.key: b.value for b in app.get("button_group")}
    assert fine(app) and chosen["map"] == "pca" and chosen["dimensions"] == 3
    app.toggle(key="flp.data.many").set_value(False).run()
    assert fine(app) and "map" not in {b.key for b in app.get("button_group")}
