"""Results as files for the visitor: predictions, coordinates, atoms and codes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz.abilities import Embeds, LearnsInRounds
from sslviz.exports.predictions import coordinate_columns, prediction_columns, to_npz
from sslviz.exports.tables import to_csv
from sslviz.ui.result import Result
from sslviz.ui.tables import show_file_button


class Download(NamedTuple):
    """A file to download; its content is computed when it is asked for."""

    title: str
    file_name: str
    content: Callable[[], str | bytes]


def downloads_of(result: Result) -> list[Download]:
    """What a fitted classifier, embedding or dictionary has to offer."""
    name, model = result.problem.dataset.name, result.model
    found = [
        Download("Predictions (CSV)", f"{name}_predictions.csv", partial(_predictions_csv, result))
    ]
    if isinstance(model, Embeds):
        found.append(
            Download("Coordinates (CSV)", f"{name}_embedding.csv", partial(_coordinates_csv, model))
        )
    if isinstance(model, LearnsInRounds):
        found.append(
            Download("Atoms and codes (npz)", f"{name}_dictionary.npz", partial(_codes_npz, model))
        )
    return found


def _predictions_csv(r: Result) -> str:
    return to_csv(
        prediction_columns(r.problem.dataset.classes, r.y, r.truth, r.labels, r.F, r.problem.points)
    )


def _coordinates_csv(model: Embeds) -> str:
    Z = np.asarray(model.embedding_)
    return to_csv({"point": range(len(Z)), **coordinate_columns(Z)})


def _codes_npz(model: Any) -> bytes:
    return to_npz({"atoms": model.components_, "codes": model.codes_, "classes": model.classes_})


def show_downloads(downloads: Sequence[Download]) -> None:
    """A button for each file."""
    if not downloads:
        return
    with st.expander("Download the results", key="downloads", icon=":material/download:"):
        st.caption(
            "One row for each point shown, in the order of the data; a label that is not known is "
            "an empty cell. Figures have their own buttons: PNG, SVG and a page that works alone."
        )
        with st.container(horizontal=True):
            for one in downloads:
                show_file_button(one.title, one.content, one.file_name)
