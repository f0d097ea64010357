"""Labels, with -1 for unlabelled: hide some, list the classes, encode them one-hot."""

from numbers import Integral, Real

import numpy as np

UNLABELLED = -1


def hide(
    y: np.ndarray,
    per_class: int | None = None,
    fraction: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> np.ndarray:
    """A copy of y with -1 for the hidden labels, at least one label left in every class.

    Either `per_class` labels are kept in each class (all of a class that has fewer), or `fraction`
    of all labels, spread over the classes at random. Growing either keeps, for the same
    `random_state`, the labels that were there before.
    """
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"hide: y of shape {y.shape}, expected one label for every point")
    if y.dtype.kind not in "if":
        cure = "use a signed type such as int64" if y.dtype.kind == "u" else "number them"
        raise ValueError(f"hide: labels of type {y.dtype} cannot hold {UNLABELLED}; {cure}")
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise ValueError(f"hide: y holds NaN, which is no class; {UNLABELLED} means unlabelled")
    if (per_class is None) == (fraction is None):
        raise ValueError("hide: give either per_class or fraction")
    if per_class is not None and not (isinstance(per_class, Integral) and per_class >= 1):
        raise ValueError(f"hide: per_class={per_class!r} is not a whole number of at least 1")
    if fraction is not None and not (isinstance(fraction, Real) and 0 < fraction <= 1):
        raise ValueError(f"hide: fraction={fraction!r} is not in (0, 1]")
    known = np.flatnonzero(y != UNLABELLED)
    if len(known) == 0:
        raise ValueError("hide: y holds no label")
    order = np.random.default_rng(random_state).permutation(known)
    _, classes = np.unique(y[order], return_inverse=True)
    rank = _rank_within(classes)  # how many of its class come before it in the random order
    if per_class is not None:
        kept = order[rank < per_class]
    else:
        assert fraction is not None
        count = max(round(fraction * len(known)), classes.max() + 1)
        first = np.argsort(rank > 0, kind="stable")  # one of each class, then the others in order
        kept = order[first[:count]]
    hidden = np.full_like(y, UNLABELLED)
    hidden[kept] = y[kept]
    return hidden


def reveal(y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of y with -1 everywhere except in these rows, as in an official split."""
    given = np.full_like(np.asarray(y), UNLABELLED)
    given[rows] = np.asarray(y)[rows]
    return given


def _rank_within(classes: np.ndarray) -> np.ndarray:
    by_class = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[by_class], np.arange(classes.max() + 1))
    rank = np.empty_like(classes)
    rank[by_class] = np.arange(len(classes)) - starts[classes[by_class]]
    return rank


def known_classes(y: np.ndarray) -> np.ndarray:
    """The classes among the given labels, sorted. Only numeric labels can be unlabelled."""
    classes = np.unique(y)
    return classes[classes != UNLABELLED] if classes.dtype.kind in "iuf" else classes


def one_hot(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """(n, C): one row per point, all zero where y is none of the classes."""
    return (np.asarray(y)[:, None] == classes).astype(np.float64)
