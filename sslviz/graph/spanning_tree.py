"""Spanning tree: Kruskal's edges, shortest first, until two classes would be joined.

Prim's algorithm finds the tree of all pairs: scipy's minimum_spanning_tree sorts all edges, which
takes 24 times as long for 2000 points, and drops edges of length zero.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from sslviz.memo import stage
from sslviz.memory_bound import check_bytes


class Joined(NamedTuple):
    """Edges of the tree in order of length, up to the first that would join two classes."""

    edges: np.ndarray  # (2, m), the last one would join two classes
    lengths: np.ndarray  # (m,)
    labels: np.ndarray  # (m, n) class of each point before the edge is added, -1 for none


@stage("spanning tree")
def kruskal_until_conflict(X: np.ndarray, y: np.ndarray) -> Joined:
    """The edges of the minimum spanning tree, shortest first, until two classes would be joined."""
    check_bytes(f"The spanning tree of {len(X):,} points", 8.0 * len(X) ** 2)
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
    """Prim's algorithm: ends (2, n - 1) and lengths of a minimum spanning tree of all pairs."""
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
