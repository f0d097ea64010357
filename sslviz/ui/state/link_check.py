"""What a link names and the page does not have: a misspelt or outdated name is said."""

import streamlit as st

from sslviz.ui.state import page_state
from sslviz.ui.state.slots import IGNORED_IN_LINK, LINK_READ, catalogue

OTHERS = frozenset({"story", "step", "embed", "embed_options"})  # read elsewhere


def ignored_in_link() -> tuple[str, ...]:
    """Names in the address that the session was opened with which set nothing on its page.

    Call it when all controls of the page are there. Later addresses are the page's own.
    """
    if not LINK_READ.get():
        LINK_READ.set(True)
        known = OTHERS | {slot.in_url for slot in catalogue()} | page_state.widget_keys()
        IGNORED_IN_LINK.set(tuple(name for name in st.query_params if name not in known))
    return tuple(name for name in IGNORED_IN_LINK.get() if name in st.query_params)
