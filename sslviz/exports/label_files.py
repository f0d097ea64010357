"""Labels as a CSV file: a point and a class in each row, and how such a file is read."""

import csv
import re
from collections.abc import Sequence

import numpy as np

from sslviz.exports.tables import to_csv

MAX_ROWS = 200_000
MAX_BYTES = 5_000_000
MAX_QUOTED = 60  # characters of a cell in a message


class LabelFileError(ValueError):
    """A file of labels that cannot be read; the message says where and why."""


def labels_to_csv(y: np.ndarray, classes: Sequence[str]) -> str:
    """The given labels: columns point and label."""
    points = np.flatnonzero(y >= 0)
    return to_csv({"point": points.tolist(), "label": [classes[c] for c in y[points]]})


def labels_from_csv(content: bytes, n: int, classes: Sequence[str]) -> dict[int, int]:
    """Class index by point, of n points; an empty label takes a label away."""
    if len(content) > MAX_BYTES:
        raise LabelFileError(f"the file is larger than {MAX_BYTES // 10**6} MB")
    text = content.decode("utf-8-sig", "replace")
    lines = text.splitlines()
    separator = max(",;\t", key=lines[0].count) if lines else ","
    try:
        rows = iter(list(csv.reader(lines, delimiter=separator)))
    except csv.Error as error:
        raise LabelFileError(f"this is no table: {error}") from None
    header = [name.strip().lower() for name in next(rows, [])]
    if not {"point", "label"} <= set(header):
        raise LabelFileError('the first row names the columns "point" and "label"')
    at, of = header.index("point"), header.index("label")
    index = {name: c for c, name in enumerate(classes)}
    index |= {f"'{name}": c for name, c in index.items()}  # as a spreadsheet's guard writes it
    found: dict[int, int] = {}
    for number, row in enumerate(rows, 2):
        if not any(cell.strip() for cell in row):
            continue
        if number > MAX_ROWS:
            raise LabelFileError(f"the file has more than {MAX_ROWS:,} rows")
        cells = [row[i].strip() if i < len(row) else "" for i in (at, of)]
        if not re.fullmatch(r"\d{1,9}", cells[0], re.ASCII) or int(cells[0]) >= n:
            point = cells[0][:MAX_QUOTED]
            raise LabelFileError(f"row {number}: point {point!r} is no number from 0 to {n - 1}")
        if cells[1] and cells[1] not in index:
            known = ", ".join(list(classes)[:8])
            label = cells[1][:MAX_QUOTED]
            raise LabelFileError(f"row {number}: label {label!r} is no class; classes: {known}")
        found[int(cells[0])] = index[cells[1]] if cells[1] else -1
    return found
