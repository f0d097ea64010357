"""Weights, their normalisations and the rules for σ, against their formulas."""

import numpy as np
import pytest
from graph.problems import SETS, cloud, outlier, twins
from scipy import sparse
from scipy.spatial.distance import pdist

from sslviz import graph
from sslviz.graph.weights import log_degrees, relative_degrees

every_set = pytest.mark.parametrize("X", SETS.values(), ids=SETS)


def edges(G: sparse.csr_array) -> dict[tuple[int, int], float]:
    rows = np.repeat(np.arange(G.shape[0]), np.diff(G.indptr))
    return {(int(i), int(j)): d for i, j, d in zip(rows, G.indices, G.data, strict=True)}


@every_set
def test_undirected_keeps_every_edge_both_ways_also_of_length_zero(X: np.ndarray) -> None:
    G = graph.knn(X, 4)
    U = graph.undirected(G)
    expected = {}
    for (i, j), d in edges(G).items():
        expected[i, j] = expected[j, i] = d
    assert edges(U) == expected
    assert U.has_canonical_format and U.nnz == len(expected)
    assert (X is not twins) or (U.data == 0).any()


def test_undirected_takes_the_shorter_of_two_lengths_and_leaves_its_argument() -> None:
    G = sparse.csr_array(np.array([[0, 3.0, 0], [2.0, 0, 0], [0, 7.0, 0]]))
    before = G.toarray()
    np.testing.assert_array_equal(graph.undirected(G).toarray(), [[0, 2, 0], [2, 0, 7], [0, 7, 0]])
    np.testing.assert_array_equal(G.toarray(), before)
    assert graph.undirected(sparse.csr_array((3, 3))).nnz == 0


@every_set
@pytest.mark.parametrize("halved", [False, True])
def test_weights_are_the_formula_on_the_same_edges(X: np.ndarray, halved: bool) -> None:
    G = graph.undirected(graph.knn(X, 5))
    W = graph.gaussian(G, 0.7, halved=halved)
    np.testing.assert_array_equal(W.indices, G.indices)
    np.testing.assert_array_equal(W.indptr, G.indptr)
    np.testing.assert_allclose(W.data, np.exp(-(G.data**2) / (0.7**2 * (1 + halved))), rtol=1e-11)


@every_set
@pytest.mark.parametrize("sigma", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("halved", [False, True])
def test_rows_of_transitions_sum_to_one_at_any_width(X, sigma: float, halved: bool) -> None:
    for G in (graph.knn(X, 6), graph.undirected(graph.knn(X, 6))):
        P = graph.transitions(G, sigma, halved=halved)
        k = np.diff(G.indptr).max()
        np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=0, atol=1e-15 * k)
        assert (P.data >= 0).all() and P.nnz == G.nnz


def test_normalisations_are_their_formulas_where_nothing_underflows() -> None:
    G = graph.undirected(graph.knn(cloud, 5))
    W = graph.gaussian(G, 0.9).toarray()
    degree = W.sum(axis=1)
    np.testing.assert_allclose(graph.transitions(G, 0.9).toarray(), W / degree[:, None], rtol=1e-13)
    expected = W / np.sqrt(np.outer(degree, degree))
    np.testing.assert_allclose(graph.normalised(G, 0.9).toarray(), expected, rtol=1e-13)


@every_set
@pytest.mark.parametrize("sigma", [1e-3, 1.0, 1e3])
def test_normalised_is_exactly_symmetric_with_top_eigenvalue_one(X, sigma: float) -> None:
    S = graph.normalised(graph.undirected(graph.knn(X, 5)), sigma, halved=True).toarray()
    np.testing.assert_array_equal(S, S.T)
    assert np.isfinite(S).all()
    assert np.linalg.eigvalsh(S)[-1] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("halved", [False, True])
def test_log_degrees_are_finite_where_degrees_underflow(halved: bool) -> None:
    G = graph.undirected(graph.knn(outlier, 5))
    logs = log_degrees(G, 1.0, halved=halved)
    degree = graph.gaussian(G, 1.0, halved=halved).sum(axis=1)
    np.testing.assert_allclose(logs[:-1], np.log(degree[:-1]), rtol=1e-12, atol=1e-13)
    shortest = G.data[G.indptr[-2] :].min()
    assert degree[-1] == 0 and logs[-1] == pytest.approx(-(shortest**2) / (1 + halved), rel=1e-12)
    assert log_degrees(sparse.csr_array((2, 2)), 1.0).tolist() == [-np.inf, -np.inf]


def test_points_without_edges_keep_empty_rows() -> None:
    G = sparse.csr_array(np.array([[0, 2.0, 0], [2.0, 0, 0], [0, 0, 0]]))
    for made in (graph.transitions(G, 1.0), graph.normalised(G, 1.0)):
        np.testing.assert_array_equal(made.toarray(), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])


def test_one_far_outlier_changes_no_other_row() -> None:
    near = graph.transitions(graph.knn(cloud, 5), 1.0).toarray()
    far = graph.transitions(graph.knn(outlier, 5), 1.0).toarray()
    np.testing.assert_array_equal(far[:-1, :-1], near)


@every_set
def test_rules_for_sigma_are_their_definitions(X: np.ndarray) -> None:
    G = graph.knn(X, 5)
    assert graph.width(2, graph=G) == 2.0
    assert graph.width("mean", graph=G) == pytest.approx(G.data.sum() / G.nnz, rel=1e-14)
    median = np.median(pdist(X))
    assert graph.width("median", graph=G, X=X) == pytest.approx(median, rel=1e-12)
    assert graph.width("0.5 median", graph=None, X=X) == pytest.approx(median / 2, rel=1e-12)


def test_equal_points_everywhere_have_width_one() -> None:
    X = np.ones((20, 2))
    G = graph.knn(X, 3)
    assert graph.width("mean", graph=G) == graph.width("0.3 median", graph=G, X=X) == 1.0
    np.testing.assert_array_equal(graph.transitions(G, 1.0).data, 1 / 3)


def test_widths_that_mean_nothing_are_refused() -> None:
    G = graph.knn(cloud, 3)
    y = np.full(120, -1)
    for sigma, more, message in (
        (0.0, {}, "sigma=0.0 is not a positive number"),
        (np.inf, {}, "sigma=inf"),
        ("widest", {}, "sigma='widest' is neither"),
        ("-1 mean", {}, "sigma='-1 mean' is neither"),
        ("a mean", {}, "sigma='a mean' is neither"),
        ("median", {}, "needs X"),
        ("mst", {"X": cloud}, "needs X and y"),
        ("mst", {"X": cloud, "y": y}, "two classes"),
        ("mst", {"X": cloud, "y": y[:5]}, "120 points"),
    ):
        with pytest.raises(ValueError, match=message):
            graph.width(sigma, graph=G, **more)
    with pytest.raises(ValueError, match="equal points have different labels"):
        graph.width("mst", graph=graph.knn(twins, 3), X=twins, y=np.arange(120) % 2)
    mostly = np.concatenate([np.zeros((50, 3)), cloud[:10]])
    with pytest.raises(ValueError, match="most points are equal"):
        graph.width("median", graph=graph.knn(mostly, 3), X=mostly)


def test_a_graph_without_edges_has_equal_degrees_and_no_warning() -> None:
    nothing = sparse.csr_array((3, 3))
    shares = relative_degrees(nothing, 1.0)
    assert (shares == shares[0]).all() and shares[0] > 0
