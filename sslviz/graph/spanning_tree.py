"""Kruskal edge by edge: points join, shortest edge first, until two classes would meet."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from sslviz.memo import stage

FRAMES = 24


class Joined(NamedTuple):
    """Kruskal's edges in order of length, up to the first that would join two classes."""

    edges: np.ndarray  # (2, m), the last one is not joined any more
    lengths: np.ndarray  # (m,)
    labels: np.ndarray  # (m, n) class that each point belongs to before the edge, -1 for none


@stage("spanning tree")
def kruskal_until_conflict(X: np.ndarray, y: np.ndarray) -> Joined:
    """All edges of the shortest spanning tree, shortest first, until labels meet. A stage."""
    ends, lengths = _spanning_tree(cdist(X, X))
    order = np.argsort(lengths, kind="stable")
    ends, lengths = ends[:, order], lengths[order]
    part, label = np.arange(len(X)), np.asarray(y, np.int16)
    labels = []
    for a, b in ends.T:
        labels.append(label)
        if label[a] >= 0 and label[b] >= 0 and label[a] != label[b]:
            break
        both = (part == part[a]) | (part == part[b])
        part[both] = part[a]
        label = np.where(both, max(label[a], label[b]), label).astype(np.int16)
    m = len(labels)
    return Joined(ends[:, :m], lengths[:m], np.stack(labels))


def _spanning_tree(D: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prim: ends (2, n - 1) and lengths of a shortest spanning tree of all pairs."""
    n = len(D)
    outside, via, reach = np.ones(n, bool), np.zeros(n, np.int64), D[0].copy()
    outside[0] = False
    ends, lengths = np.empty((2, n - 1), np.int64), np.empty(n - 1)
    for i in range(n - 1):
        new = int(np.where(outside, reach, np.inf).argmin())
        ends[:, i], lengths[i] = (via[new], new), reach[new]
        outside[new] = False
        closer = outside & (D[new] < reach)
        via[closer], reach[closer] = new, D[new][closer]
    return ends, lengths
