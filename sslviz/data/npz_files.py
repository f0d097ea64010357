"""Data sets in files `<name>.npz`: arrays `X` and `y`, and whatever else is known about them.

Beside `X` (samples × features) and `y` (one class each) a file may hold `classes` (the names of the
classes 0..C-1), `image_shape`, `train_n`, index arrays `idx…`, a sentence `about`,
`feature_names`, and for visitors' files `notes` (a text for each point), `rows` (of the points in
the file) and `source` (how the file is read). With `classes`, -1 in `y` is a point of unknown
class. Pickled objects are never read: they can run code.
"""

import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from sslviz import kept_files
from sslviz.data.catalogue import FACTS, readable
from sslviz.data.dataset import Dataset, read_only_copy

# What zipfile and numpy raise for archives that are damaged, encrypted or of absurd size.
_UNREADABLE = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)
_WORD = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}")


def folder() -> Path:
    """The folder of a user's own files: $SSLVIZ_DATA, or that of downloads."""
    chosen = os.environ.get("SSLVIZ_DATA")
    return Path(chosen) if chosen else downloads()


def downloads() -> Path:
    """The folder of files from OpenML; nothing is ever written to $SSLVIZ_DATA."""
    return kept_files.folder_of("data")


def uploads() -> Path:
    """The folder of visitors' files (uploads.py), which no list names."""
    return kept_files.folder_of("uploads")


def check_name(name: object) -> str:
    """The name itself; ValueError unless it is a plain word, which cannot leave the folder."""
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError(
            f"data: {shorten(str(name))!r} is not the name of a data set: a word of at most 200 "
            "letters, digits, '_', '-' and '.', not starting with '.'"
        )
    return name


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a long text, for a message."""
    return text if len(text) <= length else f"{text[:length]}…"


def names_in_files() -> list[str]:
    """Names of all data files, sorted."""
    found = (path for place in {folder(), downloads()} for path in place.glob("*.npz"))
    return sorted({path.stem for path in found if _WORD.fullmatch(path.stem) and path.is_file()})


def path_of(name: str) -> Path | None:
    """The file of a data set, the user's before a downloaded one; None if there is none."""
    places = (folder(), downloads(), uploads())
    paths = (place / f"{check_name(name)}.npz" for place in places)
    return next((path for path in paths if _is_file(path)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name longer than any file's
        return False


def shape(path: Path) -> tuple[int, int]:
    """Samples and features, read from the header of X alone."""
    with _reading(path), zipfile.ZipFile(path) as archive:
        if "X.npy" not in archive.namelist():
            raise ValueError("it has no array X")
        with archive.open("X.npy") as file:
            version = np.lib.format.read_magic(file)
            if version == (1, 0):
                size, _, _ = np.lib.format.read_array_header_1_0(file)
            else:
                size, _, _ = np.lib.format.read_array_header_2_0(file)
        if len(size) != 2:
            raise ValueError(f"X has shape {size}, expected samples × features")
    return size


def read(path: Path) -> Dataset:
    """The data set in a file; a ValueError names file and problem."""
    with _reading(path):
        arrays = _arrays(path)
        for needed in ("X", "y"):
            if needed not in arrays:
                raise ValueError(f"it has no array {needed}")
        X = arrays["X"]
        if X.ndim != 2:
            raise ValueError(f"X has shape {X.shape}, expected samples × features")
        if X.dtype == np.uint8:  # pixels: half the memory of float64, and exact
            X = read_only_copy(X, np.float32)
        elif X.dtype.kind in "biuf":
            X = read_only_copy(X, np.float64)
        y, classes = class_indices(arrays["y"], arrays.get("classes"))
        if "classes" not in arrays:
            classes = readable(path.stem, classes)
        splits = _splits(arrays, len(X))
        about = str(arrays.get("about", describe(path, X.shape)))
        image_shape = arrays.get("image_shape")
        return Dataset(
            X, y, path.stem, about, classes, image_shape, splits,  # type: ignore[arg-type]
            arrays.get("notes"), _feature_names(arrays, X.shape[1]), str(arrays.get("source", "")),
            _rows(arrays, len(X)),
        )  # fmt: skip


def describe(path: Path, size: tuple[int, ...]) -> str:
    """A description of a file that has none of its own."""
    if path.stem in FACTS:
        return FACTS[path.stem].about
    return f"{size[0]} points with {size[1]} features from {path.name}."


def write(dataset: Dataset, place: Path) -> Path:
    """Store a data set as `<name>.npz` in `place`; the file appears complete or not at all."""
    path = place / f"{check_name(dataset.name)}.npz"
    arrays: dict[str, Any] = {
        "X": _compact(dataset.X),
        "y": dataset.y,
        "classes": np.array(dataset.classes),
        "about": np.array(dataset.about),
        **(dataset.splits or {}),
    }
    if dataset.notes is not None:
        arrays["notes"] = dataset.notes
    if dataset.features is not None:
        arrays["feature_names"] = np.array(dataset.features)
    if dataset.rows is not None:
        arrays["rows"] = dataset.rows
    if dataset.source:
        arrays["source"] = np.array(dataset.source)
    if dataset.image_shape is not None:
        arrays["image_shape"] = np.array(dataset.image_shape)
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    kept_files.write_file(path, file.getvalue())
    return path


def class_indices(
    y: np.ndarray, classes: np.ndarray | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Labels as 0..C-1, and the names of the classes; with `classes`, y are indices of these."""
    if y.ndim != 1:
        raise ValueError(f"y has shape {y.shape}, expected one label for each row")
    if y.dtype.kind not in "biufUS":
        raise ValueError(f"y holds {y.dtype}, expected whole numbers or words")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all() or (y != np.round(y)).any():
            raise ValueError("y holds fractions or missing values, expected whole numbers or words")
        y = y.astype(np.int64)
    if classes is not None:
        if classes.ndim != 1:
            raise ValueError(f"classes has shape {classes.shape}, expected one name for each")
        if y.dtype.kind not in "iu":
            raise ValueError(f"y holds {y.dtype}, expected indices of the names in classes")
        return y.astype(np.int64), tuple(map(_word, classes.tolist()))
    values, index = np.unique(y, return_inverse=True)
    return index.astype(np.int64), tuple(map(_word, values.tolist()))


def _word(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    file = np.load(path, allow_pickle=False)
    if isinstance(file, np.ndarray):
        raise ValueError("it is a single array, expected an archive of named arrays")
    with file:
        arrays = {name: file[name] for name in file.files}
    return {name: a for name, a in arrays.items() if isinstance(a, np.ndarray)}


def _feature_names(arrays: dict[str, np.ndarray], count: int) -> tuple[str, ...] | None:
    names = arrays.get("feature_names")
    return None if names is None or names.shape != (count,) else tuple(map(_word, names.tolist()))


def _rows(arrays: dict[str, np.ndarray], n: int) -> np.ndarray | None:
    rows = arrays.get("rows")
    fits = rows is not None and rows.shape == (n,) and rows.dtype.kind in "iu"
    return rows if fits else None


def _splits(arrays: dict[str, np.ndarray], n: int) -> dict[str, int | np.ndarray] | None:
    splits: dict[str, int | np.ndarray] = {}
    for name, a in arrays.items():
        if name.startswith("idx"):
            if a.dtype.kind not in "iu" or (a.size and (a.min() < 0 or a.max() >= n)):
                raise ValueError(f"{name} holds something other than rows of X, 0 to {n - 1}")
            splits[name] = a.astype(np.int64)
        elif name == "train_n":
            if a.ndim or a.dtype.kind not in "iu" or not 0 < a <= n:
                raise ValueError(f"train_n={a} is not a number of rows in [1, {n}]")
            splits[name] = int(a)
    return splits or None


def _compact(X: np.ndarray) -> np.ndarray:
    """Whole numbers from 0 to 255 as bytes."""
    small = X.min() >= 0 and X.max() <= 255
    return X.astype(np.uint8) if small and (X == np.round(X)).all() else X


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn every error of reading into a ValueError that names the file."""
    try:
        yield
    except _UNREADABLE as error:
        problem = str(error).removeprefix(f"{path.stem}: ") or type(error).__name__
        if "allow_pickle" in problem or "pickled" in problem:
            problem = (
                "it is not an archive of arrays, or holds pickled objects, which are never read"
            )
        raise ValueError(f"{path.name}: {problem}") from error  # visitors see no server folder
