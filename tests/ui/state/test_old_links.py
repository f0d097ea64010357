"""Links of former versions: names translated, values kept, widgets started from them."""

from pathlib import Path

import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from sslviz.ui.state.old_links import ADDRESSES, FIRST_PAGE, KEYS, routes, translate

PAGES = Path(__file__).parents[3] / "pages"


def test_every_old_address_leads_to_a_page():
    assert all((PAGES / f"{page}.py").exists() for page in ADDRESSES.values())
    assert not any((PAGES / f"{old}.py").exists() for old in ADDRESSES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fields.colour", "inductive.colour"),
        ("asking.count", "active_learning.count"),
        ("field_method", "inductive.method"),
        ("map_method", "embedding.method"),
        ("data", "data"),
        ("my_field_method", "my_field_method"),
        ("field_methods", "field_methods"),
        ("x.fields.colour", "x.fields.colour"),
    ],
)
def test_a_key_is_translated_whole_or_by_its_first_word(old, new):
    assert translate({old: "mix"}) == {new: "mix"}


def test_order_stays_todays_name_wins_and_translating_twice_changes_nothing():
    query = {"b": "1", "fields.x": "2", "inductive.x": "3", "a": "4"}
    assert list(translate(query).items()) == [("b", "1"), ("inductive.x", "3"), ("a", "4")]
    assert all(translate({new: ""}) == {new: ""} for new in KEYS.values())


def test_the_server_redirects_old_addresses_with_all_values(monkeypatch):
    monkeypatch.setattr("sslviz.ui.state.old_links.base_path", lambda: "/below/here")
    found = {route.path: route.endpoint for route in routes()}
    assert set(found) == {f"/below/here/{old}" for old in ("home", *ADDRESSES)}
    for path, answer in found.items():
        scope = {"type": "http", "server": ("host", 80), "headers": [], "path": path}
        query = b"fields.colour=mix&data=a&data=b"
        location = answer(Request(scope | {"query_string": query})).headers["location"]
        page = (ADDRESSES | FIRST_PAGE)[path.rpartition("/")[2]]
        assert location == f"{page}?inductive.colour=mix&data=a&data=b"
        assert answer(Request(scope | {"query_string": b""})).headers["location"] == page


def script() -> None:
    import streamlit as st

    from sslviz.ui.state.old_links import redirect_old_keys

    redirect_old_keys()
    st.segmented_control(
        "Colour", ["winner", "mix"], default="winner", key="inductive.colour", bind="query-params"
    )
    st.multiselect("Classes", ["a", "b", "c"], key="inductive.classes", bind="query-params")
    st.slider("Labels", 1, 9, key="labels", bind="query-params")


def test_widgets_start_from_an_old_link():
    app = AppTest.from_function(script)
    app.query_params.update({"fields.colour": "mix", "fields.classes": ["a", "c"], "labels": "4"})
    app.run()
    assert not app.exception and app.slider(key="labels").value == 4
    assert app.session_state["inductive.colour"] == "mix"
    assert app.multiselect(key="inductive.classes").value == ["a", "c"]
    assert not any(key.startswith("fields") for key in app.query_params)
    app.slider(key="labels").set_value(5).run()
    assert app.session_state["inductive.colour"] == "mix"
