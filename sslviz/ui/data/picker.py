"""Which data set: one of those here, one from OpenML, or the visitor's own."""

from typing import Any

import streamlit as st

from sslviz import data
from sslviz.ui.data import canvas, own_sets
from sslviz.ui.state.slots import DATA_CHOSEN

OPENML = "from OpenML …"


def choose_dataset(first: str | None, page: Any) -> str:
    """The name of the chosen data set; `first` is the default.

    If a file or a name is still missing, the container `page` says so, as a phone hides the
    sidebar, and the script stops.
    """
    own_sets.warn_if_gone(page)
    here = sorted(data.names(), key=lambda name: name != first)
    with st.container(gap=None):
        name = st.selectbox(
            "Data set",
            [*here, *own_sets.own_set_names(), own_sets.OWN_FILE, OPENML],
            key="data",
            bind="query-params",
            on_change=DATA_CHOSEN.set,
            args=(True,),
            help="Synthetic sets, real sets included in the package, files in the data folder "
            "(`$SSLVIZ_DATA`), your own file or drawing, or any set of OpenML.",
        )
        canvas.show_draw_button()
    if name == own_sets.OWN_FILE:
        with page:
            own_sets.choose_file()
        st.stop()
    if name != OPENML:
        return name
    typed = st.text_input(
        "OpenML name or number",
        key="openml",
        bind="query-params",
        on_change=DATA_CHOSEN.set,
        args=(True,),
    ).strip()
    if not typed:
        page.info(
            "Type the name of a data set, such as `ionosphere`, in the sidebar; it is downloaded "
            "once.",
            icon=":material/cloud_download:",
        )
        st.stop()
    return typed


def fetch_dataset(name: str) -> None:
    """Download a set from OpenML if it is not here yet; it is kept as a file."""
    if data.is_available(name):
        return
    from sslviz.data import openml

    with st.status(f"Downloading {name} from OpenML …", expanded=True) as status:
        openml.download(name, progress=status.write)
        status.update(label=f"{name} is downloaded.", state="complete", expanded=False)
