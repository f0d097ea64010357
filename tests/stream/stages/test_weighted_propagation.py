"""A node with multiplicity m counts like m points; with m = 1 nothing is new."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from propagation.oracles import harmonic, weights
from scipy.spatial.distance import cdist
from stream import oracles

from sslviz import LabelPropagation, RobustLabelPrediction, data
from sslviz.labels import hide
from sslviz.stream.stages.weighted_propagation import (
    eliminate,
    neighbour_lists,
    quantised_lp,
    quantised_rlp,
    weighted_votes,
)


def problem(name: str, n: int, per_class: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    d = data.load(name, n_samples=n, random_state=seed)
    return d.X, hide(d.y, per_class=per_class, random_state=seed)


def lp(X: np.ndarray, y: np.ndarray, m: np.ndarray, **settings: Any) -> np.ndarray:
    settings = {"k": 5, "sigma": "mean", "n_classes": int(y.max()) + 1} | settings
    return quantised_lp(cdist(X, X), y, m, **settings)


@pytest.mark.parametrize("sigma", ["mean", "0.5 mean", 0.3])
@pytest.mark.parametrize("name", ["two_moons", "three_rings", "digits"])
def test_multiplicity_one_is_label_propagation(name: str, sigma: Any) -> None:
    X, y = problem(name, 150)
    sigma = 20.0 if name == "digits" and sigma == 0.3 else sigma
    F = lp(X, y, np.ones(len(X)), sigma=sigma)
    model = LabelPropagation(5, sigma).fit(X, y)
    np.testing.assert_allclose(F, model.label_distributions_, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_hubs", [0, 1, 20, 60, 200])
@pytest.mark.parametrize("name", ["two_moons", "three_rings", "digits"])
def test_multiplicity_one_is_robust_label_prediction(name: str, n_hubs: int) -> None:
    X, y = problem(name, 150)
    D, m, everybody = cdist(X, X), np.ones(len(X)), np.arange(len(X))
    h = min(n_hubs, int(np.sum(y < 0)))
    for k_graph, k_hub, n_votes in ((4, 5, 3), (6, 2, 5)):
        found = quantised_rlp(
            D, y, m, everybody, k_graph=k_graph, k_hub=k_hub, n_hubs=n_hubs, n_votes=n_votes,
            sigma="mean", n_classes=int(y.max()) + 1,
        )  # fmt: skip
        model = RobustLabelPrediction(k_graph, k_hub, h, n_votes).fit(X, y)
        np.testing.assert_array_equal(found.hubs, model.hubs_)
        np.testing.assert_array_equal(found.scores, model.hub_scores_)
        np.testing.assert_allclose(found.F, model.label_distributions_, rtol=0, atol=1e-9)


def test_the_same_on_images(real: Callable) -> None:
    d = real("mnist", n_samples=160, random_state=0)
    X, y = d.X.astype(float), hide(d.y, per_class=10, random_state=0)
    D = cdist(X, X)
    found = quantised_rlp(
        D, y, np.ones(160), np.arange(160), k_graph=4, k_hub=5, n_hubs=25, n_votes=3,
        sigma="mean", n_classes=10,
    )  # fmt: skip
    model = RobustLabelPrediction(4, 5, 25, 3).fit(X, y)
    np.testing.assert_allclose(found.F, model.label_distributions_, rtol=0, atol=1e-9)


def test_copies_with_multiplicity_are_the_uncompressed_points() -> None:
    rng = np.random.default_rng(0)
    X, m = rng.normal(size=(25, 2)), rng.integers(1, 6, 25)
    y = np.full(25, -1)
    y[:4], m[:4] = (0, 1, 2, 1), 1
    every = np.repeat(np.arange(25), m)  # each point m times, everybody linked to everybody
    W = weights_of_all(X[every], sigma=0.8)
    F = lp(X, y, m, k=24, sigma=0.8)
    np.testing.assert_allclose(F[every], harmonic(W, y[every]), rtol=0, atol=1e-12)
    assert np.abs(F - lp(X, y, np.ones(25), k=24, sigma=0.8)).max() > 0.01


def test_copies_keep_the_edges_of_their_node() -> None:
    X, y = problem("two_moons", 60)
    m = np.where(y < 0, np.random.default_rng(1).integers(1, 9, 60), 1)
    every = np.repeat(np.arange(60), m)
    W = weights(X, 5)[np.ix_(every, every)]  # whom a node is linked to, all its copies are
    W[every[:, None] == every] = 1.0
    F = lp(X, y, m)
    np.testing.assert_allclose(F[every], harmonic(W, y[every]), rtol=0, atol=1e-9)


def weights_of_all(X: np.ndarray, sigma: float) -> np.ndarray:
    W = np.exp(-((cdist(X, X) / sigma) ** 2))
    np.fill_diagonal(W, 0)
    return W


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_hubs", [0, 6, 30])
def test_hubs_and_votes_count_multiplicities_as_spelt_out(seed: int, n_hubs: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = problem(["two_moons", "four_clusters"][seed % 2], 70, seed=seed)
    m = np.where(y < 0, rng.integers(1, 30, 70), 1)
    settings = {"k_graph": 4, "k_hub": 3, "n_hubs": n_hubs, "n_votes": 3}
    found = quantised_rlp(
        cdist(X, X), y, m, np.arange(70), sigma="mean", n_classes=int(y.max()) + 1, **settings
    )
    answer = np.where(found.F.any(axis=1), found.F.argmax(axis=1), -1)
    np.testing.assert_array_equal(answer, oracles.quantised_rlp(X, y, m, **settings))


def test_a_heavy_voter_outvotes_and_the_nearest_breaks_ties() -> None:
    ballot, m = np.array([0, 1, 1, 2]), np.array([5, 1, 3, 4])
    voters = np.array([[1, 2, 0], [2, 1, 3], [3, 2, 1], [2, -1, -1], [-1, -1, -1]])
    F = weighted_votes(voters, ballot, m, 3)
    assert F.argmax(axis=1)[:4].tolist() == [0, 1, 2, 1] and not F[4].any()
    np.testing.assert_allclose(F[0], [5 / 9, 4 / 9, 0])
    np.testing.assert_allclose(F[1], [0, 0.5, 0.5])


def test_lists_are_the_nearest_others_ties_by_lower_index() -> None:
    X = np.random.default_rng(0).integers(0, 4, size=(40, 2)).astype(float)  # many equal ones
    D = cdist(X, X)
    near, lengths = neighbour_lists(D, 7)
    for i in range(40):
        order = sorted((D[i, j], j) for j in range(40) if j != i)[:7]
        assert near[i].tolist() == [j for _, j in order]
        assert lengths[i].tolist() == [d for d, _ in order]


def test_the_solve_is_that_of_the_linear_system() -> None:
    rng = np.random.default_rng(0)
    P, B = rng.random((30, 30)), rng.random((30, 3))
    total = P.sum(axis=1) + B.sum(axis=1)
    F = B.copy()
    eliminate(P.copy(), F)
    np.testing.assert_allclose(F, np.linalg.solve(np.diag(total) - P, B), rtol=1e-12)
    np.testing.assert_allclose(F.sum(axis=1), 1, rtol=1e-13)


def test_an_island_without_label_stays_undetermined_and_changes_nothing() -> None:
    X, y = problem("two_moons", 80)
    island = np.random.default_rng(0).normal(size=(9, 2)) + 1000
    X_all, y_all = np.vstack([X, island]), np.append(y, np.full(9, -1))
    alone, both = lp(X, y, np.ones(80), sigma=0.2), lp(X_all, y_all, np.ones(89), sigma=0.2)
    assert not both[80:].any()
    np.testing.assert_allclose(both[:80], alone, rtol=0, atol=1e-14)
    found = quantised_rlp(
        cdist(X_all, X_all), y_all, np.ones(89), np.arange(80, 89), k_graph=4, k_hub=5, n_hubs=60,
        n_votes=3, sigma="mean", n_classes=2,
    )  # fmt: skip
    assert not found.F.any()
