"""A matrix X, labels y and splits, as archives (npz) and MATLAB files hold them, as a RawTable."""

from typing import Any

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_ABOUT_LENGTH,
    MAX_IMAGE_SIDE,
    Refusal,
    check_shape,
    clean_name,
)
from sslviz.data.uploads.raw_table import RawTable
from sslviz.data.uploads.sparse_matrix import dense_block

LABELS = "y"  # the column of labels
WANTED = ("X", "y", "classes", "image_shape", "feature_names", "about", "train_n")


def raw_matrix(parts: dict[str, Any], *, from_one: bool = False) -> RawTable:
    """The table of arrays by name; with `from_one` rows of splits are counted from 1."""
    if "X" not in parts:
        raise Refusal("it has no array X")
    X = parts["X"]
    notes: tuple[str, ...] = ()
    if hasattr(X, "tocsr"):
        X.check_format(full_check=True)  # a false index would read foreign memory
        X, notes = dense_block(X.tocsr())
    X = np.asarray(X)
    if X.dtype.kind not in "biuf":
        raise Refusal(f"X holds {X.dtype}, expected numbers")
    if X.ndim == 3:  # images
        parts = parts | {"image_shape": np.array(X.shape[1:])}
        X = X.reshape(len(X), -1)
    if X.ndim != 2:
        raise Refusal(f"X has shape {X.shape}, expected samples × features")
    y = parts.get("y")
    labels = None if y is None else np.asarray(y)
    if labels is not None and len(labels) != len(X) and X.shape[1] == labels.size:
        X = X.T  # features × samples
    check_shape(*X.shape)
    columns = {} if labels is None else {LABELS: _labels(labels, len(X))}
    return RawTable(
        "matrix",
        columns,
        X if X.dtype == np.uint8 or X.dtype == np.float32 else X.astype(np.float64),
        _names(parts.get("feature_names"), X.shape[1]),
        _names(parts.get("classes")),
        _image_shape(parts.get("image_shape"), X.shape[1]),
        _splits(parts, len(X), from_one),
        about=clean_name(parts.get("about", ""), MAX_ABOUT_LENGTH),
        notes=notes,
    )


def _labels(y: np.ndarray, n: int) -> np.ndarray:
    """Labels as a column: numbers with NaN, or texts; a one-hot matrix becomes class numbers."""
    if y.ndim == 2 and len(y) == n and y.shape[1] > 1 and y.dtype.kind in "biuf":
        if not (np.isin(y, (0, 1)).all() and (y.sum(axis=1) <= 1).all()):
            raise Refusal(f"y has shape {y.shape}, expected one label for each row of X")
        y = np.where(y.any(axis=1), y.argmax(axis=1), np.nan)
    if y.size != n or y.dtype.kind not in "biufUS":
        raise Refusal(
            f"y has shape {y.shape} and holds {y.dtype}, expected one label for each of {n:,} rows"
        )
    y = y.reshape(-1)
    if y.dtype.kind in "biuf":
        return y.astype(np.float64)
    words = np.char.decode(y, "utf-8", "replace") if y.dtype.kind == "S" else y
    values, places = np.unique(words, return_inverse=True)
    return np.array([clean_name(v) for v in values], dtype=object)[places]


def _names(words: Any, count: int | None = None) -> tuple[str, ...]:
    """Names of classes or features; none where the array does not fit."""
    if words is None or np.ndim(words) != 1 or (count is not None and len(words) != count):
        return ()
    values = np.asarray(words)
    if values.dtype.kind not in "biufUS":
        return ()
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values.tolist()]
    return tuple(clean_name(text) for text in texts)


def _image_shape(shape: Any, n_features: int) -> tuple[int, int] | None:
    if shape is None:
        return None
    values = np.ravel(shape)
    if values.dtype.kind not in "iuf" or len(values) != 2 or not np.isfinite(values).all():
        raise Refusal("image_shape does not hold two whole numbers, height and width")
    high, wide = (int(side) for side in values)
    if min(high, wide) < 1 or high * wide != n_features:
        raise Refusal(f"image_shape={high, wide} is not height × width of {n_features} features")
    return (high, wide) if max(high, wide) <= MAX_IMAGE_SIDE else None


def _splits(parts: dict[str, Any], n: int, from_one: bool) -> dict[str, np.ndarray]:
    """Rows of labelled points, one list per split: "idxLabs" is called by its number of labels."""
    splits = {}
    for name, rows in parts.items():
        if not name.startswith("idxLabs"):
            continue
        rows = np.atleast_2d(np.asarray(rows))
        if rows.ndim != 2 or rows.dtype.kind not in "iuf" or not rows.size:
            raise Refusal(f"{name} has shape {rows.shape}, expected splits × labelled points")
        rows = rows.astype(np.int64) - from_one
        if rows.min() < 0 or rows.max() >= n:
            raise Refusal(f"{name} holds something other than rows of X, 1 to {n:,}")
        splits[f"idxLabs_{rows.shape[1]}"] = rows
    return splits
