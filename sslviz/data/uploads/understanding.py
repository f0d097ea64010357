"""What a file means: its labels, features, texts and missing values, in words and as a data set.

raw = read(content, "wine.csv")
meaning = understand(raw, Choices(label="grower"))
dataset = dataset_of(raw, meaning, "wine")
"""

from dataclasses import dataclass

import numpy as np

from sslviz.data.uploads.choices import AS_FOUND, DROP, FOUND, Choices
from sslviz.data.uploads.feature_columns import TEXT, split_columns, text_columns
from sslviz.data.uploads.label_column import label_column, unlabelled_values, values_of
from sslviz.data.uploads.limits import MAX_CLASSES, MAX_MAGNITUDE, Refusal, clean_name
from sslviz.data.uploads.raw_table import RawTable, distinct_texts, feature_matrix

CLASSES_TO_NAME = ("class 1", "class 2")  # where a file has no labels


@dataclass(frozen=True, eq=False)
class Understanding:
    """How a file is understood, complete; `choices` are those that were made by hand."""

    choices: Choices
    label: str | None
    unlabelled: tuple[str, ...]  # values of the label column that mean "no label"
    classes: tuple[str, ...]
    y: np.ndarray  # (n,) -1 for no label
    features: tuple[str, ...]  # empty where the file holds a matrix: then all of it
    words: tuple[str, ...]  # columns of texts whose words are features
    n_features: int  # without those of words
    hover: tuple[str, ...]
    left_out: dict[str, str]
    missing_cells: int
    missing_rows: np.ndarray  # (n,) rows with a missing value
    too_large: int  # numbers that count as missing

    @property
    def kept(self) -> np.ndarray:
        """(n,) the rows that become points."""
        if self.choices.missing == DROP:
            return ~self.missing_rows
        return np.ones(len(self.y), bool)

    @property
    def n_labelled(self) -> int:
        return int((self.y[self.kept] >= 0).sum())


def understand(raw: RawTable, choices: Choices = AS_FOUND) -> Understanding:
    """How a file is understood, with the choices made by hand; a Refusal if it cannot be."""
    label = _label(raw, choices)
    values = values_of(raw, label) if label is not None else None
    none: tuple[str, ...] = ()
    if values is not None and label is not None:
        none = choices.unlabelled or ()
        if choices.unlabelled is None:
            none = unlabelled_values(values, bool(raw.classes))
    y, classes = _classes(raw, label, none, choices)
    features, hover, left_out = split_columns(raw, label)
    left_out = left_out if raw.block is None else {}
    words = _words(raw, label, choices, bool(features))
    if raw.block is None and choices.columns is not None:
        features = _chosen(raw, choices.columns, label, required=not words)
        left_out = {n: left_out.get(n, "") for n in raw.names if n not in (*features, label)}
    left_out = {name: reason for name, reason in left_out.items() if name not in words}
    if raw.block is None and not features and not words:
        raise Refusal(_no_numbers(raw, label))
    if choices.hover is not None:
        hover = tuple(name for name in choices.hover if name in raw.names and name != label)
    missing, too_large = _missing_mask(raw, features)
    meaning = Understanding(
        choices, label, none, classes, y, features, words,
        len(features) if raw.block is None else raw.block.shape[1],
        hover, left_out, int(missing.sum()), np.asarray(missing.any(axis=1)), too_large,
    )  # fmt: skip
    if meaning.kept.sum() < 2:
        raise Refusal("fewer than two rows are complete; let missing values be replaced")
    return meaning


def _label(raw: RawTable, choices: Choices) -> str | None:
    if choices.label == FOUND and FOUND not in raw.names:
        return label_column(raw)
    if choices.label is not None and choices.label not in raw.names:
        known = ", ".join(raw.names[:20])
        raise Refusal(f"it has no column {choices.label!r} of labels; there are {known}")
    return choices.label


def _classes(
    raw: RawTable, label: str | None, none: tuple[str, ...], choices: Choices
) -> tuple[np.ndarray, tuple[str, ...]]:
    """(n,) class indices, -1 for no label, and the names of the classes."""
    named = tuple(dict.fromkeys(map(clean_name, choices.classes or ())))
    if label is None:
        classes = named or CLASSES_TO_NAME
        _check_count(len(classes), "there")
        return np.full(raw.n_rows, -1), classes
    values, places = distinct_texts(raw.columns[label])
    if len(values) > MAX_CLASSES + len(none):
        _check_count(len(values) - len(none), f"column “{label}” has")
    unlabelled = np.isin(values, none)
    order = sorted(np.flatnonzero(~unlabelled), key=lambda i: _class_order(str(values[i])))
    index = np.full(len(values), -1)
    index[order] = np.arange(len(order))
    found = [_class_name(raw, values[i]) for i in order]
    if len(set(found)) < len(found):  # two long names that are equal when cut
        found = [f"{name} ({i})" for i, name in enumerate(found, 1)]
    classes = (*found, *(name for name in named if name not in found))
    if len(classes) < 2:
        classes = (*classes, *[name for name in CLASSES_TO_NAME if name not in classes])[:2]
    _check_count(len(classes), f"column “{label}” has")
    return index[places], classes


def _class_order(value: str) -> tuple[bool, float, str]:
    """Numbers by size, then words."""
    try:
        return False, float(value), ""
    except ValueError:
        return True, 0.0, value


def _class_name(raw: RawTable, value: str) -> str:
    """The name of a class; a file may name the classes 0, 1, … itself."""
    named = raw.classes and value.isdigit() and int(value) < len(raw.classes)
    return raw.classes[int(value)] if named else clean_name(value)


def _check_count(count: int, where: str) -> None:
    if not 2 <= count <= MAX_CLASSES:
        raise Refusal(
            f"{where} {count} different values, expected 2 to {MAX_CLASSES} classes; choose "
            "another column of labels, or none"
        )


def _words(raw: RawTable, label: str | None, choices: Choices, numbers: bool) -> tuple[str, ...]:
    """The chosen columns of texts, or those of running text where there are no numbers."""
    if raw.block is not None:
        return ()
    if choices.words is None:
        return () if numbers else text_columns(raw, label)
    return tuple(n for n in raw.names if n in choices.words and n != label and not raw.is_number(n))


def _chosen(
    raw: RawTable, columns: tuple[str, ...], label: str | None, *, required: bool
) -> tuple[str, ...]:
    chosen = tuple(n for n in raw.names if n in columns and n != label and raw.is_number(n))
    if required and not chosen:
        raise Refusal(f"none of the chosen columns holds numbers: {', '.join(columns[:20])}")
    return chosen


def _no_numbers(raw: RawTable, label: str | None) -> str:
    texts = [name for name in raw.names if name != label]
    hint = "; is the decimal mark right?" if raw.format.delimiter not in (None, ",") else ""
    return f"no column except the labels holds numbers that vary ({', '.join(texts[:5])}){hint}"


def _missing_mask(raw: RawTable, features: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """(n, d) where a feature is missing, and how many numbers are too large to compute with."""
    X = raw.block if raw.block is not None else feature_matrix(raw, features)
    if X.dtype.kind != "f":
        return np.zeros((len(X), 1), bool), 0
    with np.errstate(invalid="ignore"):
        large = np.abs(X) > MAX_MAGNITUDE
    infinite = np.isinf(X)
    return ~np.isfinite(X) | large, int((large & ~infinite).sum())


def left_out_texts(meaning: Understanding) -> list[str]:
    """Columns of texts that are not used as features."""
    return [name for name, reason in meaning.left_out.items() if reason == TEXT]
