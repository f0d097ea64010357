"""Settings of FLP to try, a button each."""

import streamlit as st

from sslviz.ui.state import page_state

DEFAULTS = {"seed": 0, "mistakes": False, "FLP.mode": "recipe", "FLP.width": 3.0, "FLP.outer": 10,
         "FLP.n_components": "C − 1"}  # fmt: skip
WINE = DEFAULTS | {"data": "wine", "wine.standardise": True, "labels": 2}
SUGGESTIONS = {
    "Wine, as in the paper": WINE,
    "Wine, as printed": WINE | {"FLP.mode": "printed"},
    "Wine, narrow kernel": WINE | {"FLP.width": 100.0},
    "Iris": DEFAULTS | {"data": "iris", "labels": 2},
    "Digits": DEFAULTS | {"data": "digits", "labels": 3},
}


def show_suggestions() -> None:
    """Buttons that set widgets by their keys."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("Try", width="content")
        for i, (name, values) in enumerate(SUGGESTIONS.items()):
            key = f"open.flp_{i}"
            st.button(name, key=key, on_click=page_state.set_widgets, args=(values,))
