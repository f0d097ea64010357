"""Which data set: one of those here, one from OpenML, or the visitor's own."""

import os
from typing import Any

import streamlit as st

from sslviz import data
from sslviz.data import npz_files
from sslviz.ui.data import canvas, own_sets
from sslviz.ui.data.titles import list_titles
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.slots import DATA_CHOSEN, OPENML_ASKED

OPENML = "from OpenML …"


def choose_dataset(first: str | None, page: Any) -> str:
    """The name of the chosen data set; `first` is the default.

    If a file or a name is still missing, the container `page` says so, as a phone hides the
    sidebar, and the script stops.
    """
    own_sets.warn_if_gone(page)
    titles = list_titles()
    here = sorted(titles, key=lambda name: name != first)
    with st.container(gap=None):
        name = st.selectbox(
            "Data set",
            [*here, *own_sets.own_set_names(), own_sets.OWN_FILE, OPENML],
            key="data",
            format_func=lambda name: titles.get(name, name),
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


def fetch_dataset(name: str, page: Any) -> None:
    """Download a set from OpenML if it is not here yet; it is kept as a file.

    A link alone makes the server fetch nothing: a visitor has to ask for it by a button, unless
    the operator lets links download (`SSLVIZ_OPENML=1`); with `SSLVIZ_OPENML=0` nobody can.
    """
    if data.is_available(name):
        return
    from sslviz.data import openml

    npz_files.check_name(name)
    policy = os.environ.get("SSLVIZ_OPENML", "")
    if policy == "0":
        raise ValueError(f"{name} is not on this server, which downloads nothing from OpenML.")
    if policy != "1" and OPENML_ASKED.get() != name:
        with page:
            st.info(
                f"“{escape_markup(name)}” is not on this server yet.", icon=":material/cloud_off:"
            )
            st.button(
                "Download it from OpenML",
                key="open.openml",
                icon=":material/cloud_download:",
                on_click=OPENML_ASKED.set,
                args=(name,),
            )
        st.stop()
    with st.status(f"Downloading {name} from OpenML …", expanded=True) as status:
        openml.download(name, progress=status.write)
        status.update(label=f"{name} is downloaded.", state="complete", expanded=False)
