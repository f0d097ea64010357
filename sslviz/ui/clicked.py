"""The point a user clicked, remembered per figure and forgotten when the data change; and keys."""

from collections.abc import Callable

import streamlit as st

from sslviz.ui import by_hand
from sslviz.ui.live import Event
from sslviz.ui.problem import Problem

NO_POINTS = ("dictionary_atom", "stream")  # marks there are atoms, or points of a stream


def remember(name: str) -> Callable[[Event], None]:
    """A handler for `live`: keeps the clicked point; a second click on it lets it go.

    A key over a point labels it by hand.
    """

    def on_event(event: Event) -> None:
        if event.kind == "click":
            key = f"clicked:{name}"
            same = st.session_state.get(key) == event.point
            st.session_state[key] = None if same else event.point
        elif event.kind == "key" and name not in NO_POINTS:
            assert event.point is not None and event.key is not None
            by_hand.pressed(event.point, event.key)

    return on_event


def clicked_point(name: str, problem: Problem) -> int | None:
    """The remembered point, if it belongs to the data now shown.

    In a fragment of the page, labels by hand may be newer than the problem: then all runs again.
    """
    if st.session_state.get(by_hand.NEWS):
        st.rerun()
    data = (problem.dataset.name, str(problem.setting.options))
    if st.session_state.get(f"clicked_in:{name}") != data:
        st.session_state[f"clicked_in:{name}"] = data
        st.session_state[f"clicked:{name}"] = None
    return st.session_state.get(f"clicked:{name}")
