"""One random draw for a row: which points are used, which are labelled, which are for testing."""

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sslviz import data
from sslviz.content_hash import freeze
from sslviz.data import Dataset, npz_files
from sslviz.data.preprocess import prepared
from sslviz.experiments.table import Row
from sslviz.labels import UNLABELLED, hide


class Sample(NamedTuple):
    """Points, their classes and the labels given to a method; and test points it does not see."""

    X: np.ndarray
    y: np.ndarray
    given: np.ndarray  # -1 for unlabelled
    X_test: np.ndarray | None = None
    y_test: np.ndarray | None = None


def why_missing(name: str) -> str | None:
    """Why a data set is not on this machine; None if it is. OpenML is not asked."""
    if name in data.names():
        return None
    return (
        f"{name} is not built in, and there is no {name}.npz in {npz_files.folder()}; "
        f"if OpenML has it, sslviz.data.load({name!r}) fetches it once"
    )


def points(row: Row) -> Dataset:
    """The whole data set of a row, preprocessed."""
    options = tuple(sorted(row.options.items()))
    return _load(row.dataset, options, row.drop_smallest, row.prepare)


@lru_cache(maxsize=1)  # the draws of a row come one after the other
def _load(
    name: str, options: tuple[tuple[str, Any], ...], drop_smallest: int, prepare: tuple[str, ...]
) -> Dataset:
    dataset = data.load(name, **dict(options))
    if drop_smallest:
        classes = np.argsort(np.bincount(dataset.y), kind="stable")[drop_smallest:]
        rows = np.isin(dataset.y, classes)
        dataset = replace(dataset, X=dataset.X[rows], y=dataset.y[rows], splits=None)
    if prepare:
        dataset = replace(dataset, X=prepared(dataset.X, prepare), image_shape=None)
    return dataset


def draw(dataset: Dataset, row: Row, seed: int) -> Sample:
    """Points in the order of the data set; the same seed draws the same ones for every method."""
    rng = np.random.default_rng(seed)
    n = dataset.n_samples
    pool = within = _within(dataset, row)
    if row.train is not None:
        pool = np.zeros(n, bool)
        pool[rng.choice(np.flatnonzero(within), round(row.train * within.sum()), replace=False)] = 1
    given = _given_labels(dataset, row, seed, rng, pool)
    shown = given != UNLABELLED
    shown[_others(dataset, row, rng, np.flatnonzero(pool & ~shown))] = True
    parts = (dataset.X[shown], dataset.y[shown], given[shown])
    if row.test is None:
        return Sample(*freeze(parts))
    test = np.flatnonzero(within & ~shown)
    if not isinstance(row.test, str):
        test = _of_each(dataset.y, test, row.test, rng, f"{row.title}: test")
    return Sample(*freeze((*parts, dataset.X[test], dataset.y[test])))


def _within(dataset: Dataset, row: Row) -> np.ndarray:
    """Mask of the part of the data set that a row draws from."""
    n = dataset.n_samples
    if row.pool is None:
        return np.ones(n, bool)
    if isinstance(row.pool, str):
        size = (dataset.splits or {}).get("train_n")
        if not isinstance(size, int):
            raise ValueError(f"{row.title}: {dataset.name} has no official training part")
        return np.arange(n) < size
    same = dataset.y[:, None] == np.unique(dataset.y)
    return (same & (np.cumsum(same, axis=0) <= row.pool)).any(axis=1)


def _given_labels(
    dataset: Dataset, row: Row, seed: int, rng: np.random.Generator, pool: np.ndarray
) -> np.ndarray:
    """(n,) classes of the labelled points, -1 for all others."""
    given = np.full(dataset.n_samples, UNLABELLED)
    if row.labelled == 0:
        return given
    if row.split is not None:
        splits = (dataset.splits or {}).get(f"idxLabs_{row.split}")
        if not isinstance(splits, np.ndarray) or seed >= len(splits):
            count = len(splits) if isinstance(splits, np.ndarray) else 0
            raise ValueError(
                f"{row.title}: {dataset.name} has {count} splits with {row.split} labels, draw "
                f"{seed} is not among them"
            )
        given[splits[seed]] = dataset.y[splits[seed]]
    elif row.per_class is not None:
        given[pool] = hide(dataset.y[pool], per_class=row.per_class, random_state=rng)
    else:
        share = row.fraction if row.fraction is not None else (row.labelled or 0) / pool.sum()
        given[pool] = hide(dataset.y[pool], fraction=share, random_state=rng)
    return given


def _others(dataset: Dataset, row: Row, rng: np.random.Generator, others: np.ndarray) -> np.ndarray:
    """The unlabelled points used, drawn from the rest."""
    if row.unlabelled_per_class is not None:
        return _of_each(
            dataset.y, others, row.unlabelled_per_class, rng, f"{row.title}: unlabelled"
        )
    if row.unlabelled is None:
        return others
    if not 0 < row.unlabelled <= len(others):
        raise ValueError(
            f"{row.title}: unlabelled={row.unlabelled} is not in [1, {len(others)}], the points of "
            f"{dataset.name} without the labelled ones"
        )
    return rng.choice(others, row.unlabelled, replace=False)


def _of_each(
    y: np.ndarray, among: np.ndarray, count: int, rng: np.random.Generator, what: str
) -> np.ndarray:
    """`count` random points of each class from `among`; all of a class that has fewer."""
    if count < 1:
        raise ValueError(f"{what}={count} points of each class, expected at least 1")
    kept = hide(y[among], per_class=count, random_state=rng) != UNLABELLED
    return among[kept]
