"""A visitor's own table becomes a data set of the page, and what is none is refused in words."""

import pytest
from pages.opening import fine, opened
from streamlit.testing.v1 import AppTest

from sslviz import data
from sslviz.ui.data.own_sets import OWN_FILE
from sslviz.ui.data.picker import OPENML


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))


def flowers() -> bytes:
    d = data.load("iris")
    rows = [[*x, d.classes[c]] for x, c in zip(d.X, d.y, strict=True)]
    return "\n".join(",".join(map(str, row)) for row in rows).encode()


def brought(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader(key="own_file").set_value((name, content, "text/csv"))
    return app.run()


def test_before_a_file_is_there_the_page_says_what_it_waits_for():
    app = opened("propagation", data=OWN_FILE)
    assert fine(app) and "Drop a table" in app.info[0].value and not app.metric
    app = opened("propagation", data=OPENML)
    assert fine(app) and "Type the name" in app.info[0].value and not app.metric


def test_a_table_is_chosen_once_it_is_there():
    app = brought(opened("propagation", data=OWN_FILE), "flowers.csv", flowers())
    chosen = app.selectbox(key="data").value
    assert fine(app) and chosen.startswith("flowers-") and app.metric
    assert any("150 points, 4 features, 3 classes" in c.value for c in app.caption)
    plain = opened("propagation", data="iris")
    assert [m.value for m in app.metric] == [m.value for m in plain.metric]
    other = opened("graph", data=chosen)  # by its link
    assert fine(other) and other.selectbox(key="data").value == chosen
    assert not any(name in opened("graph").selectbox(key="data").options for name in (chosen,))


def test_what_is_no_table_is_said_and_another_file_may_follow():
    app = brought(opened("propagation", data=OWN_FILE), "notes.csv", b"\xff\xfe")
    assert not app.exception and "notes.csv: it is not UTF-8 text" in app.error[0].value
    app = brought(app, "flowers.csv", flowers())
    assert fine(app) and app.metric


def test_a_name_that_was_never_given_is_no_set():
    app = opened("propagation", data=f"flowers-{'0' * 12}")
    assert fine(app) and app.selectbox(key="data").value == "two_moons" and app.metric
