"""Controls of the page "Hubs"."""

import numpy as np
import streamlit as st

from sslviz.ui.controls import choose_option
from sslviz.ui.hubs.map_view import MAPS, HubMap

DEFAULT_HUB_SHARE = 0.3  # of the unlabelled points


def choose_hubs(y: np.ndarray) -> int:
    """The number of hubs h."""
    highest = int((y < 0).sum())
    default = round(DEFAULT_HUB_SHARE * highest)
    if st.session_state.get("hubs.h", 0) > highest:  # left from a larger data set
        st.session_state["hubs.h"] = default
    return st.slider(
        "**Hubs (h)**: how many points with the highest in-degree vote",
        0,
        highest,
        default,
        key="hubs.h",
        bind="query-params",
        help="The h unlabelled points that most others have among their nearest neighbours. 0: "
        "only the given labels vote. All: labels propagate among all points.",
    )


def choose_maps() -> list[HubMap]:
    """All three maps side by side, or one of them large."""
    show = choose_option(
        "Show",
        ("all three", *(m.option for m in MAPS)),
        "hubs.show",
        help="The three steps side by side, or one of them large.",
    )
    return [m for m in MAPS if show in ("all three", m.option)]
