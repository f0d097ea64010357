"""A semi-supervised machine that is drawn on its way: what is said then, and what is kept."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from sslviz.ui.inductive.s3vm_run import Climb
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels
from sslviz.params import params_of
from sslviz.ui.runs import run_store

URL = {"data": "digits", "field_method": sslviz.S3VM.title}
AT_ONCE, SLICE = "sslviz.recordings.run.AT_ONCE", "sslviz.recordings.run.SLICE"


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    """Machines are shared by all sessions: those of other tests are forgotten. Turns are waited
    for, however busy the machine is."""
    run_store.clear()
    monkeypatch.setattr("sslviz.recordings.run.PATIENCE", 600.0)


def digits(n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    d = data.load("digits")
    return d.X[:n], labels.hide(d.y[:n], per_class=3, random_state=0)


def said(app: AppTest) -> str:
    return " ".join(c.value for c in app.caption)


def test_in_slices_it_ends_where_fit_ends():
    X, y = digits()
    climb, whole = Climb(sslviz.S3VM(), X, y), sslviz.S3VM().fit(X, y)
    turns = [climb.turn]
    while not climb.done:
        climb.advance(1e-9)  # one turn
        turns.append(climb.turn)
    assert [t.weight for t in turns] == sorted(t.weight for t in turns)
    np.testing.assert_array_equal(climb.model().dual_coef_, whole.dual_coef_)
    last = climb.turn
    climb.advance(1.0)
    assert climb.turn is last


class Stubborn:
    """A machine whose second turn takes as long as `go` says, and whose third fails."""

    lam1, lam2 = 0.01, 1.0

    def __init__(self):
        self.go = threading.Event()

    def steps(self, X, y):
        yield SimpleNamespace(iteration=1, weight=0.0)
        self.go.wait(60)
        yield SimpleNamespace(iteration=2, weight=0.5)
        raise ValueError("no third turn")


def test_a_long_turn_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("sslviz.recordings.run.PATIENCE", 0.01)
    model = Stubborn()
    climb = Climb(model, np.zeros((2, 1)), np.zeros(2))
    for _ in range(3):
        climb.advance(1e-9)  # as every redraw does, a click's among them
        assert climb.turn.iteration == 1 and not climb.done
    model.go.set()
    monkeypatch.setattr("sslviz.recordings.run.PATIENCE", 60.0)
    climb.advance(1e-9)
    assert climb.turn.iteration == 2, "the turn under way, begun once, was not lost"
    with pytest.raises(ValueError, match="no third turn"):
        climb.advance(1e-9)


def test_on_the_way_the_model_is_that_of_the_last_turn():
    X, y = digits()
    climb = Climb(sslviz.S3VM(), X, y)
    for _ in range(5):
        climb.advance(1e-9)
    model, F = climb.model(), climb.turn.F.numpy()
    np.testing.assert_allclose(model.decision_function(X), F, atol=1e-10)
    np.testing.assert_array_equal(model.transduction_[y < 0], F.argmax(axis=1)[y < 0])


def test_the_first_picture_knows_labels_alone_and_the_last_all(monkeypatch):
    monkeypatch.setattr(AT_ONCE, 0.0)
    app = opened("inductive", **URL)
    first = numbers(app)
    assert fine(app) and "Labels alone so far" in said(app)
    assert first["S3VM"] == first["Without unlabelled points"]
    monkeypatch.setattr(AT_ONCE, 600.0)
    app.run()
    assert fine(app) and "has climbed to λ₂" in said(app)
    assert numbers(app)["S3VM"] != first["S3VM"]
    monkeypatch.setattr(AT_ONCE, 0.0)
    again = opened("inductive", **URL)  # another session: the answer is there
    assert "has climbed to λ₂" in said(again) and numbers(again) == numbers(app)


def test_a_machine_left_on_its_way_goes_on_from_there(monkeypatch):
    monkeypatch.setattr(AT_ONCE, 1e-9)  # one turn in each run
    monkeypatch.setattr(SLICE, 1e-9)  # and one after it
    app = opened("inductive", **URL | {"S3VM.lam2": "10.0"})
    heights = [said(app)]
    for _ in range(2):
        app.run()
        heights.append(said(app))
    assert fine(app) and "of λ₂" in heights[0] and len(set(heights)) == 3


def test_other_data_chosen_on_the_way_are_those_shown(monkeypatch):
    monkeypatch.setattr(AT_ONCE, 1e-9)
    app = opened("inductive", **URL | {"S3VM.lam1": "0.0001", "S3VM.lam2": "10.0"})
    assert "On its way" in said(app)
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "150 points" in said(app)
    monkeypatch.setattr(AT_ONCE, 600.0)
    app.run()
    url = {"S3VM.lam1": "0.0001", "S3VM.lam2": "10.0"}
    assert numbers(app) == numbers(opened("inductive", **URL | url | {"data": "iris"}))


def test_at_a_neighbouring_lambda_1_the_machine_before_is_followed_until_the_climb_ends(
    monkeypatch,
):
    monkeypatch.setattr(AT_ONCE, 600.0)
    monkeypatch.setattr(SLICE, 1e-9)
    app = opened("inductive", **URL | {"S3VM.lam1": "0.01"})
    assert "has climbed to λ₂" in said(app)
    grid = next(p for p in params_of(sslviz.S3VM) if p.name == "lam1").grid()
    app.select_slider(key="S3VM.lam1").set_value(max(v for v in grid if v < 0.01)).run()
    assert fine(app) and "From the machine before" in said(app)
    first = app.session_state["fields:climb"][1]
    assert first.ready and not first.done and first.turn.weight == first.lam2
    while not first.done:
        first.advance(1.0)
    app.run()
    assert fine(app) and "has climbed to λ₂" in said(app)
    fresh = opened("inductive", **URL | {"S3VM.lam1": str(first.lam1)})
    assert numbers(fresh) == numbers(app), "where one comes from does not matter in the end"


@pytest.mark.parametrize(
    "lam1, lam2, leads",
    [(0.02, 1.0, True), (0.005, 1.0, True), (0.01, 0.5, False), (1e-3, 1.0, False)],
)
def test_a_machine_is_followed_nearby_only(lam1, lam2, leads):
    X, y = digits(100)
    climb = Climb(sslviz.S3VM(lam1=0.01, lam2=1.0), X, y)
    assert not climb.leads(0.02, 1.0), "not before it is solved"
    climb.advance(600.0)
    assert climb.done and climb.leads(lam1, lam2) is leads
    assert not Climb(sslviz.S3VM(lam2=0.0), X, y).leads(lam1, lam2)


@pytest.mark.parametrize("lam2, told", [(0.0, False), (1.0, True)])
def test_a_climb_of_one_step_ends_with_it(lam2, told):
    X, y = digits(100)
    climb = Climb(sslviz.S3VM(lam2=lam2), X, data.load("digits").y[:100] if told else y)
    first = climb.turn
    climb.advance(600.0)
    assert climb.done and climb.turn is first
    assert climb.model().predict(X).shape == (100,)


def test_two_classes_are_there_at_once(monkeypatch):
    monkeypatch.setattr(AT_ONCE, 5.0)
    app = opened("inductive", field_method=sslviz.S3VM.title)
    assert fine(app) and "has climbed to λ₂" in said(app)
