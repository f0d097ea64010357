"""The first picture of each page: data and settings on which its method shows its point.

They are applied when a page is opened without a link's settings and without a data set carried
along from another page. Widgets keep their defaults, because links leave defaults out.
"""

from typing import Any

import streamlit as st

from sslviz.ui.state import page_state

OPENINGS: dict[str, dict[str, Any]] = {}
OPENED = "opening:page"  # the page that was opened bare, as long as nothing else is chosen


def open_bare_page(page: str) -> None:
    """Give the widgets of a page that is visited bare the values of its first picture."""
    before, st.session_state[OPENED] = st.session_state.get(OPENED, ""), ""
    if page_state.chosen_elsewhere():
        return
    if before == page or not st.query_params.to_dict():
        st.session_state[OPENED] = page
    if before != page and not st.query_params.to_dict() and page in OPENINGS:
        page_state.set_widgets(OPENINGS[page])
