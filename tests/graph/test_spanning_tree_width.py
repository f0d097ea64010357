"""The spanning-tree rule against Kruskal's algorithm over all pairs."""

import numpy as np
import pytest
from graph.problems import SETS
from scipy.spatial.distance import pdist, squareform

from sslviz import graph
from sslviz.graph.spanning_tree_width import first_label_conflict


def literal_conflict(X: np.ndarray, y: np.ndarray) -> float:
    """Kruskal over all pairs, as Zhu et al. describe it."""
    D = squareform(pdist(X))
    rows, cols = np.triu_indices(len(X), 1)
    component = np.arange(len(X))
    for e in np.argsort(D[rows, cols]):
        i, j = component[rows[e]], component[cols[e]]
        if i == j:
            continue
        component[component == j] = i
        if len(set(y[component == i]) - {-1}) > 1:
            return D[rows[e], cols[e]]
    raise AssertionError


@pytest.mark.parametrize("seed", (0, 2, 5))
@pytest.mark.parametrize("name", SETS)
def test_spanning_tree_rule_is_a_third_of_the_first_conflict(name: str, seed: int) -> None:
    X = SETS[name]
    random = np.random.default_rng(seed)
    y = np.full(len(X), -1)
    some = random.choice(len(X), 3 + 5 * seed, replace=False)
    side = X[some] @ random.normal(size=X.shape[1])
    y[some] = np.where(side > np.median(side), 7, 3)
    expected = literal_conflict(X, y)
    for G in (None, graph.knn(X, 1), graph.knn(X, 8)):
        assert first_label_conflict(X, y, G) == pytest.approx(expected, rel=1e-12)
        if expected > 0:
            assert graph.width("mst", graph=G, X=X, y=y) == pytest.approx(expected / 3, rel=1e-12)
