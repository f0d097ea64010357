"""A data set: points, their classes, and what is known about both.

In a visitor's own data some or all classes may be unknown: y is -1 there. Accuracies count the
points of known class only.

Arrays are read-only: sessions share them, and the memory of stages hashes them once.
"""

from dataclasses import dataclass, replace
from math import prod

import numpy as np

from sslviz.content_hash import is_frozen


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points `X` (n × d) of classes `y` (0..C-1, or -1 where unknown), named by `classes`.

    `image_shape` is (height, width) where rows of X are grey images. `splits` holds official
    divisions: "train_n", "idxLabs_10", "outliers" and the like. `notes` is a text for each point,
    shown when it is hovered. `features` names the columns of X. `source` is the call of
    `sslviz.data.read_table` that reads it again, for a visitor's own file. `rows` are the rows of
    the points in the whole set or file, where some are left out.
    """

    X: np.ndarray
    y: np.ndarray
    name: str
    about: str
    classes: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    splits: dict[str, int | np.ndarray] | None = None
    notes: np.ndarray | None = None
    features: tuple[str, ...] | None = None
    source: str = ""
    rows: np.ndarray | None = None

    def __post_init__(self) -> None:
        keep = object.__setattr__  # the class is frozen
        X, y = np.asarray(self.X), np.asarray(self.y)
        _check_points(self.name, X)
        _check_classes(self.name, y, len(X), len(self.classes))
        keep(self, "X", read_only_copy(X, np.float32 if X.dtype == np.float32 else np.float64))
        keep(self, "y", read_only_copy(y, np.int64))
        keep(self, "classes", tuple(map(str, self.classes)))
        if self.image_shape is not None:
            keep(self, "image_shape", _check_shape(self.name, self.image_shape, X.shape[1]))
        if self.splits is not None:
            keep(self, "splits", {key: _part(value) for key, value in self.splits.items()})
        if self.notes is not None:
            keep(self, "notes", _check_notes(self.name, np.asarray(self.notes), len(X)))
        if self.features is not None:
            keep(self, "features", _check_features(self.name, self.features, X.shape[1]))
        if self.rows is not None:
            keep(self, "rows", _check_rows(self.name, np.asarray(self.rows), len(X)))

    @property
    def n_samples(self) -> int:
        return len(self.X)

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def known(self) -> np.ndarray:
        """(n,) which points have a known class."""
        return self.y >= 0

    @property
    def nbytes(self) -> int:
        """Memory taken by points, classes and notes."""
        return self.X.nbytes + self.y.nbytes + (0 if self.notes is None else self.notes.nbytes)

    def subset(self, n: int, random_state: int | np.random.Generator = 0) -> "Dataset":
        """`n` points in their present order, stratified by class, at least one point of each.

        Points of unknown class count as one more class.

        A larger subset contains the smaller ones of the same `random_state`. Splits refer to rows
        of the whole data set and are dropped.
        """
        present = len(np.unique(self.y))
        low = max(2, present)
        if n != int(n) or not low <= n <= self.n_samples:
            domain = f"[{low}, {self.n_samples}]"
            raise ValueError(f"{self.name}: n_samples={n!r} is not a whole number in {domain}")
        rows = np.sort(stratified_order(self.y, random_state)[: int(n)])
        notes = None if self.notes is None else self.notes[rows]
        X, y, before = _frozen(self.X[rows]), self.y[rows], self.rows
        if n < self.n_samples or before is not None:
            before = rows if before is None else before[rows]
        return replace(self, X=X, y=y, notes=notes, splits=None, rows=before)


def stratified_order(y: np.ndarray, random_state: int | np.random.Generator = 0) -> np.ndarray:
    """All rows in an order in which every prefix has the class shares of the whole.

    One point of each class comes first, so that no class is missing; then point r of a class of
    size m takes the place (r + ½)/m.
    """
    shuffled = np.random.default_rng(random_state).permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    _, starts, sizes = np.unique(y[by_class], return_index=True, return_counts=True)
    rank = np.arange(len(y)) - np.repeat(starts, sizes)
    place = np.where(rank == 0, 0.0, (rank + 0.5) / np.repeat(sizes, sizes))
    return by_class[np.argsort(place, kind="stable")]


def read_only_copy(a: np.ndarray, dtype: type | None = None) -> np.ndarray:
    """A read-only, row-major array of `dtype`: `a` itself if it is one already, else a copy."""
    kind = np.dtype(dtype or a.dtype)
    if a.dtype == kind and a.flags.c_contiguous and is_frozen(a):
        return a
    return _frozen(np.array(a, dtype=kind, order="C"))


def _part(value: int | np.ndarray) -> int | np.ndarray:
    return read_only_copy(value) if isinstance(value, np.ndarray) and value.ndim else int(value)


def _frozen(fresh: np.ndarray) -> np.ndarray:
    fresh.flags.writeable = False
    return fresh


def _check_points(name: str, X: np.ndarray) -> None:
    if X.ndim != 2:
        raise ValueError(f"{name}: X has shape {X.shape}, expected samples × features")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"{name}: X holds {X.dtype}, expected numbers")
    if len(X) < 2 or X.shape[1] < 1:
        raise ValueError(f"{name}: X has shape {X.shape}, expected at least 2 × 1")
    if not np.isfinite(X).all():
        rows = np.flatnonzero(~np.isfinite(X).all(axis=1))
        raise ValueError(
            f"{name}: X holds missing or infinite values in {len(rows)} rows, first in {rows[0]}"
        )


def _check_classes(name: str, y: np.ndarray, n: int, n_classes: int) -> None:
    if y.shape != (n,):
        raise ValueError(f"{name}: y has shape {y.shape}, expected ({n},) as X has {n} rows")
    if y.dtype.kind not in "iu":
        raise ValueError(f"{name}: y holds {y.dtype}, expected whole numbers")
    if y.min() < -1 or y.max() >= n_classes:
        raise ValueError(
            f"{name}: y goes from {y.min()} to {y.max()}, expected [0, {n_classes - 1}], or -1 for "
            f"an unknown class: {n_classes} classes are named"
        )


def _check_shape(name: str, shape: tuple[int, int], n_features: int) -> tuple[int, int]:
    sides = tuple(int(side) for side in np.ravel(shape))
    if len(sides) != 2 or min(sides) < 1 or prod(sides) != n_features:
        raise ValueError(
            f"{name}: image_shape={sides} is not height × width of {n_features} features"
        )
    return sides[0], sides[1]


def _check_notes(name: str, notes: np.ndarray, n: int) -> np.ndarray:
    if notes.shape != (n,) or notes.dtype.kind != "U":
        raise ValueError(f"{name}: notes has shape {notes.shape}, expected a text for each of {n}")
    return read_only_copy(notes)


def _check_rows(name: str, rows: np.ndarray, n: int) -> np.ndarray:
    if rows.shape != (n,) or rows.dtype.kind not in "iu":
        raise ValueError(f"{name}: rows has shape {rows.shape}, expected a number for each of {n}")
    return read_only_copy(rows, np.int64)


def _check_features(name: str, features: tuple[str, ...], n_features: int) -> tuple[str, ...]:
    names = tuple(str(feature) for feature in features)
    if len(names) != n_features:
        raise ValueError(f"{name}: {len(names)} features are named, X has {n_features}")
    return names
