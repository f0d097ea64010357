"""Labels as files on the sidebar: saved as CSV, and brought back."""

import numpy as np
import streamlit as st

from sslviz.data import Dataset
from sslviz.exports.label_files import LabelFileError, labels_from_csv, labels_to_csv
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.manual_labels import label_points
from sslviz.ui.state.slots import LABEL_FILE
from sslviz.ui.tables import show_file_button


def show_label_files(dataset: Dataset, y: np.ndarray) -> None:
    """A button that saves all given labels, and a place for a file of labels."""
    show_file_button(
        "Save the labels (CSV)",
        lambda: labels_to_csv(y, dataset.classes),
        f"{dataset.name}_labels.csv",
    )
    st.file_uploader(
        "Bring labels (CSV)",
        type=["csv", "txt"],
        key="labels.file",
        max_upload_size=5,
        help="Columns point and label, as in the file that the button above saves. Labels of the "
        "file replace those of the same points; an empty label takes one away.",
    )
    _take_file(dataset)


def _take_file(dataset: Dataset) -> None:
    file = st.session_state.get("labels.file")
    if file is None or LABEL_FILE.get() == file.file_id:
        return
    LABEL_FILE.set(file.file_id)  # once, also if the labels are changed later
    try:
        found = labels_from_csv(file.getvalue(), dataset.n_samples, dataset.classes)
    except LabelFileError as error:
        st.error(f"{escape_markup(str(error))}.", icon=":material/error:")
        return
    refused = label_points(found)
    st.toast(refused or f"{len(found):,} labels taken from the file.", icon=":material/label:")
    st.rerun()
