"""A preview of an uploaded file: what was understood, a small table, and controls to correct it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from sslviz.data import uploads
from sslviz.data.uploads import Choices, RawTable, Understanding, isolated
from sslviz.data.uploads.choices import FOUND
from sslviz.data.uploads.label_column import label_column
from sslviz.ui.data.reading_choices import choose_format, choose_meaning
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.slots import UPLOAD
from sslviz.ui.state.upload import Upload

ROWS_SHOWN, COLUMNS_SHOWN = 8, 30
CLASSES_NAMED = 10
WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space", ".": "point"}
TABLE_AND_CONTROLS = (3, 2)  # columns

OnOpen = Callable[[Upload, Understanding, bool], None]


def show_preview(upload: Upload, on_open: OnOpen) -> None:
    """How the file is understood, with a button that opens it."""
    st.subheader(escape_markup(upload.filename))
    summary = st.container()
    left, right = st.columns(TABLE_AND_CONTROLS, gap="large")
    with right:
        upload = _with_format(upload)
        choices = choose_meaning(upload)
    with left:
        _show_rows(upload.raw, label_of(upload.raw, choices))
    with summary:
        try:
            meaning = uploads.understand(upload.raw, choices)
            differ = uploads.scales_differ(upload.raw, meaning)
        except ValueError as error:
            st.error(escape_markup(str(error)), icon=":material/error:")
            return
        st.markdown(understood_text(upload.raw, meaning))
        row = st.container(horizontal=True, vertical_alignment="center", gap="medium")
        with row:
            button = st.container(width="content")
            standardise = st.toggle(
                "Standardise the features",
                differ,
                key=f"preview:{upload.number}:scale",
                help="Shift and scale every feature to mean 0 and standard deviation 1. On where "
                "the units of the features differ; it can be changed later under “Data options”.",
            )
        button.button(
            "Open this data set",
            key="open.use_file",
            type="primary",
            icon=":material/check:",
            on_click=on_open,
            args=(upload, meaning, standardise),
        )


def _with_format(upload: Upload) -> Upload:
    """The file read once more where another format is chosen."""
    format = choose_format(upload)
    if format is None or format == upload.raw.format:
        return upload
    try:
        raw = isolated.read_apart(upload.content, upload.filename, format)
    except ValueError as error:
        st.error(escape_markup(str(error)), icon=":material/error:")
        return upload
    changed = upload._replace(raw=raw)
    UPLOAD.set(changed)
    return changed


def understood_text(raw: RawTable, meaning: Understanding) -> str:
    """What was understood, in sentences."""
    sizes = f"{raw.n_rows:,} rows"
    if raw.kind == "table":
        sizes += f" and {len(raw.names):,} columns"
        if meaning.n_features:
            features = "is a feature" if meaning.n_features == 1 else "are features"
            sizes += f", of which {meaning.n_features:,} {features}"
    elif raw.image_shape is not None:
        sizes = f"{raw.n_rows:,} images of {raw.image_shape[0]} × {raw.image_shape[1]} pixels"
    else:
        sizes += f" with {meaning.n_features:,} features"
    found = [f"**Understood:** {sizes}{_format_text(raw)}."]
    found += [escape_markup(sentence) for sentence in uploads.sentences(raw, meaning)]
    count = len(meaning.classes)
    if meaning.label is not None:
        names = ", ".join(escape_markup(name) for name in meaning.classes[:CLASSES_NAMED])
        more = count - CLASSES_NAMED
        found.append(f"{count} classes: {names}{f' and {more} more' if more > 0 else ''}.")
    return " ".join(found)


def _format_text(raw: RawTable) -> str:
    format = raw.format
    if format.delimiter is None:
        return ""
    header = "the first row has the names" if format.header else "no row of names"
    return (
        f", written with {WORDS.get(format.delimiter, 'another mark')} between cells and decimal "
        f"{WORDS.get(format.decimal or '.', 'point')}, {header}, encoded in {format.encoding}"
    )


def label_of(raw: RawTable, choices: Choices) -> str | None:
    """The column of labels, found or chosen."""
    return label_column(raw) if choices.label == FOUND else choices.label


def _show_rows(raw: RawTable, label: str | None) -> None:
    """The first rows of the table, or of a matrix; labels come first."""
    order = sorted(raw.names, key=lambda name: name != label)
    rows: dict[str, Any] = {name: raw.columns[name][:ROWS_SHOWN].tolist() for name in order}
    if raw.block is not None:
        names = raw.block_names or tuple(f"X {j}" for j in range(raw.block.shape[1]))
        room = COLUMNS_SHOWN - len(rows)
        rows |= {name: raw.block[:ROWS_SHOWN, j].tolist() for j, name in enumerate(names[:room])}
    shown = dict(list(rows.items())[:COLUMNS_SHOWN])
    st.dataframe(shown, hide_index=True, height="content")
    total = len(raw.names) + (0 if raw.block is None else raw.block.shape[1])
    more = f" and {COLUMNS_SHOWN} of {total:,} columns" if total > COLUMNS_SHOWN else ""
    st.caption(f"The first {min(ROWS_SHOWN, raw.n_rows)} of {raw.n_rows:,} rows{more}.")
