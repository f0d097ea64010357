"""Labels as a CSV file: a point and a class in each row, and how such a file is read.

The file also says the number and colour of each class, so that names and colours that a visitor has
chosen come back with the labels. A file of point and label alone is read as well.
"""

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sslviz.exports.tables import FORMULA_STARTS, to_csv

MAX_ROWS = 200_000
MAX_BYTES = 5_000_000
COLUMNS = ("point", "label", "class", "colour")
MAX_QUOTED = 60  # characters of a cell in a message


class LabelFileError(ValueError):
    """A file of labels that cannot be read; the message says where and why."""


class LabelFile(NamedTuple):
    """What a file says: the class of points, -1 for none, and names and colours of classes."""

    labels: dict[int, int]
    names: dict[int, str]  # of classes whose name is new
    colours: dict[int, str]  # '#rrggbb'


def labels_to_csv(y: np.ndarray, classes: Sequence[str], colours: Sequence[str] = ()) -> str:
    """The given labels: columns point and label, and with colours the number and colour of it."""
    points = np.flatnonzero(y >= 0)
    given = y[points].tolist()
    columns = {"point": points.tolist(), "label": [classes[c] for c in given]}
    if len(colours):
        columns |= {"class": given, "colour": [colours[c] for c in given]}
    return to_csv(columns)


def labels_from_csv(content: bytes, n: int, classes: Sequence[str]) -> dict[int, int]:
    """Class index by point, of n points; an empty label takes a label away."""
    return read_label_file(content, n, classes).labels


def read_label_file(
    content: bytes, n: int, classes: Sequence[str], max_classes: int = 0
) -> LabelFile:
    """The labels of n points, and what the classes are called and how they are coloured.

    A label is a class by its name, or else by the number in the column "class": then it is the new
    name of that class. Numbers from len(classes) to max_classes - 1 are new classes.
    """
    header, rows = _table(content)
    at = {name: header.index(name) for name in COLUMNS if name in header}
    index = {name: c for c, name in enumerate(classes)}
    found = LabelFile({}, {}, {})
    for number, row in rows:
        cells = {name: row[i].strip() if i < len(row) else "" for name, i in at.items()}
        point, label = cells["point"], _without_guard(cells["label"])
        if not re.fullmatch(r"\d{1,9}", point, re.ASCII) or int(point) >= n:
            point = point[:MAX_QUOTED]
            raise LabelFileError(f"row {number}: point {point!r} is no number from 0 to {n - 1}")
        if label and label not in index:
            c = _class_number(cells.get("class", ""), max(len(classes), max_classes))
            if c is None:
                known = ", ".join(list(classes)[:8])
                label = label[:MAX_QUOTED]
                raise LabelFileError(f"row {number}: label {label!r} is no class; classes: {known}")
            index[label] = c
            found.names[c] = label
        found.labels[int(point)] = index[label] if label else -1
        if label and re.fullmatch("#[0-9a-fA-F]{6}", cells.get("colour", "")):
            found.colours[index[label]] = cells["colour"]
    return found


def _table(content: bytes) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and the rows that are not empty with their numbers."""
    if len(content) > MAX_BYTES:
        raise LabelFileError(f"the file is larger than {MAX_BYTES // 10**6} MB")
    lines = content.decode("utf-8-sig", "replace").splitlines()
    separator = max(",;\t", key=lines[0].count) if lines else ","
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise LabelFileError(f"this is no table: {error}") from None
    header = [name.strip().lower() for name in rows[0]] if rows else []
    if not {"point", "label"} <= set(header):
        raise LabelFileError('the first row names the columns "point" and "label"')
    if len(rows) > MAX_ROWS:
        raise LabelFileError(f"the file has more than {MAX_ROWS:,} rows")
    full = [(i, row) for i, row in enumerate(rows[1:], 2) if any(cell.strip() for cell in row)]
    return header, full


def _class_number(text: str, count: int) -> int | None:
    number = int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) else count
    return number if number < count else None


def _without_guard(label: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from computing the text."""
    return label[1:] if label.startswith("'") and label[1:].startswith(FORMULA_STARTS) else label
