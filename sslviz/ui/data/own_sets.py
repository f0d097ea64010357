"""A visitor's own data set: uploaded or drawn, and from then on one of the sets to choose from.

Only this visitor sees it in the list; a link to a picture of it works for everybody.
"""

import re
from typing import Any

import streamlit as st

from sslviz.data import npz_files, uploads
from sslviz.data.uploads import isolated
from sslviz.data.uploads.raw_table import UNDECIDED
from sslviz.ui.data.preview import show_preview
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import (
    DATA_CHOSEN,
    MANUAL_LABELS,
    OWN_SET_ADDED,
    OWN_SETS,
    RAW_CHOSEN,
    UPLOAD,
    UPLOAD_COUNT,
    UPLOAD_ERROR,
)
from sslviz.ui.state.upload import Upload

OWN_FILE = "your own file …"
UPLOADER = "own_file"
EXPECTED = (
    "One row for each point. A **table** (csv, tsv, parquet) may have its classes in any column; "
    "of **texts** the words count; **arrays** (npz, mat) are called `X` and `y`; **images** (PNG, "
    "JPEG) come in a zip with a folder for each class. Rows without a label are kept: their class "
    "is predicted."
)
_NAME = re.compile(r"\w{1,30}-[0-9a-f]{12}", re.ASCII)  # as uploads gives them


def own_set_names() -> list[str]:
    """The sets this visitor has added, and the one a link names."""
    names, linked = OWN_SETS.get(), st.query_params.get("data", "")
    if OWN_SET_ADDED.pop():  # until the choice is drawn, the URL names the set before
        return names
    if linked not in names and _NAME.fullmatch(linked) and npz_files.path_of(linked):
        names.append(linked)
    return names


def warn_if_gone(page: Any) -> None:
    """Say that the set of a link is no longer here; its labels by hand belong to no other set."""
    linked = st.query_params.get("data", "")
    if not _NAME.fullmatch(linked) or npz_files.path_of(linked):
        return
    page.warning(
        f"The data set “{escape_markup(linked.rpartition('-')[0])}” of this link is no longer "
        f"here: uploaded files are kept for {uploads.KEPT_DAYS} days. Another set is shown.",
        icon=":material/history:",
    )
    for key in (MANUAL_LABELS.in_url, "point"):
        if key in st.query_params:
            del st.query_params[key]


def add_own_set(name: str, instead_of: str | None = None) -> None:
    """List a set and choose it. Links and Back still lead to the one it replaces."""
    OWN_SETS.set([*(other for other in OWN_SETS.get() if other != instead_of), name])
    OWN_SET_ADDED.set(True)
    DATA_CHOSEN.set(True)
    page_state.set_widgets({"data": name})


def choose_file() -> None:
    """A field to drop a file on; then how the file is understood, and a button to open it."""
    st.markdown(EXPECTED)
    st.file_uploader(
        "Your file",
        key=UPLOADER,
        on_change=_take_file,
        help=f"The file is kept for {uploads.KEPT_DAYS} days; only you see it in the list of data "
        "sets, and a link to a picture of it shows it to others.",
    )
    if error := UPLOAD_ERROR.get():
        st.error(escape_markup(error), icon=":material/error:")
    if (upload := UPLOAD.get()) is not None:
        show_preview(upload, on_open=_open)


def show_reading_button(name: str) -> None:
    """For an uploaded set: a button that leads back to how its file was read."""
    if _NAME.fullmatch(name) and uploads.kept_file(name, head=True) is not None:
        st.button(
            ":small[:material/edit: Change how it is read]",
            key="open.reading",
            type="tertiary",
            on_click=_read_again,
            args=(name,),
        )


def _take_file() -> None:
    """Remember the uploaded file, to be previewed."""
    UPLOAD_ERROR.clear()
    UPLOAD.clear()
    file = page_state.widget_value(UPLOADER)
    if file is not None:
        _preview(file.name, file.getvalue(), uploads.Choices())


def _preview(filename: str, content: bytes, choices: uploads.Choices, name: str = "") -> None:
    UPLOAD_COUNT.set(UPLOAD_COUNT.get() + 1)
    _announce_reading(filename, content)
    try:
        raw = isolated.read_apart(content, filename, choices.format)
        found = raw.format
        if choices.format != UNDECIDED:
            found = isolated.read_apart(content, filename).format
    except ValueError as error:
        UPLOAD_ERROR.set(str(error))
    else:
        UPLOAD.set(Upload(UPLOAD_COUNT.get(), filename, content, choices, raw, found, name))


def _announce_reading(filename: str, content: bytes) -> None:
    """Say that a large file is read: the page shows nothing new until it is."""
    if len(content) > isolated.BYTES_READ_HERE:
        st.toast(
            f"Reading {escape_markup(filename)} …", icon=":material/hourglass_top:", duration="long"
        )


def _open(upload: Upload, meaning: uploads.Understanding, standardise: bool) -> None:
    """Store the file as it is understood and choose it."""
    _announce_reading(upload.filename, upload.content)
    try:
        name = isolated.store_apart(
            upload.filename, upload.content, meaning.choices, slow=bool(meaning.words)
        )
    except ValueError as error:
        UPLOAD_ERROR.set(str(error))
        return
    UPLOAD.clear()
    add_own_set(name, instead_of=upload.name or None)
    DATA_CHOSEN.set(False)  # scaling is decided here
    if standardise:
        page_state.set_widgets({f"{name}.standardise": True})
    else:
        RAW_CHOSEN.set(RAW_CHOSEN.get() | {name})


def _read_again(name: str) -> None:
    found = uploads.kept_file(name)
    if found is None:
        return
    path = npz_files.path_of(name)
    source = npz_files.read(path).source if path else ""
    _preview(*found, uploads.choices_of(source), name)
    page_state.set_widgets({"data": OWN_FILE})
