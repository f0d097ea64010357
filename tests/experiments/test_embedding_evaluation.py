"""Embeddings are scored on hidden and on unseen points; alignment only rotates them."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from sslviz import SSRLPL, LabelledLDA, data, labels, performance_bound
from sslviz.experiments.embedding_evaluation import (
    bounds_revealed,
    fit_without_unseen,
    nearest_given,
    one_nn_accuracies,
    procrustes_aligned,
    set_aside,
    unseen_trials,
)
from sslviz.nearest_label import one_nn


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dataset = data.load("digits", n_samples=400)
    return dataset.X, labels.hide(dataset.y, per_class=3, random_state=0), dataset.y


def test_half_of_the_hidden_points_of_each_class_are_set_aside(digits) -> None:
    _, y, truth = digits
    unseen = set_aside(y, truth, 0)
    assert not unseen[y >= 0].any()
    for c in range(10):
        mine = (truth == c) & (y < 0)
        assert abs(int(unseen[mine].sum()) - int((~unseen)[mine].sum())) <= 1
    assert (unseen != set_aside(y, truth, 1)).any()
    assert not set_aside(truth, truth, 0).any()


def test_unseen_points_do_not_affect_the_embedding(digits) -> None:
    X, y, truth = digits
    unseen = set_aside(y, truth, 0)
    moved = np.where(unseen[:, None], X[::-1], X)
    one, two = (fit_without_unseen(SSRLPL(2), A, y, truth, unseen, False) for A in (X, moved))
    np.testing.assert_array_equal(one.Z[~unseen], two.Z[~unseen])
    assert one.nearest[0] == two.nearest[0] and one.nearest[1] != two.nearest[1]


def test_1_nn_uses_the_given_labels_even_if_the_embedding_uses_all(digits) -> None:
    X, y, truth = digits
    unseen = set_aside(y, truth, 0)
    trial = fit_without_unseen(SSRLPL(5, labels="all"), X, y, truth, unseen, True)
    right = one_nn(trial.Z, y, trial.Z) == truth
    assert trial.nearest == (right[~unseen & (y < 0)].mean(), right[unseen].mean())


def test_alignment_keeps_distances_and_undoes_a_rotation() -> None:
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(50, 2)) * [3, 1]
    Q = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    turned = procrustes_aligned(Z @ Q + 7, Z)
    np.testing.assert_allclose(turned, Z - Z.mean(axis=0), atol=1e-12)
    for other in (Z[:, :1], rng.normal(size=(50, 3))):
        np.testing.assert_allclose(pdist(procrustes_aligned(Z, other)), pdist(Z), atol=1e-12)


def test_trials_are_aligned_with_the_first_one(digits) -> None:
    X, y, truth = digits
    unseen = set_aside(y, truth, 0)
    candidates = {"a": (SSRLPL(3), False), "b": (SSRLPL(3, labels="all"), True)}
    found = unseen_trials(candidates, X, y, truth, unseen)
    a, b = found["a"].Z, found["b"].Z
    assert a.shape == b.shape == (400, 2)
    pull = a.T @ b
    np.testing.assert_allclose(pull, pull.T, rtol=1e-9)  # no rotation improves it
    assert (np.linalg.eigvalsh(pull) >= 0).all()


def test_an_embedding_that_cannot_be_fitted_is_reported_with_its_error(digits) -> None:
    X, _, truth = digits
    y = labels.hide(truth, per_class=1, random_state=0)
    found, refused = one_nn_accuracies({"lda": LabelledLDA(), "pl": SSRLPL(2, 1)}, X, y, truth)
    assert list(found) == ["pl"] and "one labelled point in each class" in refused["lda"]


def test_the_nearest_labelled_point_is_found(digits) -> None:
    X, y, _ = digits
    for point in np.flatnonzero(y < 0)[:20]:
        (found,), weight = nearest_given(X, y, int(point))
        known = np.flatnonzero(y >= 0)
        away = np.linalg.norm(X[known] - X[point], axis=1)
        assert y[found] >= 0 and np.linalg.norm(X[found] - X[point]) == pytest.approx(away.min())
        assert weight == [1]


@pytest.mark.parametrize("way", ["soft", "wta"])
def test_bounds_are_those_of_the_given_labels(digits, way) -> None:
    X, _, truth = digits
    counts, bounds, best, limit, bayes = bounds_revealed(
        X, truth, n_neighbors=5, sigma_labels="median", labels=way, n_components=2, random_state=3
    )
    assert list(counts[:3]) == [10, 20, 30] and (np.diff(counts) > 0).all()
    assert (bounds[:, 0] <= bounds[:, 1]).all() and (bounds[:, 0] <= best).all()
    if way == "wta":
        assert (bounds[:, 1] <= bounds[:, 2]).all()
    C = X - X.mean(axis=0)
    ball = C / np.linalg.norm(C, axis=1).max()
    y = labels.hide(truth, per_class=3, random_state=3)
    Y = SSRLPL(1, labels=way).fit(X, y).label_distributions_
    np.testing.assert_allclose(bounds[2], performance_bound(ball, Y, truth, 2), rtol=1e-9)
    f = np.linalg.svd(ball.T @ (np.eye(10)[truth] - np.eye(10)[truth].mean(axis=0)))[1] / 399
    assert best == pytest.approx(np.linalg.norm(f[:2]))
    far = np.square(X[:, None] - X).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    error = (truth[far.argmin(axis=1)] != truth).mean()
    assert bayes[1] == pytest.approx(error) and bayes[0] <= error
    wrong = (400 - counts) * (2 * error - error**2 * 10 / 9)
    np.testing.assert_allclose(limit, 2 * (2 + np.sqrt(2)) * wrong / 399)
