"""Results as files for the visitor: predictions, coordinates, atoms and codes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz.abilities import Embeds, LearnsInRounds
from sslviz.exports.predictions import (
    confidences,
    coordinate_columns,
    point_columns,
    prediction_columns,
    to_npz,
)
from sslviz.exports.tables import to_csv
from sslviz.ui.problem import Problem
from sslviz.ui.result import Result
from sslviz.ui.tables import show_file_button


class Download(NamedTuple):
    """A file to download; its content is computed when it is asked for."""

    title: str
    file_name: str
    content: Callable[[], str | bytes]


def csv_file(title: str, file_name: str, columns: Callable[[], Any]) -> Download:
    """A table as a file; `columns` makes its columns."""
    return Download(f"{title} (CSV)", f"{file_name}.csv", lambda: to_csv(columns()))


def npz_file(title: str, file_name: str, arrays: Callable[[], Any]) -> Download:
    """Arrays as a file; `arrays` makes them, by name."""
    return Download(f"{title} (npz)", f"{file_name}.npz", lambda: to_npz(arrays()))


def downloads_of(result: Result) -> list[Download]:
    """What a fitted classifier, embedding or dictionary has to offer."""
    name, model, problem = result.problem.dataset.name, result.model, result.problem
    found = prediction_files(problem, problem.y, result.labels, result.F)
    if isinstance(model, Embeds):
        found += coordinate_files(problem, np.asarray(model.embedding_))
    if isinstance(model, LearnsInRounds):
        both = partial(_dictionary_arrays, model)
        found += [
            csv_file("Atoms", f"{name}_atoms", partial(atom_columns, model)),
            csv_file("Codes", f"{name}_codes", partial(code_columns, problem, model)),
            npz_file("Atoms and codes", f"{name}_dictionary", both),
        ]
    return found


def prediction_files(
    problem: Problem, given: np.ndarray, labels: np.ndarray, F: np.ndarray
) -> list[Download]:
    """The predictions as a table and as arrays; -1 where nothing is known."""
    data = problem.dataset

    def columns() -> dict[str, Any]:
        places = problem.points
        found = prediction_columns(data.classes, given, data.y, labels, F, places)
        return points_of(problem) | found

    def arrays() -> dict[str, Any]:
        return {
            "classes": data.classes, "given": given, "true": data.y, "predicted": labels,
            "probabilities": F, "confidence": confidences(F), "map": problem.points,
            "rows": np.arange(len(labels)) if data.rows is None else data.rows,
        }  # fmt: skip

    stem = f"{data.name}_predictions"
    return [csv_file("Predictions", stem, columns), npz_file("Predictions", stem, arrays)]


def coordinate_files(problem: Problem, Z: np.ndarray) -> list[Download]:
    """The coordinates of the points in an embedding."""
    stem = f"{problem.dataset.name}_embedding"
    return [
        csv_file("Coordinates", stem, lambda: points_of(problem) | coordinate_columns(Z)),
        npz_file("Coordinates", stem, lambda: {"embedding": Z}),
    ]


def points_of(problem: Problem) -> dict[str, list[Any]]:
    """The columns that tell the points of a problem."""
    data = problem.dataset
    return point_columns(data.n_samples, data.rows, data.notes)


def atom_columns(model: Any) -> dict[str, Any]:
    """A row for every atom."""
    atoms = np.asarray(model.components_)
    names = [f"x{j + 1}" for j in range(atoms.shape[1])]
    return {"atom": range(len(atoms)), **coordinate_columns(atoms, names)}


def code_columns(problem: Problem, model: Any) -> dict[str, Any]:
    """A row for every point, a column for every atom."""
    codes = np.asarray(model.codes_)
    names = [f"atom_{j}" for j in range(codes.shape[1])]
    return points_of(problem) | coordinate_columns(codes, names)


def _dictionary_arrays(model: Any) -> dict[str, Any]:
    return {"atoms": model.components_, "codes": model.codes_, "classes": model.classes_}


def show_downloads(downloads: Sequence[Download]) -> None:
    """A button for each file."""
    if not downloads:
        return
    with st.expander("Download the results", key="downloads", icon=":material/download:"):
        st.caption(
            "One row for each point shown, in the order of the data; a label that is not known is "
            "an empty cell. Where not all points are shown, “row” is the row in the whole set or "
            "file, counted from 0. Figures have their own buttons: PNG, SVG and a page that works "
            "alone."
        )
        with st.container(horizontal=True):
            for one in downloads:
                show_file_button(one.title, one.content, one.file_name)
