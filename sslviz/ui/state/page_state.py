"""Data set and labels go along from page to page, and whatever a button sets into the URL.

Streamlit forgets a widget's value on the way to another page if it came from the URL and nobody
touched it, and writes a value set from outside into the URL only where the widget has been on
screen before. So what pages share is noted after every run and given to the next page.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sslviz import data

SHARED = ("labels", "seed", "map", "dimensions")  # and the data set with its options
PLAIN = ("", "failures")  # pages without a data set
NOTED, PAGE, FRESH = "carried:values", "carried:page", "carried:fresh"


def restore_shared(page: str) -> None:
    """Before a page runs: give its widgets what the last one had, unless the URL says otherwise."""
    if page not in PLAIN:
        if not _restored() and st.session_state.get(PAGE) != page:
            noted = st.session_state.get(NOTED, {})
            set_widgets({key: value for key, value in noted.items() if key not in st.query_params})
        st.session_state[PAGE] = page


def _restored() -> bool:
    """Whether the reader came by the browser's Back or Forward: then the URL is all there is to it.

    Streamlit takes out of it what the page before had bound, and with it all that pages share.
    """
    ctx = get_script_run_ctx()
    if ctx is None or not ctx.is_history_navigation:
        return False
    with ctx.session_state.query_params() as params:
        params.populate_from_query_string(ctx.query_string)
        params.set_initial_query_params_from_current()
    st.session_state[FRESH] = True
    return True


def save_shared(page: str) -> None:
    """After a page has run, or stopped: note what others share."""
    if page in PLAIN or "data" not in st.session_state:
        return
    name, first = st.session_state["data"], data.names()[0]
    noted = {
        key: st.session_state[key]
        for key in map(str, st.session_state)
        if (key in SHARED or (key.split(".")[0] == name and not key.endswith(".few")))
        and key in st.query_params  # others have their default
    }
    if name != first:  # the first nobody chose: a page may begin with another
        noted["data"] = name
    st.session_state[NOTED] = noted
    if st.session_state.pop(FRESH, False):
        st.query_params.update({})  # say the URL once more, now without defaults


def set_widgets(values: Mapping[str, Any]) -> None:
    """Give widgets these values by their keys, and the URL those of widgets not on screen yet.

    Widgets on screen write into the URL themselves, and no one else may.
    """
    st.session_state.update(values)
    words = {key: str(value) for key, value in values.items()}
    for some in (words, *({key: word} for key, word in words.items())):  # at best all in one step
        try:
            st.query_params.update(some)
        except StreamlitAPIException:
            continue
        st.session_state[FRESH] = True
        if some is words:
            break


def widget_value(key: str, default: Any = None) -> Any:
    """The value of a widget by its key, also before it is drawn: then what the URL says."""
    return st.session_state.get(key, st.query_params.get(key, default))


def set_url_value(key: str, text: str) -> None:
    """Let the URL say something no widget says; nothing if there is nothing to say."""
    if text == st.query_params.get(key, ""):
        return
    if text:
        st.query_params[key] = text
    else:
        del st.query_params[key]


def forget() -> None:
    """The next page begins with its own."""
    st.session_state.pop(NOTED, None)
