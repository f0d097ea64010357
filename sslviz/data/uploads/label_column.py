"""Which column holds the classes, and which of its values mean "no label"."""

from typing import NamedTuple

import numpy as np

from sslviz.data.uploads.limits import MAX_CLASSES
from sslviz.data.uploads.raw_table import RawTable, distinct_texts

LABEL_NAMES = (
    "class", "label", "labels", "target", "species", "y", "category", "classes", "klasse",
    "diagnosis", "outcome",
)  # fmt: skip
UNLABELLED_WORDS = (
    "", "?", "na", "n/a", "nan", "none", "null", "unknown", "unlabelled", "unlabeled", "no label",
    "unbekannt", "missing", "-", "–",
)  # fmt: skip
MINUS_ONE = ("-1", "-1.0")
MAX_GUESSED_CLASSES = 20  # of a column that is not called by its name
POINTS_PER_CLASS = 2  # on average, in a column that may hold classes
MAX_SORTED = 10_000  # distinct values that are sorted by name
MISSING = ""  # an empty cell


class Values(NamedTuple):
    """The different values of a column and how often each occurs, most frequent first."""

    texts: tuple[str, ...]
    counts: tuple[int, ...]


def values_of(raw: RawTable, name: str) -> Values:
    texts, index = distinct_texts(raw.columns[name])
    counts = np.bincount(index, minlength=len(texts))
    order = np.argsort(-counts, kind="stable")
    if len(order) <= MAX_SORTED:  # equally frequent ones by their names
        order = np.array(sorted(order.tolist(), key=lambda i: (-counts[i], texts[i])), dtype=int)
    return Values(tuple(texts[order].tolist()), tuple(counts[order].tolist()))


def unlabelled_values(values: Values, named: bool = False) -> tuple[str, ...]:
    """The values that mean "no label": empty, ?, NA, unknown and the like.

    -1 does if there are two classes besides, numbers as in scikit-learn or names; with classes -1
    and 1 it is one. Where a file names the classes 0, 1, …, -1 is none of them.
    """
    found = [text for text in values.texts if text.strip().lower() in UNLABELLED_WORDS]
    others = [text for text in values.texts if text not in found]
    if named or len(others) > 2:
        found += [text for text in others if text in MINUS_ONE]
    return tuple(found)


def label_column(raw: RawTable) -> str | None:
    """The column of classes: by its name, else the last, the first or the only suitable one."""
    if raw.kind != "table":
        return raw.names[0] if raw.names else None
    by_name = {name.strip().lower(): name for name in reversed(raw.names)}
    for word in LABEL_NAMES:
        if word in by_name and _may_be_classes(raw, by_name[word], MAX_CLASSES, named=True):
            return by_name[word]
    for name in (raw.names[-1], raw.names[0]):
        if _may_be_classes(raw, name, MAX_GUESSED_CLASSES):
            return name
    texts = [name for name in raw.names if not raw.is_number(name)]
    suitable = [name for name in texts if _may_be_classes(raw, name, MAX_GUESSED_CLASSES)]
    return suitable[0] if len(suitable) == 1 else None


def _may_be_classes(raw: RawTable, name: str, limit: int, *, named: bool = False) -> bool:
    """Whether a column has few different values, and whole numbers if it has numbers."""
    values = values_of(raw, name)
    is_number = raw.is_number(name)
    none = set(unlabelled_values(values))
    texts = [text for text in values.texts if text not in none]
    known = sum(c for t, c in zip(values.texts, values.counts, strict=True) if t not in none)
    if is_number and any("." in text or "e" in text for text in texts):
        return False
    repeated = known > len(texts) if named else known >= POINTS_PER_CLASS * len(texts)
    return 2 <= len(texts) <= limit and repeated
