"""Every page runs, follows its URL, and shows a message for bad input."""

import subprocess
import sys

import numpy as np
import pytest
from pages.opening import APP, opened
from streamlit.testing.v1 import AppTest

PAGES = ("home", "graph", "propagation", "hubs")


def text_of(app: AppTest) -> str:
    return " ".join(m.value for m in app.markdown)


@pytest.mark.parametrize("page", PAGES)
def test_runs_without_an_exception(page):
    app = opened(page)
    assert not app.exception and not app.error
    assert len(app.title) == 1


@pytest.mark.parametrize("page", PAGES[1:])
@pytest.mark.parametrize("name", ["swiss_roll", "iris", "digits"])
def test_runs_on_3d_points_measurements_and_images(page, name):
    size = {f"{name}.n_samples": "120"}
    app = opened(page, data=name, **size)
    assert not app.exception and not app.error
    assert app.selectbox(key="data").value == name


@pytest.mark.parametrize(
    ("page", "url"),
    [
        ("graph", {"graph.colour": "island"}),
        ("graph", {"graph.colour": "island", "graph.n_neighbors": "2"}),
        ("graph", {"graph.graph": "directed", "graph.sigma_rule": "median"}),
        ("graph", {"graph.sigma_rule": "mst"}),
        ("graph", {"data": "wine", "dimensions": "3"}),
        ("propagation", {"LabelPropagation.graph": "directed", "mistakes": "true"}),
        ("propagation", {"LabelPropagation.class_mass": "true", "colour": "winner"}),
        ("propagation", {"LabelPropagation.n_neighbors": "2", "labels": "1"}),
        ("propagation", {"method": "Label spreading", "LabelSpreading.alpha": "0.01"}),
        ("propagation", {"method": "Label spreading", "LabelSpreading.max_iter": "3"}),
        ("propagation", {"sweeps.small": "false", "labels": "50"}),
        ("propagation", {"data": "wine", "dimensions": "3", "colour": "winner"}),
    ],
)
def test_every_option_runs(page, url):
    app = opened(page, **url)
    assert not app.exception and not app.error
    if colour := url.get("graph.colour"):
        assert app.get("button_group")[-1].value == colour


@pytest.mark.parametrize(("text", "value"), [("9", 9), ("700", 5), ("many", 5)])
def test_a_valid_url_sets_a_slider_and_an_invalid_one_does_not(text, value):
    app = opened("propagation", **{"LabelPropagation.n_neighbors": text})
    assert not app.exception
    assert app.slider(key="LabelPropagation.n_neighbors").value == value


def test_the_url_chooses_the_method():
    app = opened("propagation", method="Label spreading")
    assert not app.exception
    assert app.slider(key="LabelSpreading.alpha").value == 0.9
    assert "LabelSpreading(" in app.code[-1].value


def test_moving_k_and_sigma_keeps_the_neighbours(nothing_remembered):
    app = opened("propagation")
    assert "neighbours · reused" not in text_of(app)
    app.slider(key="LabelPropagation.n_neighbors").set_value(12).run()
    assert "neighbours · reused" in text_of(app) and "graph · reused" not in text_of(app)
    app.select_slider(key="LabelPropagation.sigma").set_value(0.5).run()
    assert "neighbours · reused" in text_of(app) and "graph · reused" in text_of(app)
    assert not app.exception


def test_the_code_of_the_picture_reproduces_its_accuracy(capsys):
    app = opened("propagation", **{"LabelPropagation.sigma": "0.5", "labels": "2"})
    shown = next(m.value for m in app.metric if m.label == "Accuracy")
    assert "sigma='0.5 mean'" in app.code[-1].value
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == shown


@pytest.mark.parametrize("rule", ["mean", "median", "mst"])
@pytest.mark.parametrize("edges", ["undirected", "directed"])
def test_the_code_of_the_graph_reproduces_its_numbers(capsys, rule, edges):
    app = opened("graph", **{"graph.sigma_rule": rule, "graph.graph": edges})
    shown = {m.label: m.value for m in app.metric}
    exec(app.code[-1].value, {})
    found = capsys.readouterr().out.split()
    assert f"{int(found[0]):,}" == shown["Edges"]
    assert found[1:] == [shown["Largest in-degree"], shown["Separate parts"]]


def test_points_of_a_component_without_a_label_are_undetermined(tmp_path):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(40, 2)) + c for c in ([0, 0], [50, 0], [0, 50])])
    y = np.repeat([0, 1, 1], 40)
    np.savez(tmp_path / "data" / "archipelago.npz", X=X, y=y)
    app = opened("propagation", data="archipelago", labels="1")
    assert not app.exception
    undetermined = next(m.value for m in app.metric if m.label == "Undetermined")
    assert undetermined == "33.3%"


def test_more_neighbours_than_points_gets_a_warning(tmp_path):
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "data" / "tiny.npz", X=rng.normal(size=(12, 3)), y=np.arange(12) % 2)
    app = opened("propagation", data="tiny", **{"LabelPropagation.n_neighbors": "40"})
    assert not app.exception
    assert "40 neighbours" in app.warning[0].value and "11 others" in app.warning[0].value


def test_duplicated_points_and_constant_features_are_drawn(tmp_path):
    X = np.zeros((30, 4))
    np.savez(tmp_path / "data" / "same.npz", X=X, y=np.arange(30) % 3)
    for page in PAGES[1:]:
        app = opened(page, data="same")
        assert not app.exception and not app.error


@pytest.mark.parametrize(
    ("arrays", "word"),
    [
        ({"X": np.array([[np.nan, 1.0], [1, 2]]), "y": np.array([0, 1])}, "finite"),
        ({"X": np.ones((3, 2)), "y": np.array([0, 1])}, "y"),
        ({"X": np.ones((3, 2))}, "y"),
        ({"X": np.array([[object(), 1]] * 2), "y": np.array([0, 1])}, "pickle"),
        ({"X": np.ones((3, 2)), "y": np.zeros(3, int)}, "class"),
    ],
)
def test_a_bad_file_gets_a_message(tmp_path, arrays, word):
    np.savez(tmp_path / "data" / "bad.npz", **arrays)
    app = opened("propagation", data="bad")
    assert not app.exception
    assert len(app.error) == 1 and word in app.error[0].value
    app.selectbox(key="data").select("two_moons").run()
    assert not app.exception and not app.error


def test_an_unreadable_file_gets_a_message(tmp_path):
    (tmp_path / "data" / "noise.npz").write_bytes(b"\x80\x04nothing of the kind")
    app = opened("graph", data="noise")
    assert not app.exception
    assert "noise" in app.error[0].value


def test_openml_without_a_network_gets_a_message(monkeypatch):
    from sslviz.data import openml

    def offline(name: str) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(openml, "fetch", offline)
    app = opened("graph", data="from OpenML …", openml="nosuchset")
    assert not app.error and not app.metric and "not on this server yet" in app.info[0].value
    app.button(key="open.openml").click().run()  # a link alone downloads nothing
    assert not app.exception
    assert "OpenML" in app.error[0].value and "nosuchset" in app.error[0].value
    assert len(app.main.error) == 1, "on the page: a phone hides the sidebar"


def test_the_home_page_needs_neither_torch_nor_numba_nor_scikit_learn(tmp_path):
    """They take seconds to import, and the first page must open at once."""
    script = f"""
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file({str(APP)!r}, default_timeout=60).run()
assert not app.exception and app.title[0].value.startswith("See")
print(sorted({{"torch", "numba", "sklearn", "pynndescent", "umap"}} & set(sys.modules)))
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=APP.parent
    )
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("page", ["graph", "propagation"])
@pytest.mark.parametrize("name", ["two_moons", "swiss_roll"])
def test_a_clicked_point_is_explained_and_forgotten_with_its_data(page, name):
    app = opened(page, data=name, point="5", **{f"{name}.n_samples": "316"})
    assert not app.exception and "5" in app.query_params["point"]
    assert any("oint 5" in s.value for s in app.subheader)
    app.selectbox(key="data").select("iris").run()
    assert not app.exception and "point" not in app.query_params
    assert not any("oint 5" in s.value for s in app.subheader)


@pytest.mark.parametrize(("page", "more"), [("inductive", True), ("graph", False)])
def test_a_page_with_fewer_points_has_a_note(page, more):
    app = opened(page, data="three_rings")
    assert any("Other pages begin with 2,000" in c.value for c in app.sidebar.caption) == more


@pytest.mark.parametrize("nonsense", ["316", "-1", "x", "1.5", "٣", "9" * 30, ""])
def test_points_that_do_not_exist_are_not_selected(nonsense):
    app = opened("graph", point=nonsense)
    assert not app.exception and not app.query_params.get("point")
    assert not any(c.value.startswith("Point ") for c in app.caption)


def test_names_in_a_link_that_set_nothing_are_told():
    told = "In this link, without effect on this page: "
    app = opened("embedding", data="iris", **{"SSRLPL.n_components": "9", "nonsense": "<b>"})
    (text,) = [c.value for c in app.caption if c.value.startswith(told)]
    assert "SSRLPL.n&#95;components" in text.replace("_", "&#95;") and "nonsense" in text
    assert "embedding" not in text and "“data”" not in text
    app = opened("propagation")
    assert not [c for c in app.caption if c.value.startswith(told)]
