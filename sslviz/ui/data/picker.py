"""Which data set: one of those here, one from OpenML, or the visitor's own."""

from typing import Any

import streamlit as st

from sslviz import data
from sslviz.ui.data import canvas, own_sets

OPENML = "from OpenML …"


def choose_dataset(first: str | None, page: Any) -> str:
    """The name of the set chosen; `first` is the default.

    Where something is still to be said, `page` (a container there) says what: a phone hides the
    sidebar.
    """
    here = sorted(data.names(), key=lambda name: name != first)
    with st.container(gap=None):
        name = st.selectbox(
            "Data set",
            [*here, *own_sets.own_set_names(), own_sets.OWN_FILE, OPENML],
            key="data",
            bind="query-params",
            help="Synthetic sets, real ones that come along, files in the data folder "
            "(`$SSLVIZ_DATA`), a file of your own, or any OpenML name.",
        )
        canvas.show_draw_button()
    if name == own_sets.OWN_FILE:
        own_sets.choose_file()
        page.info(
            "Drop a table (csv, tsv) or an archive (npz) in the sidebar: a row for each point, the "
            "class in the last column or in one called `class`.",
            icon=":material/upload_file:",
        )
        st.stop()
    if name != OPENML:
        return name
    typed = st.text_input("OpenML name or number", key="openml", bind="query-params").strip()
    if not typed:
        page.info(
            "Type the name of a data set, such as `ionosphere`, in the sidebar; it is downloaded "
            "once.",
            icon=":material/cloud_download:",
        )
        st.stop()
    return typed


def fetch_dataset(name: str) -> None:
    """Fetch a set that is not here from OpenML, saying what happens; it is kept as a file."""
    if data.is_available(name):
        return
    from sslviz.data import openml

    with st.status(f"Fetching {name} from OpenML …", expanded=True) as status:
        openml.download(name, progress=status.write)
        status.update(label=f"{name} is here, and stays.", state="complete", expanded=False)
