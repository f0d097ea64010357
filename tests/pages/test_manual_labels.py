"""Labels by hand on the pages: what they count, where they are kept, when they are forgotten."""

import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz import data, labels

PAGES = ("graph", "propagation", "hubs", "embedding", "flp", "inductive", "dictionary")


def said(app: AppTest) -> str:
    return " ".join(m.value for m in (*app.sidebar.markdown, *app.sidebar.caption))


def given(app: AppTest) -> str:
    return numbers(app)["Labels given"]


def url(app: AppTest) -> str:
    """What the URL says of them."""
    said = app.query_params.get("hand", "")
    return said if isinstance(said, str) else said[0]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_takes_labels_that_contradict_the_truth(page):
    y = data.load("iris").y
    lies = "_".join(f"{i}.{(c + 1) % 3}" for i, c in enumerate(y[:120:5]))
    app = opened(page, data="iris", hand=lies, mistakes="true", **{"stream.kind": "A data set"})
    assert fine(app) and url(app) == lies
    assert "24 labels by hand" in said(app)


def test_the_code_of_the_picture_reproduces_its_accuracy(capsys):
    app = opened("propagation", hand="12.1_57.0_80.-")
    dataset = data.load("two_moons", n_samples=316)
    y = labels.hide(dataset.y, per_class=3, random_state=0)
    y[[12, 57, 80]] = [1, 0, -1]
    found = sslviz.LabelPropagation().fit(dataset.X, y).transduction_
    shown = f"{(found == dataset.y)[y < 0].mean():.1%}"
    assert numbers(app)["Accuracy"] == shown and given(app) == f"{(y >= 0).sum()} of 316"
    assert "y[[12, 57, 80]] = [1, 0, -1]" in app.code[-1].value
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == shown


def test_without_any_nothing_is_said_of_them():
    app = opened("propagation", hand="nonsense_9999.1_5.7")
    assert fine(app) and given(app) == "6 of 316"
    assert "by hand" not in said(app) and "y[[" not in app.code[-1].value
    assert "press **1** = upper moon, **2** = lower moon" in said(app)


def test_they_stay_with_other_draws_and_go_with_other_data():
    app = opened("propagation", hand="12.1_57.0")
    app.slider(key="seed").set_value(3).run()
    app.slider(key="labels").set_value(1).run()
    assert given(app) == "4 of 316" and url(app) == "12.1_57.0"
    app.selectbox(key="data").select("iris").run()
    assert fine(app) and given(app) == "3 of 150" and url(app) == ""
    app.selectbox(key="data").select("two_moons").run()
    assert given(app) == "4 of 316", "and come back with theirs"


def test_they_are_forgotten_by_a_button():
    app = opened("propagation", hand="12.1_57.0")
    assert given(app) == "8 of 316"
    app.button(key="open.forget").click().run()
    assert fine(app) and given(app) == "6 of 316" and url(app) == ""


def test_the_clicked_point_is_labelled_without_a_keyboard():
    app = opened("propagation", point="12")
    app.selectbox(key="open.label.12.-1").select(1).run()
    assert fine(app) and url(app) == "12.1" and given(app) == "7 of 316"
    app.selectbox(key="open.label.12.1").select(-1).run()
    assert fine(app) and url(app) == "" and given(app) == "6 of 316"


def test_a_label_refused_is_not_shown_as_given():
    y = labels.hide(data.load("two_moons", n_samples=316).y, per_class=1, random_state=0)
    only = int((y == 1).nonzero()[0][0])
    app = opened("propagation", labels="1", point=str(only))
    app.selectbox(key=f"open.label.{only}.1").select(0).run()
    assert "only label of lower moon" in app.toast[0].value and url(app) == ""
    assert app.selectbox(key=f"open.label.{only}.1").value == 1


def keys() -> None:
    """A page on which keys are pressed after it has computed, as in a fragment of it."""
    import streamlit as st

    from sslviz.ui.components.live_figure import Event
    from sslviz.ui.problem import choose_problem
    from sslviz.ui.state.clicks import on_click_remember

    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    problem = choose_problem()
    for i, (point, key) in enumerate(st.session_state.pop("keys", [])):
        on_click_remember(st.session_state.get("mark", "point"))(Event("key", point, key, i))
    problem.clicked()
    st.code(str({p: int(problem.y[p]) for p in (12, 57)}))


@pytest.fixture
def page() -> AppTest:
    app = AppTest.from_function(keys, default_timeout=60)
    app.query_params["two_moons.n_samples"] = "316"
    return app.run()


def press(app: AppTest, *keys: tuple[int, str]) -> str:
    app.session_state["keys"] = list(keys)
    return app.run().code[0].value


def test_keys_pressed_in_a_fragment_count_at_once(page):
    assert page.code[0].value == "{12: -1, 57: -1}"
    assert press(page, (12, "2"), (57, "1"), (12, "1")) == "{12: 0, 57: 0}"
    assert page.session_state["runs"] == 3, "the page, the keys, the page with them"
    assert press(page, (57, "Delete")) == "{12: 0, 57: -1}"
    assert url(page) == "12.0"


def test_keys_that_mean_nothing_change_nothing(page):
    assert press(page, (12, "7"), (12, "x"), (9999, "1"), (57, "Delete")) == "{12: -1, 57: -1}"
    assert page.session_state["runs"] == 2 and not page.toast
    page.session_state["mark"] = "atom"
    assert press(page, (12, "1")) == "{12: -1, 57: -1}", "an atom is no point"


def test_a_refusal_is_said(page):
    y = labels.hide(data.load("two_moons", n_samples=316).y, per_class=3, random_state=0)
    press(page, *((int(i), "Delete") for i in (y == 1).nonzero()[0]))
    assert "only label of lower moon" in page.toast[0].value
    assert len(url(page).split("_")) == 2
