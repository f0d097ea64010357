"""The electric network: nodes leave unnoticed, in any order, and no digits are lost."""

import numpy as np
import pytest

from sslviz.stream.stages.electric_network import (
    ElectricNetwork,
    edge_width,
    harmonic_values,
    log_weights,
    network_of,
    strong_edges,
    summary_of,
    with_label,
    with_node,
    without_node,
)


def random_weights(n: int, seed: int, density: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    W = np.triu(rng.exponential(size=(n, n)) * (rng.random((n, n)) < density), 1)
    return W + W.T


def as_network(W: np.ndarray, labels: int) -> ElectricNetwork:
    with np.errstate(divide="ignore"):
        logs = np.log(W[labels:])
    return ElectricNetwork(logs, logs)


def dense_harmonic(W: np.ndarray, target: np.ndarray, n_classes: int) -> np.ndarray:
    """Voltages by the Laplacian's linear system."""
    labels = len(target)
    laplacian = np.diag(W.sum(axis=1)) - W
    Y = np.eye(n_classes)[target]
    return np.linalg.solve(laplacian[labels:, labels:], W[labels:, :labels] @ Y)


def test_harmonic_values_solve_the_laplacian_system() -> None:
    W, target = random_weights(30, 0), np.array([0, 1, 2, 0])
    F = harmonic_values(as_network(W, 4), target, 3)
    np.testing.assert_allclose(F, dense_harmonic(W, target, 3), atol=1e-12)
    np.testing.assert_allclose(F.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_after_many_departures_the_others_have_the_values_of_the_whole_graph(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W, target = random_weights(120, seed, 0.08), np.array([0, 1, 1, 2])
    network, there = as_network(W, 4), np.arange(116)
    whole = harmonic_values(network, target, 3)
    while len(there) > 5:
        i = rng.integers(len(there))
        network, there = without_node(network, i).network, np.delete(there, i)
        found = harmonic_values(network, target, 3)
        np.testing.assert_allclose(found, whole[there], rtol=0, atol=1e-13)


def test_what_is_left_is_the_schur_complement_of_the_laplacian() -> None:
    W, labels, gone = random_weights(40, 3, 0.2), 3, 20
    network = as_network(W, labels)
    for _ in range(gone):
        network = without_node(network, 0).network
    laplacian = np.diag(W.sum(axis=1)) - W
    out = np.arange(labels, labels + gone)
    kept = np.setdiff1d(np.arange(len(W)), out)
    across = laplacian[np.ix_(kept, out)]
    schur = laplacian[np.ix_(kept, kept)] - across @ np.linalg.solve(
        laplacian[np.ix_(out, out)], across.T
    )
    expected = -schur[labels:]
    at = np.arange(len(kept) - labels)
    expected[at, labels + at] = 0
    np.testing.assert_allclose(np.exp(network.weights), expected, rtol=1e-11, atol=1e-13)


def test_the_order_of_departures_does_not_matter() -> None:
    W = random_weights(30, 5)
    found = []
    for order in ((2, 7, 11), (11, 7, 2), (7, 2, 11)):
        network, there = as_network(W, 2), list(range(28))
        for node in order:
            network = without_node(network, there.index(node)).network
            there.remove(node)
        found.append(np.exp(network.weights))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-12)


def test_a_node_without_edges_leaves_nothing_behind_and_reaches_no_label() -> None:
    W = random_weights(12, 1)
    W[5] = W[:, 5] = 0
    network, target = as_network(W, 2), np.array([0, 1])
    F = harmonic_values(network, target, 2)
    assert (F[3] == 0).all() and np.isfinite(F).all()
    left = without_node(network, 3)
    assert (left.gained == -np.inf).all()
    np.testing.assert_array_equal(harmonic_values(left.network, target, 2), np.delete(F, 3, 0))


def test_an_island_without_a_label_stays_undetermined_until_its_last_node_has_left() -> None:
    W = random_weights(20, 2, 0.6)
    W[:12, 12:] = W[12:, :12] = 0
    network, target = as_network(W, 2), np.array([0, 1])
    for size in range(8, 0, -1):
        F = harmonic_values(network, target, 2)
        assert (F[10:] == 0).all() and F[10:].shape == (size, 2) and (F[:10] > 0).any(axis=1).all()
        network = without_node(network, 10).network


def test_weights_below_the_range_of_floats_still_carry_labels() -> None:
    """Two far points close to each other: the way to the label weighs exp(-10⁴)."""
    weights = np.full((2, 3), -np.inf)
    weights[0] = -1e4, -np.inf, -0.1
    weights[1] = -2e4, -0.1, -np.inf
    network = with_label(ElectricNetwork(weights, weights), np.array([-np.inf, -3e4]))
    rest = without_node(network, 0).network
    np.testing.assert_allclose(rest.weights[0, :2], (-1e4, -3e4))
    np.testing.assert_allclose(harmonic_values(rest, np.array([0, 1]), 2), [[1, 0]])


def test_nodes_and_labels_come_in_their_places() -> None:
    W = random_weights(9, 4, 0.9)
    network = with_node(as_network(W[:8, :8], 3), as_network(W, 3).weights[-1, :8])
    np.testing.assert_array_equal(network.weights, as_network(W, 3).weights)
    assert network.labels == 3
    more = with_label(network, np.zeros(6))
    assert more.labels == 4 and (more.weights[:, 3] == 0).all()
    np.testing.assert_array_equal(np.delete(more.weights, 3, axis=1), network.weights)


def test_inherited_and_measured_edges_add_up_to_all() -> None:
    network = as_network(random_weights(20, 6), 2)
    assert network.inherited_share() == pytest.approx(0, abs=1e-14)
    left = without_node(network, 0)
    own = np.exp(left.network.measured).sum(axis=1)
    total = np.exp(left.network.weights).sum(axis=1)
    np.testing.assert_allclose(own + np.exp(left.gained).sum(axis=1), total)
    assert left.network.inherited_share() == pytest.approx(np.mean(1 - own / total))
    assert ElectricNetwork(np.empty((0, 4)), np.empty((0, 4))).inherited_share() == 0


def test_strong_edges_hold_their_share_of_one_end_and_each_comes_once() -> None:
    network, labels = as_network(random_weights(20, 7), 2), 2
    ends = strong_edges(network, network.weights, 0.2)
    share = np.exp(network.weights - network.degrees()[:, None])
    expected = {
        (u, v - labels if v >= labels else -1 - v)
        for u in range(18)
        for v in range(20)
        if share[u, v] >= 0.2 or (v >= labels and share[v - labels, u + labels] >= 0.2)
        if v < labels or v - labels > u
    }
    assert set(map(tuple, ends.T.tolist())) == expected and len(expected) == ends.shape[1] > 10
    left = without_node(as_network(random_weights(20, 6), labels), 0)
    summary = summary_of(left.network, left, np.array([0, 1]), 2)
    assert summary.change < 1e-14 and summary.handed_on.shape[1] > 0


def test_the_first_network_is_the_undirected_graph_and_sigma_its_mean_length() -> None:
    near, lengths = np.array([[1], [0], [1]]), np.array([[1.0], [1.0], [4.0]])
    assert edge_width(lengths, "mean") == 2 and edge_width(lengths, "0.5 mean") == 1
    assert edge_width(lengths, 3) == 3 and edge_width(0 * lengths, "mean") == 1
    network = network_of(near, lengths, 1, 2.0)
    np.testing.assert_array_equal(
        network.weights, [[-0.25, -np.inf, -4.0], [-np.inf, -4.0, -np.inf]]
    )
    assert log_weights(np.array([1e300]), 1e-5)[0] > -np.inf
