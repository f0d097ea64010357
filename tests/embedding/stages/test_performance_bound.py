"""The gap to the projection fitted to all labels stays below both of its bounds."""

import numpy as np
import pytest
from embedding.problems import blobs, centring
from numpy.testing import assert_allclose

from sslviz import SSRLPL, performance_bound
from sslviz.embedding.stages.performance_bound import (
    bayes_error_range,
    bound_by_errors,
    one_nn_error_bound,
)
from sslviz.graph.neighbours import nearest
from sslviz.labels import hide, one_hot


def by_hand(X: np.ndarray, Y: np.ndarray, truth: np.ndarray, p: int) -> tuple[float, float]:
    """Gap and sharp bound by dense eigenvectors."""
    n, H = len(X), centring(len(X))
    T = one_hot(truth, np.unique(truth))
    tops = [np.linalg.eigh(X.T @ H @ A @ A.T @ H @ X)[1][:, -p:] for A in (T, Y)]
    roots = [np.linalg.norm(V.T @ X.T @ H @ T) / (n - 1) for V in tops]
    return roots[0] - roots[1], 2 * np.linalg.norm(X.T @ H @ (T - Y)) / (n - 1)


@pytest.mark.parametrize("p", [1, 3])
@pytest.mark.parametrize("labels", ["soft", "wta"])
def test_gap_and_sharp_bound_are_those_by_hand(problem: tuple, p: int, labels: str) -> None:
    X, y, truth = problem
    Y = SSRLPL(labels=labels).fit(X, y).label_distributions_
    bound = performance_bound(X, Y, truth, n_components=p)
    gap, sharp = by_hand(X, Y, truth, p)
    assert_allclose(bound.gap, gap, atol=1e-10)
    assert_allclose(bound.sharp, sharp, rtol=1e-10)
    assert 0 <= bound.gap <= bound.sharp


@pytest.mark.parametrize("per_class", [1, 2, 5, 20])
def test_in_the_unit_ball_with_winners_the_printed_bound_is_the_largest(
    problem: tuple, per_class: int
) -> None:
    X, _, truth = problem
    X = X / np.linalg.norm(X, axis=1).max()
    y = hide(truth, per_class=per_class, random_state=1)
    model = SSRLPL(n_neighbors=1, labels="wta").fit(X, y)
    for p in (1, 2, len(model.classes_) - 1):
        gap, sharp, printed = performance_bound(X, model.label_distributions_, truth, p)
        assert gap <= sharp <= printed
    errors = (model.classes_[model.label_distributions_.argmax(axis=1)] != truth).sum()
    assert_allclose(printed, 2 * (2 + np.sqrt(2)) * errors / (len(X) - 1))


def test_any_labels_at_any_scale_obey_the_sharp_bound() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        n, d, C = rng.integers([5, 1, 2], [40, 6, 5])
        X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3) + rng.normal(size=d)
        truth = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
        Y = rng.dirichlet(np.full(C, 0.3), n)
        gap, sharp, _ = performance_bound(X, Y, truth, int(rng.integers(1, d + 1)))
        assert 0 <= gap <= sharp * (1 + 1e-12)


def test_true_labels_have_no_gap_and_wrong_arguments_are_named() -> None:
    X, y, truth = blobs()
    Y = one_hot(truth, np.unique(truth))
    assert performance_bound(X, Y, truth, 2) == (0, 0, 0)
    with pytest.raises(ValueError, match=r"shape \(120, 3\).*120 points of 4 classes"):
        performance_bound(X, np.zeros((120, 3)), truth)
    with pytest.raises(ValueError, match=r"n_components=7 is not a whole number in \[1, 6\]"):
        performance_bound(X, np.zeros((120, 4)), truth, 7)
    with pytest.raises(ValueError, match=r"n_components=2\.5 is not a whole number"):
        performance_bound(X, Y, truth, 2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"y_true holds -1 \(unlabelled\)"):
        performance_bound(X, np.zeros((120, 5)), y)
    with pytest.raises(ValueError, match="label_distributions holds NaN"):
        performance_bound(X, np.where(Y > 0, np.nan, 0), truth)


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_error_of_1_nn_is_reached_where_all_other_classes_are_equally_likely(
    classes: int, share: float
) -> None:
    bayes = share * (1 - 1 / classes)
    posterior = np.array([1 - bayes] + [bayes / (classes - 1)] * (classes - 1))
    # In the limit the nearest point has the same posterior, and its label is drawn from it.
    exact = 1 - np.square(posterior).sum()
    assert_allclose(one_nn_error_bound(bayes, classes), exact, atol=1e-14)
    low, high = bayes_error_range(exact, classes)
    assert_allclose(low, bayes, atol=1e-7)
    assert_allclose(high, exact, atol=1e-14)


def test_any_posteriors_obey_the_bound_of_1_nn_and_the_range_of_the_bayes_error() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        classes = int(rng.integers(2, 6))
        P = rng.dirichlet(np.full(classes, rng.uniform(0.1, 3)), 50)
        bayes, error = 1 - P.max(axis=1).mean(), 1 - np.square(P).sum(axis=1).mean()
        assert error <= one_nn_error_bound(bayes, classes) + 1e-12
        low, high = bayes_error_range(error, classes)
        assert low - 1e-12 <= bayes <= high + 1e-12


def test_drawn_labels_have_the_error_that_the_bound_says() -> None:
    rng = np.random.default_rng(1)
    X, posterior = rng.random((20_000, 2)), [0.7, 0.15, 0.15]
    y = rng.choice(3, size=len(X), p=posterior)
    error = (y[nearest(X, X, 1, skip_self=True)[0][:, 0]] != y).mean()
    assert_allclose(error, one_nn_error_bound(0.3, 3), atol=0.01)
    assert_allclose(bayes_error_range(error, 3)[0], 0.3, atol=0.02)


def test_theorem_3_takes_the_bound_of_1_nn_and_impossible_errors_are_named() -> None:
    errors = 80 * one_nn_error_bound(0.1, 4, penalty=0.05)
    assert_allclose(errors, 80 * (0.2 - 4 / 3 * 0.01 + 0.05))
    assert_allclose(bound_by_errors(errors, 100), 2 * (2 + np.sqrt(2)) * errors / 99)
    for wrong in (-0.1, 0.6, np.nan):
        with pytest.raises(ValueError, match=r"bayes_error=.* is not in \[0, 0\.5\]"):
            one_nn_error_bound(wrong, 2)
