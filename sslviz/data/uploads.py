"""Data sets of visitors: a table, an archive or a drawing, stored under a name with random digits.

A table (csv, tsv) has one row per point. The class is the column called class, label, target or y,
or else the last one; text columns and incomplete rows are not used, and the description says so. An
archive (npz) is read by npz_files.py. The name is in no list, so only visitors who know it can load
the data. Old files are deleted, and the oldest ones when they take too much space.
"""

import csv
import os
import re
import secrets
import tempfile
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sslviz.data import npz_files
from sslviz.data.dataset import Dataset

if TYPE_CHECKING:
    import pandas as pd

FILE_TYPES = ("csv", "tsv", "txt", "npz")
LABEL_COLUMNS = (
    "class",
    "label",
    "labels",
    "target",
    "species",
    "y",
)  # in order of preference
MAX_CLASSES = 100
KEPT_DAYS, MAX_BYTES = 30, 2 * 2**30  # how long uploads are kept, and how much in all


def store_upload(filename: str, content: bytes) -> str:
    """Store an uploaded file; return the name of the data set."""
    stem, _, ending = os.path.basename(filename).rpartition(".")
    if ending.lower() not in FILE_TYPES:
        raise ValueError(f"{filename}: expected a table (csv, tsv) or an archive (npz)")
    try:
        dataset = _archive(content) if ending.lower() == "npz" else _table(content)
    except ValueError as error:
        raise ValueError(f"{filename}: {str(error).removeprefix('own: ')}") from error
    return store(dataset, stem)


def store(dataset: Dataset, title: str) -> str:
    """Store a data set; return its name, which starts with the title."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:30] or "own"
    name, place = f"{word}-{secrets.token_hex(6)}", npz_files.uploads()
    npz_files.write(Dataset(**{**vars(dataset), "name": name}), place)
    _tidy(place)
    return name


def _archive(content: bytes) -> Dataset:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.npz"
        path.write_bytes(content)
        try:
            return npz_files.read(path)
        except ValueError as error:
            raise ValueError(str(error).removeprefix(f"{path}: ")) from error


def _table(content: bytes) -> Dataset:
    import pandas as pd

    try:
        text = content.decode("utf-8-sig")
        some = "\n".join(text.splitlines()[:20])
        mark = csv.Sniffer().sniff(some, delimiters=",;\t |").delimiter
        headed = not any(map(_is_number, next(csv.reader(some.splitlines(), delimiter=mark))))
        table = pd.read_csv(BytesIO(content), sep=mark, header=0 if headed else None)
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text") from error
    except (csv.Error, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"it cannot be read as a table: {error}") from error
    if len(table.columns) < 2:
        raise ValueError("a table needs at least one column of numbers and one of classes")
    table.columns = table.columns.map(str)
    return _dataset(table)


def _dataset(table: "pd.DataFrame") -> Dataset:
    words = {c.strip().lower(): c for c in reversed(table.columns)}
    own = next((words[word] for word in LABEL_COLUMNS if word in words), table.columns[-1])
    points = table.drop(columns=own).select_dtypes("number").astype(np.float64)
    others = [c for c in table.columns if c != own and c not in points.columns]
    if points.shape[1] == 0:
        raise ValueError(f"no column except {own!r} holds numbers")
    whole = np.isfinite(points).all(axis=1) & table[own].notna()
    if whole.sum() < 2:
        raise ValueError("fewer than two rows are complete")
    labels = table[own][whole]
    kinds = labels.nunique()
    if kinds < 2 or kinds > MAX_CLASSES:
        raise ValueError(
            f"column {own!r} has {kinds} different value{'' if kinds == 1 else 's'}, expected 2 to "
            f"{MAX_CLASSES} classes. Rename the class column to 'class'"
        )
    y, classes = npz_files.class_indices(
        labels.to_numpy() if _counts(labels) else labels.to_numpy(str)
    )
    about = f"Your own table; the class is column {own!r}."
    if others:
        about += f" Not used (text columns): {', '.join(others)}."
    if missing := int((~whole).sum()):
        about += f" Not used (incomplete): {missing:,} row{'' if missing == 1 else 's'}."
    return Dataset(points[whole].to_numpy(), y, "own", about, classes)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _counts(labels: "pd.Series") -> bool:
    """Whether labels are whole numbers, stored as floats where one is missing."""
    return labels.dtype.kind in "iu" or (labels.dtype.kind == "f" and bool((labels % 1 == 0).all()))


def _tidy(place: Path) -> None:
    """Delete old files, then the oldest ones while they take too much space."""
    found = sorted((p.stat().st_mtime, p.stat().st_size, p) for p in place.glob("*.npz"))
    total, now = sum(size for _, size, _ in found), time.time()
    for born, size, path in found[:-1]:  # the newest stays in any case
        if now - born > KEPT_DAYS * 86400 or total > MAX_BYTES:
            path.unlink(missing_ok=True)
            total -= size
