"""Settings of FLP worth seeing, a button each, and a word where units would decide."""

import numpy as np
import streamlit as st

from sslviz.ui.presets.apply import show_lesson
from sslviz.ui.problem import Problem
from sslviz.ui.state import page_state

UNEVEN = 20  # times the smallest feature is in the largest: then units decide, not the data
USUAL = {"seed": 0, "mistakes": False, "FLP.mode": "recipe", "FLP.width": 3.0, "FLP.outer": 10,
         "FLP.n_components": "C − 1"}  # fmt: skip
WINE = USUAL | {"data": "wine", "wine.standardise": True, "labels": 2}
TRY = {
    "Wine, as in the paper": WINE,
    "Wine, as printed": WINE | {"FLP.mode": "printed"},
    "Wine, heard by the nearest only": WINE | {"FLP.width": 100.0},
    "Iris": USUAL | {"data": "iris", "labels": 2},
    "Digits": USUAL | {"data": "digits", "labels": 3},
}


def settings_offered() -> None:
    """Buttons that set what matters on the page, by the keys of its widgets."""
    show_lesson("pages/flp.py")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("Try", width="content")
        for i, (name, values) in enumerate(TRY.items()):
            key = f"open.flp_{i}"
            st.button(name, key=key, on_click=page_state.set_widgets, args=(values,))


def show_units(problem: Problem) -> None:
    """A word, and a way out, where features of large numbers would decide alone."""
    dataset, key = problem.dataset, f"{problem.dataset.name}.standardise"
    scale = dataset.X.std(axis=0, dtype=np.float64)
    scale = scale[scale > 0]
    if dataset.image_shape or not len(scale) or scale.max() < UNEVEN * scale.min():
        return
    if st.session_state.get(key) is not False:  # a set without the switch, or with it on
        return

    st.info(
        f"The largest feature spreads {scale.max() / scale.min():,.0f} times as wide as the "
        "smallest: the map follows their units, not the data.",
        icon=":material/straighten:",
    )
    st.button(
        "Bring all features to one scale",
        key="open.flp_scale",
        on_click=page_state.set_widgets,
        args=({key: True},),
    )
