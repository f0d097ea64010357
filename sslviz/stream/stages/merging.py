"""Merging of centroids when there are too many. Both rules change the multiplicities in place.

"doubling" goes through the centroids in order of age after every doubling of the radius; "lazy"
merges one pair at a time, the closest within the radius. There the heavier survives (of equals the
older), and one that has absorbed another is not absorbed until the radius grows: so every point
stays within 2R of its centroid.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class CentroidMerge(NamedTuple):
    """A centroid that joined another one; both are named by their position in the stream."""

    absorbed: int
    kept: int
    point: np.ndarray  # where the absorbed one was
    radius: float  # at which it happened


# Called at each merge with the index absorbed, the index kept and the radius.
OnMerge = Callable[[int, int, float], None]


def smallest_positive(D: np.ndarray) -> float:
    """The smallest distance that is not zero; 0 if there is none."""
    found = D[D > 0]
    return float(found.min()) if len(found) else 0.0


def survivors(births: np.ndarray, merges: list[CentroidMerge]) -> np.ndarray:
    """The centroids that these were merged into; all are named by their position in the stream."""
    if not merges:
        return births
    into: dict[int, int] = {}
    for merge in reversed(merges):  # one that absorbs is absorbed later, if at all
        into[merge.absorbed] = into.get(merge.kept, merge.kept)
    names, at = np.unique(births, return_inverse=True)
    return np.array([into.get(int(name), int(name)) for name in names], np.int64)[at]


def merge_doubling(
    D: np.ndarray,
    m: np.ndarray,
    absorbed: np.ndarray,
    radius: float,
    capacity: int,
    on_merge: OnMerge,
) -> tuple[np.ndarray, float]:
    """Double the radius and merge by age: the sorted indices of kept centroids, and the radius."""
    alive = np.arange(len(D))
    while len(alive) > capacity:
        radius *= 2
        kept: list[int] = []
        for i in alive:
            if (D[i, kept] > radius).all():
                kept.append(int(i))
        for i in np.setdiff1d(alive, kept):
            at = kept[D[i, kept].argmin()]
            m[at] += m[i]
            on_merge(int(i), at, radius)
        alive = np.array(kept)
    return alive, radius


def merge_lazy(
    D: np.ndarray,
    m: np.ndarray,
    absorbed: np.ndarray,
    radius: float,
    capacity: int,
    on_merge: OnMerge,
) -> tuple[np.ndarray, float]:
    """Merge closest pairs: the sorted indices of kept centroids, and the radius.

    `absorbed` marks centroids that have absorbed another since the radius grew.
    """
    alive = np.ones(len(D), bool)
    older, younger = np.triu_indices(len(D), 1)
    lengths = D[older, younger]
    while alive.sum() > capacity:
        lighter = np.where(m[older] >= m[younger], younger, older)
        free = alive[older] & alive[younger] & (lengths <= radius) & ~absorbed[lighter]
        if not free.any():
            radius *= 2
            absorbed[:] = False
            continue
        pair = np.where(free, lengths, np.inf).argmin()
        lost = int(lighter[pair])
        kept = int(older[pair] + younger[pair] - lost)
        m[kept] += m[lost]
        alive[lost], absorbed[kept] = False, True
        on_merge(lost, kept, radius)
    return np.flatnonzero(alive), radius
