"""The page "Decision boundaries": every method, numbers that are the methods' own, promises kept.

Views are drawn for every method and look in tests/views/inductive.py.
"""

import re

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels
from sslviz.ui.cost_warning import SECONDS_UNASKED
from sslviz.ui.presets.catalogue import PRESETS
from sslviz.ui.runs import run_store

FAMILY = [m for m in sslviz.METHODS if m.family == "inductive"]
SMALL = {"two_moons.n_samples.few": "215"}
RINGS = {"data": "three_rings", "three_rings.n_samples.few": "316"}
GMM = sslviz.SemiSupervisedGMM
FIRST_PICTURE = "sslviz.ui.runs.FIRST_PICTURE"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No picture before the last one, however busy the machine is."""
    monkeypatch.setattr(FIRST_PICTURE, 600.0)


def shown(Method: type, **url: str) -> AppTest:
    app = opened("inductive", **SMALL | {"inductive.method": Method.title} | url)
    assert fine(app)
    return app


def moons() -> tuple:
    dataset = data.load("two_moons", n_samples=215)
    return dataset, labels.hide(dataset.y, per_class=3, random_state=0)


def accuracy(model) -> str:
    dataset, y = moons()
    return f"{(model.fit(dataset.X, y).transduction_ == dataset.y)[y < 0].mean():.1%}"


def texts(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


def changed(app: AppTest) -> tuple[int, int]:
    """How many predictions depend on the numbers of the classes, and of how many."""
    one, all_of_them = re.search(r"changes \*\*(\d+)\*\* of ([\d,]+)", texts(app)).groups()
    return int(one), int(all_of_them.replace(",", ""))


@pytest.mark.parametrize("Method", FAMILY)
def test_every_method_has_its_own_accuracy_and_answers_a_click(Method):
    app = shown(Method)
    assert numbers(app)["Accuracy"] == accuracy(Method())
    assert {"1-NN", "Label propagation"} <= set(numbers(app))
    assert f"{Method.__name__}(" in app.code[-1].value
    assert "Example: point" in texts(app), "no panel is empty"
    app.session_state["clicked.point"] = 5
    app.run()
    assert fine(app) and "Point 5." in texts(app)


@pytest.mark.parametrize("Method", [sslviz.LapSVM, sslviz.SDSC, sslviz.LLReg, GMM])
def test_on_many_features_the_page_says_what_the_map_cannot_show(Method):
    assert "nearest on the map" in texts(shown(Method, data="iris", labels="1"))
    url = {"data": "swiss_roll", "swiss_roll.n_samples.few": "215"}
    assert "In three dimensions" in texts(shown(Method, **url))


@pytest.mark.parametrize(
    ("Method", "url"),
    [
        (sslviz.LapRLS, {"LapRLS.kernel": "linear", "inductive.colour": "truth"}),
        (sslviz.LapSVM, {"LapSVM.kernel": "linear", "inductive.rings.margin": "margin"}),
        (GMM, {"SemiSupervisedGMM.weight": "0", "inductive.weights": "true"}),
        (sslviz.LapRLS, {"inductive.spanning": "true", "inductive.rings.plain": "none"}),
    ],
)
def test_every_choice_can_be_made(Method, url):
    app = shown(Method, **url)
    sigma = f"{Method.__name__}.sigma"
    linear = "linear" in url.values()
    assert any(s.key == sigma for s in app.select_slider) == (Method is not GMM and not linear)


def test_without_unlabelled_points_their_term_is_switched_off():
    for Method in (sslviz.LapRLS, GMM):
        alone = accuracy(Method(**Method.unlabelled_off))
        assert numbers(shown(Method))["Without unlabelled points"] == alone
    assert "Without unlabelled points" not in numbers(shown(sslviz.LLReg))
    plain, printed = (
        numbers(shown(sslviz.SSDR, **{"SSDR.as_printed": sign})) for sign in ("false", "true")
    )
    assert plain["Without unlabelled points"] == printed["Without unlabelled points"]


@pytest.mark.parametrize("Method", [sslviz.LapSVM, sslviz.S3VM])
def test_points_in_the_margin_and_support_vectors_are_counted(Method):
    dataset, y = moons()
    model = Method().fit(dataset.X, y)
    inside = (np.abs(model.decision_function(dataset.X)) < 1) & (y < 0)
    found = numbers(shown(Method))
    assert found["In the margin"] == f"{inside.sum()} of {(y < 0).sum()}"
    assert found["Support vectors"] == f"{(y[model.support_] >= 0).sum()} of 6"


@pytest.mark.parametrize("pairing", ["full", "diagonal"])
def test_class_numbers_matter_to_the_diagonal_pairing_alone(pairing, capsys):
    app = shown(sslviz.SDSC, **RINGS, **{"SDSC.pairing": pairing})
    before = numbers(app)["Accuracy"]
    assert (changed(app)[0] == 0) == (pairing == "full")
    app.toggle(key="inductive.swap").set_value(True).run()
    assert fine(app) and (pairing == "diagonal" or numbers(app)["Accuracy"] == before)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_with_two_classes_numbers_do_not_matter_and_the_page_says_why():
    app = shown(sslviz.SDSC, **{"SDSC.pairing": "diagonal"})
    assert changed(app)[0] == 0 and "both components decide together" in texts(app)


def test_moving_a_penalty_keeps_kernel_and_spectrum(nothing_remembered):
    app = shown(sslviz.SSDR)
    app.select_slider(key="SSDR.gamma2").set_value(1.0).run()
    assert fine(app)
    for stage in ("kernel", "spectrum", "kernel of the plane"):
        assert f"{stage} · reused" in texts(app)


def test_moving_the_pull_keeps_the_spectrum_and_past_one_the_page_warns(nothing_remembered):
    app = shown(sslviz.SemiKSC)
    assert not app.warning
    for pull in (0.5, 1.2):
        app.select_slider(key="SemiKSC.pull").set_value(pull).run()
        assert fine(app)
        for stage in ("kernel", "spectrum", "kernel of the plane"):
            assert f"{stage} · reused" in texts(app)
    assert "past the pole" in app.warning[0].value and "γ₁μ > 1" in texts(app)


def test_at_the_pole_the_moons_swap_classes():
    preset = next(p for p in PRESETS if p.key == "pole")
    found = numbers(opened("inductive", **preset.query))
    assert float(found["Accuracy"].rstrip("%")) < 10 < float(found["Kernel ridge"].rstrip("%"))


def test_a_kernel_that_reaches_no_point_is_a_warning():
    app = shown(sslviz.SDSC)
    app.selectbox(key="SDSC.sigma_rule").select("mst").run()
    assert fine(app) and "reached by no label" in app.warning[0].value


def test_the_spanning_tree_rule_is_that_of_the_methods():
    dataset, y = moons()
    sigma = sslviz.SSDR(sigma="mst").fit(dataset.X, y).sigma_
    app = shown(sslviz.SSDR, **{"inductive.spanning": "true"})
    assert f"σ = d₀/3 = {sigma:.4g}" in texts(app)


def test_all_labels_given_leaves_nothing_to_predict():
    app = shown(sslviz.SDSC, data="iris", labels="50")
    assert "Every label is given" in app.info[0].value and not numbers(app)


def test_undetermined_points_are_counted():
    dataset = data.load("two_moons", n_samples=1000)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    count = (sslviz.LLReg().fit(dataset.X, y).transduction_ < 0).sum()
    app = shown(sslviz.LLReg, **{"two_moons.n_samples.few": "1000"})
    assert count > 0 and numbers(app)["Undetermined"] == f"{count} of 1,000"


def test_a_thousand_points_unless_more_are_asked_for():
    app = opened("inductive")
    assert fine(app) and app.select_slider(key="two_moons.n_samples.few").value == 1000
    assert "n_samples=1000" in app.code[-1].value


def test_there_may_be_many_classes(folder):
    rng = np.random.default_rng(0)
    middle = np.stack(np.meshgrid(np.arange(5), np.arange(5)), axis=-1).reshape(-1, 2)
    X = np.repeat(middle, 8, axis=0) + 0.1 * rng.normal(size=(200, 2))
    np.savez(folder / "lattice.npz", X=X, y=np.repeat(np.arange(25), 8))
    for Method in (sslviz.LapRLS, sslviz.SDSC, GMM):
        shown(Method, data="lattice", labels="1")


def test_the_first_picture_of_a_mixture_is_supervised_and_the_last_is_the_fit(monkeypatch):
    run_store.clear()
    monkeypatch.setattr(FIRST_PICTURE, 0.0)
    app = shown(GMM)
    assert "1 step of EM so far" in texts(app)
    assert numbers(app)["Accuracy"] == numbers(app)["Without unlabelled points"]
    monkeypatch.setattr(FIRST_PICTURE, 600.0)
    app.run()
    assert fine(app) and "EM converged after" in texts(app)
    assert numbers(app)["Accuracy"] == accuracy(GMM())


def test_a_mixture_takes_its_steps_once(monkeypatch):
    def fit(*_):
        raise AssertionError("the recording has the prediction")

    monkeypatch.setattr(GMM, "fit", fit)
    assert "Without unlabelled points" in numbers(shown(GMM, seed="7"))


def test_a_mixture_whose_predictions_do_not_change_is_explained():
    app = shown(GMM, **{"SemiSupervisedGMM.weight": "0"})
    assert "The predictions do not change" in texts(app)


def test_what_takes_long_is_computed_on_demand(monkeypatch):
    monkeypatch.setattr("sslviz.ui.cost_warning.SECONDS_UNASKED", 0.0)
    app = shown(GMM)
    assert "This takes about" in app.warning[0].value and not numbers(app)
    app.toggle(key="inductive.patient").set_value(True).run()
    assert fine(app) and "Accuracy" in numbers(app)


@pytest.mark.parametrize(
    ("Method", "shape", "slow"),
    [
        (GMM, (1440, 1024, 20), True),  # coil20
        (GMM, (1797, 64, 10), False),  # digits
        (GMM, (1000, 784, 10), False),  # some of mnist
        (sslviz.LapRLS, (1000, 784, 10), False),
        (sslviz.LapRLS, (3000, 784, 10), True),
        (sslviz.SSDR, (5000, 784, 10), True),
        (sslviz.LLReg, (5000, 784, 10), False),
    ],
)
def test_a_method_knows_what_takes_long(Method: type, shape: tuple, slow: bool):
    assert (Method.seconds(*shape) > SECONDS_UNASKED) == slow


def test_the_kernel_width_stands_with_its_rule():
    app = shown(sslviz.LapSVM)
    assert "Kernel width σ" not in numbers(app) and "The kernel in use has **σ = " in texts(app)


def test_what_the_presets_claim_is_so():
    by = {p.key: {k: str(v) for k, v in p.parameters.items()} for p in PRESETS}
    found = numbers(opened("inductive", **by["clouds"]))
    assert float(found["Accuracy"].rstrip("%")) < 50
    assert float(found["Without unlabelled points"].rstrip("%")) > 75
    count, total = changed(opened("inductive", **by["numbers"]))
    assert 0.08 < count / total < 0.17


def test_a_matrix_of_many_pairs_is_made_on_demand(monkeypatch):
    monkeypatch.setattr("sslviz.ui.cost_warning.PAIRS_UNASKED", 100)
    app = shown(sslviz.SDSC)
    assert "all pairs" in app.warning[0].value and not numbers(app)
    assert fine(shown(GMM)) and numbers(shown(GMM))
