"""The label lab on the sidebar: the next point to label, labels as files, classes, the curve."""

from typing import Any

import streamlit as st

from sslviz.experiments.next_label import RULES, next_label
from sslviz.ui.labels.class_names import show_class_styles
from sslviz.ui.labels.curve import show_labelling_curve
from sslviz.ui.labels.files import show_label_files
from sslviz.ui.labels.map_marks import where_of
from sslviz.ui.server import memory
from sslviz.ui.state.slots import CLICKED_POINT, NEXT_POINT


def show_label_lab(problem: Any) -> None:
    """All of it behind a click, as controls of the method follow.

    Of the parts only the open one is drawn, and the proposal: its ring stays on the maps.
    """
    with st.expander("Label lab", key="lab", icon=":material/label:"):
        st.caption(
            "**By hand:** hover a point and press its key, or use the arrow keys once the map is "
            "in focus. **Many at once:** the lasso and the box above the map."
        )
        parts = st.tabs(list(PARTS), key="open.lab.part", on_change="rerun")
        for part, show in zip(parts, PARTS.values(), strict=True):
            if part.open or show is _show_next:
                with part:
                    show(problem)


def _show_next(problem: Any) -> None:
    """The point to label next by a rule, with its reason; it is ringed on the maps."""
    rule = st.selectbox(
        "What to label next",
        list(RULES),
        index=None,
        placeholder="choose a rule",
        key="next_label",
        help="Expected risk: the label that should correct most predictions of label propagation. "
        "Smallest margin: the point it cannot decide. Densest region and largest hub look at the "
        "points only.",
    )
    found = None
    if rule is not None:
        try:
            found = memory().cache(next_label)(problem.dataset.X, problem.y, rule)
        except ValueError as error:
            st.info(f"{error}.", icon=":material/info:")
    NEXT_POINT.set(found and found.point, where_of(problem))
    if found is None:
        return
    st.markdown(f"**Point {found.point}**, ringed on the map. {found.reason}")
    st.button(
        "Select it",
        key="open.next.show",
        icon=":material/my_location:",
        help="As if it were clicked: its label can be chosen above, its neighbours are linked.",
        on_click=CLICKED_POINT.set,
        args=(found.point,),
    )


PARTS = {
    "Next": _show_next,
    "Curve": show_labelling_curve,
    "Classes": show_class_styles,
    "Files": show_label_files,
}
