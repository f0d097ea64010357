"""The first picture of each page: data and settings on which its method shows its point.

They are applied when a page is opened without a link's settings and without a data set carried
along from another page. Widgets keep their defaults, because links leave defaults out.
"""

from typing import Any

import streamlit as st

from sslviz.ui.state import page_state, slots

OPENINGS: dict[str, dict[str, Any]] = {}


def open_bare_page(page: str) -> None:
    """Give the widgets of a page that is visited bare the values of its first picture."""
    if slots.OPENED_BARE.get() == page:
        return
    bare = not st.query_params.to_dict() and not slots.SHARED_VALUES.get()
    slots.OPENED_BARE.set(page if bare else "")
    if bare and page in OPENINGS:
        page_state.set_widgets(OPENINGS[page])


def forget_opening(page: str) -> None:
    """After the page has run: its own first data set is nobody's choice, and not carried along."""
    opening = OPENINGS.get(page, {})
    if slots.OPENED_BARE.get() == page and st.session_state.get("data") == opening.get("data"):
        page_state.forget_shared()


def is_first_picture(page: str) -> bool:
    """Whether the page shows what it opens with: an animation then starts at its beginning."""
    return slots.OPENED_BARE.get() == page
