"""The first picture of each page: data and settings on which its method shows its point.

They are applied when a page is opened without a link's settings and without a data set carried
along from another page. Widgets keep their defaults, because links leave defaults out.
"""

from typing import Any

import streamlit as st

from sslviz.ui.state import page_state, slots

# Measured with the default seed; accuracies on the hidden labels.
OPENINGS: dict[str, dict[str, Any]] = {
    "graph": {"data": "two_moons", "two_moons.n_samples": 215},  # edges can be seen
    "hubs": {"data": "digits"},  # 93%, label propagation 83%, without hubs 90%
    "embedding": {"data": "iris"},  # nearest mean 94%, label propagation 88%
    "flp": {"data": "wine", "wine.standardise": True, "labels": 2},
    # 99%, without unlabelled points 70%; the default width of the kernel gains nothing
    "inductive": {"data": "two_moons", "labels": 1, "LapRLS.sigma": 0.26},
    "dictionary": {"data": "digits"},  # 93%, label propagation 92%, 1-NN 84%
    # 95%, without unlabelled points 85%, label propagation 93%
    "network": {"data": "digits", "labels": 4, "network.train": True, "LadderNetwork.epochs": 30},
    "stream": {"stream.balls": "R"},  # fewer marks
    # 98% after 500 iterations, k-means 63%
    "clustering": {"data": "four_clusters", "clusters.train": True, "SEDC.epochs": 5},
    "active_learning": {"data": "digits"},  # 94% to 97% with 15 queries
    "compare": {"data": "digits"},  # a close race: LapRLS 94%, label propagation 93%
}


def open_bare_page(page: str) -> None:
    """Give the widgets of a page that is visited bare the values of its first picture.

    Values of the opening before it are taken back, unless the visitor has made them a choice.
    """
    before = slots.OPENED_BARE.get()
    if before == page:
        return
    chosen = slots.SHARED_VALUES.get()
    if before and not chosen:
        page_state.forget_widgets(OPENINGS.get(before, {}))
    bare = not st.query_params.to_dict() and not chosen
    slots.OPENED_BARE.set(page if bare else "")
    if bare:
        page_state.set_widgets(OPENINGS.get(page, {}))


def forget_opening(page: str) -> None:
    """After the page has run: what only its opening has set is not carried to other pages.

    As soon as the visitor changes data, labels or the map, it is the visitor's choice.
    """
    if slots.OPENED_BARE.get() != page or "data" not in st.session_state:
        return
    shared, opening = slots.SHARED_VALUES.get(), OPENINGS.get(page, {})
    name = st.session_state["data"]
    if "data" in opening and name != opening["data"]:
        slots.SHARED_VALUES.set(shared | {"data": name})  # also the default set, chosen here
    elif all(key in opening and opening[key] == shared[key] for key in shared):
        if not any(slots.MANUAL_LABELS.get().values()):
            page_state.forget_shared()


def starts_at_beginning(page: str) -> bool:
    """Whether an animation opens at its first frame: once, where a page is visited bare."""
    first = slots.OPENED_BARE.get() == page and slots.OPENED_PLAYING.get() != page
    slots.OPENED_PLAYING.set(page)
    return first
