"""Invariants of all propagation methods: names, order, scale, islands, outliers, new points."""

from typing import Any

import numpy as np
import pytest
from propagation.oracles import one_hot, spreading_limit, weights

from sslviz import GeodesicKNN, LabelPropagation, LabelSpreading, MinCut, RobustLabelPrediction

# σ is fixed where it would otherwise depend on all points.
FIXED = {
    LabelPropagation: {"sigma": 0.1},
    LabelSpreading: {"sigma": 0.1},
    MinCut: {"sigma": 0.1},
    GeodesicKNN: {},
    RobustLabelPrediction: {"n_hubs": 20},
}
USUAL: dict[Any, dict] = {Method: {} for Method in FIXED} | {RobustLabelPrediction: {"n_hubs": 50}}
every_method = pytest.mark.parametrize("Method", FIXED, ids=lambda m: m.__name__)


def fit(Method: Any, X: np.ndarray, y: np.ndarray) -> Any:
    return Method(**USUAL[Method]).fit(X, y)


@every_method
def test_given_labels_are_kept_and_two_moons_are_found(Method: Any, moons: tuple) -> None:
    X, y, truth = moons
    model = fit(Method, X, y)
    given = y != -1
    assert (model.transduction_[given] == y[given]).all()
    if Method is not LabelSpreading:
        assert (model.label_distributions_[given] == one_hot(y)[given]).all()
    if Method in (LabelPropagation, GeodesicKNN, RobustLabelPrediction):
        assert (model.transduction_ == truth).mean() > 0.97


@every_method
@pytest.mark.parametrize("names", [(-7, 3), (10**12, -2)])
def test_classes_may_have_any_whole_names(Method: Any, names: tuple, moons: tuple) -> None:
    X, y, _ = moons
    plain, model = fit(Method, X, y), fit(Method, X, np.select([y == 0, y == 1], names, -1))
    assert model.classes_.tolist() == sorted(names)
    assert (model.transduction_ == np.array([*names, -1])[plain.transduction_]).all()
    F = plain.label_distributions_[:, np.argsort(names)]
    np.testing.assert_allclose(model.label_distributions_, F, rtol=0, atol=1e-14)


@every_method
@pytest.mark.parametrize("factor", [1e-100, 7.0, 1e100])
def test_scaling_the_data_changes_nothing(Method: Any, factor: float, moons: tuple) -> None:
    X, y, _ = moons
    plain, scaled = fit(Method, X, y), fit(Method, X * factor, y)
    np.testing.assert_array_equal(scaled.transduction_, plain.transduction_)
    np.testing.assert_allclose(
        scaled.label_distributions_, plain.label_distributions_, rtol=0, atol=1e-10
    )


@every_method
def test_permuting_points_permutes_the_answer(Method: Any, moons: tuple) -> None:
    X, y, _ = moons
    order = np.random.default_rng(0).permutation(len(X))
    every = {"n_hubs": int((y == -1).sum())} if Method is RobustLabelPrediction else {}
    F, shuffled = (
        Method(**every).fit(X[at], y[at]).label_distributions_ for at in (np.arange(len(X)), order)
    )
    np.testing.assert_allclose(shuffled, F[order], rtol=0, atol=1e-11)


@every_method
def test_an_island_without_label_is_undetermined_and_changes_nothing(
    Method: Any, moons: tuple
) -> None:
    X, y, _ = moons
    island = np.array([500.0, 0]) + 0.1 * np.random.default_rng(0).normal(size=(20, 2))
    settings = FIXED[Method]
    alone = Method(**settings).fit(X, y)
    both = Method(**settings).fit(np.vstack([X, island]), np.append(y, [-1] * 20))
    assert (both.transduction_[300:] == -1).all() and not both.label_distributions_[300:].any()
    assert (both.predict(island + 0.001) == -1).all()
    if Method is not RobustLabelPrediction:  # some of its hubs are now on the island
        np.testing.assert_allclose(
            both.label_distributions_[:300], alone.label_distributions_, rtol=0, atol=1e-12
        )


@every_method
@pytest.mark.parametrize("label", [-1, 0, 1])
def test_one_far_outlier_changes_nothing_for_the_others(
    Method: Any, label: int, moons: tuple
) -> None:
    X, y, _ = moons
    settings = FIXED[Method]
    alone = Method(**settings).fit(X, y)
    far = Method(**settings).fit(np.vstack([X, [[1e6, 0]]]), np.append(y, label))
    np.testing.assert_array_equal(far.transduction_[:-1], alone.transduction_)
    if Method in (LabelPropagation, LabelSpreading, MinCut):
        np.testing.assert_allclose(
            far.label_distributions_[:-1], alone.label_distributions_, rtol=0, atol=1e-10
        )
    assert label < 0 or far.label_distributions_[-1, label] == 1


@every_method
def test_training_points_predict_their_own_answer(Method: Any, moons: tuple) -> None:
    X, y, _ = moons
    model = fit(Method, X, y)
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_, atol=1e-10)
    if Method is not LabelSpreading:  # which keeps given labels in `transduction_` only
        np.testing.assert_array_equal(model.predict(X), model.transduction_)


@pytest.mark.parametrize("Method", [LabelPropagation, LabelSpreading, MinCut])
def test_new_points_take_the_weighted_mean_of_their_neighbours(Method: Any, moons: tuple) -> None:
    X, y, _ = moons
    model = Method().fit(X, y)
    k, two, F = model.n_neighbors, 1, model.label_distributions_
    degree = np.ones(len(X))
    if Method is LabelSpreading:  # weights w(x, x_i)/√d_i, as in a sweep
        W = weights(X, k, halved=True)
        two, F, degree = 2, spreading_limit(W, y, model.alpha), W.sum(axis=1)
    Q = np.random.default_rng(0).uniform(-1, 2, size=(50, 2))
    for q, row in zip(Q, model.predict_proba(Q), strict=True):
        d = np.sqrt(((q - X) ** 2).sum(axis=1))
        near = np.argsort(d)[:k]
        w = np.exp(-(d[near] ** 2 - d[near].min() ** 2) / (two * model.sigma_**2))
        mean = (w / np.sqrt(degree[near])) @ F[near]
        np.testing.assert_allclose(row, mean / max(mean.sum(), 1e-300), atol=1e-9)
    far = model.predict_proba([[1e9, 1e9], [-1e12, 0]]).sum(axis=1)
    assert np.isin(far.round(12), [1] if Method is not MinCut else [0, 1]).all()
