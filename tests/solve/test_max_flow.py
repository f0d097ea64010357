"""Minimum cuts against SciPy's maximum flow and against all cuts of small graphs."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

from sslviz.solve.max_flow import min_cut


def random_weights(n: int, share: float, seed: int, whole: int = 0) -> np.ndarray:
    """Symmetric, with weights 1 … whole or real ones over many orders of magnitude."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, whole + 1, (n, n)) if whole else np.exp(-rng.exponential(4, (n, n)))
    W = np.triu(size * (rng.random((n, n)) < share), 1).astype(float)
    return W + W.T


def all_cuts(W: np.ndarray, source: list[int], sink: list[int]) -> tuple[float, np.ndarray]:
    """The cost of the cheapest, and the (m, n) sides of all cuts that cost no more."""
    n = len(W)
    free = [i for i in range(n) if i not in source + sink]
    sides = np.zeros((2 ** len(free), n), bool)
    sides[:, source] = True
    sides[:, free] = np.array(list(product([False, True], repeat=len(free)))).reshape(-1, len(free))
    costs = np.einsum("mi,ij,mj->m", sides.astype(float), W, (~sides).astype(float))
    return costs.min(), sides[costs <= costs.min() + 1e-9]


@pytest.mark.parametrize("whole", [0, 1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_small_graphs_agree_with_all_their_cuts(seed: int, whole: int) -> None:
    W = random_weights(11, 0.35, seed, whole)
    source, sink = ([0], [10]) if seed % 2 else ([0, 1], [9, 10])
    cut = min_cut(sparse.csr_array(W), source, sink)
    cost, cheapest = all_cuts(W, source, sink)
    assert np.isclose(cut.value, cost, rtol=1e-12, atol=1e-15)
    if whole:  # ties abound: the sides are exactly what all cheapest cuts share
        np.testing.assert_array_equal(cut.source, cheapest.all(axis=0))
        np.testing.assert_array_equal(cut.sink, ~cheapest.any(axis=0))


@pytest.mark.parametrize("whole, scale", [(20, 1.0), (0, 1e7)])
@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs_agree_with_scipy(seed: int, whole: int, scale: float) -> None:
    """SciPy takes whole capacities only: real ones are rounded to seven digits."""
    n, source, sink = 80, [0, 1, 2], [77, 78, 79]
    W = np.minimum(random_weights(n, 0.08, seed, whole), whole or 1)
    joined = np.zeros((n + 2, n + 2), np.int32)
    joined[:n, :n] = np.round(W * scale)
    joined[n, source] = joined[sink, n + 1] = 10**9
    theirs = maximum_flow(sparse.csr_array(joined), n, n + 1).flow_value / scale
    cut = min_cut(sparse.csr_array(W), source, sink)
    assert abs(cut.value - theirs) <= (0 if whole else 1e-4)
    for side in (cut.source, ~cut.sink):  # both are minimum cuts
        assert np.isclose(W[np.ix_(side, ~side)].sum(), cut.value, rtol=1e-11)


def test_a_chain_is_cut_at_its_weakest_edge_and_equal_edges_leave_points_free() -> None:
    def chain(*weights: float) -> sparse.csr_array:
        W = np.diag(weights, 1)
        return sparse.csr_array(W + W.T)

    cut = min_cut(chain(3, 0.1, 2), [0], [3])
    assert cut.value == 0.1 and cut.source.tolist() == [True, True, False, False]
    assert (cut.source == ~cut.sink).all()
    cut = min_cut(chain(0.7, 0.7, 0.7), [0], [3])
    assert cut.source.tolist() == [True, False, False, False]
    assert cut.sink.tolist() == [False, False, False, True]


def test_ties_of_sums_that_round_differently_stay_ties() -> None:
    """0.1 + 0.2 in and 0.3 out: the point between is free, though the sums differ by rounding."""
    W = np.zeros((4, 4))
    for i, j, w in ((0, 2, 0.1), (1, 2, 0.2), (2, 3, 0.3)):
        W[i, j] = W[j, i] = w
    cut = min_cut(sparse.csr_array(W), [0, 1], [3])
    assert not cut.source[2] and not cut.sink[2]
    assert np.isclose(cut.value, 0.3)


def test_separate_components_belong_to_neither_side_and_cost_nothing() -> None:
    W = sparse.csr_array(np.kron(np.eye(3), np.ones((2, 2)) - np.eye(2)))
    cut = min_cut(W, [0], [2])
    assert cut.value == 0
    assert cut.source.tolist() == [True, True] + [False] * 4
    assert cut.sink.tolist() == [False, False, True, True, False, False]


def test_invalid_graphs_and_groups_are_refused() -> None:
    W = sparse.csr_array(np.array([[0.0, 1.0], [2.0, 0.0]]))
    with pytest.raises(ValueError, match="symmetric"):
        min_cut(W, [0], [1])
    W = sparse.csr_array(np.array([[0.0, -1.0], [-1.0, 0.0]]))
    with pytest.raises(ValueError, match="not negative"):
        min_cut(W, [0], [1])
    with pytest.raises(ValueError, match="both a source and a sink"):
        min_cut(sparse.csr_array(np.ones((2, 2))), [0], [0, 1])
