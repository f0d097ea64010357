"""What the page of fields says of a mixture, of costly methods, and where nothing changes."""

import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels
from sslviz.ui.inductive.cost_warning import PATIENT, expected
from sslviz.ui.runs import run_store

GMM = {"field_method": sslviz.SemiSupervisedGMM.title, "two_moons.n_samples.few": "215"}


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No picture before the last one, however busy the machine is."""
    monkeypatch.setattr("sslviz.recordings.run.AT_ONCE", 600.0)


def said(app: AppTest) -> str:
    return " ".join(m.value for kind in (app.markdown, app.caption) for m in kind)


def test_the_first_picture_is_the_supervised_answer_and_the_last_the_fit(monkeypatch):
    run_store.clear()
    monkeypatch.setattr("sslviz.recordings.run.PATIENCE", 600.0)
    monkeypatch.setattr("sslviz.recordings.run.AT_ONCE", 0.0)
    app = opened("inductive", **GMM)
    first = numbers(app)
    assert fine(app) and "1 step of expectation and maximisation so far" in said(app)
    assert first["Gaussian mixture"] == first["Without unlabelled points"]
    monkeypatch.setattr("sslviz.recordings.run.AT_ONCE", 600.0)
    app.run()
    assert fine(app) and "Expectation and maximisation took" in said(app)
    d = data.load("two_moons", n_samples=215)
    y = labels.hide(d.y, per_class=3, random_state=0)
    model = sslviz.SemiSupervisedGMM().fit(d.X, y)
    right = (model.transduction_ == d.y)[y < 0].mean()
    assert numbers(app)["Gaussian mixture"] == f"{right:.1%}"


def test_a_mixture_takes_its_steps_once(monkeypatch):
    def fit(*_):
        raise AssertionError("the film has the answer")

    monkeypatch.setattr(sslviz.SemiSupervisedGMM, "fit", fit)
    app = opened("inductive", **GMM, seed="7")
    assert fine(app) and "Without unlabelled points" in numbers(app)


def test_many_features_and_classes_are_computed_on_demand_only(monkeypatch):
    monkeypatch.setattr("sslviz.ui.inductive.cost_warning.PATIENT", 0.0)
    app = opened("inductive", **GMM)
    assert fine(app) and "This takes about" in app.warning[0].value and not numbers(app)
    app.toggle(key="fields.patient").set_value(True).run()
    assert fine(app) and "Gaussian mixture" in numbers(app)


@pytest.mark.parametrize(
    ("method", "shape", "slow"),
    [
        ("SemiSupervisedGMM", (1440, 1024, 20), True),  # coil20
        ("SemiSupervisedGMM", (1797, 64, 10), False),  # digits
        ("SemiSupervisedGMM", (1000, 784, 10), False),  # some of mnist
        ("LapRLS", (1000, 784, 10), False),
        ("LapRLS", (3000, 784, 10), True),
        ("SSDR", (5000, 784, 10), True),
        ("LLReg", (5000, 784, 10), False),
    ],
)
def test_what_takes_long_is_known(method: str, shape: tuple, slow: bool):
    assert (expected(method, *shape) > PATIENT) == slow


def test_the_objective_is_drawn_as_what_is_gained():
    app = opened("inductive", **GMM)
    assert fine(app) and "what is gained since step 2" in said(app)


def test_of_two_classes_numbers_do_not_matter_and_why_is_said():
    url = {"field_method": sslviz.SDSC.title, "SDSC.pairing": "diagonal"}
    app = opened("inductive", **url, **{"two_moons.n_samples.few": "215"})
    assert fine(app) and "changes **0** of 209 answers. Class c may" in said(app)
    assert "both shapes decide together" in said(app) and "because class c" not in said(app)


def test_the_kernel_width_stands_with_its_rule():
    app = opened(
        "inductive", field_method=sslviz.LapSVM.title, **{"two_moons.n_samples.few": "215"}
    )
    assert "Kernel width σ" not in numbers(app) and "The kernel in use is **σ = " in said(app)
