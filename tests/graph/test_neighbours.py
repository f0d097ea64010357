"""The kNN graph keeps its promises, and its memory searches once for all k."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import joblib
import numpy as np
import pytest
from graph.oracles import assert_equal_lists, brute_force
from sklearn.datasets import load_digits

from sslviz import graph
from sslviz.graph import neighbours
from sslviz.graph.search import nn_descent
from sslviz.memo import Memo

rng = np.random.default_rng(1)
X = np.concatenate([rng.normal(size=(80, 3)), np.repeat(rng.normal(size=(4, 3)), 10, axis=0)])
digits = load_digits().data[:300]


@pytest.mark.parametrize("points", [X, digits, digits.astype(np.uint8), np.zeros((9, 20))])
def test_every_row_stores_exactly_k_others_each_once(points: np.ndarray) -> None:
    n = len(points)
    for k in (1, 5, 8):
        G = graph.knn(points, k)
        assert G.shape == (n, n) and G.dtype == np.float64
        assert (np.diff(G.indptr) == k).all() and G.has_canonical_format
        rows = np.repeat(np.arange(n), k)
        assert (G.indices != rows).all()
        assert len(np.unique(rows * n + G.indices)) == n * k
        indices, distances = brute_force(points, points, k, skip_self=True)
        order = np.argsort(indices, axis=1)
        np.testing.assert_array_equal(
            G.indices.reshape(n, k), np.take_along_axis(indices, order, 1)
        )
        np.testing.assert_array_equal(G.data.reshape(n, k), np.take_along_axis(distances, order, 1))


def test_both_directions_of_an_edge_have_the_same_length() -> None:
    G = graph.knn(digits, 6)
    rows = np.repeat(np.arange(300), 6)
    length = {(i, j): d for i, j, d in zip(rows, G.indices, G.data, strict=True)}
    mutual = [(i, j) for i, j in length if (j, i) in length]
    assert len(mutual) > 300 and all(length[i, j] == length[j, i] for i, j in mutual)


def test_moving_k_below_the_longest_list_never_searches_again() -> None:
    memo = Memo()
    for k in (3, 40, 1, neighbours.K_MAX):
        remembered = graph.knn(digits, k, memo)
        fresh = graph.knn(digits, k)
        np.testing.assert_array_equal(remembered.indices, fresh.indices)
        np.testing.assert_array_equal(remembered.data, fresh.data)
    assert [stage.reused for stage in memo.log] == [False, True, True, True]
    graph.knn(digits, 51, memo)
    graph.knn(digits, 2 * neighbours.K_MAX, memo)
    assert [stage.reused for stage in memo.log][4:] == [False, True]
    assert {stage.name for stage in memo.log} == {"neighbours"}


def test_lists_longer_than_the_data_are_cut_to_all_others() -> None:
    memo = Memo()
    indices, _ = graph.knn_lists(X[:20], 19, memo)
    np.testing.assert_array_equal(indices, brute_force(X[:20], X[:20], 19, skip_self=True)[0])


def test_joblib_memory_does_as_well(tmp_path) -> None:
    memory = joblib.Memory(tmp_path, verbose=0)
    first = graph.knn(X, 4, memory)
    again = graph.knn(X, 4, memory)
    np.testing.assert_array_equal(first.data, again.data)
    np.testing.assert_array_equal(first.indices, graph.knn(X, 4).indices)


@pytest.mark.parametrize(
    ("points", "k", "message"),
    [
        (X, len(X), "k=120 .*n=120"),
        (X, 0, "k=0 "),
        (X, 2.5, "k=2.5 "),
        (np.where(X > 1, np.nan, X), 3, "NaN"),
        (np.where(X > 1, np.inf, X), 3, "infinite"),
        (X[0], 3, "1 dimensions"),
        (np.empty((0, 3)), 1, "empty"),
        (np.empty((5, 0)), 1, "empty"),
        (X.astype(str), 3, "expected real numbers"),
        (np.sign(X) * 1e308, 3, "overflow"),
    ],
)
@pytest.mark.parametrize("memory", [None, Memo()])
def test_what_cannot_be_searched_is_refused(points, k, message: str, memory) -> None:
    with pytest.raises(ValueError, match=message):
        graph.knn(points, k, memory)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="method='fast' is not one of auto, exact, approximate"):
        graph.knn(X, 3, method="fast")


def test_few_features_go_to_the_tree_and_many_points_to_the_descent(monkeypatch) -> None:
    called = []
    monkeypatch.setattr(
        "sslviz.graph.search.kd_tree.tree_nearest", lambda *_, **__: called.append("tree")
    )
    monkeypatch.setattr(
        "sslviz.graph.search.blocked_product.product_nearest",
        lambda *_, **__: called.append("exact"),
    )
    monkeypatch.setattr(nn_descent, "approximate", lambda *_, **__: called.append("descent"))
    monkeypatch.setattr(neighbours, "EXACT_POINTS", 100)
    for points, method in (
        (X, "auto"),
        (digits[:90], "auto"),
        (digits, "auto"),
        (digits, "exact"),
        (X, "approximate"),
    ):
        neighbours.neighbours(points, k=3, method=method)
    assert called == ["tree", "exact", "descent", "exact", "descent"]


@pytest.mark.parametrize("points", [X, digits])
def test_new_points_are_found_their_neighbours_in_any_dimension(points: np.ndarray) -> None:
    Q = points[::4] + 0.1
    assert_equal_lists(neighbours.nearest(Q, points, 7), brute_force(Q, points, 7))


def test_proposals_of_the_descent_are_measured_sorted_and_completed() -> None:
    exact = brute_force(digits, digits, 8, skip_self=True)
    proposed = np.concatenate([np.arange(300)[:, None], exact[0]], axis=1)  # itself first
    proposed = rng.permuted(proposed, axis=1)
    proposed[5] = -1  # nothing found
    proposed[6, :7] = proposed[6, 7]  # nearly all the same
    assert_equal_lists(nn_descent._complete_lists(digits, proposed, 8, "cpu"), exact)


def test_the_descent_is_given_numbers_that_float32_can_square(monkeypatch) -> None:
    X = np.concatenate([digits, np.full((1, 64), 1e30), np.full((1, 64), -1e-30)])
    exact = brute_force(X, X, 5, skip_self=True)
    seen = []

    def NNDescent(points: np.ndarray, n_neighbors: int, random_state: int) -> SimpleNamespace:
        seen.append(points)
        lists = np.concatenate([np.arange(302)[:, None], exact[0]], axis=1)
        missing = np.full((302, n_neighbors - 6), -1)
        return SimpleNamespace(neighbor_graph=(np.concatenate([lists, missing], axis=1), None))

    monkeypatch.setitem(sys.modules, "pynndescent", SimpleNamespace(NNDescent=NNDescent))
    assert_equal_lists(nn_descent.approximate(X, 5), exact)
    assert seen[0].dtype == np.float32 and np.isfinite(np.square(seen[0]).sum(axis=1)).all()
    spread = seen[0][:300].std(axis=0) / digits.std(axis=0).clip(1e-9)  # nothing was flattened
    varying = digits.std(axis=0) > 0
    np.testing.assert_allclose(spread[varying], spread[varying][0], rtol=1e-4)


def test_few_points_are_searched_exactly_by_the_descent_too() -> None:
    lists = nn_descent.approximate(digits[:25], 4)
    assert_equal_lists(lists, brute_force(digits[:25], digits[:25], 4, True))


def test_the_descent_finds_nearly_all_neighbours_and_the_same_ones_twice() -> None:
    if not os.environ.get("SSLVIZ_SLOW"):
        pytest.skip("SSLVIZ_SLOW is not set: pynndescent compiles for about a minute")
    X = load_digits().data
    indices, distances = nn_descent.approximate(X, 10)
    expected = brute_force(X, X, 10, skip_self=True)
    assert (distances <= expected[1][:, -1:]).mean() > 0.98
    assert (np.diff(distances, axis=1) >= 0).all()
    rows = np.repeat(np.arange(len(X)), 10)
    assert len(np.unique(rows * len(X) + indices.ravel())) == len(X) * 10
    assert (indices.ravel() != rows).all()
    np.testing.assert_array_equal(nn_descent.approximate(X, 10)[0], indices)


def test_importing_the_package_imports_neither_torch_nor_numba() -> None:
    code = """
import sys, sslviz.graph as g
assert callable(g.knn) and callable(g.hubs) and callable(g.width)
g.knn([[0.0, 1.0], [2.0, 3.0], [5.0, 4.0]], 1)
assert not {"torch", "numba", "streamlit", "pynndescent"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
