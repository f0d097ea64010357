"""Edge lengths to a power: 1 changes nothing, a large one finds minimax paths."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from propagation.oracles import neighbour_distances
from propagation.problems import SETS, archipelago, cloud, digits
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from sslviz import GeodesicKNN, RobustLabelPrediction
from sslviz.graph.neighbours import knn
from sslviz.graph.power_lengths import PLAIN_LENGTHS, power_lengths

METHODS = (GeodesicKNN(5), RobustLabelPrediction(5, n_hubs=30))
both = pytest.mark.parametrize("model", METHODS, ids=lambda m: type(m).__name__)


def edges(X: np.ndarray, k: int) -> np.ndarray:
    """(n, n) lengths of the undirected graph, inf without an edge."""
    D = neighbour_distances(X, k)
    return np.minimum(D, D.T)


def minimax(D: np.ndarray) -> np.ndarray:
    """(n, n) the longest edge of the path on which it is shortest (Floyd, Warshall)."""
    D = D.copy()
    np.fill_diagonal(D, 0)
    for k in range(len(D)):
        D = np.minimum(D, np.maximum(D[:, [k]], D[[k]]))
    return D


@both
@pytest.mark.parametrize("points", SETS)
def test_the_first_power_changes_nothing(model: Any, points: Callable) -> None:
    X, y = points(0)
    plain = model.set_params(power=1.0).fit(X, y)
    kept = {k: np.copy(v) for k, v in vars(plain).items() if isinstance(v, np.ndarray)}
    # One rounding away from 1, the lengths are raised and restored.
    other = model.set_params(power=1 + 2**-50).fit(X, y)
    finite = np.isfinite(kept["voter_distances_"])
    np.testing.assert_allclose(
        other.voter_distances_[finite], kept["voter_distances_"][finite], rtol=1e-9
    )
    model.set_params(power=1.0)


def test_a_plain_power_is_the_graph_itself() -> None:
    G = knn(cloud(0)[0], 5)
    assert power_lengths(G, 1.0) is PLAIN_LENGTHS and PLAIN_LENGTHS.raised_graph(G) is G
    assert PLAIN_LENGTHS.raised(G.data) is G.data and PLAIN_LENGTHS.restored(G.data) is G.data


@pytest.mark.parametrize("power", [1.5, 2.0, 7.0])
@pytest.mark.parametrize("points", [cloud, archipelago, digits])
def test_voters_are_nearest_by_the_root_of_summed_powers(points: Callable, power: float) -> None:
    X, y = points(1)
    model = GeodesicKNN(4, power=power).fit(X, y)
    D = edges(X, 4)
    unit = D[np.isfinite(D)].max()
    G = sparse.csr_array(np.where(np.isfinite(D), (D / unit) ** power, 0))
    given = np.flatnonzero(y >= 0)
    found = unit * dijkstra(G, indices=given).T ** (1 / power)  # (n, l)
    wanted = np.sort(found, axis=1)[:, :3]
    np.testing.assert_allclose(model.voter_distances_, wanted, rtol=1e-9)


def test_a_large_power_finds_minimax_paths() -> None:
    X, y = cloud(2)
    given = np.flatnonzero(y >= 0)
    D = edges(X, 5)
    far = minimax(D)[:, given]
    model = GeodesicKNN(5, n_votes=1, power=64.0).fit(X, y)
    free = y < 0
    # (Σ d^p)^{1/p} is between the longest edge and it times (number of edges)^{1/p}.
    ratio = model.voter_distances_[free, 0] / far.min(axis=1)[free]
    assert ratio.min() >= 1 - 1e-9 and ratio.max() <= len(X) ** (1 / 64)
    for point in np.flatnonzero(free)[:20]:
        path = model.explain(point).paths[0]
        longest = max(D[a, b] for a, b in pairwise(path))
        assert longest <= far[point].min() * len(X) ** (1 / 64) * (1 + 1e-9)


@both
def test_training_points_keep_their_answers_and_new_points_use_the_power(model: Any) -> None:
    X, y = cloud(3)
    fitted = model.set_params(power=4.0).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X), fitted.transduction_)
    Q = np.random.default_rng(0).normal(size=(20, 3))
    # A new point joins the graph by its five nearest, with lengths to the same power.
    lengths = np.sort(np.linalg.norm(Q[:, None] - X, axis=2), axis=1)[:, :5]
    near = np.argsort(np.linalg.norm(Q[:, None] - X, axis=2), axis=1)[:, :5]
    through = (lengths[..., None] ** 4 + fitted.voter_distances_[near] ** 4).reshape(20, -1)
    first = fitted.voters_[near].reshape(20, -1)[np.arange(20), through.argmin(axis=1)]
    one = type(model)(**model.get_params() | {"n_votes": 1}).fit(X, y)
    if isinstance(model, GeodesicKNN):
        np.testing.assert_array_equal(one.predict(Q), y[first])
    assert np.isin(fitted.predict(Q), [0, 1, 2]).all()
    model.set_params(power=1.0)


def test_tuning_uses_the_power_and_remembers_by_it() -> None:
    X, y = cloud(4)
    a, b = (RobustLabelPrediction(power=p).fit(X, y) for p in (1.0, 8.0))
    assert a.tuning_ is not None and b.tuning_ is not None
    assert not np.allclose(a.voter_distances_, b.voter_distances_)
    # Distances among hubs are restored: their mean has the scale of edges, not of their powers.
    assert 0.1 < b.sigma_ / a.sigma_ <= 1 + 1e-9


@pytest.mark.parametrize("power", [0.5, 65.0, np.inf, "2"])
def test_other_powers_are_refused(power: Any) -> None:
    with pytest.raises(ValueError, match="GeodesicKNN: power="):
        GeodesicKNN(power=power).fit(*cloud(0))
