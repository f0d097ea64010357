"""The page of embeddings: its numbers are the methods', and every choice can be made."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened

import sslviz
from sslviz import SSRLPL, data, labels
from sslviz.nearest_label import nearest_soft_mean, one_nn
from sslviz.ui.embedding.detail_views import DETAILS as PARTS

DIGITS = {"data": "digits", "digits.n_samples": "282"}
OTHERS = [m for m in sslviz.METHODS if m.family == "embedding" and m not in (SSRLPL, sslviz.FLP)]


def digits() -> tuple:
    dataset = data.load("digits", n_samples=282)
    return dataset, labels.hide(dataset.y, per_class=3, random_state=0)


@pytest.mark.parametrize(
    "url",
    [
        {"SSRLPL.kernel": "rbf"},
        {"SSRLPL.kernel": "rbf", "SSRLPL.complete": "pca", "embedding.p": "3"},
        {"SSRLPL.labels": "wta", "mistakes": "true"},
        {"SSRLPL.labels": "labelled"},
        {"SSRLPL.labels": "all", "embedding.colour.soft": "truth"},
        {"embedding.colour.soft": "answer", "embedding.data.plain": "false"},
        {"labels": "1", "SSRLPL.n_neighbors": "30"},
        {"data": "swiss_roll", "swiss_roll.n_samples": "316", "embedding.p": "1"},
        DIGITS | {"embedding.p": "3"},
        DIGITS | {"embedding.p": "9", "embedding.axes.9": "8 · 9", "embedding.data.many": "true"},
        DIGITS | {"embedding.p": "10", "dimensions": "3"},
        {"data": "iris", "labels": "49"},
        {"data": "iris", "labels": "50"},
    ],
)
def test_every_choice_can_be_made(url):
    assert fine(opened("embedding", **url))


@pytest.mark.parametrize("Method", OTHERS, ids=lambda m: m.__name__)
@pytest.mark.parametrize("url", [{}, {"data": "iris", "embedding.p": "1"}, DIGITS])
def test_every_method_draws_every_kind_of_data(Method, url):
    app = opened("embedding", **{"embedding.method": Method.title}, **url)
    assert fine(app)
    assert f"{Method.__name__}(" in app.code[-1].value


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("url", [{}, {"SSRLPL.kernel": "rbf"}, DIGITS])
def test_every_part_is_shown_or_says_why_not(part, url):
    app = opened("embedding", **{"embedding.part": part}, **url)
    assert fine(app)
    missing = (part == "Fields" and "data" in url) or (part == "Directions" and len(url) == 1
               and "SSRLPL.kernel" in url)  # fmt: skip
    reasons = [i.value for i in app.info if "plane" in i.value or "no directions" in i.value]
    assert len(reasons) == missing


@pytest.mark.parametrize("part", PARTS)
def test_methods_without_soft_labels_say_so(part):
    Method = OTHERS[0]
    app = opened(
        "embedding", **{"embedding.method": Method.title}, **{"embedding.part": part}, **DIGITS
    )
    assert fine(app)
    silent = any("no soft labels" in i.value for i in app.info)
    assert silent == (part in ("Labels alike", "Fields", "The bound"))


def test_the_numbers_are_the_methods():
    said = numbers(opened("embedding", **DIGITS, **{"embedding.p": "5", "SSRLPL.n_neighbors": "3"}))
    dataset, y = digits()
    hidden = y < 0
    model = SSRLPL(5, 3).fit(dataset.X, y)
    Z, alone = model.embedding_, SSRLPL(5, 3, labels="labelled").fit(dataset.X, y).embedding_
    expected = {
        "1-NN in the map": one_nn(Z, y, Z),
        "Nearest mean in the map": nearest_soft_mean(Z, model.label_distributions_, Z),
        "Labelled only": one_nn(alone, y, alone),
        "1-NN without a map": one_nn(dataset.X, y, dataset.X),
        "Label propagation": sslviz.LabelPropagation().fit(dataset.X, y).transduction_,
    }
    assert said == {
        name: f"{(found == dataset.y)[hidden].mean():.1%}" for name, found in expected.items()
    }


@pytest.mark.parametrize("url", [{}, {"SSRLPL.kernel": "rbf"}, {"SSRLPL.labels": "all"}])
def test_the_code_of_the_picture_reproduces_its_accuracy(capsys, url):
    with pytest.warns(UserWarning, match="n_components=2 but 2 classes determine 1"):
        app = opened("embedding", **url)
        exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["1-NN in the map"]


def test_two_classes_are_said_to_be_a_difference_of_means():
    app = opened("embedding")
    assert any("difference of the soft class means" in i.value for i in app.info)
    assert not any("difference" in i.value for i in opened("embedding", data="iris").info)


def test_moving_k_keeps_the_neighbours_and_the_scale(nothing_remembered):
    app = opened("embedding", **DIGITS)
    app.slider(key="SSRLPL.n_neighbors").set_value(9).run()
    said = " ".join(m.value for m in app.markdown)
    assert fine(app)
    assert "neighbours · reused" in said and "scale · reused" in said
    assert "class means · reused" not in said


@pytest.mark.parametrize("Method", [SSRLPL, *OTHERS], ids=lambda m: m.__name__)
def test_a_clicked_point_is_explained_and_forgotten_with_its_data(Method):
    app = opened("embedding", **{"embedding.method": Method.title}, **DIGITS)
    app.session_state["clicked.point"] = int(np.flatnonzero(digits()[1] < 0)[0])
    app.run()
    assert fine(app)
    assert any(s.value.startswith("Label of point") for s in app.subheader)
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "point" not in app.query_params


def test_many_classes_one_label_each_and_a_feature_alone(folder):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 25
    np.savez(folder / "many.npz", X=rng.normal(size=(200, 1)) + y[:, None], y=y)
    for method in ("SSRL-PL", "Discriminant analysis (labelled)"):
        app = opened("embedding", data="many", labels="1", **{"embedding.method": method})
        assert not app.exception
    assert "one labelled point in each class" in app.error[0].value


def test_equal_points_get_a_sentence(folder):
    np.savez(folder / "same.npz", X=np.zeros((30, 4)), y=np.arange(30) % 3)
    app = opened("embedding", data="same")
    assert not app.exception and len(app.error) == 1


def test_a_map_of_the_data_is_chosen_where_it_is_shown():
    app = opened("embedding", **DIGITS, map="umap")
    assert fine(app) and not {"map", "dimensions"} & {b.key for b in app.get("button_group")}
    app = opened("embedding", **DIGITS, dimensions="3", **{"embedding.data.many": "true"})
    chosen = {b.key: b.value for b in app.get("button_group")}
    assert fine(app) and chosen["map"] == "pca" and chosen["dimensions"] == 3
    app.toggle(key="embedding.data.many").set_value(False).run()
    assert fine(app) and "map" not in {b.key for b in app.get("button_group")}


def test_a_kernel_of_many_points_is_made_on_demand(monkeypatch):
    monkeypatch.setattr("sslviz.ui.cost_warning.PAIRS_UNASKED", 100)
    app = opened("embedding", **{"SSRLPL.kernel": "rbf"})
    assert "all pairs" in app.warning[0].value and not numbers(app)
    app.toggle(key="embedding.patient").set_value(True).run()
    assert fine(app) and numbers(app)
