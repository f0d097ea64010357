"""Drawings on the pages: the canvas is offered what is there, and what is drawn becomes a set."""

from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz.data import drawings, uploads
from sslviz.ui.data import canvas

SHAPES = drawings.shapes()


def picker() -> None:
    """Nothing but the choice of a set, and drawings that come in."""
    import streamlit as st

    from sslviz.ui.data import canvas, own_sets

    if "sent" in st.session_state:
        canvas.use_drawing(st.session_state.pop("sent"))
    st.selectbox("Data set", ["iris", *own_sets.own_set_names()], key="data", bind="query-params")


def sent(app: AppTest, shape: str) -> AppTest:
    app.session_state["sent"] = SHAPES[shape]
    return app.run()


def test_a_drawing_is_chosen_and_takes_the_place_of_the_one_before():
    app = AppTest.from_function(picker)
    first = sent(app, "crescents").selectbox(key="data").value
    second = sent(app, "bridge").selectbox(key="data").value
    assert not app.exception and first != second and second.startswith("drawing-")
    assert app.selectbox(key="data").options == ["iris", second]
    assert app.run().selectbox(key="data").options == ["iris", second]
    again = AppTest.from_function(picker)  # a link to the one before
    again.query_params["data"] = first
    assert again.run().selectbox(key="data").value == first


def test_a_page_draws_it_and_its_code_runs(capsys):
    name = uploads.store(drawings.dataset_of_drawing(SHAPES["spirals"]), "drawing")
    app = opened("propagation", data=name)
    assert fine(app) and any("Drawn by hand. Shown: 240 points" in c.value for c in app.caption)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_the_canvas_opens_with_shapes_and_the_points_shown(monkeypatch):
    given: list[dict] = []
    monkeypatch.setattr(canvas, "_component", lambda: lambda data, **rest: given.append(data))
    app = opened("graph")
    assert not given
    assert fine(app.button(key="open.draw").click().run())
    assert [*given[0]["starts"]] == [*SHAPES, "this set"]
    assert len(given[0]["starts"]["this set"]) == 3 * 316
    assert fine(app.run()) and len(given) == 2, "it stays where a page runs again by itself"


def test_a_set_of_many_features_is_no_drawing_to_begin_with(monkeypatch):
    given: list[dict] = []
    monkeypatch.setattr(canvas, "_component", lambda: lambda data, **rest: given.append(data))
    app = opened("graph", data="swiss_roll", **{"swiss_roll.n_samples": "100"})
    assert fine(app.button(key="open.draw").click().run())
    assert [*given[0]["starts"]] == [*SHAPES]
