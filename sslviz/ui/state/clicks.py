"""What a user clicked, in the session and in the URL, forgotten when the data change; and keys.

The clicked point goes along from page to page: `point=57`. Atoms of a dictionary and arrivals of a
stream are marks of their own page.
"""

import re
from collections.abc import Callable, Hashable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sslviz.snippet import Setting
from sslviz.ui.components.live_figure import Event
from sslviz.ui.state import manual_labels, page_state

POINT, ATOM, ARRIVAL = "point", "atom", "arrival"  # as the URL calls them, and browser_history.js


def on_click_remember(mark: str = POINT) -> Callable[[Event], None]:
    """A handler for `live`: keeps the clicked mark; a second click on it lets it go.

    A key over a point labels it by hand.
    """

    def on_event(event: Event) -> None:
        if event.kind == "click":
            key = f"clicked.{mark}"
            same = st.session_state.get(key) == event.point
            st.session_state[key] = None if same else event.point
        elif event.kind == "key" and mark == POINT:
            assert event.point is not None and event.key is not None
            manual_labels.pressed(event.point, event.key)

    return on_event


def clicked(mark: str, where: Hashable, count: int) -> int | None:
    """The mark last clicked of the `count` now shown, in what `where` names; the URL says it, too.

    The URL is where it comes from in a new session and by the browser's Back and Forward.
    """
    key, place = f"clicked.{mark}", f"clicked_in.{mark}"
    said, ctx = st.query_params.get(mark, ""), get_script_run_ctx()
    if key not in st.session_state or (ctx is not None and ctx.is_history_navigation):
        known = re.fullmatch(r"\d{1,9}", said, re.ASCII)
        st.session_state.update({key: int(said) if known else None, place: where})
    found: int | None = st.session_state[key]
    if found is not None and (found >= count or st.session_state.get(place, where) != where):
        found = None
    st.session_state.update({key: found, place: where})
    page_state.set_url_value(mark, "" if found is None else str(found))
    return found


def clicked_point(setting: Setting, count: int) -> int | None:
    """The point last clicked, of a data set of `count` points.

    In a fragment of the page, labels by hand may be newer than the problem: then all runs again.
    """
    if st.session_state.get(manual_labels.NEWS):
        st.rerun()
    return clicked(POINT, (setting.dataset, str(setting.options)), count)
