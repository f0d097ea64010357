"""The k nearest seeds along the graph are those of one full search per seed."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from graph.oracles import assert_equal_lists, dijkstra, nearest_seeds
from scipy import sparse
from scipy.sparse.csgraph import dijkstra as scipy_dijkstra
from sklearn.datasets import load_digits

from sslviz import graph

rng = np.random.default_rng(3)


def random_graph(n: int, count: int, longest: int) -> sparse.csr_array:
    """Whole lengths from 0 to `longest` on random edges: ties everywhere, zeros included."""
    ends = rng.integers(0, n, (2, count))
    ends = np.unique(ends[:, ends[0] != ends[1]], axis=1)
    lengths = rng.integers(0, longest + 1, ends.shape[1]).astype(float)
    G = sparse.csr_array((n, n))
    order = np.lexsort((ends[1], ends[0]))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(ends[0], minlength=n))])
    G = sparse.csr_array((lengths[order], ends[1][order], indptr), shape=(n, n))
    return graph.undirected(G)


moons = rng.normal(size=(150, 2))
moons[140:] = moons[:10]  # equal points: edges of length zero
GRAPHS = {
    "cloud": graph.undirected(graph.knn(rng.normal(size=(200, 5)), 4)),
    "equal points": graph.undirected(graph.knn(moons, 3)),
    "digits": graph.undirected(graph.knn(load_digits().data[:250], 4)),
    "whole lengths": random_graph(120, 300, 3),
    "mostly zero": random_graph(100, 220, 1),
    "only zeros": random_graph(60, 90, 0),
    "islands": random_graph(150, 90, 5),
}
every_graph = pytest.mark.parametrize("G", GRAPHS.values(), ids=GRAPHS)


@every_graph
@pytest.mark.parametrize("count", [1, 4, 40])
@pytest.mark.parametrize("k", [1, 3, 7])
def test_truncated_search_is_the_full_one_cut_to_k(G, count: int, k: int) -> None:
    seeds = np.random.default_rng(count).choice(G.shape[0], count, replace=False)
    assert_equal_lists(graph.geodesic(G, seeds, k), nearest_seeds(G, seeds, k))


@every_graph
@pytest.mark.parametrize("k", [1, 3, 7])
def test_seeds_may_come_one_group_after_the_other(G, k: int) -> None:
    seeds = np.random.default_rng(k).permutation(G.shape[0])[:30]
    for first, second in ((20, 30), (1, 3), (5, 30), (0, 12)):
        known = graph.geodesic(G, seeds[:first], k)
        before = [part.copy() for part in known]
        together = graph.geodesic(G, seeds[:second], k)
        overlapping = seeds[max(first - 3, 0) : second]  # some were known already
        assert_equal_lists(graph.geodesic(G, overlapping, k, known), together)
        assert_equal_lists(known, before)


def test_distances_are_those_of_scipy() -> None:
    G = GRAPHS["digits"]
    seeds = np.arange(0, 250, 3)
    expected = np.sort(scipy_dijkstra(G, indices=seeds), axis=0)[:6].T
    np.testing.assert_allclose(graph.geodesic(G, seeds, 6)[1], expected, rtol=1e-12)


def test_geodesics_are_a_metric_no_shorter_than_euclid_and_equal_to_it_on_edges() -> None:
    X = load_digits().data[:120]
    G = graph.undirected(graph.knn(X, 5))
    found, distances = graph.geodesic(G, np.arange(120), 120)
    D = np.full((120, 120), np.inf)
    reached = found >= 0
    D[np.nonzero(reached)[0], found[reached]] = distances[reached]
    np.testing.assert_allclose(D, D.T, rtol=1e-13)
    euclid = np.sqrt(((X[:, None] - X) ** 2).sum(-1))
    assert (D >= euclid * (1 - 1e-13)).all()
    rows = np.repeat(np.arange(120), np.diff(G.indptr))
    np.testing.assert_array_equal(D[rows, G.indices], G.data)
    through = (D[:, :, None] + D[None]).min(axis=1)
    np.testing.assert_allclose(through, D, rtol=1e-13)


def test_an_unreachable_seed_is_padding() -> None:
    G = sparse.csr_array(np.array([[0, 1.0, 0], [1.0, 0, 0], [0, 0, 0]]))
    found, distances = graph.geodesic(G, [0, 2], 3)
    assert found.tolist() == [[0, -1, -1], [0, -1, -1], [2, -1, -1]]
    assert distances.tolist() == [[0, np.inf, np.inf], [1, np.inf, np.inf], [0, np.inf, np.inf]]
    found, distances = graph.geodesic(G, [], 2)
    assert (found == -1).all() and np.isinf(distances).all()


@every_graph
def test_a_path_walks_along_edges_and_is_as_long_as_the_distance(G) -> None:
    distance = dijkstra(G, 2)
    for target in range(0, G.shape[0], 5):
        path = graph.geodesic_path(G, 2, target)
        if not np.isfinite(distance[target]):
            assert path == []
            continue
        assert path[0] == 2 and path[-1] == target and len(set(path)) == len(path)
        length = 0.0
        for i, j in pairwise(path):
            neighbours = slice(G.indptr[i], G.indptr[i + 1])
            assert j in G.indices[neighbours]
            length += G.data[neighbours][G.indices[neighbours] == j][0]
        assert length == distance[target]


def test_the_graph_may_be_read_only_and_stays_as_it_is() -> None:
    G = GRAPHS["cloud"].copy()
    before = G.copy()
    for part in (G.data, G.indices, G.indptr):
        part.flags.writeable = False
    graph.geodesic(G, [1, 2], 2)
    graph.geodesic_path(G, 1, 2)
    np.testing.assert_array_equal(G.data, before.data)
    np.testing.assert_array_equal(G.indices, before.indices)


def test_order_repetition_and_form_of_seeds_and_direction_of_edges_do_not_matter() -> None:
    expected = graph.geodesic(GRAPHS["digits"], [3, 60, 99], 2)
    directed = graph.knn(load_digits().data[:250], 4)
    for seeds in ([99, 3, 3, 60], np.isin(np.arange(250), [3, 60, 99])):
        assert_equal_lists(graph.geodesic(directed, seeds, 2), expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda G: graph.geodesic(G[:5], [1], 1), "not square"),
        (lambda G: graph.geodesic(-G, [1], 1), "not negative"),
        (lambda G: graph.geodesic(G, [0, 200], 1), "seeds from 0 to 200"),
        (
            lambda G: graph.geodesic(G, np.ones(39, bool), 2),
            r"mask of shape \(39,\) does not",
        ),
        (lambda G: graph.geodesic(G, [3.5], 2), "seeds of type float64 are neither indices"),
        (lambda G: graph.geodesic(G, [0], 0), "k=0"),
        (
            lambda G: graph.geodesic(G, [0], 3, graph.geodesic(G, [1], 2)),
            r"shape \(200, 2\) does not",
        ),
        (lambda G: graph.geodesic_path(G, 0, -1), "target=-1"),
        (lambda G: graph.geodesic(G.toarray(), [0], 1), "a graph is a sparse matrix"),
        (lambda G: graph.hubs(G.toarray()), "a graph is a sparse matrix"),
        (lambda G: graph.knn(G, 2), "X is sparse"),
    ],
)
def test_wrong_graphs_and_seeds_are_refused(call: Callable, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(GRAPHS["cloud"])
