"""An S3VM on the page "Decision boundaries" while its weight rises: what is shown and kept."""

import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz.params import params_of
from sslviz.ui.runs import run_store
from sslviz.ui.state.slots import S3VM_RUN

URL = {"data": "digits", "digits.n_samples.few": "274", "inductive.method": sslviz.S3VM.title}
FIRST_PICTURE, SLICE = "sslviz.ui.runs.FIRST_PICTURE", "sslviz.ui.runs.SLICE"
REACHED = "has reached λ₂:"


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    """Runs are shared by all sessions: those of other tests are forgotten. Steps are waited for,
    however busy the machine is."""
    run_store.clear()
    monkeypatch.setattr("sslviz.recordings.run.SHORTEST_WAIT", 600.0)


def captions(app: AppTest) -> str:
    return " ".join(c.value for c in app.caption)


def test_the_first_picture_is_supervised_and_the_last_is_shared_by_sessions(monkeypatch):
    monkeypatch.setattr(FIRST_PICTURE, 0.0)
    app = opened("inductive", **URL)
    first = numbers(app)
    assert fine(app) and "labelled points only so far" in captions(app)
    assert first["Accuracy"] == first["Without unlabelled points"]
    monkeypatch.setattr(FIRST_PICTURE, 600.0)
    app.run()
    assert fine(app) and REACHED in captions(app)
    assert numbers(app)["Accuracy"] != first["Accuracy"]
    monkeypatch.setattr(FIRST_PICTURE, 0.0)
    again = opened("inductive", **URL)  # another session
    assert REACHED in captions(again) and numbers(again) == numbers(app)


def test_a_run_that_was_left_goes_on_from_there(monkeypatch):
    monkeypatch.setattr(FIRST_PICTURE, 1e-9)  # one step in each script run
    monkeypatch.setattr(SLICE, 1e-9)  # and one after it
    app = opened("inductive", **URL | {"S3VM.lam2": "10.0"})
    weights = [captions(app)]
    for _ in range(2):
        app.run()
        weights.append(captions(app))
    assert fine(app) and "λ₂/" in weights[0] and len(set(weights)) == 3


def test_other_data_chosen_on_the_way_are_those_shown(monkeypatch):
    monkeypatch.setattr(FIRST_PICTURE, 1e-9)
    slow = {"S3VM.lam1": "0.0001", "S3VM.lam2": "10.0"}
    app = opened("inductive", **URL | slow)
    assert "Running" in captions(app)
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and "150 points" in captions(app)
    monkeypatch.setattr(FIRST_PICTURE, 600.0)
    app.run()
    assert numbers(app) == numbers(opened("inductive", **URL | slow | {"data": "iris"}))


def test_at_a_neighbouring_penalty_the_solution_before_is_the_start(monkeypatch):
    monkeypatch.setattr(FIRST_PICTURE, 600.0)
    monkeypatch.setattr(SLICE, 1e-9)
    app = opened("inductive", **URL | {"S3VM.lam1": "0.01"})
    assert REACHED in captions(app)
    grid = next(p for p in params_of(sslviz.S3VM) if p.name == "lam1").grid()
    app.select_slider(key="S3VM.lam1").set_value(max(v for v in grid if v < 0.01)).run()
    assert fine(app) and "nearby minimum" in captions(app)
    run = app.session_state[S3VM_RUN.key]
    assert run.ready and not run.done and run.step.weight == run.lam2
    run.finish()
    app.run()
    assert fine(app) and REACHED in captions(app)
    fresh = opened("inductive", **URL | {"S3VM.lam1": str(run.lam1)})
    assert numbers(fresh) == numbers(app)


def test_two_classes_are_there_at_once(monkeypatch):
    monkeypatch.setattr(FIRST_PICTURE, 5.0)
    app = opened("inductive", **{"inductive.method": sslviz.S3VM.title})
    assert fine(app) and REACHED in captions(app)
