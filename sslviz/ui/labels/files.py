"""Labels as files on the sidebar: saved as CSV with names and colours, and brought back."""

from typing import Any

import streamlit as st

from sslviz.data import Dataset
from sslviz.data.uploads.limits import MAX_CLASSES
from sslviz.exports.label_files import LabelFile, LabelFileError, labels_to_csv, read_label_file
from sslviz.figures.theme import class_colours, css_of, default_colours
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.class_styles import set_class_style
from sslviz.ui.state.manual_labels import label_points
from sslviz.ui.state.slots import LABEL_FILE
from sslviz.ui.tables import show_file_button


def show_label_files(problem: Any) -> None:
    """A button that saves all given labels, and a place for a file of labels."""
    dataset, y = problem.dataset, problem.y
    colours = [css_of(c) for c in class_colours(dataset.n_classes)]
    show_file_button(
        "Save the labels (CSV)",
        lambda: labels_to_csv(y, dataset.classes, colours),
        f"{dataset.name}_labels.csv",
    )
    st.file_uploader(
        "Bring labels (CSV)",
        type=["csv", "txt"],
        key="labels.file",
        max_upload_size=5,
        help="Columns point and label, as in the file that the button above saves; names and "
        "colours of classes come with it. Labels of the file replace those of the same points; an "
        "empty label takes one away.",
    )
    _take_file(dataset)


def _take_file(dataset: Dataset) -> None:
    file = st.session_state.get("labels.file")
    if file is None or LABEL_FILE.get() == file.file_id:
        return
    LABEL_FILE.set(file.file_id)  # once, also if the labels are changed later
    more = MAX_CLASSES if not dataset.known.all() else 0
    try:
        found = read_label_file(file.getvalue(), dataset.n_samples, dataset.classes, more)
    except LabelFileError as error:
        st.error(f"{escape_markup(str(error))}.", icon=":material/error:")
        return
    take_class_styles(dataset, found)
    n_classes = max([dataset.n_classes, *(c + 1 for c in found.names)])
    refused = label_points(found.labels, n_classes)
    count = len(found.labels)
    st.toast(refused or f"{count:,} labels taken from the file.", icon=":material/label:")
    st.rerun()


def take_class_styles(dataset: Dataset, found: LabelFile) -> None:
    """Give the classes the names and colours of a file."""
    now = [css_of(c) for c in class_colours(dataset.n_classes)]
    now += [css_of(c) for c in default_colours(MAX_CLASSES)[len(now) :]]
    for c, name in found.names.items():
        set_class_style(dataset.name, c, name=name)
    for c, colour in found.colours.items():
        if colour.upper() != now[c].upper():
            set_class_style(dataset.name, c, colour=colour)
