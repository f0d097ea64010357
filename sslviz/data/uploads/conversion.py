"""From an understood file to a data set, and to sentences about it."""

from dataclasses import replace

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.data.scaling import units_differ
from sslviz.data.uploads.choices import DROP
from sslviz.data.uploads.feature_columns import TEXT
from sslviz.data.uploads.limits import MAX_MAGNITUDE, clean_name, count_of
from sslviz.data.uploads.raw_table import RawTable, distinct_texts, feature_matrix
from sslviz.data.uploads.sparse_matrix import SVD_COMPONENTS
from sslviz.data.uploads.understanding import Understanding
from sslviz.data.uploads.words import word_features

HOVER_LENGTH = 40  # characters of one text
HOVER_LENGTH_OF_TEXT = 120  # where its words are features
NAMES_LISTED = 6
PREVIEW_ROWS = 20_000  # that decide whether features are standardised


def dataset_of(raw: RawTable, meaning: Understanding, name: str, source: str = "") -> Dataset:
    """The data set; missing values are replaced by the median of their feature."""
    kept = meaning.kept
    block = raw.block if raw.block is not None else feature_matrix(raw, meaning.features)
    X, names = _without_missing(block[kept], meaning), meaning.features or raw.block_names
    for name in meaning.words:
        Z = word_features(raw.columns[name][kept].tolist())
        X, names = np.hstack([X, Z]), (*names, *(f"{name} {j}" for j in range(1, Z.shape[1] + 1)))
    splits = dict(raw.splits) if kept.all() else {}
    return Dataset(
        X.astype(np.float32) if X.dtype == np.uint8 else X,
        meaning.y[kept].astype(np.int64),
        name,
        about(raw, meaning),
        meaning.classes,
        raw.image_shape,
        splits or None,  # type: ignore[arg-type]
        _notes(raw, meaning)[kept] if meaning.hover else None,
        names or None,
        source,
        None if kept.all() else np.flatnonzero(kept),
    )


def scales_differ(raw: RawTable, meaning: Understanding) -> bool:
    """Whether the features should be standardised, by the first rows; words count as one unit."""
    if meaning.words and not meaning.features:
        return False
    return units_differ(dataset_of(*_first_rows(raw, meaning), "own"))


def _first_rows(
    raw: RawTable, meaning: Understanding, count: int = PREVIEW_ROWS
) -> tuple[RawTable, Understanding]:
    """The first rows of a table and their meaning; without texts and splits."""
    meaning = replace(meaning, words=())
    columns = {name: column[:count] for name, column in raw.columns.items()}
    block = None if raw.block is None else raw.block[:count]
    rows = {"y": meaning.y[:count], "missing_rows": meaning.missing_rows[:count]}
    if meaning.kept[:count].sum() < 2:
        return raw, meaning
    return (
        replace(raw, columns=columns, block=block, splits={}),
        replace(meaning, hover=(), **rows),  # type: ignore[arg-type]
    )


def _without_missing(X: np.ndarray, meaning: Understanding) -> np.ndarray:
    """X without missing or extreme numbers."""
    if X.dtype.kind != "f":
        return X
    X = np.array(X)
    X[np.abs(X) < 1 / MAX_MAGNITUDE] = 0
    missing = ~np.isfinite(X)
    with np.errstate(invalid="ignore"):
        missing |= np.abs(X) > MAX_MAGNITUDE
    if missing.size and missing.all():
        raise ValueError("every number of the features is missing")
    for column in np.flatnonzero(missing.any(axis=0)):
        there = X[~missing[:, column], column]
        X[missing[:, column], column] = np.median(there) if len(there) else 0
    return X


def _notes(raw: RawTable, meaning: Understanding) -> np.ndarray:
    """(n,) the texts shown when a point is hovered, as "name: text · name: text"."""
    columns = []
    for name in meaning.hover:
        values, places = distinct_texts(raw.columns[name])
        length = HOVER_LENGTH_OF_TEXT if name in meaning.words else HOVER_LENGTH
        texts = [clean_name(v, length) for v in values.tolist()]
        columns.append(np.array([f"{name}: {t}" if t else "" for t in texts], object)[places])
    return np.array([" · ".join(filter(None, row)) for row in zip(*columns, strict=True)])


def about(raw: RawTable, meaning: Understanding) -> str:
    """Sentences on how the file was read and understood."""
    return " ".join([*([raw.about] if raw.about else []), *sentences(raw, meaning)])


def sentences(raw: RawTable, meaning: Understanding) -> list[str]:
    """What was understood, one sentence each."""
    found = [_label_sentence(raw, meaning), *raw.notes]
    if meaning.words:
        found.append(
            f"The words of {_name_list(list(meaning.words))} are features: TF-IDF, reduced to "
            f"{SVD_COMPONENTS} at most by truncated SVD."
        )
    for reason in sorted(set(meaning.left_out.values()) - {""}):
        names = [n for n, why in meaning.left_out.items() if why == reason]
        found.append(f"Not used ({_REASONS[reason]}): {_name_list(names)}.")
    if meaning.hover:
        found.append(f"Shown when a point is hovered: {_name_list(list(meaning.hover))}.")
    if meaning.missing_cells:
        found.append(_missing_sentence(meaning))
    for rows in raw.splits.values():
        found.append(
            f"{rows.shape[0]} official splits with {rows.shape[1]} labels each, to choose from."
        )
    if meaning.too_large:
        numbers = count_of(meaning.too_large, "number")
        found.append(f"Counted as missing: {numbers} beyond ±{MAX_MAGNITUDE:g}.")
    return found


_REASONS = {
    TEXT: "text",
    "constant": "constant",
    "row number": "row numbers",
    "mostly missing": "mostly missing",
}


def _label_sentence(raw: RawTable, meaning: Understanding) -> str:
    rows = int(meaning.kept.sum())
    what = {"table": "Your own table", "matrix": "Your own arrays", "images": "Your own images"}
    start = what[raw.kind]
    if meaning.label is None:
        return f"{start}, without labels: label points by hand."
    place = "their folder" if raw.kind == "images" else f"column “{meaning.label}”"
    if meaning.n_labelled == rows:
        return f"{start}; the class is {place}."
    return f"{start}; the class is {place}. {meaning.n_labelled:,} of {rows:,} points are labelled."


def _missing_sentence(meaning: Understanding) -> str:
    rows = int(meaning.missing_rows.sum())
    cells = count_of(meaning.missing_cells, "missing value")
    if meaning.choices.missing == DROP:
        return f"{count_of(rows, 'row')} with {cells} left out."
    return f"{cells} in {count_of(rows, 'row')} replaced by the median of the column."


def _name_list(names: list[str]) -> str:
    more = len(names) - NAMES_LISTED
    listed = ", ".join(names[:NAMES_LISTED])
    return f"{listed} and {more:,} more" if more > 0 else listed
