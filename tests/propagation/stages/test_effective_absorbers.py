"""Where walks end, label by label, and how many labels do the work."""

from collections.abc import Callable

import numpy as np
import pytest
from propagation.oracles import weights
from propagation.problems import cloud

from sslviz import LabelPropagation
from sslviz.labels import hide
from sslviz.memo import Memo
from sslviz.metrics import effective_count


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_basins_are_the_dense_inverse_and_add_up_to_the_classes(graph: str) -> None:
    X, y = cloud(2)
    memo = Memo()
    model = LabelPropagation(graph=graph, memory=memo).fit(X, y)
    labelled, B = model.absorbers()
    assert labelled.tolist() == np.flatnonzero(y != -1).tolist() and B.shape == (140, 12)
    np.testing.assert_array_equal(B[labelled], np.eye(12))
    by_class = np.stack([B[:, y[labelled] == c].sum(axis=1) for c in range(3)], axis=1)
    np.testing.assert_allclose(by_class, model.label_distributions_, rtol=0, atol=1e-10)
    W, free = weights(X, 5, undirected=graph == "undirected"), y == -1
    P = W / W.sum(axis=1, keepdims=True)
    F = np.linalg.solve(np.eye(free.sum()) - P[np.ix_(free, free)], P[np.ix_(free, ~free)])
    np.testing.assert_allclose(B[free], F, rtol=0, atol=1e-9)
    with memo.watch() as stages:
        model.absorbers()
    assert [(s.name, s.reused) for s in stages] == [("basins", True)]


def test_even_basins_count_all_labels_and_one_basin_counts_one() -> None:
    assert effective_count(np.full((7, 5), 0.2)) == pytest.approx(5)
    assert effective_count(np.eye(5)[[2, 2, 2]]) == 1
    assert effective_count(np.array([[0.5, 0.25, 0.25]])) == pytest.approx(8 / 3)
    assert effective_count(np.zeros((3, 4))) == 0


def test_directed_walks_on_digits_are_caught_by_few_labels(real: Callable) -> None:
    d = real("mnist", n_samples=3000, random_state=0)
    y = hide(d.y, per_class=4, random_state=0)
    count = {
        graph: effective_count(LabelPropagation(graph=graph).fit(d.X, y).absorbers()[1][y == -1])
        for graph in ("directed", "undirected")
    }
    assert count["directed"] < 16 < 28 < count["undirected"] < 40
