"""The page of clusters: every method on every kind of data, learning, pausing, going on."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import clustering_accuracy, data
from sslviz.abilities import Trains
from sslviz.recordings import clustering
from sslviz.ui.clustering.sidebar import methods, short_name
from sslviz.ui.presets.catalogue import PRESETS

LEARNERS = {m.__name__ for m in methods().values() if issubclass(m, Trains)}

TITLES = {method.__name__: title for title, method in methods().items()}
SMALL = {"two_moons.n_samples": "147", "SGSC.n_hubs": "60"}


@pytest.fixture(autouse=True)
def long_slices(monkeypatch):
    """A run of the script learns to the end: a test has no browser that would ask again."""
    monkeypatch.setattr(clustering, "SLICE", (60.0, 60.0))


def shown(name: str, **url: str) -> AppTest:
    short = {f"{name}.epochs": "1"} if name in LEARNERS else {}
    return opened("clustering", **SMALL | short | {"cluster_method": TITLES[name]} | url)


def press(app: AppTest, icon: str) -> AppTest:
    """A button, and the run that follows where a training has ended."""
    return app.button(key=f"open.clusters.{icon}").click().run()


def said(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


def moons():
    return data.load("two_moons", n_samples=147)


@pytest.mark.parametrize("name", TITLES)
def test_every_method_groups_and_its_code_says_the_same(name, capsys):
    app, short = shown(name), short_name(getattr(sslviz, name))
    assert fine(app)
    if name in LEARNERS:
        assert numbers(app)[short] == "–", "nothing is learnt before it is asked for"
        assert "no regions" not in said(app) and "The ground" not in said(app)
        press(app, "play_arrow")
        if name == "DEC":
            app.run()
        assert fine(app) and "iterations are done" in said(app)
    found = numbers(app)
    assert found["Clusters used"] == "2 of 2"
    assert ("Hubs" in found) == (name in ("SGSC", "SEDC"))
    assert {"k-means", "Spectral clustering"} - {methods()[TITLES[name]].title} <= set(found)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == found[short]


@pytest.mark.parametrize("name", TITLES)
def test_every_method_on_images(name):
    url = {"data": "digits", "digits.n_samples": "210", "clusters.colour": "mix"}
    app = shown(name, **url, mistakes="true")
    if name in LEARNERS:
        press(app, "play_arrow")
    assert fine(app)
    assert "shadow of 64 features" in said(app) and "A row per cluster" in said(app)


@pytest.mark.parametrize("name", ["SEDC", "KMeans"])
def test_in_space_and_without_images(name):
    app = shown(name, data="swiss_roll", **{"swiss_roll.n_samples": "147"})
    if name in LEARNERS:
        press(app, "play_arrow")
    assert fine(app)
    assert "In space" in said(app) and "A row per cluster" not in said(app)


def test_a_training_goes_epoch_by_epoch_and_starts_over():
    app = shown("SEDC", **{"SEDC.epochs": "3"})
    press(app, "skip_next")
    assert fine(app) and "Stopped at iteration 100 of 300" in said(app)
    assert "run.advance(100)" in app.code[-1].value
    press(app, "replay")
    assert fine(app) and "Nothing learnt yet" in said(app)


def test_changed_settings_begin_anew_and_the_earlier_training_is_kept():
    app = shown("SEDC")
    press(app, "play_arrow")
    right = numbers(app)["SEDC"]
    app.slider(key="clusters.seed").set_value(3).run()
    assert fine(app) and "kept at iteration 100" in app.info[0].value
    assert numbers(app)["SEDC"] == "–"
    app.slider(key="clusters.seed").set_value(0).run()
    assert fine(app) and not app.info and numbers(app)["SEDC"] == right
    app.toggle(key="mistakes").set_value(True).run()
    assert fine(app) and numbers(app)["SEDC"] == right, "a look does not begin anew"


def test_more_epochs_go_on_with_what_is_learnt():
    app = shown("IMSAT")
    press(app, "play_arrow")
    app.slider(key="IMSAT.epochs").set_value(2).run()
    assert fine(app) and "Stopped at iteration 100 of 200" in said(app)
    press(app, "play_arrow")
    fitted = sslviz.IMSAT(n_clusters=2, epochs=2, hidden=(128, 128), random_state=0).fit(moons().X)
    assert numbers(app)["IMSAT"] == f"{clustering_accuracy(moons().y, fitted.labels_):.1%}"


def test_two_clicked_points_are_joined_by_the_shortest_way():
    app = shown("SGSC")
    app.session_state["clusters:ends"] = [3]
    app.run()
    assert fine(app) and "From point 3 to …" in said(app)
    app.session_state["clusters:ends"] = [3, 9]
    app.run()
    assert fine(app) and ("From point 3 to 9:" in said(app) or "No way" in said(app))
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "Click two hubs" in said(app)


def test_the_look_ahead_moves_a_ratio_without_touching_the_training():
    app = shown("SEDC")
    press(app, "play_arrow")
    before = numbers(app)
    app.select_slider(key="clusters.xi").set_value(1000.0).run()
    after = numbers(app)
    assert fine(app) and before["SEDC"] == after["SEDC"]
    ratio = "Adversarial / random"
    assert float(after[ratio]) < float(before[ratio]), "far off it finds nothing"


def test_islands_beyond_the_clusters_are_said():
    app = shown("SGSC", **{"SGSC.k_hub": "2", "SGSC.sigma_rule": "all"})
    assert fine(app) and "islands, more than the 2 clusters" in app.warning[0].value


@pytest.mark.parametrize("clusters", ["3", "7"])
def test_another_number_of_clusters_than_classes(clusters):
    app = shown("KMeans", **{"clusters.C.two_moons": clusters, "clusters.colours": "truth"})
    assert fine(app) and numbers(app)["Clusters used"] == f"{clusters} of {clusters}"


def test_no_label_is_asked_for():
    app = shown("KMeans")
    assert "labels" not in {s.key for s in app.slider} and "labels.hide" not in app.code[-1].value


def test_many_classes_and_too_few_points(folder):
    rng = np.random.default_rng(0)
    middle = np.stack(np.meshgrid(np.arange(5), np.arange(5)), axis=-1).reshape(-1, 2)
    X = np.repeat(middle, 8, axis=0) + 0.1 * rng.normal(size=(200, 2))
    np.savez(folder / "lattice.npz", X=X, y=np.repeat(np.arange(25), 8))
    app = shown("SGSC", data="lattice", **{"SGSC.n_hubs": "100"})
    assert fine(app) and numbers(app)["Clusters used"].endswith("of 25")
    np.savez(folder / "tiny.npz", X=X[::20], y=np.arange(10) % 2)
    app = shown("SGSC", data="tiny", **{"clusters.C.tiny": "12"})
    assert not app.exception and "cannot form" in app.error[0].value


def test_what_the_presets_say_is_so():
    by = {p.key: {k: str(v) for k, v in p.parameters.items()} for p in PRESETS}
    app = opened("clustering", **by["halved"])
    found = {name: float(value.rstrip("%")) for name, value in numbers(app).items() if "%" in value}
    assert found["k-means"] < 70 and found["Spectral clustering"] > 90
    for direction, used in (("pq", "3 of 4"), ("qp", "4 of 4")):
        app = opened("clustering", **by["lost"] | {"SEDC.kl": direction})
        assert numbers(press(app, "play_arrow"))["Clusters used"] == used
        assert float(numbers(app)["Hubs"].rstrip("%")) > 95
