"""Settings of FLP to try, a button each, and a warning where the units of features differ."""

import numpy as np
import streamlit as st

from sslviz.ui.problem import Problem
from sslviz.ui.state import page_state

MAX_SCALE_RATIO = 20  # of the widest and the narrowest feature
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


def show_units(problem: Problem) -> None:
    """A warning and a remedy, where features with large numbers dominate."""
    dataset, key = problem.dataset, f"{problem.dataset.name}.standardise"
    scale = dataset.X.std(axis=0, dtype=np.float64)
    scale = scale[scale > 0]
    if dataset.image_shape or not len(scale) or scale.max() < MAX_SCALE_RATIO * scale.min():
        return
    if st.session_state.get(key) is not False:  # a set without the switch, or with it on
        return

    st.info(
        f"The widest feature has {scale.max() / scale.min():,.0f} times the standard deviation of "
        "the narrowest: distances depend on their units.",
        icon=":material/straighten:",
    )
    st.button(
        "Standardise the features",
        key="open.flp_scale",
        on_click=page_state.set_widgets,
        args=({key: True},),
    )
