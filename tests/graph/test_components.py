"""Islands are the connected parts of a graph, largest first."""

import numpy as np
from scipy import sparse

from sslviz.graph.components import islands
from sslviz.graph.neighbours import knn


def brute(G: sparse.csr_array) -> list[set[int]]:
    """Flood from every point in turn, along stored entries, both ways."""
    n = G.shape[0]
    linked: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        for j in G.indices[G.indptr[i] : G.indptr[i + 1]]:
            linked[i].add(int(j))
            linked[j].add(i)
    found: list[set[int]] = []
    for start in range(n):
        if any(start in part for part in found):
            continue
        part, edge = {start}, [start]
        while edge:
            new = linked[edge.pop()] - part
            part |= new
            edge += new
        found.append(part)
    return found


def test_they_are_what_a_flood_fills() -> None:
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(80, 2))
        G = knn(X, 1 + seed % 3)
        number = islands(G)
        parts = {frozenset(map(int, np.flatnonzero(number == i))) for i in range(number.max() + 1)}
        assert parts == set(map(frozenset, brute(G)))


def test_they_are_numbered_from_the_largest_on_ties_by_their_first_point() -> None:
    rows, cols = [0, 2, 3, 3, 7, 8], [1, 3, 4, 5, 8, 9]
    G = sparse.csr_array((np.ones(6), (rows, cols)), shape=(11, 11))
    assert islands(G).tolist() == [2, 2, 0, 0, 0, 0, 3, 1, 1, 1, 4]


def test_an_edge_of_length_zero_is_an_edge() -> None:
    G = sparse.csr_array((np.zeros(1), [1], [0, 1, 1]), shape=(2, 2))
    assert islands(G).tolist() == [0, 0]


def test_direction_does_not_matter_and_the_graph_is_left_alone() -> None:
    G = knn(np.random.default_rng(0).normal(size=(60, 2)), 2)
    for part in (G.data, G.indices, G.indptr):
        part.flags.writeable = False
    np.testing.assert_array_equal(islands(G), islands(sparse.csr_array(G.T)))
