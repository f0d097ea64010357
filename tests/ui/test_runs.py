"""Long learning on a page: bars, stops, and going on from where one is."""

import numpy as np
import pytest
from sslviz.ui.dictionary.atom_views import NOBODY, dominant_classes
from sslviz.ui.dictionary.training_views import active_share
from streamlit.testing.v1 import AppTest

from sslviz.ui.dictionary.sidebar import points_of
from sslviz.ui.runs import RunStore


def watching() -> None:
    """A page that learns; what the test wants stands in the session."""
    import streamlit as st

    from sslviz.ui.runs import resume_or_start, run_with_progress

    class Counting:
        def __init__(self, settings, before):
            self.total, self.done = settings["max_iter"], 0
            self.start = 0 if before is None else before

        def advance(self):
            self.done += 1

        def fitted(self):
            return self.start + self.done

    state = st.session_state
    settings = {"lam": state.get("lam", 1.0), "max_iter": 5}
    path = resume_or_start(
        "test", state.get("where", "here"), settings, state.get("go_on", False), Counting
    )
    if state.get("hurry"):  # as if the slider had moved on before the first round
        st.stop()
    if state.get("stop_now"):  # as if the button had been pressed during the second round
        path.learning.done, state["stop_now"] = 2, False
        state["learning:stopped"] = {path.name}
    run_with_progress(path.learning, path.name, "Counting")
    st.write(f"at {path.learning.fitted()} by {list(path.code)}")


@pytest.fixture
def app() -> AppTest:
    from sslviz.ui.runs import run_store

    run_store.clear()
    return AppTest.from_function(watching, default_timeout=60)


def said(app: AppTest) -> str:
    assert not app.exception
    return app.markdown[-1].value


def test_all_rounds_are_done_and_the_bar_is_gone(app):
    app.run()
    assert said(app).startswith("at 5") and not app.button and not app.warning


def test_a_stop_keeps_what_there_is_and_going_on_finishes(app):
    app.session_state["stop_now"] = True
    app.run()
    assert said(app).startswith("at 2 ") and "'max_iter': 2" in said(app)
    assert "after round 2 of 5" in app.warning[0].value
    app.run()
    assert said(app).startswith("at 2 "), "it stays stopped"
    app.button[0].click().run()
    assert said(app).startswith("at 5") and not app.warning


def test_other_settings_start_anew_unless_told_to_go_on(app):
    app.run()
    app.session_state["lam"] = 2.0
    app.run()
    assert said(app) == "at 5 by [{'lam': 2.0, 'max_iter': 5}]"
    app.session_state["go_on"] = True
    app.run()
    assert said(app).startswith("at 5"), "nothing has moved"
    app.session_state["lam"] = 3.0
    app.run()
    assert said(app) == "at 10 by [{'lam': 2.0, 'max_iter': 5}, {'lam': 3.0, 'max_iter': 5}]"
    app.session_state["where"] = "elsewhere"
    app.run()
    assert said(app) == "at 5 by [{'lam': 3.0, 'max_iter': 5}]"


def test_one_goes_on_from_where_one_stopped(app):
    app.session_state["stop_now"] = app.session_state["go_on"] = True
    app.run()
    app.session_state["lam"] = 4.0
    app.run()
    assert said(app) == "at 7 by [{'lam': 1.0, 'max_iter': 2}, {'lam': 4.0, 'max_iter': 5}]"


def test_what_was_left_before_its_first_round_is_not_gone_on_from(app):
    app.session_state["go_on"] = True
    app.run()
    app.session_state["hurry"] = True
    for lam in (2.0, 3.0, 4.0):
        app.session_state["lam"] = lam
        app.run()
    app.session_state["hurry"] = False
    app.run()
    assert said(app) == "at 10 by [{'lam': 1.0, 'max_iter': 5}, {'lam': 4.0, 'max_iter': 5}]"
    app.session_state["hurry"], app.session_state["lam"] = True, 5.0
    app.run()
    app.session_state["hurry"], app.session_state["lam"] = False, 4.0
    app.run()
    assert said(app).startswith("at 10 "), "back again, nothing has moved"


def test_only_the_last_few_learnings_are_kept():
    kept, begun = RunStore(most=2), []

    def begin(name: str):
        return lambda: begun.append(name) or name

    for name in ("a", "b", "a", "c", "a", "b"):
        assert kept.get(name, begin(name)) == name
    assert begun == ["a", "b", "c", "b"]


def test_noise_has_the_deviation_of_table_5():
    X = np.random.default_rng(1).normal(size=(500, 40))
    clean = points_of(X, ("length 5",), 0.0)
    np.testing.assert_allclose(np.linalg.norm(clean, axis=1), 5)
    added = points_of(X, ("length 5",), 0.6) - clean
    assert added.std() == pytest.approx(0.6 * 25 / 40, rel=0.02)


def test_active_pairs_are_on_the_wrong_side_of_their_margin():
    scores = np.array([[1.5, -1.5], [0.5, -1.5], [-2.0, 0.0]])
    assert active_share(scores, np.array([0, 0, 0])) == 3 / 6
    assert active_share(np.array([[2.0, -2.0]]), np.array([0])) == 0


def test_an_atom_speaks_for_its_largest_weight_or_for_nobody():
    W = np.array([[0.5, -0.1, 0.0, 0.001], [0.2, -0.3, 0.0, 0.0]])
    np.testing.assert_array_equal(dominant_classes(W), [0, NOBODY, NOBODY, NOBODY])
    np.testing.assert_array_equal(dominant_classes(0 * W), [NOBODY] * 4)
