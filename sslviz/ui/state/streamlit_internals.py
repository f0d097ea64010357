"""All that reaches into Streamlit's internals; written for Streamlit 1.67, checked by tests.

Everything else uses documented functions only, so that a new version of Streamlit can break no
other file than this one.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.components.v1 import declare_component
from streamlit.navigation.page import StreamlitPage as StreamlitPage  # what st.navigation returns
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.session_state import (
    Serialized,
    SessionState,
    Value,
    WStates,
    _is_stale_widget,
)

PLAIN_KINDS = {  # of values of sliders, choices and texts in messages of the browser
    *("bool_value", "int_value", "double_value", "string_value"),
    *("int_array_value", "double_array_value", "string_array_value"),
}


def is_script_running() -> bool:
    """Whether this is a run of a page, and not an import by the server or by a test."""
    return get_script_run_ctx(suppress_warning=True) is not None


@cache
def ignore_unreadable_values() -> None:
    """Let a value of another kind than its widget has count as none: the widget keeps its default.

    No browser sends one, but who speaks the protocol by hand can: Streamlit then failed before the
    page began, at this request and at all later ones of the session.
    """
    read = WStates.__getitem__

    def read_or_forget(states: WStates, widget: str) -> Any:
        stored, known = states.states.get(widget), states.widget_metadata.get(widget)
        if isinstance(stored, Serialized) and known is not None and known.value_type in PLAIN_KINDS:
            if stored.value.WhichOneof("value") != known.value_type:
                states.states[widget] = Value(known.deserializer(None))
        return read(states, widget)

    WStates.__getitem__ = read_or_forget  # type: ignore[method-assign]


@cache
def forget_callbacks_of_removed_buttons() -> None:
    """Let go of what the callbacks of buttons hold that are no longer on the page.

    Streamlit keeps the description of every widget a session has ever had. The buttons of a run
    hold the run, with its pictures and its thread: the server grew by megabytes a second.
    """
    remove = SessionState._remove_stale_widgets

    def remove_and_forget(state: SessionState, active: frozenset[str]) -> None:
        remove(state, active)
        ctx = get_script_run_ctx(suppress_warning=True)
        known = state._new_widget_state.widget_metadata
        for widget, metadata in list(known.items()):
            if ctx is None or metadata.value_type != "trigger_value":
                continue  # figures: Streamlit does not count the part that hears events as active
            if _is_stale_widget(metadata, active, ctx.fragment_ids_this_run):
                known[widget] = replace(
                    metadata, callback=None, callback_args=None, callback_kwargs=None
                )

    SessionState._remove_stale_widgets = remove_and_forget  # type: ignore[assignment,method-assign]


@cache
def tell_defaults_while(flag: str) -> None:
    """While the session state has `flag`, tell the browser the values that widgets begin with.

    A widget on screen whose value was deleted has its default in that run, but the browser is not
    told: it shows the old value and sends it with the next run.
    """
    register = SessionState.register_widget

    def register_and_tell(state: SessionState, metadata: Any, user_key: str | None) -> Any:
        begins = flag in state and user_key is not None and user_key not in state
        found = register(state, metadata, user_key)
        return replace(found, value_changed=True) if begins else found

    SessionState.register_widget = register_and_tell  # type: ignore[assignment,method-assign]


def session_id() -> str:
    """Identifies the browser tab that this run is for; "" outside of pages."""
    ctx = get_script_run_ctx(suppress_warning=True)
    return "" if ctx is None else ctx.session_id


def leave_if_superseded() -> None:
    """End this run of a page here if a newer one was asked for or the tab was closed.

    Any call that draws something does the same; this one draws nothing.
    """
    ctx = get_script_run_ctx(suppress_warning=True)
    if ctx is not None:
        ctx.yield_check()


@contextmanager
def sending_together() -> Iterator[None]:
    """Send what is drawn in this block when it ends, so that the browser draws it at once.

    Streamlit sends each element when it is there, and a browser lays out the whole page anew for
    whatever has come within some milliseconds: with figures that take a while to make, many times
    for one picture.
    """
    ctx = get_script_run_ctx(suppress_warning=True)
    if ctx is None:
        yield
        return
    send, waiting = ctx._enqueue, list[Any]()
    ctx._enqueue = waiting.append
    try:
        yield
    finally:
        ctx._enqueue = send
        for message in waiting:
            send(message)


def is_run_waiting() -> bool:
    """Whether the visitor has asked for another run of this page, be it of a fragment only.

    Those that a clock asks for do not count.
    """
    ctx = get_script_run_ctx(suppress_warning=True)
    if ctx is None or ctx.script_requests is None:
        return False
    requests = ctx.script_requests
    if requests._state is ScriptRequestType.RERUN:
        return not requests._rerun_data.is_auto_rerun
    return requests._state is ScriptRequestType.STOP


def came_by_history() -> bool:
    """Whether the browser's Back or Forward started this run: then the URL decides everything."""
    ctx = get_script_run_ctx()
    return ctx is not None and ctx.is_history_navigation


def restore_query() -> None:
    """Take all query parameters from the URL again, and let widgets start from them.

    When a page is left, Streamlit removes the parameters bound to its widgets. By Back and Forward
    it would so remove those that both pages share.
    """
    ctx = get_script_run_ctx()
    assert ctx is not None
    with ctx.session_state.query_params() as params:
        params.populate_from_query_string(ctx.query_string)
        params.set_initial_query_params_from_current()


def query_values() -> dict[str, list[str]]:
    """The query parameters with all their values: a parameter may be there more than once."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def replace_query(values: Mapping[str, list[str]]) -> None:
    """Other query parameters instead of all those in the URL, before widgets are drawn.

    `st.query_params` alone would not do: widgets start from the parameters the page opened with.
    """
    ctx = get_script_run_ctx()
    if ctx is None:
        return
    with ctx.session_state.query_params() as params:
        params.clear_with_no_forward_msg(preserve_embed=True)
        for key, value in values.items():
            params.set_with_no_forward_msg(key, value[0] if len(value) == 1 else value)
        params.set_initial_query_params_from_current()
    write_query()


def start_widget_from(key: str, value: str) -> None:
    """Let a widget that is not drawn yet start from this value; the URL keeps what it says."""
    ctx = get_script_run_ctx()
    if ctx is not None:
        with ctx.session_state.query_params() as params:
            params._initial_query_params[key] = [value]


def write_query() -> None:
    """Let the address bar show the query parameters as they are now, without defaults."""
    st.query_params.update({})


def ignore_pages_folder() -> None:
    """Only `st.navigation` says which pages there are; for the start of a server.

    Until `st.navigation` has run once, Streamlit takes a folder pages/ for the list of pages: the
    first link to any other address then shows "Page not found".
    """
    PagesManager.uses_pages_directory = False


def serve_folder(name: str, folder: Path) -> str:
    """The URL below which a folder is served.

    Streamlit serves the folder of every declared component under /component/<module>.<name>/, so a
    folder is declared as a component that is never shown. Static serving would need the files
    copied beside app.py; the asset folder of components.v2 needs an installed package with a
    manifest. To be called in every script run: a new runtime (a restart, a test) knows none.
    """
    return f"{base_path()}/component/{declare_component(name, path=folder.resolve()).name}"


def serve_bytes(data: bytes, media_type: str, name: str) -> str:
    """A URL of these bytes, kept in memory while a session shows them; for a disk that refuses.

    Where no server runs, as in tests, the bytes are in the URL itself.
    """
    if not runtime.exists():
        return f"data:{media_type};base64,{b64encode(data).decode()}"
    place = f"sslviz.{name}"  # Streamlit forgets what a session shows no longer by its place
    return base_path() + runtime.get_instance().media_file_mgr.add(data, media_type, place)


def base_path() -> str:
    """The path below which the server was told to run, e.g. "/below/here"."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""
