"""A visitor's own set: a table, an archive or a drawing, under a name that nobody else can guess.

A table (csv, tsv) has a row for each point. Its class stands in the column called class, label,
target or y, or else in the last one; columns that are not numbers, and rows in which something is
missing, are left out, and the set says so. An archive (npz) is what files.py reads. Only who knows
the name can load the set: it is not listed. What is old, or too much, is thrown away.
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

ENDINGS = ("csv", "tsv", "txt", "npz")
LABEL_COLUMNS = (
    "class",
    "label",
    "labels",
    "target",
    "species",
    "y",
)  # the first of these there is
MAX_CLASSES = 100  # at most
DAYS, MAX_BYTES = 30, 2 * 2**30  # how long uploads are kept, and how much of them


def store_upload(filename: str, content: bytes) -> str:
    """Store what a visitor brings; the name it can be loaded by."""
    stem, _, ending = os.path.basename(filename).rpartition(".")
    if ending.lower() not in ENDINGS:
        raise ValueError(f"{filename}: a set is a table (csv, tsv) or an archive (npz)")
    try:
        dataset = _archive(content) if ending.lower() == "npz" else _table(content)
    except ValueError as error:
        raise ValueError(f"{filename}: {str(error).removeprefix('own: ')}") from error
    return store(dataset, stem)


def store(dataset: Dataset, title: str) -> str:
    """Store a visitor's set; the name it can be loaded by, which begins like the title."""
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
        raise ValueError("it is no text in UTF-8") from error
    except (csv.Error, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"it cannot be read as a table: {error}") from error
    if len(table.columns) < 2:
        raise ValueError("a table needs a column of numbers and one of classes at least")
    table.columns = table.columns.map(str)
    return _dataset(table)


def _dataset(table: "pd.DataFrame") -> Dataset:
    words = {c.strip().lower(): c for c in reversed(table.columns)}
    own = next((words[word] for word in LABEL_COLUMNS if word in words), table.columns[-1])
    points = table.drop(columns=own).select_dtypes("number").astype(np.float64)
    others = [c for c in table.columns if c != own and c not in points.columns]
    if points.shape[1] == 0:
        raise ValueError(f"no column but {own!r} holds numbers")
    whole = np.isfinite(points).all(axis=1) & table[own].notna()
    if whole.sum() < 2:
        raise ValueError("fewer than two rows are complete")
    labels = table[own][whole]
    kinds = labels.nunique()
    if kinds < 2 or kinds > MAX_CLASSES:
        raise ValueError(
            f"column {own!r} has {kinds} different value{'' if kinds == 1 else 's'}: as classes 2 "
            f"to {MAX_CLASSES} are possible. Call the right column 'class'"
        )
    y, classes = npz_files.class_indices(
        labels.to_numpy() if _counts(labels) else labels.to_numpy(str)
    )
    about = f"Your own table; the class is {own!r}."
    if others:
        about += f" Left out, being no numbers: {', '.join(others)}."
    if missing := int((~whole).sum()):
        about += f" Left out, being incomplete: {missing:,} row{'' if missing == 1 else 's'}."
    return Dataset(points[whole].to_numpy(), y, "own", about, classes)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _counts(labels: "pd.Series") -> bool:
    """Whether labels are whole numbers, also where a missing one has made them decimal."""
    return labels.dtype.kind in "iu" or (labels.dtype.kind == "f" and bool((labels % 1 == 0).all()))


def _tidy(place: Path) -> None:
    """Throw away what is old, and of the rest the oldest while it is too much."""
    found = sorted((p.stat().st_mtime, p.stat().st_size, p) for p in place.glob("*.npz"))
    total, now = sum(size for _, size, _ in found), time.time()
    for born, size, path in found[:-1]:  # the newest stays in any case
        if now - born > DAYS * 86400 or total > MAX_BYTES:
            path.unlink(missing_ok=True)
            total -= size
