"""The page of fields: every method on every kind of data, and numbers that are the methods' own."""

import re

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels
from sslviz.ui.presets.catalogue import PRESETS

FAMILY = [m for m in sslviz.METHODS if m.family == "inductive"]
SMALL = {"two_moons.n_samples.few": "215"}


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No picture before the last one, however busy the machine is."""
    monkeypatch.setattr("sslviz.recordings.run.AT_ONCE", 600.0)


def shown(Method: type, **url: str) -> AppTest:
    return opened("inductive", **SMALL | {"field_method": Method.title} | url)


def moons(per_class: int = 3) -> tuple:
    dataset = data.load("two_moons", n_samples=215)
    return dataset, labels.hide(dataset.y, per_class=per_class, random_state=0)


def said(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


@pytest.mark.parametrize("Method", FAMILY)
def test_every_method_answers_clicks_and_says_what_it_finds(Method):
    app = shown(Method)
    dataset, y = moons()
    found = (Method().fit(dataset.X, y).transduction_ == dataset.y)[y < 0].mean()
    assert fine(app)
    assert next(iter(numbers(app).values())) == f"{found:.1%}"
    assert {"1-NN", "Label propagation"} <= set(numbers(app))
    assert f"{Method.__name__}(" in app.code[-1].value
    app.session_state["clicked.point"] = 5
    app.run()
    assert fine(app) and "Point 5" in said(app)


@pytest.mark.parametrize("Method", FAMILY)
@pytest.mark.parametrize(
    "url",
    [
        {"data": "swiss_roll", "swiss_roll.n_samples.few": "215"},
        {"data": "iris", "labels": "1", "fields.colour": "mix"},
        {"data": "digits", "digits.n_samples.few": "274", "dimensions": "3"},
    ],
    ids=lambda url: url["data"],
)
def test_every_method_on_other_data(Method, url):
    app = shown(Method, **url)
    assert fine(app)
    where = "nearest to it on the map" if url["data"] == "iris" else "In space"
    assert where in said(app)


@pytest.mark.parametrize(
    ("Method", "url"),
    [
        (sslviz.SSDR, {"SSDR.as_printed": "true", "SSDR.centre": "true"}),
        (sslviz.SDSC, {"SDSC.centre": "false", "SDSC.pairing": "diagonal"}),
        (sslviz.LapRLS, {"LapRLS.kernel": "linear", "fields.colour": "truth"}),
        (sslviz.LapSVM, {"LapSVM.kernel": "linear", "fields.rings.margin": "margin"}),
        (sslviz.S3VM, {"fields.rings.margin": "none", "labels": "1"}),
        (sslviz.SemiSupervisedGMM, {"SemiSupervisedGMM.weight": "0", "fields.weights": "true"}),
        (sslviz.LapRLS, {"fields.spanning": "true", "fields.rings.plain": "none"}),
    ],
)
def test_every_choice_can_be_made(Method, url):
    assert fine(shown(Method, **url))


def test_without_unlabelled_points_their_part_is_zero():
    dataset, y = moons()
    for Method, part in ((sslviz.LapRLS, "lam2"), (sslviz.SemiSupervisedGMM, "weight")):
        alone = Method(**{part: 0.0}).fit(dataset.X, y)
        share = (alone.transduction_ == dataset.y)[y < 0].mean()
        assert numbers(shown(Method))["Without unlabelled points"] == f"{share:.1%}"
    assert "Without unlabelled points" not in numbers(shown(sslviz.LLReg))
    plain, printed = (
        numbers(shown(sslviz.SSDR, **{"SSDR.as_printed": sign})) for sign in ("false", "true")
    )
    assert plain["Without unlabelled points"] == printed["Without unlabelled points"]


@pytest.mark.parametrize("Method", [sslviz.LapSVM, sslviz.S3VM])
def test_the_margin_is_counted(Method):
    dataset, y = moons()
    model = Method().fit(dataset.X, y)
    inside = (np.abs(model.decision_function(dataset.X)) < 1) & (y < 0)
    found = numbers(shown(Method))
    assert found["In the margin"] == f"{inside.sum()} of {(y < 0).sum()}"
    assert found["Support vectors"] == f"{(y[model.support_] >= 0).sum()} of 6"


@pytest.mark.parametrize("pairing", ["full", "diagonal"])
def test_swapping_class_numbers_matters_to_the_diagonal_pairing_alone(pairing):
    url = {"data": "three_rings", "three_rings.n_samples.few": "316", "SDSC.pairing": pairing}
    app = shown(sslviz.SDSC, **url)
    before = numbers(app)["SDSC"]
    changed = int(re.search(r"changes \*\*(\d+)\*\*", said(app))[1])
    app.toggle(key="fields.swap").set_value(True).run()
    assert fine(app)
    after = numbers(app)["SDSC"]
    assert (changed == 0) == (pairing == "full")
    assert ("because class c may use shape c alone" in said(app)) == (pairing == "diagonal")
    assert pairing == "diagonal" or before == after


@pytest.mark.parametrize("swap", ["false", "true"])
def test_the_code_of_the_picture_reproduces_its_accuracy(swap, capsys):
    url = {"data": "three_rings", "three_rings.n_samples.few": "316", "fields.swap": swap}
    app = shown(sslviz.SDSC, **url, **{"SDSC.pairing": "diagonal"})
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["SDSC"]


def test_moving_a_price_keeps_kernel_and_spectrum(nothing_remembered):
    app = shown(sslviz.SSDR)
    app.select_slider(key="SSDR.gamma2").set_value(1.0).run()
    assert fine(app)
    for stage in ("kernel", "spectrum", "kernel of the plane"):
        assert f"{stage} · reused" in said(app)


def test_a_kernel_too_narrow_is_said():
    app = shown(sslviz.SDSC)
    app.selectbox(key="SDSC.sigma_rule").select("mst").run()
    assert fine(app) and "feel no label at all" in app.warning[0].value


def test_the_spanning_tree_rule_is_the_one_the_methods_use():
    app = shown(sslviz.SSDR, **{"fields.spanning": "true"})
    dataset, y = moons()
    sigma = sslviz.SSDR(sigma="mst").fit(dataset.X, y).sigma_
    assert f"σ = d₀/3 = {sigma:.4g}" in said(app)


def test_all_labels_given_leaves_nothing_to_find():
    app = shown(sslviz.SDSC, data="iris", labels="50")
    assert fine(app) and "Every label is given" in app.info[0].value


def test_points_that_no_label_reaches_are_counted():
    dataset = data.load("two_moons", n_samples=1000)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    silent = (sslviz.LLReg().fit(dataset.X, y).transduction_ < 0).sum()
    app = shown(sslviz.LLReg, **{"two_moons.n_samples.few": "1000"})
    assert silent > 0 and numbers(app)["Undetermined"] == f"{silent} of 1,000"


def test_a_mixture_that_does_not_move_is_said():
    assert "Nothing moves" in said(
        shown(sslviz.SemiSupervisedGMM, **{"SemiSupervisedGMM.weight": "0"})
    )


def test_few_points_unless_more_are_asked_for():
    app = opened("inductive")
    assert fine(app) and app.select_slider(key="two_moons.n_samples.few").value == 1000
    assert "n_samples=1000" in app.code[-1].value


def test_many_classes_have_a_field_each(folder):
    rng = np.random.default_rng(0)
    middle = np.stack(np.meshgrid(np.arange(5), np.arange(5)), axis=-1).reshape(-1, 2)
    X = np.repeat(middle, 8, axis=0) + 0.1 * rng.normal(size=(200, 2))
    np.savez(folder / "lattice.npz", X=X, y=np.repeat(np.arange(25), 8))
    for Method in (sslviz.LapRLS, sslviz.SDSC, sslviz.SemiSupervisedGMM):
        assert fine(shown(Method, data="lattice", labels="1"))


def test_what_the_presets_say_is_so():
    by = {p.key: {k: str(v) for k, v in p.parameters.items()} for p in PRESETS}
    found = numbers(opened("inductive", **by["clouds"]))
    assert float(found["Gaussian mixture"].rstrip("%")) < 50
    assert float(found["Without unlabelled points"].rstrip("%")) > 75
    app = opened("inductive", **by["numbers"])
    changed, total = re.search(r"changes \*\*(\d+)\*\* of (\d+)", said(app)).groups()
    assert 0.08 < int(changed) / int(total) < 0.17
