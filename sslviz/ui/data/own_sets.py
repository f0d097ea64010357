"""A visitor's own set: brought as a file or drawn, and from then on one of the sets to choose from.

Nobody else sees it in the list; a link to a picture of it leads whoever has the link to it.
"""

import re

import streamlit as st

from sslviz.data import npz_files, uploads
from sslviz.ui.state import page_state

OWN = "your own file …"
BROUGHT, TAKEN, PROBLEM, FILE = "own:names", "own:taken", "own:problem", "own_file"
_NAME = re.compile(r"\w{1,30}-[0-9a-f]{12}", re.ASCII)  # as uploads.py gives them


def names() -> list[str]:
    """The sets this visitor has brought, and the one a link names."""
    known: list[str] = st.session_state.setdefault(BROUGHT, [])
    linked = st.query_params.get("data", "")
    if st.session_state.pop(TAKEN, False):  # until the choice is drawn, the URL says the one before
        return known
    if linked not in known and _NAME.fullmatch(linked) and npz_files.path_of(linked):
        known.append(linked)
    return known


def take(name: str, instead_of: str | None = None) -> None:
    """List a set and choose it. To what it replaces, listed no more, links and Back still lead."""
    known: list[str] = st.session_state.setdefault(BROUGHT, [])
    known[:] = [*(other for other in known if other != instead_of), name]
    st.session_state[TAKEN] = True
    page_state.set_widgets({"data": name})


def choose_file() -> None:
    """A place to drop a file."""
    st.file_uploader(
        "Table (csv, tsv) or archive (npz)",
        type=list(uploads.ENDINGS),
        key=FILE,
        on_change=_bring,
        help="A row for each point. The class stands in the column called class, label, target or "
        "y, or in the last one; all other columns of numbers are features. An archive holds `X` "
        f"and `y`. The file stays on this server, for {uploads.DAYS} days, and only you see it.",
    )
    if problem := st.session_state.get(PROBLEM):
        st.error(problem, icon=":material/error:")


def _bring() -> None:
    """Keep the file and choose it."""
    st.session_state[PROBLEM] = None
    file = st.session_state.get(FILE)
    if file is None:
        return
    try:
        take(uploads.store_upload(file.name, file.getvalue()))
    except ValueError as error:
        st.session_state[PROBLEM] = str(error)
