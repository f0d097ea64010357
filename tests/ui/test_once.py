"""What all sessions share is made once, and no message of a browser empties it."""

import threading

import streamlit as st

from sslviz.ui.once import Once
from sslviz.ui.runs import run_store
from sslviz.ui.server import memory


def test_a_clear_cache_of_any_browser_leaves_results_and_runs():
    before = memory(), run_store()
    st.cache_data.clear()  # what Streamlit does on the message "clear_cache"
    st.cache_resource.clear()
    assert (memory(), run_store()) == before


def test_threads_that_ask_at_once_get_the_same_object():
    gate, made, found = threading.Barrier(6), [], []

    def make() -> object:
        made.append(1)
        return object()

    once = Once(make)

    def ask() -> None:
        gate.wait()
        found.append(once())

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(set(found)) == 1
    once.clear()
    assert once() is not found[0]
