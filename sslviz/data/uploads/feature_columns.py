"""Which columns are features, which are texts for hovering, and which are left out and why."""

from typing import NamedTuple

import numpy as np

from sslviz.data.uploads.raw_table import RawTable

ID_NAMES = ("id", "index", "idx", "nr", "no", "row", "key", "uuid", "unnamed: 0", "rowid")
MISSING_SHARE = 0.5  # of a column that is left out
MAX_HOVER_COLUMNS = 4
WORDS_OF_TEXT = 3  # on average, in a column whose words may be features
DISTINCT_SHARE = 0.5  # of its cells
CELLS_COUNTED = 2000
CONSTANT, IDENTIFIER, TEXT, MOSTLY_MISSING = "constant", "row number", "text", "mostly missing"


class Split(NamedTuple):
    """Columns by their use."""

    features: tuple[str, ...]
    hover: tuple[str, ...]
    left_out: dict[str, str]  # column -> reason


def split_columns(raw: RawTable, label: str | None) -> Split:
    """All columns except the labels: numbers that vary are features, texts are for hovering."""
    features: list[str] = []
    hover: list[str] = []
    left_out: dict[str, str] = {}
    for name in raw.names:
        if name == label:
            continue
        reason = TEXT if not raw.is_number(name) else _reason(name, raw.columns[name])
        if reason:
            left_out[name] = reason
            if reason in (TEXT, IDENTIFIER) and len(hover) < MAX_HOVER_COLUMNS:
                hover.append(name)
        else:
            features.append(name)
    if not features:  # better a row number than nothing
        features = [name for name, reason in left_out.items() if reason == IDENTIFIER]
        left_out = {name: why for name, why in left_out.items() if why != IDENTIFIER}
    return Split(tuple(features), tuple(hover), left_out)


def text_columns(raw: RawTable, label: str | None) -> tuple[str, ...]:
    """Columns of running text: several words in each cell, and few cells that are equal."""
    names = (name for name in raw.names if name != label and not raw.is_number(name))
    return tuple(name for name in names if _is_running_text(raw.columns[name][:CELLS_COUNTED]))


def _is_running_text(cells: np.ndarray) -> bool:
    there = [cell for cell in cells.tolist() if cell]
    words = sum(len(cell.split()) for cell in there)
    several = words >= WORDS_OF_TEXT * len(there)
    return several and len(set(there)) > DISTINCT_SHARE * len(cells)


def _reason(name: str, numbers: np.ndarray) -> str:
    """Why a column of numbers is no feature; "" if it is one."""
    there = numbers[np.isfinite(numbers)]
    if len(there) < (1 - MISSING_SHARE) * len(numbers):
        return MOSTLY_MISSING
    if np.ptp(there) == 0:
        return CONSTANT
    complete = len(there) == len(numbers)
    if complete and there[0] in (0, 1) and (np.diff(there) == 1).all():
        return IDENTIFIER
    whole = (there == np.round(there)).all() and len(np.unique(there)) == len(there)
    return IDENTIFIER if whole and name.strip().lower() in ID_NAMES else ""
