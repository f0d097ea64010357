"""Tuning before the stream: the grid of the thesis, judged as offline tuning judges it."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sslviz import OnlineQRLP, data
from sslviz.graph import knn
from sslviz.labels import hide
from sslviz.propagation.stages import hub_tuning
from sslviz.stream.stages.pretuning import Pretuned, pretune


def problem(unlabelled: int = 60) -> tuple[np.ndarray, np.ndarray]:
    d = data.load("digits", n_samples=400, random_state=0)
    y = hide(d.y, per_class=4, random_state=0)
    rows = np.concatenate([np.flatnonzero(y >= 0), np.flatnonzero(y < 0)[:unlabelled]])
    return d.X[rows].astype(float), y[rows]


def test_each_size_has_the_best_choice_of_its_own_cross_validation() -> None:
    X, y = problem()
    found = pretune(
        cdist(X, X), y, capacity=60, features=64, k_graph=4, n_votes=3, sigma="mean", n_classes=10
    )
    assert found.sizes == (20, 40, 60)
    for k_hub, n_hubs, size in zip(*found, strict=True):
        used = 40 + np.linspace(0, 59, size).round().astype(int)
        rows = np.append(np.arange(40), used)
        grid = tuple(j * (size // 3) for j in (1, 2, 3))
        *_, last = hub_tuning.grid_search(
            knn(X[rows], 4), hub_tuning.folds(y[rows]), grid, n_votes=3, sigma="mean",
            graph="undirected", n_classes=10,
        )  # fmt: skip
        assert (k_hub, n_hubs) == last.tuning.best


def test_the_nearest_size_is_taken() -> None:
    table = Pretuned((5, 10, 20), (3, 9, 30), (16, 32, 48))
    assert table.at(1) == (5, 3) and table.at(24) == (5, 3)  # the smaller of two
    assert table.at(25) == table.at(40) == (10, 9) and table.at(50) == (20, 30)
    assert Pretuned.of(table.table()) == table


@pytest.mark.parametrize("unlabelled", [1, 2, 5, 60])
def test_any_number_of_points_before_the_stream_will_do(unlabelled: int) -> None:
    X, y = problem(60)
    model = OnlineQRLP(30).partial_fit(X[: 40 + unlabelled], y[: 40 + unlabelled])
    assert model.pretuned_ is not None
    k_hub, n_hubs, sizes = model.pretuned_
    assert max(sizes) <= min(30, unlabelled) and set(k_hub) <= set(hub_tuning.K_HUB_GRID)
    assert all(1 <= h <= size for h, size in zip(n_hubs, sizes, strict=True))
    for x in X[40 + unlabelled :]:
        model.observe(x)
        hubs = model.centroid_hubs().hubs
        assert len(hubs) <= len(model.centroids_) == len(model.centroid_hubs().scores)


def test_without_any_half_of_the_centroids_are_hubs() -> None:
    X, y = problem()
    model = OnlineQRLP(30).partial_fit(X[:40], y[:40])
    assert model.pretuned_ is None and len(model.centroids_) == 0
    for x in X[40:60]:
        model.observe(x)
    assert len(model.centroid_hubs().hubs) == (len(model.centroids_) + 1) // 2
