"""The stages of SGSC, each against a slow and plain computation."""

import numpy as np
import pytest
from clustering.oracles import floyd_warshall
from scipy import sparse

from sslviz import graph
from sslviz.clustering.stages import component_eigs, hub_affinity
from sslviz.clustering.stages.hub_affinity import (
    all_pairs_median,
    hub_distances,
    hub_graph,
    hub_width,
    kmeans_centres,
    nearest_hubs,
    positive_median,
    soft_assignments,
    spectrum,
)


def random_graph(seed: int, n: int = 60, doubled: bool = False) -> sparse.csr_array:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * 3
    if doubled:
        X = np.repeat(X[: n // 3], 3, axis=0)
    return graph.undirected(graph.knn(X, 3))


def lengths_of(G: sparse.csr_array) -> np.ndarray:
    D = np.full(G.shape, np.inf)
    coo = G.tocoo()
    D[coo.row, coo.col] = coo.data
    return D


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_distances_between_hubs_are_those_of_floyd_and_warshall(
    seed: int, doubled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = random_graph(seed, doubled=doubled)
    monkeypatch.setattr(hub_affinity, "DISTANCES_AT_ONCE", 7 * G.shape[0])  # several blocks
    paths = floyd_warshall(lengths_of(G))
    lists = nearest_hubs(G, n_hubs=25, k=8)
    between = paths[np.ix_(lists.hubs, lists.hubs)]
    np.testing.assert_allclose(hub_distances(G, lists.hubs), between, atol=1e-12)
    finite = between[np.triu_indices(25, 1)]
    finite = finite[np.isfinite(finite)]
    assert all_pairs_median(G, lists.hubs) == pytest.approx(np.median(finite), abs=1e-12)
    np.fill_diagonal(between, np.inf)
    np.testing.assert_allclose(lists.lengths, np.sort(between, axis=1)[:, :8], atol=1e-12)
    there = lists.others >= 0
    assert (there == np.isfinite(lists.lengths)).all()
    rows = np.nonzero(there)[0]
    np.testing.assert_allclose(between[rows, lists.others[there]], lists.lengths[there], atol=1e-12)
    assert (lists.others != np.arange(25)[:, None]).all(), "never itself"


def test_fewer_links_are_the_first_of_more() -> None:
    lists = nearest_hubs(random_graph(0), n_hubs=25, k=8)
    few = nearest_hubs(random_graph(0), n_hubs=25, k=3)
    a, b = hub_graph(lists.others, lists.lengths, 3), hub_graph(few.others, few.lengths, 3)
    assert (a != b).nnz == 0 and a.nnz == b.nnz


@pytest.mark.parametrize("seed", [0, 1])
def test_the_spectrum_is_that_of_the_dense_matrix(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = random_graph(seed)
    W = np.exp(-np.square(lengths_of(G) / 0.8))
    root = np.sqrt(W.sum(axis=1))
    S = W / root[:, None] / root
    wanted = np.linalg.eigvalsh(S)[::-1]
    assert -1 - 1e-12 < wanted[-1] and wanted[0] < 1 + 1e-12
    components = graph.islands(G).max() + 1
    assert (wanted > 1 - 1e-12).sum() == components
    for limit in (1500, 0):  # all eigenvalues, then only the largest by products
        monkeypatch.setattr(component_eigs, "MAX_DENSE", limit)
        values, V, found = spectrum(G, sigma=0.8, count=12)
        assert found == components
        np.testing.assert_allclose(values, wanted[:12], atol=1e-10)
        np.testing.assert_allclose(S @ V, V * values, atol=1e-10)
        np.testing.assert_allclose(V.T @ V, np.eye(12), atol=1e-10)
        assert (V[np.abs(V).argmax(axis=0), np.arange(12)] > 0).all()


def test_eigenvectors_of_components_are_constant_on_them_largest_first() -> None:
    blocks = [graph.undirected(graph.knn(np.random.default_rng(m).normal(size=(m, 2)), 4))
              for m in (9, 30, 15)]  # fmt: skip
    G = sparse.csr_array(sparse.block_diag(blocks, format="csr"))
    values, V, components = spectrum(G, sigma=1.0, count=3)
    assert components == 3
    np.testing.assert_allclose(values, 1, atol=1e-12)
    assert [np.flatnonzero(v).tolist() for v in V.T] == [
        list(range(9, 39)),
        list(range(39, 54)),
        list(range(9)),
    ]


def test_widths_are_medians_with_a_factor() -> None:
    G = random_graph(0)
    upper = lengths_of(G)[np.triu_indices(60, 1)]
    median = np.median(upper[np.isfinite(upper)])
    assert hub_width("edges", G, None) == pytest.approx(median, rel=1e-15)
    assert hub_width("0.5 edges", G, None) == pytest.approx(median / 2, rel=1e-15)
    assert hub_width("2 all", G, 3.0) == 6 and hub_width(0.7, G, None) == 0.7
    assert positive_median(np.array([0.0, 0, 0, 2, 4])) == 3 and positive_median(np.zeros(4)) == 1
    assert positive_median(np.array([])) == 1


def test_assignments_are_the_printed_formula_and_its_two_limits() -> None:
    rng = np.random.default_rng(0)
    U, centres = rng.normal(size=(50, 4)), rng.normal(size=(3, 4))
    d = np.linalg.norm(U[:, None] - centres, axis=2)
    for gamma in (1e-3, 0.5, 1.0, 7.0):
        kernel = (1 + d**2 / gamma) ** (-(gamma + 1) / 2)
        wanted = kernel / kernel.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(soft_assignments(U, centres, gamma=gamma), wanted, rtol=1e-12)
    inverse = (1 / d) / (1 / d).sum(axis=1, keepdims=True)
    for gamma in (1e-30, 1e-60, 1e-300):
        np.testing.assert_allclose(soft_assignments(U, centres, gamma=gamma), inverse, rtol=1e-12)
    gaussian = np.exp(-(d**2) / 2)
    gaussian /= gaussian.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(soft_assignments(U, centres, gamma=1e12), gaussian, rtol=1e-9)


def test_at_a_centre_the_assignment_is_certain_and_finite() -> None:
    centres = np.eye(3)
    for gamma in (1e-60, 1e-300):
        Q = soft_assignments(np.vstack([centres, [[1.0, 1e-9, 0]]]), centres, gamma=gamma)
        np.testing.assert_allclose(Q[:3], np.eye(3), atol=1e-25)
        assert np.isfinite(Q).all() and Q[3].argmax() == 0


def test_centres_come_by_size_and_leave_the_global_generator_alone() -> None:
    rng = np.random.default_rng(1)
    U = np.vstack([rng.normal(size=(m, 2)) * 0.1 + [m, 0] for m in (10, 40, 20)])
    state = str(np.random.get_state())  # noqa: NPY002
    centres = kmeans_centres(U, n_clusters=3, seed=3)
    assert str(np.random.get_state()) == state  # noqa: NPY002
    np.testing.assert_allclose(centres[:, 0], [40, 20, 10], atol=0.2)
    np.testing.assert_array_equal(centres, kmeans_centres(U, n_clusters=3, seed=3))
