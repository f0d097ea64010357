"""Kruskal's algorithm as an animation: edges join the points, shortest first, until two classes
would be connected."""

from typing import NamedTuple

import numpy as np

from sslviz.graph.spanning_tree import Joined
from sslviz.labels import one_hot

FRAMES_KEPT = 24


class TreeFrame(NamedTuple):
    """The forest after some edges."""

    name: str
    edges: np.ndarray  # (2, m)
    classes: np.ndarray  # (n, C) one-hot class of each point's tree; zero where it has no label


def spanning_tree_frames(found: Joined, n_classes: int) -> list[TreeFrame]:
    """Frames evenly over the edges; the last is just before the conflict."""
    last = len(found.lengths) - 1
    moments = np.unique(np.rint(np.linspace(0, last, min(FRAMES_KEPT, last + 1))).astype(int))
    names = [f"{m} edges, up to {found.lengths[m]:.3g}" for m in moments[:-1]]
    names.append(f"stop: d₀ = {found.lengths[-1]:.3g}")
    return [
        TreeFrame(name, found.edges[:, :m], one_hot(found.labels[m], np.arange(n_classes)))
        for name, m in zip(names, moments, strict=True)
    ]
