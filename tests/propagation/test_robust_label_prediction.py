"""Robust label prediction is Algorithm 1: hubs, their order, ties, votes and labels."""

import tracemalloc
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from propagation.oracles import Answer, absorption, path_lengths, robust_label_prediction
from propagation.problems import SETS, archipelago, cloud, digits

from sslviz import GeodesicKNN, RobustLabelPrediction, data
from sslviz.graph import geodesic, knn, undirected
from sslviz.labels import hide
from sslviz.memo import Memo


def assert_as_printed(model: RobustLabelPrediction, answer: Answer) -> None:
    assert model.hubs_.tolist() == answer.hubs
    assert np.isclose(model.sigma_, answer.sigma, rtol=1e-12)
    # Equal points hang together so well that the printed dense solve loses half its digits.
    np.testing.assert_allclose(model.hub_distributions_, answer.F[answer.hubs], rtol=0, atol=1e-6)
    found = [[v for v in row if v >= 0] for row in model.voters_.tolist()]
    assert found == answer.voters
    np.testing.assert_array_equal(model.transduction_, answer.labels)


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("n_hubs", [0, 6, 40, 100])
@pytest.mark.parametrize("points", SETS)
def test_it_is_the_printed_algorithm(points: Callable, n_hubs: int, graph: str) -> None:
    for seed, settings in enumerate(
        ({}, {"k_graph": 3, "k_hub": 3, "n_votes": 4}, {"k_graph": 6, "k_hub": 10, "n_votes": 1})
    ):
        X, y = points(seed)
        settings = {"n_hubs": n_hubs, "graph": graph} | settings
        model = RobustLabelPrediction(**settings).fit(X, y)
        assert_as_printed(model, robust_label_prediction(X, y, **settings))


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("name", ["mnist", "usps", "coil20"])
def test_it_is_the_printed_algorithm_on_images(name: str, graph: str, real: Callable) -> None:
    d = real(name, n_samples=400, random_state=3)
    y = hide(d.y, per_class=3, random_state=3)
    model = RobustLabelPrediction(n_hubs=120, graph=graph).fit(d.X, y)
    assert_as_printed(model, robust_label_prediction(d.X, y, n_hubs=120, graph=graph))


def test_the_sets_hold_what_they_are_made_for() -> None:
    ties = [robust_label_prediction(*p(0), n_hubs=20).tied.sum() for p in SETS]
    assert min(ties[2:]) > 0
    X, y = archipelago(0)
    assert (robust_label_prediction(X, y, n_hubs=20).labels == -1).sum() > 30
    directed = robust_label_prediction(X, y, n_hubs=40, k_hub=2, graph="directed")
    silent = [h for h in directed.hubs if not directed.F[h].any()]
    assert (directed.labels[silent] >= 0).any()  # a hub without label that is voted on


@pytest.mark.parametrize("points", SETS)
def test_without_hubs_it_is_geodesic_knn(points: Callable) -> None:
    X, y = points(5)
    robust = RobustLabelPrediction(k_graph=4, n_hubs=0).fit(X, y)
    plain = GeodesicKNN(n_neighbors=4).fit(X, y)
    for name in ("transduction_", "label_distributions_", "voters_", "voter_distances_"):
        np.testing.assert_array_equal(getattr(robust, name), getattr(plain, name))


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("points", [cloud, archipelago, digits])
def test_with_all_points_as_hubs_it_is_propagation_on_ways(points: Callable, graph: str) -> None:
    X, y = points(6)
    n = len(X)
    d = path_lengths(X, 4, list(range(n)))
    np.fill_diagonal(d, np.inf)
    near = np.argsort(d, axis=0, kind="stable")[:5].T
    W = np.zeros((n, n))
    lengths = np.take_along_axis(d.T, near, axis=1)
    sigma = lengths[np.isfinite(lengths)].mean()
    np.put_along_axis(W, near, np.exp(-((lengths / sigma) ** 2)), axis=1)
    if graph == "undirected":
        W = np.maximum(W, W.T)
    F = absorption(W, (y[:, None] == np.arange(y.max() + 1)).astype(float), y == -1)
    model = RobustLabelPrediction(n_hubs=int((y == -1).sum()), graph=graph).fit(X, y)
    sure = F.any(axis=1)
    np.testing.assert_allclose(model.label_distributions_[sure], F[sure], rtol=0, atol=1e-8)
    assert not model.hub_distributions_[~sure[model.hubs_]].any()


def test_one_far_outlier_is_no_hub_and_changes_nothing(moons: tuple) -> None:
    X, y, _ = moons
    for h in (0, 20, 100):
        alone = RobustLabelPrediction(n_hubs=h).fit(X, y)
        far = RobustLabelPrediction(n_hubs=h).fit(np.vstack([X, [[1e4, 0]]]), np.append(y, -1))
        assert 300 not in far.hubs_ and far.hub_scores_[300] == 0
        np.testing.assert_array_equal(far.transduction_[:300], alone.transduction_)
        assert far.transduction_[300] in (0, 1)


def test_fewer_hubs_are_the_first_of_more_and_none_is_labelled(moons: tuple) -> None:
    X, y, _ = moons
    models = [RobustLabelPrediction(n_hubs=h).fit(X, y) for h in (10, 60, 294)]
    for fewer, more in pairwise(models):
        assert (more.hubs_[: len(fewer.hubs_)] == fewer.hubs_).all()
    assert (y[models[-1].hubs_] == -1).all() and len(models[-1].hubs_) == 294
    assert models[0].hub_scores_.sum() == 4 * len(X)
    scores = models[-1].hub_scores_[models[-1].hubs_]
    assert (np.diff(scores) <= 0).all()
    same = np.diff(scores) == 0
    assert (np.diff(models[-1].hubs_)[same] > 0).all()


def test_more_hubs_than_unlabelled_points_are_all_of_them_with_a_warning(moons: tuple) -> None:
    X, y, _ = moons
    with pytest.warns(UserWarning, match="n_hubs=1000 but there are 294 unlabelled"):
        model = RobustLabelPrediction(n_hubs=1000).fit(X, y)
    assert model.n_hubs_ == 294


def test_the_graph_of_hubs_holds_ways_between_seeds_only(moons: tuple) -> None:
    X, y, _ = moons
    model = RobustLabelPrediction(n_hubs=40, k_hub=3, graph="directed").fit(X, y)
    seeds = np.union1d(np.flatnonzero(y != -1), model.hubs_)
    links = model.hub_graph_
    per_row = np.diff(links.indptr)
    assert (per_row[seeds] == 3).all() and per_row.sum() == 3 * len(seeds)
    assert np.isin(links.indices, seeds).all()
    found, lengths = geodesic(undirected(knn(X, 4)), seeds, 4)
    for i in seeds:
        row = slice(*links.indptr[i : i + 2])
        assert links.indices[row].tolist() == sorted(set(found[i]) - {i})
        np.testing.assert_allclose(np.sort(links.data[row]), lengths[i, 1:])


def test_moving_h_keeps_the_graph_and_moving_k_hub_keeps_the_search(moons: tuple) -> None:
    X, y, _ = moons
    memo = Memo()

    def reused(**settings: int) -> dict[str, bool]:
        with memo.watch() as stages:
            RobustLabelPrediction(memory=memo, **settings).fit(X, y)
        return {stage.name: stage.reused for stage in stages}

    reused(n_hubs=30)
    moved = reused(n_hubs=31)
    assert moved["neighbours"] and moved["undirected"] and not moved["geodesic"]
    for k_hub in (1, 7, 20):
        moved = reused(n_hubs=31, k_hub=k_hub)
        assert moved["geodesic"] and not moved["propagate_on_hubs"]


def test_outliers_spread_no_label_through_hubs() -> None:
    d = data.load("two_moons", n_samples=500, noise=0.05, outliers=0.1, random_state=1)
    y = hide(d.y, per_class=2, random_state=1)
    model = RobustLabelPrediction(n_hubs=150).fit(d.X, y)
    assert (model.transduction_ == d.y)[model.hubs_].mean() > 0.97


def test_nothing_is_as_large_as_all_pairs() -> None:
    n = 6000
    d = data.load("two_moons", n_samples=n, random_state=0)
    y = hide(d.y, per_class=5, random_state=0)
    RobustLabelPrediction(n_hubs=100).fit(d.X[:500], hide(d.y[:500], per_class=5, random_state=0))
    tracemalloc.start()
    RobustLabelPrediction(n_hubs=1000).fit(d.X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * n / 2  # bytes: a sixteenth of a matrix of distances
