"""One draw of a row: which points take part, and which of them show their label."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sslviz import data
from sslviz.data import Dataset, files
from sslviz.digest import freeze
from sslviz.labels import UNLABELLED, hide
from sslviz.tables.table import Row


class Sample(NamedTuple):
    """Points, their classes, and the classes a method is shown."""

    X: np.ndarray
    y: np.ndarray
    given: np.ndarray  # -1 for unlabelled


def missing(name: str) -> str | None:
    """Why a set cannot be had on this machine; None if it can. OpenML is not asked."""
    if name in data.names():
        return None
    return (
        f"{name} is not built in, and there is no {name}.npz in {files.folder()}; "
        f"if OpenML has it, sslviz.data.load({name!r}) fetches it once"
    )


def points(row: Row) -> Dataset:
    """The whole set of a row."""
    return _last(row.dataset, tuple(sorted(row.options.items())))


@lru_cache(maxsize=1)  # the draws of a row come one after the other
def _last(name: str, options: tuple[tuple[str, Any], ...]) -> Dataset:
    return data.load(name, **dict(options))


def draw(dataset: Dataset, row: Row, seed: int) -> Sample:
    """Points in the order of the set; a seed draws the same ones for every method."""
    rng = np.random.default_rng(seed)
    y, n = dataset.y, dataset.n_samples
    if row.per_class is not None:
        given = hide(y, per_class=row.per_class, random_state=rng)
    else:
        given = hide(y, fraction=(row.labelled or 0) / n, random_state=rng)
    others = np.flatnonzero(given == UNLABELLED)
    count = len(others) if row.unlabelled is None else row.unlabelled
    if not 0 < count <= len(others):
        raise ValueError(
            f"{row.title}: {count} unlabelled points are not in [1, {len(others)}], what "
            f"{dataset.name} has beside the labelled ones"
        )
    chosen = rng.choice(others, count, replace=False)
    rows = np.sort(np.concatenate([np.flatnonzero(given != UNLABELLED), chosen]))
    return Sample(*freeze((dataset.X[rows], y[rows], given[rows])))
