"""Walks leave every group that the graph links to others, however long the way out is."""

import numpy as np
import pytest

from sslviz import LabelPropagation, RobustLabelPrediction, graph
from sslviz.graph.underflow import rescale_underflowing

# Two labels, groups of two to four points within some σ, and 40 to 250 σ between the groups.
GROUPS = {
    "one group": [0, 100, 41, 42, 42.5, 43],
    "one behind the other": [0, 300, 50, 51, 52, 150, 150.5, 151],
    "two between": [0, 220, 80, 81, 140, 141, 142],
    "a group of groups": [0, 400, 150, 151, 170, 171, 199, 200],
}


def exactly(D: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(n, 2) absorption probabilities with weights exp(−d²), all in logarithms; inf is no edge.

    One state after the other is taken out, as in Grassmann, Taksar and Heyman: nothing but sums.
    """
    log = -np.square(D)
    order = np.flatnonzero(y == -1)
    for at, s in enumerate(order):
        log[s, order[: at + 1]] = -np.inf
        log[s] -= np.logaddexp.reduce(log[s])
        for i in order[at + 1 :]:
            log[i] = np.logaddexp(log[i], log[i, s] + log[s])
            log[i, [s, i]] = -np.inf
    F = np.eye(2)[np.maximum(y, 0)]
    for s in order[::-1]:
        F[s] = np.exp(log[s]) @ F
    return F


@pytest.mark.parametrize("kind", ["undirected", "directed"])
@pytest.mark.parametrize("name", GROUPS)
def test_probabilities_of_far_groups_are_right(name: str, kind: str) -> None:
    X = np.array(GROUPS[name], float)[:, None]
    y = np.full(len(X), -1)
    y[:2] = 0, 1
    k = len(X) - 2
    D = graph.knn(X, k) if kind == "directed" else graph.undirected(graph.knn(X, k))
    assert (graph.transitions(D, 1.0).data == 0).any()
    G = np.full((len(X), len(X)), np.inf)
    G[D.nonzero()] = D.data
    model = LabelPropagation(k, 1.0, kind).fit(X, y)
    np.testing.assert_allclose(model.label_distributions_, exactly(G, y), rtol=0, atol=1e-12)


def test_hubs_behind_a_long_way_are_reached() -> None:
    rng = np.random.default_rng(0)
    near, far = rng.normal(size=(2, 30, 2))
    far[:, 0] += 400
    X, y = np.concatenate([near, far, [[200, 0]]]), np.full(61, -1)  # a bridge
    y[[30, 31]] = 0, 1
    model = RobustLabelPrediction(n_hubs=59, sigma=1.0, k_hub=6).fit(X, y)
    np.testing.assert_allclose(model.hub_distributions_.sum(axis=1), 1, rtol=0, atol=1e-9)


def test_steps_that_can_be_written_stay_as_they_are() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    ends = np.arange(60) < 3
    G = graph.undirected(graph.knn(X, 4))
    P = graph.transitions(G, 0.5)
    assert rescale_underflowing(P, G, 0.5, ends) is P
    island = np.concatenate([X, X + 1000])
    G = graph.undirected(graph.knn(island, 4))
    P = graph.transitions(G, 0.02)
    opened = rescale_underflowing(P, G, 0.02, np.arange(120) < 3)
    small = P.data < 1e-17
    assert small.any() and not small.all()
    np.testing.assert_array_equal(opened.data[~small], P.data[~small])
    assert (opened.data < 1e-17)[small].all()
