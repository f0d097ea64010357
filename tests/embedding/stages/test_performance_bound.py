"""The gap to the projection fitted to all labels stays below both of its bounds."""

import numpy as np
import pytest
from embedding.problems import blobs, centring
from numpy.testing import assert_allclose

from sslviz import SSRLPL, performance_bound
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
