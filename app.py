"""sslviz: see semi-supervised learning happen. Navigation; everything else is in pages/."""

import streamlit as st

from sslviz.ui.server import warm_up

st.set_page_config(page_title="sslviz", page_icon="assets/icon.svg", layout="wide")
st.logo("assets/logo.svg", size="large", icon_image="assets/icon.svg")
st.html("<style>[data-testid='stMainBlockContainer'] {padding-top: 3rem}</style>")
warm_up()

# An address must differ from its file's name: on a fresh server Streamlit would otherwise run the
# file alone, without this one.
st.navigation(
    [
        st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
        st.Page(
            "pages/graph.py",
            title="Graph",
            icon=":material/hub:",
            url_path="neighbour-graph",
        ),
        st.Page(
            "pages/propagation.py",
            title="Propagation",
            icon=":material/water_drop:",
            url_path="label-propagation",
        ),
    ]
).run()
