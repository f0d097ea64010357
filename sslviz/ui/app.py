"""The frame around all pages: which there are, and that none is shown without it.

On a fresh server Streamlit takes pages/ for an old-style folder of pages until a script has called
st.navigation once. A deep link that comes first then either runs its page without app.py, or, where
the address is not a file's name, shows "Page not found". So addresses are file names, and a page
that finds itself alone calls st.navigation and starts over.
"""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from sslviz.paths import app_folder
from sslviz.ui.components.live_figure import preload
from sslviz.ui.server import share_cores, warm_up
from sslviz.ui.state import page_state

ENTERED = "entered through app.py"
ASSETS = app_folder() / "assets"  # in full: Streamlit looks for pictures in the working folder
# Pages in two columns: thirteen below each other would push the controls off the screen. On a phone
# the sidebar opens below the page, so that a slider and what it does are in sight together.
STYLE = """
[data-testid='stMainBlockContainer'] {padding-top: 3rem}
[data-testid='stSidebarNavItems'] {display: grid; grid-template-columns: 1fr 1fr}
[data-testid='stSidebarContent'] {
  padding-inline: .5rem; /* names of methods are long */
  hr {margin: .5rem 0}
  [data-testid='stSelectbox'] input {font-size: .8125rem; padding-right: 0; text-overflow: ellipsis}
}
@media (max-width: 640px) {
  h1 {font-size: 2rem !important}
  [data-testid='stMetricValue'] {font-size: 1.5rem}
  :has(> * > [data-testid='stMetric']) {row-gap: 0}
  [data-testid='stAppViewContainer']:has(> [data-testid='stSidebar'][data-collapsed='false']) {
    flex-direction: column-reverse;
    > :has([data-testid='stMain']) {flex: 1; min-height: 0; width: 100%}
    [data-testid='stMain'] {height: 55dvh; bottom: auto}
    > [data-testid='stSidebar'] {
      width: 100% !important; max-width: none; height: 45dvh !important;
      [data-testid='stSidebarNavItems'] {grid-template-columns: 1fr 1fr 1fr}
    }
  }
}
"""


def navigation() -> StreamlitPage:
    """The page the address names.

    The icon comes first: without one of its own Streamlit would ask a foreign host for the page's.
    """
    st.set_page_config(page_title="sslviz", page_icon=ASSETS / "icon.svg", layout="wide")
    pages = [
        st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
        st.Page("pages/graph.py", title="Graph", icon=":material/hub:"),
        st.Page("pages/propagation.py", title="Propagation", icon=":material/water_drop:"),
        st.Page("pages/hubs.py", title="Hubs", icon=":material/star:"),
        st.Page("pages/embedding.py", title="Embedding", icon=":material/visibility:"),
        st.Page("pages/flp.py", title="Features", icon=":material/hearing:"),
        st.Page("pages/inductive.py", title="Fields", icon=":material/blur_on:"),
        st.Page("pages/dictionary.py", title="Atoms", icon=":material/grain:"),
        st.Page("pages/stream.py", title="Streams", icon=":material/stream:"),
        st.Page("pages/clustering.py", title="Clusters", icon=":material/bubble_chart:"),
        st.Page("pages/active_learning.py", title="Questions", icon=":material/contact_support:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
        st.Page("pages/failures.py", title="Failures", icon=":material/broken_image:"),
    ]
    return st.navigation(pages, expanded=True)


def run() -> None:
    """Draw the frame and the page the address names."""
    share_cores()
    st.session_state[ENTERED] = True
    page = navigation()
    st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
    st.html(f"<style>{STYLE}</style>")
    preload()
    warm_up()
    page_state.restore_shared(page.url_path)
    try:
        page.run()
    finally:
        page_state.save_shared(page.url_path)


def page_header(title: str) -> None:
    """Head a page; if it was started without the frame, start over with it."""
    if ENTERED not in st.session_state:
        navigation()
        st.rerun()
    st.title(title)
