"""The semi-supervised support vector machine: its constraint, its gap, its local minimum."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from sslviz import S3VM, data
from sslviz.kernels.centring import centred_on_unlabelled
from sslviz.labels import hide

kernels = pytest.mark.parametrize("kind", ["rbf", "linear"])


def blobs(seed: int, classes: int = 2, n: int = 80) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % classes
    X = rng.normal(size=(n, 3)) + 2.0 * rng.normal(size=(classes, 3))[truth]
    return X, hide(truth, fraction=0.2, random_state=seed), truth


def kernel(model: Any, Q: np.ndarray, X: np.ndarray) -> np.ndarray:
    if model.kernel == "linear":
        return Q @ X.T
    return np.exp(-cdist(Q, X, "sqeuclidean") / model.sigma_**2)


def equation_5(model: Any, K: np.ndarray, y: np.ndarray, coef: np.ndarray, b: float) -> float:
    f = K @ coef + b
    given = y >= 0
    hinge = np.maximum(1 - (2 * y[given] - 1) * f[given], 0).mean()
    hat = np.maximum(1 - np.abs(f[~given]), 0).mean()
    return float(hinge + model.lam1 * coef @ K @ coef + model.lam2 * hat)


def against_rest(y: np.ndarray, c: int) -> np.ndarray:
    """Class c as 1, the others as 0."""
    return np.where(y < 0, -1, (y == c).astype(int))


@kernels
@pytest.mark.parametrize("classes", [2, 3])
def test_the_mean_score_of_unlabelled_points_is_that_of_the_labels(kind: str, classes: int) -> None:
    X, y, _ = blobs(0, classes)
    model = S3VM(kind, lam2=0.5).fit(X, y)
    scores = model.decision_function(X[y < 0]).reshape((y < 0).sum(), -1)
    given = y[y >= 0]
    signs = 2.0 * (given[:, None] == (np.arange(classes) if classes > 2 else [1])) - 1
    assert_allclose(scores.mean(axis=0), signs.mean(axis=0), atol=1e-10)


@kernels
@pytest.mark.parametrize("lam2", [0.0, 0.1, 1.0])
def test_the_duality_gap_is_zero_and_the_objective_is_equation_5(kind: str, lam2: float) -> None:
    X, y, _ = blobs(1)
    model = S3VM(kind, lam1=0.01, lam2=lam2).fit(X, y)
    value = equation_5(model, kernel(model, X, X), y, model.dual_coef_, model.intercept_)
    assert model.objective_ == pytest.approx(value, rel=1e-10)
    assert 0 <= model.duality_gap_ + 1e-14 and model.duality_gap_ < 1e-10 * value
    Q = X[:20] + 0.1
    expected = kernel(model, Q, X) @ model.dual_coef_ + model.intercept_
    assert_allclose(model.decision_function(Q), expected, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_no_small_change_that_keeps_the_balance_lowers_the_objective(seed: int) -> None:
    X, y, _ = blobs(seed)
    model = S3VM(sigma="median", lam1=0.005, lam2=0.5).fit(X, y)
    K, free, rng = kernel(model, X, X), y < 0, np.random.default_rng(seed)
    assert np.abs(model.decision_function(X)[free]).min() > 1e-3  # no point sits on the kink
    directions = [rng.normal(size=len(X)) for _ in range(50)]
    directions += [model.dual_coef_, *np.eye(len(X))[model.support_]]
    for direction in directions:
        for step in (1e-5, -1e-5):
            coef = model.dual_coef_ + step * direction
            b = model.intercept_ - step * (K[free] @ direction).mean()
            assert equation_5(model, K, y, coef, b) >= model.objective_ - 1e-13


def test_a_general_solver_finds_the_same_solution_for_these_signs() -> None:
    X, y, _ = blobs(2)
    model = S3VM(lam1=0.02, lam2=0.4).fit(X, y)
    free, m = y < 0, (2 * y[y >= 0] - 1).mean()
    C = centred_on_unlabelled(kernel(model, X, X), free)
    s = np.where(free, np.sign(model.decision_function(X)), 2 * y - 1)
    weight = np.where(free, model.lam2 / free.sum(), 1 / (~free).sum()) / (2 * model.lam1)
    peer = minimize(
        lambda b: (0.5 * b @ C @ b - (s - m) @ b, C @ b - (s - m)),
        np.zeros(len(X)),
        jac=True,
        method="L-BFGS-B",
        bounds=[tuple(sorted((0.0, p))) for p in weight * s],
        options={"ftol": 1e-16, "gtol": 1e-10, "maxiter": 10**5, "maxfun": 10**6},
    )
    assert -2 * model.lam1 * peer.fun == pytest.approx(model.objective_, rel=1e-7)


def test_with_every_label_given_it_is_scikit_learns_machine() -> None:
    for classes in (2, 3):
        X, _, truth = blobs(3, classes)
        model = S3VM("rbf", sigma=2.0, lam1=0.01).fit(X, truth)
        scores = model.decision_function(X).reshape(len(X), -1)
        for column, c in enumerate(range(classes) if classes > 2 else [1]):
            peer = SVC(C=1 / (2 * 0.01 * len(X)), gamma=0.25, tol=1e-10).fit(X, truth == c)
            assert_allclose(scores[:, column], peer.decision_function(X), atol=1e-6)


def test_several_classes_are_each_against_the_rest() -> None:
    X, y, _ = blobs(4, 3)
    model = S3VM(sigma=2.0).fit(X, y)
    for c in range(3):
        one = S3VM(sigma=2.0).fit(X, against_rest(y, c))
        scores = model.decision_function(X)[:, c]
        assert_allclose(scores, one.decision_function(X), atol=1e-6)
    swapped = S3VM(sigma=2.0).fit(X, np.where(y < 0, -1, 1 - against_rest(y, 2)))  # of class 2
    assert_allclose(swapped.decision_function(X), -scores, atol=1e-6)


def test_the_boundary_leaves_dense_regions_and_support_is_the_margin(moons: Any) -> None:
    X, y, truth = moons
    without, model = (S3VM(lam2=w).fit(X, y) for w in (0.0, 1.0))
    free, f = y < 0, model.decision_function(X)
    near = [(np.abs(m.decision_function(X[free])) < 0.3).mean() for m in (without, model)]
    right = [(m.transduction_ == truth)[free].mean() for m in (without, model)]
    assert near[1] < near[0] / 2 and right[1] > 0.97 > right[0]
    inside, support = np.where(free, np.abs(f), np.inf), model.support_vectors()
    assert set(np.flatnonzero(inside < 1 - 1e-6)) <= set(support)
    assert inside[support][free[support]].max() < 1 + 1e-6


@pytest.mark.parametrize("classes", [2, 3])
def test_any_step_can_be_taken_as_the_solution(classes: int) -> None:
    X, y, _ = blobs(7, classes)
    steps = list(S3VM().steps(X, y))
    for step in (steps[0], steps[len(steps) // 2]):
        model = S3VM().settle(X, y, step)
        assert_allclose(model.decision_function(X), step.F.numpy(), atol=1e-10)
        assert model.objective_ == step.objective
    whole, alone = S3VM().fit(X, y), S3VM(lam2=0.0).fit(X, y)
    assert_array_equal(S3VM().settle(X, y, steps[-1]).dual_coef_, whole.dual_coef_)
    # the first step gives unlabelled points no weight
    assert_allclose(steps[0].F.numpy(), alone.decision_function(X), atol=1e-12)
    assert steps[0].objective == alone.objective_ and steps[0].weight == 0


def test_ten_classes_are_solved_exactly_where_most_points_are_on_the_margin() -> None:
    digits = data.load("digits")
    X, y = digits.X[:600], hide(digits.y[:600], fraction=0.1, random_state=0)
    model = S3VM(lam1=1e-3).fit(X, y)
    assert model.duality_gap_ < 1e-10 * model.objective_
    scores = model.decision_function(X)
    signs = 2.0 * (y[y >= 0, None] == np.arange(10)) - 1
    assert_allclose(scores[y < 0].mean(axis=0), signs.mean(axis=0), atol=1e-10)
    hinges = np.maximum(1 - signs * scores[y >= 0], 0).mean() * 10
    hats = np.maximum(1 - np.abs(scores[y < 0]), 0).mean() * 10
    norms = np.sum(model.dual_coef_ * (kernel(model, X, X) @ model.dual_coef_))
    assert model.objective_ == pytest.approx(hinges + 1e-3 * norms + hats, rel=1e-9)
    assert (np.abs(np.abs(scores[y < 0]) - 1) < 1e-4).mean() > 0.3


@pytest.mark.parametrize("lam1, lam2", [(1e-3, 10.0), (1e-4, 1.0)])
def test_the_gap_closes_where_kernels_are_nearly_singular(lam1: float, lam2: float) -> None:
    d = data.load("four_clusters", n_samples=400)  # a wide kernel in the plane
    for seed in range(2):
        y = hide(d.y, fraction=0.1, random_state=seed)
        model = S3VM(lam1=lam1, lam2=lam2).fit(d.X, y)
        assert model.duality_gap_ < 1e-10 * model.objective_
