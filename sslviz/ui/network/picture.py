"""The picture of the page "Networks": numbers, map, charts, and the inside of the network."""

import streamlit as st

from sslviz.ui.network.map_view import map_caption, moments, network_map
from sslviz.ui.network.result import NetworkResult
from sslviz.ui.network.views import INSIDE, NUMBERS, TRAINING, remarks
from sslviz.ui.page import show_map
from sslviz.ui.views import follow_film, show_numbers, show_view, show_views

FILM = "network"
MAP_AND_CHARTS = (3, 2)  # widths of the columns


def show_picture(r: NetworkResult) -> None:
    """Numbers, then the map with the charts of the training beside it, then the layers."""
    show_numbers(NUMBERS, r)
    with st.container():  # always there, so that the figures below stay the same elements
        for text in remarks(r):
            st.info(text, icon=":material/info:")
    left, right = st.columns(MAP_AND_CHARTS)
    with left:
        accuracy = f"accuracy {r.shown_accuracy}" if r.trained else "not trained yet"
        show_map(
            follow_film(network_map(r), NUMBERS, r),
            r.problem,
            key="network_map",
            alt=f"{r.title} on {r.problem.dataset.name}; {accuracy}",
            film=FILM,
            moments=moments(r),
        )
        st.caption(map_caption(r))
    with right:
        show_view(TRAINING, r, film=FILM)
    show_views(INSIDE, r, columns=1)
