"""The point a user clicked, remembered per figure and forgotten when the data change."""

from collections.abc import Callable

import streamlit as st

from sslviz.ui.live import Event
from sslviz.ui.problem import Problem


def remember(name: str) -> Callable[[Event], None]:
    """A handler for `live`: keeps the clicked point; a second click on it lets it go."""

    def on_event(event: Event) -> None:
        if event.kind == "click":
            key = f"clicked:{name}"
            same = st.session_state.get(key) == event.point
            st.session_state[key] = None if same else event.point

    return on_event


def clicked_point(name: str, problem: Problem) -> int | None:
    """The remembered point, if it belongs to the data now shown."""
    data = (problem.dataset.name, str(problem.setting.options))
    if st.session_state.get(f"clicked_in:{name}") != data:
        st.session_state[f"clicked_in:{name}"] = data
        st.session_state[f"clicked:{name}"] = None
    return st.session_state.get(f"clicked:{name}")
