"""The label lab on the sidebar: the next point to label, the selected group, labels as files."""

from typing import Any

import streamlit as st

from sslviz.experiments.next_label import RULES, next_label
from sslviz.ui.labels.class_names import show_class_styles
from sslviz.ui.labels.files import show_label_files
from sslviz.ui.labels.group import show_group
from sslviz.ui.server import memory
from sslviz.ui.state.slots import CLICKED_POINT


def show_label_lab(problem: Any) -> None:
    """The selected group, and behind a click the rest."""
    show_group(problem)
    with st.expander("Label lab", icon=":material/label:"):
        st.caption(
            "**By hand:** hover a point and press its key, or use the arrow keys once the map is "
            "in focus. **Many at once:** the lasso and the box above the map."
        )
        if (problem.y < 0).any():
            _show_next(problem)
        show_label_files(problem.dataset, problem.y)
    show_class_styles(problem)


def _show_next(problem: Any) -> None:
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
    if rule is None:
        return
    try:
        found = memory().cache(next_label)(problem.dataset.X, problem.y, rule)
    except ValueError as error:
        st.info(f"{error}.", icon=":material/info:")
        return
    st.markdown(f"**Point {found.point}.** {found.reason}")
    st.button(
        "Show it",
        key="open.next.show",
        icon=":material/my_location:",
        on_click=CLICKED_POINT.set,
        args=(found.point,),
    )
