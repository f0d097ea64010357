"""The mark a visitor clicked last, kept in the session and in the URL; and keys over points.

The clicked point goes along from page to page: `point=57`. An atom of a dictionary and an arrival
of a stream belong to their page. All are forgotten when the data change.
"""

import re
from collections.abc import Callable, Hashable

import streamlit as st

from sslviz.snippet import Setting
from sslviz.ui.components.live_figure import Event
from sslviz.ui.state import manual_labels, page_state, slots
from sslviz.ui.state.streamlit_internals import came_by_history

POINT, ATOM, ARRIVAL = "point", "atom", "arrival"  # as in the URL, and in browser_history.js
SLOTS = {POINT: slots.CLICKED_POINT, ATOM: slots.CLICKED_ATOM, ARRIVAL: slots.CLICKED_ARRIVAL}


def on_click_remember(mark: str = POINT) -> Callable[[Event], None]:
    """A handler for `show_figure`: keeps the clicked mark; a second click on it removes it again.

    A key pressed over a point labels it by hand.
    """

    def on_event(event: Event) -> None:
        slots.PAGE_OUTDATED.set(mark == POINT)
        if event.kind == "click":
            again = SLOTS[mark].get() == event.point
            SLOTS[mark].set(None if again else event.point)
        elif event.kind == "select" and mark == POINT:
            slots.SELECTED_GROUP.set(event.points)
        elif event.kind == "key" and mark == POINT:
            assert event.point is not None and event.key is not None
            manual_labels.label_by_key(event.point, event.key)

    return on_event


def clicked_mark(mark: str, where: Hashable, count: int) -> int | None:
    """The mark clicked last, if it is one of the `count` in the data that `where` names.

    In a new session and after the browser's Back or Forward it is the one in the URL.
    """
    slot = SLOTS[mark]
    if not slot.is_set() or came_by_history():
        text = st.query_params.get(mark, "")
        slot.set(int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None, where)
    found = slot.get(where)
    if found is not None and found >= count:
        found = None
    slot.set(found, where)
    page_state.set_url_value(mark, "" if found is None else str(found))
    return found


def clicked_point(setting: Setting, count: int) -> int | None:
    """The point clicked last, of a data set of `count` points.

    In a fragment of the page, labels by hand may be newer than the problem: then all runs again.
    """
    if slots.LABELS_CHANGED.get():
        st.rerun()
    return clicked_mark(POINT, (setting.dataset, str(setting.options)), count)
