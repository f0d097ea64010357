"""An unforeseen error of a page is told in a sentence; its trace goes to the log alone."""

import logging
import re

import pytest
from streamlit.testing.v1 import AppTest


def failing_page() -> None:
    from sslviz.ui.errors import error_net

    with error_net("graph"):
        raise RuntimeError("/srv/secret/path is broken")


def test_a_visitor_reads_a_sentence_and_a_number_and_the_log_has_the_trace(monkeypatch, caplog):
    monkeypatch.delenv("SSLVIZ_ERRORS")
    with caplog.at_level(logging.ERROR, "sslviz"):
        app = AppTest.from_function(failing_page).run()
    assert not app.exception and "secret" not in app.error[0].value
    number = re.search(r"\*\*([0-9a-f]{8})\*\*", app.error[0].value)
    assert number and number[1] in caplog.text and "secret/path" in caplog.text
    assert app.button(key="open.start_over")


def failing_fragment() -> None:
    from sslviz.ui.errors import fragment

    def part(fails: bool) -> None:
        if fails:
            raise RuntimeError("/srv/secret/path is broken")

    fragment(part)(True)


def test_a_part_that_is_drawn_again_by_itself_has_the_net_too(monkeypatch):
    monkeypatch.delenv("SSLVIZ_ERRORS")
    app = AppTest.from_function(failing_fragment).run()
    assert not app.exception and "secret" not in app.error[0].value


def test_tests_and_developers_see_the_error_itself():
    app = AppTest.from_function(failing_page).run()
    assert app.exception and not app.error


@pytest.mark.parametrize("name", ["st.stop", "st.rerun"])
def test_streamlits_own_signals_pass(name, monkeypatch):
    monkeypatch.delenv("SSLVIZ_ERRORS")
    script = f"""
import streamlit as st
from sslviz.ui.errors import error_net
st.session_state.runs = st.session_state.get("runs", 0) + 1
with error_net("x"):
    if st.session_state.runs == 1:
        {name}()
st.text("end")
"""
    app = AppTest.from_string(script).run()
    assert not app.error and not app.exception
    assert len(app.text) == (1 if name == "st.rerun" else 0)
