"""Kruskal's algorithm stops where the rule says, and its frames grow up to there."""

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from sslviz import data, labels
from sslviz.graph.spanning_tree import kruskal_until_conflict
from sslviz.graph.spanning_tree_width import first_label_conflict
from sslviz.recordings.spanning_tree import FRAMES_KEPT, spanning_tree_frames


def problem(name: str, seed: int = 0, **options: int) -> tuple:
    dataset = data.load(name, **options)
    return dataset.X, labels.hide(dataset.y, per_class=3, random_state=seed)


@pytest.mark.parametrize("name", ["two_moons", "three_rings", "iris"])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_stops_at_the_first_edge_between_two_classes(name: str, seed: int) -> None:
    X, y = problem(name, seed, **({} if name == "iris" else {"n_samples": 150}))
    found = kruskal_until_conflict(X, y)
    assert found.lengths[-1] == pytest.approx(first_label_conflict(X, y), rel=1e-12)
    assert (np.diff(found.lengths) >= 0).all()
    a, b = found.edges[:, -1]
    before = found.labels[-1]
    assert min(before[a], before[b]) >= 0 and before[a] != before[b], "it would join two classes"
    assert (before[y >= 0] == y[y >= 0]).all()


def test_the_edges_are_the_shortest_tree_of_all_points() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.full(60, -1)
    y[0] = 0  # one class: no conflict, all points are connected
    found = kruskal_until_conflict(X, y)
    assert found.edges.shape == (2, 59)
    assert found.lengths.sum() == pytest.approx(minimum_spanning_tree(cdist(X, X)).sum())


def test_frames_grow_up_to_the_conflict() -> None:
    X, y = problem("two_moons", n_samples=150)
    found = kruskal_until_conflict(X, y)
    frames = spanning_tree_frames(found, 2)
    assert len(frames) <= FRAMES_KEPT and frames[0].edges.shape == (2, 0)
    assert frames[-1].edges.shape[1] == len(found.lengths) - 1 and "d₀" in frames[-1].name
    assert all(frame.classes[y >= 0].sum() == (y >= 0).sum() for frame in frames)
