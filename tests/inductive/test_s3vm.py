"""The semi-supervised support vector machine: its constraint, its gap, its local minimum."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from sslviz import S3VM, data
from sslviz.inductive.stages.s3vm_continuation import dual_bounds
from sslviz.inductive.stages.s3vm_label_switching import (
    EXACT_GAP,
    MEDIUM_GAP,
    ROUGH_GAP,
    Bounds,
    sides,
    switch_until_stable,
)
from sslviz.kernels.centring import centred_on_unlabelled, unlabelled_shares
from sslviz.labels import hide
from sslviz.solve.svm.box_active_set import CentredKernel
from sslviz.solve.svm.box_newton import MAX_FACTORISED, newton_step
from sslviz.solve.svm.box_qp import solve_box_qp


def blobs(seed: int, classes: int = 2, n: int = 80) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % classes
    X = rng.normal(size=(n, 3)) + 2.0 * rng.normal(size=(classes, 3))[truth]
    return X, hide(truth, fraction=0.2, random_state=seed), truth


def kernel(model: Any, Q: np.ndarray, X: np.ndarray) -> np.ndarray:
    return (
        Q @ X.T
        if model.kernel == "linear"
        else np.exp(-cdist(Q, X, "sqeuclidean") / model.sigma_**2)
    )


def equation_5(model: Any, K: np.ndarray, y: np.ndarray, coef: np.ndarray, b: float) -> float:
    f = K @ coef + b
    given = y >= 0
    hinge = np.maximum(1 - (2 * y[given] - 1) * f[given], 0).mean()
    hat = np.maximum(1 - np.abs(f[~given]), 0).mean()
    return float(hinge + model.lam1 * coef @ K @ coef + model.lam2 * hat)


@pytest.mark.parametrize("kind", ["rbf", "linear"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_mean_score_of_unlabelled_points_is_that_of_the_labels(kind: str, classes: int) -> None:
    X, y, _ = blobs(0, classes)
    model = S3VM(kind, lam2=0.5).fit(X, y)
    scores = model.decision_function(X[y < 0]).reshape((y < 0).sum(), -1)
    given = y[y >= 0]
    signs = 2.0 * (given[:, None] == (np.arange(classes) if classes > 2 else [1])) - 1
    assert_allclose(scores.mean(axis=0), signs.mean(axis=0), atol=1e-10)


@pytest.mark.parametrize("kind", ["rbf", "linear"])
@pytest.mark.parametrize("lam2", [0.0, 0.1, 1.0])
def test_the_duality_gap_is_zero_and_the_objective_is_equation_5(kind: str, lam2: float) -> None:
    X, y, _ = blobs(1)
    model = S3VM(kind, lam1=0.01, lam2=lam2).fit(X, y)
    value = equation_5(model, kernel(model, X, X), y, model.dual_coef_, model.intercept_)
    assert model.objective_ == pytest.approx(value, rel=1e-10)
    assert 0 <= model.duality_gap_ + 1e-14 and model.duality_gap_ < 1e-10 * value


@pytest.mark.parametrize("seed", range(3))
def test_no_small_move_that_keeps_the_balance_lowers_the_objective(seed: int) -> None:
    X, y, _ = blobs(seed)
    model = S3VM(sigma="median", lam1=0.005, lam2=0.5).fit(X, y)
    K, free, rng = kernel(model, X, X), y < 0, np.random.default_rng(seed)
    assert np.abs(model.decision_function(X)[free]).min() > 1e-3  # no point sits on the kink
    ways = [rng.normal(size=len(X)) for _ in range(50)]
    ways += [model.dual_coef_, *np.eye(len(X))[model.support_]]
    for way in ways:
        for step in (1e-5, -1e-5):
            coef = model.dual_coef_ + step * way
            b = model.intercept_ - step * (K[free] @ way).mean()
            assert equation_5(model, K, y, coef, b) >= model.objective_ - 1e-13


def test_a_general_solver_finds_the_same_machine_for_these_signs() -> None:
    X, y, _ = blobs(2)
    model = S3VM(lam1=0.02, lam2=0.4).fit(X, y)
    free, m = y < 0, (2 * y[y >= 0] - 1).mean()
    C = centred_on_unlabelled(kernel(model, X, X), free)
    s = np.where(free, np.sign(model.decision_function(X)), 2 * y - 1)
    price = np.where(free, model.lam2 / free.sum(), 1 / (~free).sum()) / (2 * model.lam1)
    peer = minimize(
        lambda b: (0.5 * b @ C @ b - (s - m) @ b, C @ b - (s - m)),
        np.zeros(len(X)),
        jac=True,
        method="L-BFGS-B",
        bounds=[tuple(sorted((0.0, p))) for p in price * s],
        options={"ftol": 1e-16, "gtol": 1e-10, "maxiter": 10**5, "maxfun": 10**6},
    )
    assert -2 * model.lam1 * peer.fun == pytest.approx(model.objective_, rel=1e-7)


def test_with_every_label_given_it_is_scikit_learns_machine() -> None:
    for classes in (2, 3):
        X, _, truth = blobs(3, classes)
        model = S3VM("rbf", sigma=2.0, lam1=0.01).fit(X, truth)
        for c in range(classes) if classes > 2 else [1]:
            peer = SVC(C=1 / (2 * 0.01 * len(X)), gamma=0.25, tol=1e-10).fit(X, truth == c)
            scores = model.decision_function(X).reshape(len(X), -1)[:, c if classes > 2 else 0]
            assert_allclose(scores, peer.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("tol", [ROUGH_GAP, EXACT_GAP])
def test_at_one_weight_the_objective_never_rises(moons: Any, tol: float) -> None:
    X, y, _ = moons
    signs = np.where(y < 0, 0.0, 2.0 * y - 1)
    C, mean = centred_on_unlabelled(kernel(S3VM().fit(X, y), X, X), y < 0), signs[y >= 0].mean()
    price, start = dual_bounds(signs[:, None], 1e-2, 0.5), np.zeros(len(X))
    change = Bounds(price, np.zeros(len(X)), 1.0)
    space = CentredKernel(C, None, unlabelled_shares(y < 0))
    turns = list(switch_until_stable(space, signs, mean, change, (start, start + mean), tol))
    assert len(turns) > 3 and turns[-1].flips == 0
    values = []
    for turn in turns:
        hinges = np.maximum(1 - sides(turn.f, signs) * turn.f, 0)
        values.append(0.5 * turn.beta @ C @ turn.beta + price @ hinges)
        assert turn.gap <= max(tol, MEDIUM_GAP) * (values[-1] + turn.gap) * 1.1
    for before, after, turn in zip(values, values[1:], turns[1:], strict=False):
        assert after <= before * (1 + 1e-12) + turn.gap  # no more than this can be missing
    assert turns[-1].gap <= tol * values[-1]


def test_scores_are_kernels_times_coefficients(moons: Any) -> None:
    X, y, _ = moons
    for kind in ("rbf", "linear"):
        model = S3VM(kind).fit(X, y)
        Q = X[:20] + 0.1
        expected = kernel(model, Q, X) @ model.dual_coef_ + model.intercept_
        assert_allclose(model.decision_function(Q), expected, atol=1e-10)


def test_several_classes_are_each_against_the_rest() -> None:
    X, y, _ = blobs(4, 3)
    model = S3VM(sigma=2.0).fit(X, y)
    for c in range(3):
        one = S3VM(sigma=2.0).fit(X, np.where(y < 0, -1, (y == c).astype(int)))
        scores = model.decision_function(X)[:, c]
        assert_allclose(scores, one.decision_function(X), atol=1e-6)


def test_swapping_the_names_swaps_the_sides() -> None:
    X, y, _ = blobs(5)
    swapped = S3VM().fit(X, np.where(y < 0, -1, 1 - y))
    scores = S3VM().fit(X, y).decision_function(X)
    assert_allclose(swapped.decision_function(X), -scores, atol=1e-8)


def test_the_boundary_leaves_the_crowd(moons: Any) -> None:
    X, y, truth = moons
    ignoring, minding = (S3VM(lam2=w).fit(X, y) for w in (0.0, 1.0))
    crowd = [(np.abs(m.decision_function(X[y < 0])) < 0.3).mean() for m in (ignoring, minding)]
    right = [(m.transduction_ == truth)[y < 0].mean() for m in (ignoring, minding)]
    assert crowd[1] < crowd[0] / 2 and right[1] > 0.97 > right[0]


def test_support_are_the_points_in_or_on_the_margin(moons: Any) -> None:
    X, y, _ = moons
    model = S3VM().fit(X, y)
    free = y < 0
    inside = np.where(free, np.abs(model.decision_function(X)), np.inf)
    assert set(np.flatnonzero(inside < 1 - 1e-6)) <= set(model.support_)
    assert inside[model.support_][free[model.support_]].max() < 1 + 1e-6


@pytest.mark.parametrize("rank", [40, 5])
def test_the_box_is_solved_also_where_the_kernel_is_singular(rank: int) -> None:
    rng = np.random.default_rng(rank)
    Z = rng.normal(size=(40, rank))
    K, q, high = Z @ Z.T, rng.normal(size=40), rng.uniform(0.01, 0.3, size=40)
    found = solve_box_qp(K, q, np.zeros(40), high, np.zeros(40), -q, 1e-12)
    g = K @ found.beta - q
    assert (found.beta >= 0).all() and (found.beta <= high).all()
    inside = (found.beta > 1e-12) & (found.beta < high - 1e-12)
    assert_allclose(g[inside], 0, atol=1e-6)
    assert (g[found.beta <= 1e-12] > -1e-6).all() and (g[found.beta >= high - 1e-12] < 1e-6).all()


def test_a_box_with_hundreds_of_coordinates_off_its_walls_is_solved() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 20)), rng.choice([-1.0, 1.0], size=600)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 20)
    low, high = np.minimum(3 * y, 0), np.maximum(3 * y, 0)
    start = np.clip(0.1 * y, low, high)
    found = solve_box_qp(K, y, low, high, start, K @ start - y, 1e-11)
    g, inside = K @ found.beta - y, (found.beta > low) & (found.beta < high)
    assert inside.sum() > MAX_FACTORISED  # as many as conjugate gradients are for
    assert_allclose(found.gradient, g, atol=1e-12)
    assert_allclose(g[inside], 0, atol=1e-5)
    value = 0.5 * found.beta @ K @ found.beta + np.abs(high - low) @ np.maximum(-y * g, 0)
    assert 0 <= found.gap + 1e-14 and found.gap <= 1e-11 * value


def test_the_first_turn_is_the_machine_without_a_price_for_unlabelled_points() -> None:
    X, y, _ = blobs(6, 3)
    first = next(S3VM(lam2=1.0).steps(X, y))
    alone = S3VM(lam2=0.0).fit(X, y)
    assert_allclose(first.F.numpy(), alone.decision_function(X), atol=1e-12)
    assert first.objective == alone.objective_ and first.weight == 0


@pytest.mark.parametrize("classes", [2, 3])
def test_a_machine_settled_on_the_way_has_the_scores_of_its_turn(classes: int) -> None:
    X, y, _ = blobs(7, classes)
    turns = list(S3VM().steps(X, y))
    for turn in (turns[0], turns[len(turns) // 2]):
        model = S3VM().settle(X, y, turn)
        assert_allclose(model.decision_function(X), turn.F.numpy(), atol=1e-10)
        assert model.objective_ == turn.objective
    whole = S3VM().fit(X, y)
    assert_array_equal(S3VM().settle(X, y, turns[-1]).dual_coef_, whole.dual_coef_)


def test_ten_classes_are_solved_exactly_where_most_points_stand_on_the_margin() -> None:
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
def test_the_gap_closes_where_newton_steps_meet_wall_after_wall(lam1: float, lam2: float) -> None:
    d = data.load("four_clusters", n_samples=400)  # wide kernels in the plane: nearly singular
    for seed in range(2):
        y = hide(d.y, fraction=0.1, random_state=seed)
        model = S3VM(lam1=lam1, lam2=lam2).fit(d.X, y)
        assert model.duality_gap_ < 1e-10 * model.objective_


def test_a_newton_step_ends_at_the_minimum_over_whoever_meets_no_wall() -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(50, 30))
    K, beta = Z @ Z.T + 1e-6 * np.eye(50), rng.uniform(0.1, 0.9, size=50)
    beta[:8], q = 0.0, K @ rng.uniform(-0.1, 1.1, size=50)  # eight stand at a wall and stay
    g = K @ beta - q
    moved = newton_step(K, g, beta, np.zeros(50), np.ones(50), gap=1.0)
    assert (moved[:8] == 0).all() and (moved >= 0).all() and (moved <= 1).all()
    inside = (moved > 0) & (moved < 1)
    assert 0 < inside.sum() < 42  # some have met a wall on the way
    assert_allclose((K @ moved - q)[inside], 0, atol=1e-8)
    assert 0.5 * moved @ K @ moved - q @ moved < 0.5 * beta @ K @ beta - q @ beta
