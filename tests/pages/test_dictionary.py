"""The page of dictionaries: its numbers are the methods', and every choice can be made."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import SSDLGA, USSDL, data, labels
from sslviz.data.preprocess import prepared
from sslviz.figures.maps.points import MAX_NAMES_IN_KEY
from sslviz.nearest_label import one_nn
from sslviz.ui.runs import run_store

SMALL = {"digits.n_samples.few": "145", "SSDLGA.n_atoms.images": "30", "SSDLGA.max_iter": "4"}
BRIEF = {
    "SSDLGA.max_iter": "3",
    "two_moons.n_samples.few": "100",
    "swiss_roll.n_samples.few": "100",
}


@pytest.fixture(autouse=True)
def all_rounds_before_the_first_picture(monkeypatch):
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)


def digits() -> tuple:
    dataset = data.load("digits", n_samples=145)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    return prepared(dataset.X, ("length 5",)), y, dataset.y


def share(labels_: np.ndarray) -> str:
    _, y, truth = digits()
    return f"{(labels_ == truth)[y < 0].mean():.1%}"


def words(app: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "warning")
    return " ".join(element.value for kind in kinds for element in getattr(app, kind))


def test_the_grid_of_sizes_has_the_size_of_these_tests():
    assert opened("dictionary", **SMALL).select_slider(key="digits.n_samples.few").value == 145


@pytest.mark.parametrize(
    "url",
    [
        SMALL | {"dictionary.versus": "true", "mistakes": "true"},
        SMALL | {"SSDLGA.laplacian": "knn", "dictionary.noise": "0.4"},
        SMALL | {"SSDLGA.laplacian": "threshold", "SSDLGA.beta": "0.0"},
        SMALL | {"SSDLGA.laplacian": "learnt", "dictionary.versus": "true"},
        SMALL | {"SSDLGA.r": "1.0", "labels": "50", "dimensions": "3"},
        SMALL | {"SSDLGA.lam": "3.0", "labels": "1"},
        SMALL | {"dictionary.method": "USSDL", "USSDL.n_atoms.images": "30"},
        SMALL | {"dictionary.scale.images": "as they are"},
        BRIEF | {"data": "two_moons", "dictionary.versus": "true"},
        BRIEF | {"data": "two_moons", "dictionary.scale.places": "scaled to length 5"},
        BRIEF | {"data": "swiss_roll", "mistakes": "true"},
        BRIEF | {"data": "iris", "labels": "50"},
        BRIEF | {"data": "wine", "SSDLGA.n_atoms.table": "40", "SSDLGA.batch_size": "100"},
    ],
    ids=str,
)
def test_every_choice_can_be_made(url):
    app = opened("dictionary", **url)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    assert app.title[0].value == "Dictionaries"
    assert ("USSDL" in numbers(app)) == ("dictionary.versus" in url)


def test_without_a_choice_there_are_images_and_a_choice_is_kept():
    app = opened("dictionary", **SMALL)
    assert app.selectbox(key="data").value == "digits"
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "12 atoms for 4 features" in words(app)
    app.button(key="open.digits").click().run()
    assert fine(app) and app.selectbox(key="data").value == "digits"


@pytest.mark.parametrize("beta", ["0.0", "0.5"])
def test_a_graph_without_weight_has_no_influence_on_the_codes(beta):
    app = opened("dictionary", **SMALL | {"SSDLGA.beta": beta, "SSDLGA.laplacian": "knn"})
    assert fine(app) and ("the more alike the two codes" in words(app)) == (beta != "0.0")
    assert ("the graph has no influence on the codes" in words(app)) == (beta == "0.0")


def test_names_of_classes_are_never_cut_off():
    app = opened("dictionary", data="two_moons", **BRIEF)
    app.session_state["clicked.atom"] = 3
    app.run()
    assert not app.dataframe, "their cells do not break lines"
    users, neighbours, _ = (table.value for table in app.table)
    assert list(users) == list(neighbours) == ["point", "class", "weight"]
    assert set(users["class"]) <= {"upper moon", "lower moon"}


def test_the_numbers_are_the_methods():
    app = opened("dictionary", **SMALL | {"dictionary.versus": "true"})
    X, y, _ = digits()
    model = SSDLGA(30, max_iter=4).fit(X, y)
    now = numbers(app)
    assert now["Accuracy"] == share(model.transduction_)
    assert now["USSDL"] == share(USSDL(30, max_iter=4).fit(X, y).transduction_)
    assert now["1-NN"] == share(one_nn(X, y, X))
    assert now["Label propagation"] == share(sslviz.LabelPropagation().fit(X, y).transduction_)
    assert now["Atoms per point"] == f"{(model.codes_ != 0).sum(axis=1).mean():.1f}"
    made = model.codes_ @ model.components_
    error = np.square(X - made).sum() / np.square(X).sum()
    assert now["Reconstruction error"] == f"{error:.1%}"


def test_the_other_method_of_the_family_can_be_chosen():
    url = {"dictionary.method": "USSDL", "USSDL.n_atoms.images": "30", "USSDL.max_iter": "4"}
    app = opened("dictionary", **SMALL | url)
    X, y, _ = digits()
    assert fine(app) and numbers(app)["Accuracy"] == share(
        USSDL(30, max_iter=4).fit(X, y).transduction_
    )
    assert app.code[-1].value.startswith("from sslviz import USSDL")


def test_the_first_picture_needs_no_round_and_the_rounds_can_be_stopped(monkeypatch):
    run_store.clear()
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 0.0)
    app = opened("dictionary", **SMALL, seed="5")
    assert fine(app) and numbers(app)["Accuracy"] == numbers(app)["At the start"]
    assert "Stop here" in [button.label for button in app.button]


def test_a_clicked_point_and_a_clicked_atom_are_explained_and_forgotten_with_their_data():
    app = opened("dictionary", **SMALL)
    X, y, truth = digits()
    model = SSDLGA(30, max_iter=4).fit(X, y)
    first = next(h.value for h in app.subheader if h.value.startswith("Code of point"))
    point = int(first.split()[-1])
    assert y[point] < 0 and model.transduction_[point] == truth[point], "one predicted correctly"
    app.session_state["clicked.point"], app.session_state["clicked.atom"] = 17, 23
    app.run()
    heads = [s.value for s in app.subheader]
    assert fine(app) and "Atom 23" in heads and "Code of point 17" in heads
    found, users = model.reconstruct(17), (model.codes_[:, 23] != 0).sum()
    assert f"uses **{(found.code != 0).sum()}** of 30" in words(app)
    assert f"{users} of 145 points use it" in words(app)
    into = model.weights_[:, [17]].nnz
    assert f"{len(found.neighbours)} graph neighbours" in words(app)
    assert f"Neighbour of {into} points" in words(app)
    app.selectbox(key="data").select("iris").run()
    heads = [s.value for s in app.subheader]
    assert fine(app) and "Atom 23" not in heads and "Code of point 17" not in heads


@pytest.mark.parametrize("go_on", [False, True])
def test_moving_a_parameter_starts_again_or_continues_and_the_code_says_how(go_on, capsys):
    app = opened("dictionary", **SMALL)
    app.toggle(key="dictionary.go_on").set_value(go_on).run()
    app.slider(key="SSDLGA.beta").set_value(1.5).run()
    assert fine(app)
    X, y, _ = digits()
    model = SSDLGA(30, max_iter=4, **({} if go_on else {"beta": 1.5})).fit(X, y)
    if go_on:
        model.set_params(beta=1.5, warm_start=True).fit(X, y)
    assert numbers(app)["Accuracy"] == share(model.transduction_)
    assert ("Before continuing" in numbers(app)) == go_on
    code = app.code[-1].value
    assert ("warm_start=True" in code) == go_on
    exec(code, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]
    app.slider(key="labels").set_value(4).run()
    assert fine(app) and "warm_start" not in app.code[-1].value, "other labels start anew"


def test_looking_elsewhere_learns_nothing_anew():
    app = opened("dictionary", **SMALL)
    app.toggle(key="mistakes").set_value(True).run()
    assert fine(app) and "first codes" not in words(app), "the learning is kept as it is"


def test_the_code_of_a_noisy_picture_reproduces_its_accuracy(capsys):
    url = {"dictionary.noise": "0.6", "SSDLGA.laplacian": "knn", "SSDLGA.sigma": "2.0"}
    app = opened("dictionary", **SMALL | url)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


@pytest.mark.parametrize("classes", [MAX_NAMES_IN_KEY, MAX_NAMES_IN_KEY + 1])
def test_many_classes_one_label_each_and_more_atoms_than_points(folder, classes):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(4, 5)) + 6 * rng.normal(size=5) for _ in range(classes)])
    np.savez(folder / "many.npz", X=X, y=np.repeat(np.arange(classes), 4))
    url = {"SSDLGA.n_atoms.table": "400", "SSDLGA.max_iter": "2"}
    app = opened("dictionary", data="many", labels="1", **url)
    assert fine(app) and "The first 12 classes are drawn" in words(app)
    legend = next(e.proto.body for e in app.get("html") if "given label" in e.proto.body)
    dots = legend.count("●")
    assert dots == (classes if classes <= MAX_NAMES_IN_KEY else 0), "as many as above a map"


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((30, 4)), np.arange(30) % 3),
        (np.random.default_rng(0).normal(size=(20, 1)), np.arange(20) % 2),
    ],
    ids=["equal", "one feature"],
)
def test_strange_points_are_drawn_or_get_a_sentence(folder, X, y):
    np.savez(folder / "strange.npz", X=X, y=y)
    app = opened("dictionary", data="strange", **{"SSDLGA.max_iter": "2"})
    assert not app.exception
