"""Measures of dictionaries agree with their definitions."""

import numpy as np
import pytest
from scipy import sparse

from sslviz import SRC, SSDLGA, USSDL, data, labels
from sslviz.data.preprocess import prepared
from sslviz.recordings.dictionary_measures import (
    NO_CLASS,
    active_share,
    baseline_labels,
    block_share,
    dominant_classes,
    first_plane,
    heaviest_edges,
    in_links,
    relative_weights,
    roughness,
    unlike_neighbours,
)


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dataset = data.load("digits", n_samples=120)
    y = labels.hide(dataset.y, per_class=2, random_state=0)
    return prepared(dataset.X, ("length 5",)), y, dataset.y


def symmetric_weights(n: int) -> np.ndarray:
    W = np.triu(np.random.default_rng(0).uniform(size=(n, n)), k=1)
    W[W < 0.5] = 0
    return W + W.T


def test_the_graph_makes_codes_like_their_neighbours(digits):
    X, y, _ = digits
    with_graph, without = SSDLGA(30).fit(X, y), USSDL(30).fit(X, y)
    L, A = with_graph.laplacian_, with_graph.codes_
    assert unlike_neighbours(A, L) == pytest.approx(np.trace(A.T @ L.toarray() @ A) / (A**2).sum())
    assert unlike_neighbours(A, L) < unlike_neighbours(without.codes_, L)
    assert unlike_neighbours(0 * A, L) == 0


def test_active_pairs_are_on_the_wrong_side_of_their_margin():
    scores = np.array([[1.5, -1.5], [0.5, -1.5], [-2.0, 0.0]])
    assert active_share(scores, np.array([0, 0, 0])) == 3 / 6
    assert active_share(np.array([[2.0, -2.0]]), np.array([0])) == 0


def test_an_atom_counts_for_the_class_of_its_largest_weight_or_for_none():
    W = np.array([[0.5, -0.1, 0.0, 0.001], [0.2, -0.3, 0.0, 0.0]])
    np.testing.assert_array_equal(dominant_classes(W), [0, NO_CLASS, NO_CLASS, NO_CLASS])
    np.testing.assert_array_equal(dominant_classes(0 * W), [NO_CLASS] * 4)


def test_roughness_is_the_quadratic_form_of_the_laplacian():
    W, D = symmetric_weights(6), np.random.default_rng(1).normal(size=(4, 6))
    L = np.diag(W.sum(axis=1)) - W
    expected = np.trace(D @ L @ D.T) / np.square(D).sum()
    for weights in (W, sparse.csr_array(W)):
        assert roughness(D, weights) == pytest.approx(expected)
    assert roughness(np.ones((2, 6)), W) == pytest.approx(0, abs=1e-12)


def test_the_heaviest_edges_come_once_each_and_heaviest_first():
    W = symmetric_weights(6)
    edges, weights = heaviest_edges(sparse.csr_array(W), 100)
    assert len(edges) == (W > 0).sum() // 2 and (np.diff(weights) <= 0).all()
    np.testing.assert_array_equal(W[edges[:, 0], edges[:, 1]], weights)
    assert len(heaviest_edges(W, 3)[0]) == 3


def test_block_share_counts_weights_on_atoms_of_the_own_class():
    A = np.array([[1.0, -1.0, 2.0], [0.0, 3.0, 1.0]])
    assert block_share(A, np.array([0, 1]), np.array([0, 1, NO_CLASS])) == pytest.approx(4 / 8)
    assert block_share(0 * A, np.array([0, 1]), np.array([0, 1, 1])) == 0


def test_the_first_plane_keeps_distances_of_rows_that_lie_in_a_plane():
    rng = np.random.default_rng(2)
    flat = rng.normal(size=(20, 2)) @ np.linalg.qr(rng.normal(size=(5, 2)))[0].T + 7
    plane = first_plane(flat)
    for i in range(1, 20):
        far = np.linalg.norm(flat[0] - flat[i])
        assert np.linalg.norm(plane[0] - plane[i]) == pytest.approx(far)
    assert first_plane(rng.normal(size=(5, 1))).shape == (5, 2)


def test_weights_of_atoms_are_relative_to_the_largest():
    W = np.array([[1.0, -4.0, 0.0], [0.5, 2.0, 0.0]])
    np.testing.assert_allclose(relative_weights(W), [0.25, 1, 0])
    assert (relative_weights(0 * W) == 0).all()


def test_in_links_are_a_column_of_the_weights():
    W = sparse.csr_array(np.array([[0, 2.0, 0], [1.0, 0, 0], [-3.0, 0, 0]]))
    points, weights = in_links(W, 0)
    assert points.tolist() == [2, 1] and weights.tolist() == [-3, 1]
    assert len(in_links(None, 0)[0]) == 0


def test_a_baseline_is_the_method_with_its_defaults(digits):
    X, y, _ = digits
    np.testing.assert_array_equal(baseline_labels("SRC", X, y), SRC().fit(X, y).transduction_)
