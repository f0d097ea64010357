"""What a file holds before it is understood: columns of numbers and texts, or a matrix.

Reading a file gives a `RawTable`; `understanding.py` decides what each column means. Both are plain
data, so that a file can be read in another process.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class Format(NamedTuple):
    """How a text file is written; None is decided by counting."""

    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None
    encoding: str | None = None


UNDECIDED = Format()


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns by name, each of float64 (NaN where missing) or of texts ("" where missing).

    An archive or a folder of images has its features in the matrix `block` (n × d) instead, and in
    the columns only what else there is for each row. `classes` names the classes 0, 1, … if a file
    does. `notes` are sentences on what was done while reading.
    """

    kind: str  # "table", "matrix" or "images"
    columns: dict[str, np.ndarray]
    block: np.ndarray | None = None
    block_names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    image_shape: tuple[int, int] | None = None
    splits: dict[str, np.ndarray] = field(default_factory=dict)
    format: Format = UNDECIDED
    about: str = ""
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values())) if self.block is None else self.block)

    @property
    def names(self) -> list[str]:
        """Names of the columns, in their order in the file."""
        return list(self.columns)

    def is_number(self, name: str) -> bool:
        return self.columns[name].dtype.kind == "f"


def _number_text(value: float) -> str:
    if np.isnan(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


def distinct_texts(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct cells of a column as texts, and (n,) which of them each cell is.

    By hashing: sorting a million texts would keep all other threads waiting.
    """
    import pyarrow as pa

    if column.dtype.kind == "f":
        values, places = np.unique(column, return_inverse=True)  # one NaN stands for all
        return np.array([_number_text(v) for v in values.tolist()], dtype=object), places
    coded = pa.array(column, pa.string()).dictionary_encode()
    words = np.array(coded.dictionary.to_pylist(), dtype=object)
    return words, coded.indices.to_numpy(zero_copy_only=False)


def feature_matrix(raw: RawTable, names: tuple[str, ...]) -> np.ndarray:
    """(n, d) the columns of these names."""
    if not names:
        return np.empty((raw.n_rows, 0))
    return np.stack([raw.columns[name] for name in names], axis=1)
