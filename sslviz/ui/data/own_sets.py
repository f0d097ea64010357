"""A visitor's own data set: uploaded or drawn, and from then on one of the sets to choose from.

Only this visitor sees it in the list; a link to a picture of it works for everybody.
"""

import re

import streamlit as st

from sslviz.data import npz_files, uploads
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import OWN_SET_ADDED, OWN_SETS, UPLOAD_ERROR

OWN_FILE = "your own file …"
UPLOADER = "own_file"
_NAME = re.compile(r"\w{1,30}-[0-9a-f]{12}", re.ASCII)  # as uploads.py gives them


def own_set_names() -> list[str]:
    """The sets this visitor has added, and the one a link names."""
    names, linked = OWN_SETS.get(), st.query_params.get("data", "")
    if OWN_SET_ADDED.pop():  # until the choice is drawn, the URL names the set before
        return names
    if linked not in names and _NAME.fullmatch(linked) and npz_files.path_of(linked):
        names.append(linked)
    return names


def add_own_set(name: str, instead_of: str | None = None) -> None:
    """List a set and choose it. Links and Back still lead to the one it replaces."""
    OWN_SETS.set([*(other for other in OWN_SETS.get() if other != instead_of), name])
    OWN_SET_ADDED.set(True)
    page_state.set_widgets({"data": name})


def choose_file() -> None:
    """A field to drop a file on."""
    st.file_uploader(
        "Table (csv, tsv) or archive (npz)",
        type=list(uploads.FILE_TYPES),
        key=UPLOADER,
        on_change=_store_file,
        help="One row for each point. The class is in the column called class, label, target or "
        "y, or else in the last one; all other columns of numbers are features. An archive holds "
        f"`X` and `y`. The file is kept for {uploads.KEPT_DAYS} days; only you see it.",
    )
    if error := UPLOAD_ERROR.get():
        st.error(error, icon=":material/error:")


def _store_file() -> None:
    """Keep the uploaded file and choose it."""
    UPLOAD_ERROR.clear()
    file = page_state.widget_value(UPLOADER)
    if file is None:
        return
    try:
        add_own_set(uploads.store_upload(file.name, file.getvalue()))
    except ValueError as error:
        UPLOAD_ERROR.set(str(error))
