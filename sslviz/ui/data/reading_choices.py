"""Controls that correct how a file is understood: labels, features, missing values, format."""

from dataclasses import replace
from typing import Any

import streamlit as st

from sslviz.data import uploads
from sslviz.data.uploads import Choices, Format
from sslviz.data.uploads.choices import DROP, FOUND, MEDIAN
from sslviz.data.uploads.feature_columns import split_columns, text_columns
from sslviz.data.uploads.label_column import label_column, unlabelled_values, values_of
from sslviz.data.uploads.limits import clean_name
from sslviz.data.uploads.understanding import CLASSES_TO_NAME
from sslviz.ui.state.upload import Upload

NO_LABELS = "none: label points by hand"
MAX_LISTED = 300  # columns or values in a list
MARKS = {",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |", " ": "space"}
DECIMALS = {".": "point 1.5", ",": "comma 1,5"}
ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16")
MISSING = {MEDIAN: "replace by the median", DROP: "leave the row out"}


def choose_format(upload: Upload) -> Format | None:
    """How a text file is written; None for other files."""
    found = upload.raw.format
    if found.delimiter is None:
        return None
    with st.expander("How the file is written", key="file_form"):
        delimiter = _select(upload, "Between cells", list(MARKS), found.delimiter, MARKS)
        decimal = _select(upload, "Decimal mark", list(DECIMALS), found.decimal, DECIMALS)
        encodings = list(dict.fromkeys([*ENCODINGS, str(found.encoding)]))
        encoding = _select(upload, "Encoding", encodings, found.encoding, {})
        header = st.toggle(
            "The first row has the names", bool(found.header), key=_key(upload, "header")
        )
    return Format(delimiter, decimal, header, encoding)


def choose_meaning(upload: Upload) -> Choices:
    """The choices that differ from what is found."""
    raw, before = upload.raw, upload.choices
    found = label_column(raw)
    start = found if before.label == FOUND else before.label
    options = [NO_LABELS, *raw.names[:MAX_LISTED]]
    first = start if start in options else NO_LABELS
    picked = st.selectbox(
        "Labels are in column",
        options,
        options.index(first),
        key=_key_of_columns(upload, "label"),
        help="The column of the classes. Its cells may be empty in rows without a label.",
    )
    label = None if picked == NO_LABELS else picked
    choices = replace(before, label=FOUND if label == found else label, unlabelled=None)
    choices = replace(choices, **_format_choices(upload))
    if label is not None:
        choices = replace(choices, unlabelled=_choose_unlabelled(upload, label))
    choices = replace(choices, classes=_choose_classes(upload, label))
    if raw.block is None:
        choices = replace(choices, **_choose_columns(upload, label))
    try:
        missing = uploads.understand(raw, replace(choices, missing=MEDIAN)).missing_cells
    except ValueError:
        return choices
    if not missing:
        return choices
    kind = st.segmented_control(
        "Missing values",
        list(MISSING),
        default=before.missing,
        required=True,
        format_func=lambda kind: MISSING[kind],
        key=_key(upload, "missing"),
    )
    return replace(choices, missing=kind or MEDIAN)


def _format_choices(upload: Upload) -> dict[str, Any]:
    """The format as it is, where it is not what would be found."""
    if upload.raw.format.delimiter is None:
        return {}
    now, found = upload.raw.format._asdict(), upload.found
    return {name: None if now[name] == getattr(found, name) else now[name] for name in now}


def _choose_unlabelled(upload: Upload, label: str) -> tuple[str, ...] | None:
    """Which values of the label column mean "no label"; None where it is as found."""
    raw, before = upload.raw, upload.choices.unlabelled
    values = values_of(raw, label)
    found = unlabelled_values(values, bool(raw.classes))
    options = list(dict.fromkeys([*found, *values.texts[:MAX_LISTED]]))
    counts = dict(zip(values.texts, values.counts, strict=True))
    chosen = st.multiselect(
        "Values that mean “no label”",
        options,
        [v for v in (found if before is None else before) if v in options],
        key=_key_of_columns(upload, f"none of {label}"),
        format_func=lambda v: f"{clean_name(v) or '(empty)'} · {counts.get(v, 0):,} rows",
        help="Rows with these values are unlabelled: they are kept, and their class is predicted.",
    )
    return None if set(chosen) == set(found) else tuple(chosen)


def _choose_classes(upload: Upload, label: str | None) -> tuple[str, ...] | None:
    """Names of classes that the file has no labels of."""
    before = upload.choices.classes
    if label is not None:
        return before
    typed = st.text_input(
        "Names of the classes",
        ", ".join(before or CLASSES_TO_NAME),
        key=_key(upload, "classes"),
        help="Separated by commas: the classes you are going to label.",
    )
    names = tuple(dict.fromkeys(n for n in (part.strip() for part in typed.split(",")) if n))
    return None if names in ((), CLASSES_TO_NAME) else names


def _choose_columns(upload: Upload, label: str | None) -> dict[str, Any]:
    """Features and texts for hovering, where they are not as found."""
    raw, before = upload.raw, upload.choices
    features, hover, _ = split_columns(raw, label)
    others = [name for name in raw.names if name != label]
    if len(others) > MAX_LISTED:
        return {}
    numbers = [name for name in others if raw.is_number(name)]
    first = [n for n in (features if before.columns is None else before.columns) if n in numbers]
    columns = first
    if numbers:
        columns = st.multiselect(
            "Features", numbers, first, key=_key_of_columns(upload, f"features {label}")
        )
    words = _choose_words(upload, label, [name for name in others if name not in numbers])
    texts = [n for n in (hover if before.hover is None else before.hover) if n in others]
    shown = st.multiselect(
        "Shown when a point is hovered",
        others,
        texts,
        key=_key_of_columns(upload, f"hover {label}"),
    )
    return {
        "columns": None if set(columns) == set(features) else tuple(columns),
        "words": words,
        "hover": None if tuple(shown) == hover else tuple(shown),
    }


def _choose_words(upload: Upload, label: str | None, texts: list[str]) -> tuple[str, ...] | None:
    """Columns of texts whose words are features; None where they are as found."""
    raw, before = upload.raw, upload.choices.words
    if not texts:
        return before
    numbers = bool(split_columns(raw, label).features)
    found = () if numbers else text_columns(raw, label)
    chosen = st.multiselect(
        "Texts whose words are features",
        texts,
        [name for name in (found if before is None else before) if name in texts],
        key=_key_of_columns(upload, f"words {label}"),
        help="Words are counted (TF-IDF) and reduced to at most 100 features by truncated SVD.",
    )
    return None if set(chosen) == set(found) else tuple(chosen)


def _select(
    upload: Upload, title: str, options: list[Any], first: Any, words: dict[Any, str]
) -> Any:
    return st.selectbox(
        title,
        options,
        options.index(first) if first in options else 0,
        key=_key(upload, title),
        format_func=lambda option: words.get(option, option),
    )


def _key(upload: Upload, what: str) -> str:
    return f"preview:{upload.number}:{what}"


def _key_of_columns(upload: Upload, what: str) -> str:
    """A key of its own for every format: with another one the columns are others."""
    delimiter, decimal, header, _ = upload.raw.format
    return _key(upload, f"{what} {delimiter!r} {decimal} {header}")
