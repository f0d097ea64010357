"""The page "Clustering": every method, training, stopping and continuing."""

import re

import numpy as np
import pytest
from pages.opening import APP, fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import clustering_accuracy, data
from sslviz.abilities import HubBased, Trains
from sslviz.ui.clustering.sidebar import methods
from sslviz.ui.presets.catalogue import PRESETS
from sslviz.ui.presets.openings import OPENINGS
from sslviz.ui.runs import run_store

TITLES = {method.__name__: title for title, method in methods().items()}
SMALL = {"two_moons.n_samples": "147", "SGSC.n_hubs": "60"}
TRAIN = {"clusters.train": "true"}


@pytest.fixture(autouse=True)
def whole_trainings(monkeypatch):
    """A training is finished before the first picture: a test has no browser to ask for more."""
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)
    run_store.clear()


def shown(name: str, **url: str) -> AppTest:
    lowest = {"VaDE": "10", "CatGAN": "2"}.get(name, "1")
    short = {f"{name}.epochs": lowest} if issubclass(getattr(sslviz, name), Trains) else {}
    short |= {"VaDE.pretraining_epochs": "5"} if name == "VaDE" else {}
    return opened("clustering", **SMALL | short | {"cluster_method": TITLES[name]} | url)


def text(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


def press_start(app: AppTest) -> AppTest:
    return next(b for b in app.button if b.label == "Start").click().run()


@pytest.mark.parametrize("name", TITLES)
def test_every_method_clusters_and_its_code_prints_the_same_accuracy(name, capsys):
    app, Method = shown(name, **TRAIN), getattr(sslviz, name)
    found = numbers(app)
    assert fine(app) and found["Clusters used"] == "2 of 2"
    assert ("Hubs" in found) == issubclass(Method, HubBased)
    assert {"k-means", "Spectral clustering"} - {Method.title} <= set(found)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == found["Accuracy"]


@pytest.mark.parametrize("name", ["SEDC", "DEC"])
def test_a_link_without_training_waits_for_start(name):
    app = shown(name)
    assert fine(app) and numbers(app)["Accuracy"] == "–"
    assert "The background" not in text(app)
    assert "Regions appear as soon as there are clusters" in text(app)
    press_start(app)
    assert fine(app) and numbers(app)["Accuracy"] != "–" and "**Play** replays" in text(app)
    assert not any(b.label == "Start" for b in app.button)


def test_a_bare_visit_opens_on_a_trained_result(monkeypatch):
    opening = {"data": "four_clusters", "clusters.train": True, "SEDC.epochs": 1}
    monkeypatch.setitem(OPENINGS, "clustering", opening)
    app = AppTest.from_file(str(APP), default_timeout=120).switch_page("pages/clustering.py").run()
    found = numbers(app)
    assert fine(app) and found["Clusters used"] == "4 of 4" and "**Play** replays" in text(app)
    assert float(found["Accuracy"].rstrip("%")) > 90 > 70 > float(found["k-means"].rstrip("%"))
    assert not app.warning


def test_images_of_the_clusters_are_shown():
    url = {"data": "digits", "digits.n_samples": "210", "clusters.colour": "mix"}
    app = shown("IMSAT", **url, **TRAIN, mistakes="true")
    assert fine(app)
    assert "projection of 64 features" in text(app) and "A row for each cluster" in text(app)


def test_a_stopped_training_has_code_that_stops_there(monkeypatch, capsys):
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 1e-9)
    app = shown("SEDC", **TRAIN)
    next(b for b in app.button if b.label == "Stop here").click().run()
    assert fine(app) and any(b.label == "Continue" for b in app.button)
    assert re.search(r"run.advance\(\d+\)", app.code[-1].value)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_other_settings_train_anew_and_earlier_trainings_are_kept():
    app = shown("SEDC", **TRAIN)
    before = numbers(app)["Accuracy"]
    app.slider(key="clusters.seed").set_value(3).run()
    assert fine(app) and len(run_store()._runs) == 2
    runs = dict(run_store()._runs)
    app.slider(key="clusters.seed").set_value(0).run()
    app.toggle(key="mistakes").set_value(True).run()
    assert fine(app) and numbers(app)["Accuracy"] == before
    assert dict(run_store()._runs) == runs, "a look trains nothing"


def test_more_epochs_continue_what_is_learnt(monkeypatch):
    monkeypatch.setattr("sslviz.recordings.training.MAX_STEP_SECONDS", 1e3)  # on a busy machine
    app = shown("IMSAT", **TRAIN)
    app.slider(key="IMSAT.epochs").set_value(2).run()
    longest = list(run_store()._runs.values())[-1]
    assert fine(app) and longest.iteration == 200 and longest.taken == 2, "steps of 50 iterations"
    moons = data.load("two_moons", n_samples=147)
    fitted = sslviz.IMSAT(n_clusters=2, epochs=2, hidden=(128, 128), random_state=0).fit(moons.X)
    assert numbers(app)["Accuracy"] == f"{clustering_accuracy(moons.y, fitted.labels_):.1%}"


def test_two_clicked_points_are_joined_by_the_shortest_path():
    app = shown("SGSC")
    assert "Click two hubs" in text(app)
    app.session_state["clustering.path_ends"] = [3]
    assert "From point 3 to …" in text(app.run()) and fine(app)
    app.session_state["clustering.path_ends"] = [3, 9]
    app.run()
    assert fine(app) and ("From point 3 to point 9:" in text(app) or "No path" in text(app))
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "Click two hubs" in text(app)


def test_the_probe_distance_changes_a_ratio_and_not_the_training():
    app = shown("SEDC", **TRAIN)
    before = numbers(app)
    app.select_slider(key="clusters.xi").set_value(1000.0).run()
    after = numbers(app)
    assert fine(app) and before["Accuracy"] == after["Accuracy"]
    ratio = "Adversarial / random"
    assert float(after[ratio]) < float(before[ratio]), "far away the search finds nothing"


def test_more_components_than_clusters_are_warned_of():
    app = shown("SGSC", **{"SGSC.k_hub": "2", "SGSC.sigma_rule": "all"})
    assert fine(app) and "more than the 2 clusters" in app.warning[0].value


@pytest.mark.parametrize("clusters", ["3", "7"])
def test_another_number_of_clusters_than_classes(clusters):
    app = shown("KMeans", **{"clusters.C.two_moons": clusters, "clusters.colours": "truth"})
    assert fine(app) and numbers(app)["Clusters used"] == f"{clusters} of {clusters}"
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


def test_the_presets_keep_their_promises():
    by = {p.key: {k: str(v) for k, v in p.parameters.items()} for p in PRESETS}
    found = numbers(opened("clustering", **by["halved"]))
    assert float(found["Accuracy"].rstrip("%")) < 70
    assert float(found["Spectral clustering"].rstrip("%")) > 90
    for direction, used in (("pq", "3 of 4"), ("qp", "4 of 4")):
        app = opened("clustering", **by["lost"] | TRAIN | {"SEDC.kl": direction})
        assert numbers(app)["Clusters used"] == used
        assert float(numbers(app)["Hubs"].rstrip("%")) > 95


def test_a_film_of_merges_says_what_learning_adds():
    app = shown("JULE", **TRAIN)
    assert fine(app) and "Without learning" in numbers(app) and "replays the merges" in text(app)
    assert "Features" in [h.value for h in app.subheader]
    app.toggle(key="JULE.learn").set_value(False).run()
    assert fine(app) and "Without learning" not in numbers(app)
    assert "Features" not in [h.value for h in app.subheader]


def test_merges_of_too_many_points_are_refused_before_the_start():
    app = shown("JULE")
    assert fine(app) and ["**Start** merges" in i.value for i in app.info] == [True]
    app = shown("JULE", **{"two_moons.n_samples": "10000"})
    assert "10000 points need a matrix of all pairs, 0.7 GB" in app.error[0].value
    assert "Start" not in [b.label for b in app.button]


def test_labels_make_a_classifier_whose_code_has_them():
    app = shown("CatGAN", **TRAIN, **{"clusters.labels": "3"})
    assert fine(app) and "Classes" in numbers(app) and "labels.hide" in app.code[-1].value
    app.slider(key="clusters.labels").set_value(0).run()
    assert fine(app) and "Classes" not in numbers(app)


def test_codes_are_decoded_between_two_chosen_centres():
    app = shown("VaDE", **TRAIN)
    assert fine(app) and "Codes and components" in [h.value for h in app.subheader]
    app.selectbox(key="clusters.decoded_from").select_index(1).run()
    assert fine(app) and "decoded centres" in text(app)


def test_a_training_can_begin_again():
    app = shown("IMSAT", **TRAIN)
    before, first = numbers(app)["Accuracy"], next(iter(run_store()._runs.values()))
    next(b for b in app.button if b.label == "Begin again").click().run()
    second = next(iter(run_store()._runs.values()))
    assert fine(app) and second is not first and second.done
    assert numbers(app)["Accuracy"] == before


def test_every_cell_of_the_properties_opens_what_demonstrates_it():
    from sslviz.ui.clustering.properties import link_of, properties_of

    for Method in methods().values():
        cells = properties_of(Method)
        assert all(words for words, _ in cells) and len(cells) == 8
        for _, settings in cells:
            assert f"cluster_method={Method.option().split(':')[0].split()[0]}" in link_of(
                Method, settings
            )
    too_many = {"two_moons.n_samples": "10000", "cluster_method": TITLES["KernelKMeans"]}
    app = opened("clustering", **too_many)
    assert not app.exception and "need a matrix of all pairs" in app.error[0].value
