"""S3VM in few coordinates: smoothed hinges, then exact; against the dual over all pairs."""

from typing import Any

import numpy as np
import pytest
from inductive.test_s3vm import blobs
from numpy.testing import assert_allclose

from sslviz import S3VM, data
from sslviz.inductive import s3vm
from sslviz.inductive.stages import s3vm_primal
from sslviz.inductive.stages.s3vm_label_switching import sides
from sslviz.inductive.stages.s3vm_primal import FIRST_WIDTH, solve_smoothed
from sslviz.kernels.centring import centred_on_unlabelled
from sslviz.labels import hide
from sslviz.solve.svm.box_qp import solve_box_qp


def problem(seed: int, n: int = 240, d: int = 5) -> tuple[np.ndarray, np.ndarray, float]:
    """Points about the mean of the unlabelled ones, ±1 or 0 for each, and the labels' mean."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([-1.0, 1.0], size=n)
    X = rng.normal(size=(n, d)) + 0.8 * truth[:, None]
    y = np.where(np.arange(n) < n // 8, truth, 0.0)
    return centred_on_unlabelled(X, y == 0), y, float(y[y != 0].mean())


def smoothed_hinge(t: np.ndarray, h: float) -> np.ndarray:
    return np.where(t <= 1 - h, 1 - t, np.where(t >= 1 + h, 0.0, (1 + h - t) ** 2 / (4 * h)))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("bound", [0.01, 0.1, 3.0])
def test_exactly_it_is_the_minimum_of_the_box_for_its_signs(seed: int, bound: float) -> None:
    Phi, y, mean = problem(seed)
    bounds = np.where(y == 0, bound, 10 * bound)
    (last,) = solve_smoothed(Phi, y, mean, bounds, np.zeros(len(y)), exactly=True)
    assert_allclose(last.f, Phi @ (Phi.T @ last.beta) + mean, atol=1e-11)
    s = sides(last.f, y)
    low, high = np.minimum(bounds * s, 0), np.maximum(bounds * s, 0)
    assert (last.beta >= low).all() and (last.beta <= high).all()
    peer = solve_box_qp(Phi @ Phi.T, s - mean, low, high, last.beta * 0, mean - s, 1e-12)
    assert_allclose(last.f, peer.gradient + s, atol=1e-6)
    inside = (last.beta > low) & (last.beta < high)
    assert inside.any() and inside.sum() <= Phi.shape[1]
    assert_allclose((s * last.f)[inside], 1, atol=1e-9)
    objective = 0.5 * last.beta @ (last.f - mean) + bounds @ np.maximum(1 - s * last.f, 0)
    assert -1e-14 < last.gap < 1e-10 * objective


@pytest.mark.parametrize("seed", range(2))
def test_roughly_it_is_stationary_for_the_smoothed_hinge(seed: int) -> None:
    Phi, y, mean = problem(seed, n=400)  # more points on the edge than coordinates
    bounds = np.where(y == 0, 0.05, 0.2)
    (last,) = solve_smoothed(Phi, y, mean, bounds, np.zeros(len(y)), exactly=False)
    w, s = Phi.T @ last.beta, sides(last.f, y)

    def value(w: np.ndarray) -> float:
        f = Phi @ w + mean
        return float(0.5 * w @ w + bounds @ smoothed_hinge(sides(f, y) * f, FIRST_WIDTH))

    for direction in np.vstack(
        [np.eye(len(w)), np.random.default_rng(0).normal(size=(20, len(w)))]
    ):
        rise = [value(w + step * direction) - value(w) for step in (1e-4, -1e-4)]
        assert min(rise) >= -1e-13
    expected = s * bounds * np.clip((1 + FIRST_WIDTH - s * last.f) / (2 * FIRST_WIDTH), 0, 1)
    assert_allclose(last.beta, expected, atol=1e-10)
    assert ((last.beta != 0) & (np.abs(last.beta) < bounds)).sum() > Phi.shape[1]


def test_changes_of_sign_lower_the_objective_and_are_counted() -> None:
    Phi, y, mean = problem(5)
    bounds = np.where(y == 0, 0.05, 0.2)
    before = 0.01 * np.where(y == 0, np.random.default_rng(0).normal(size=len(y)), y)
    (last,) = solve_smoothed(Phi, y, mean, bounds, before, exactly=True)
    f = Phi @ (Phi.T @ before) + mean
    assert last.flips >= (sides(f, y) != sides(last.f, y)).sum() > 0
    values = [
        0.5 * beta @ (f - mean) + bounds @ np.maximum(1 - sides(f, y) * f, 0)
        for beta, f in ((before, f), (last.beta, last.f))
    ]
    assert values[1] < values[0]


def test_equal_points_share_and_leave_no_gap() -> None:
    Phi, y, mean = problem(6, n=90, d=3)
    Phi, y = np.repeat(Phi, 3, axis=0), np.repeat(y, 3)
    bounds = np.where(y == 0, 0.05, 0.5)
    (last,) = solve_smoothed(Phi, y, mean, bounds, np.zeros(len(y)), exactly=True)
    assert last.gap < 1e-10 * (bounds @ np.maximum(1 - sides(last.f, y) * last.f, 0))


@pytest.mark.parametrize("cause", ["gap", "singular"])
def test_where_the_primal_fails_the_dual_continues(
    cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Phi, y, mean = problem(7)
    bounds = np.where(y == 0, 0.05, 0.2)
    (whole,) = solve_smoothed(Phi, y, mean, bounds, np.zeros(len(y)), exactly=True)

    def singular(*_: Any) -> None:
        raise np.linalg.LinAlgError("not positive definite")

    if cause == "gap":
        monkeypatch.setattr(s3vm_primal, "FALLBACK_GAP", -1.0)  # no gap is small enough
    else:
        monkeypatch.setattr(s3vm_primal, "_shrink_width", singular)
    rounds = solve_smoothed(Phi, y, mean, bounds, whole.beta, exactly=True)
    assert rounds[-1].flips == 0 and (cause == "singular" or len(rounds) > 1)
    assert_allclose(rounds[-1].f, whole.f, atol=1e-6)
    rough = solve_smoothed(Phi, y, mean, bounds, whole.beta, exactly=False)
    assert_allclose(rough[-1].f, whole.f, atol=0.5)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("lam1, lam2", [(0.3, 0.1), (0.01, 1.0), (1e-3, 0.3)])
def test_points_in_place_of_their_kernel_give_the_same_solution(
    classes: int, lam1: float, lam2: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, _ = blobs(11, classes)
    X = X * 2  # gaps between the classes: both end in the same minimum
    few = S3VM("linear", lam1=lam1, lam2=lam2).fit(X, y)
    monkeypatch.setattr(s3vm, "POINTS_PER_COORDINATE", len(X))
    pairs = S3VM("linear", lam1=lam1, lam2=lam2).fit(X, y)
    assert few.objective_ <= pairs.objective_ * (1 + 1e-2)
    for model in (few, pairs):
        assert model.duality_gap_ <= 1e-10 * model.objective_
    if np.isclose(few.objective_, pairs.objective_, rtol=1e-9):
        assert_allclose(few.decision_function(X), pairs.decision_function(X), atol=1e-5)


def test_ten_classes_of_images_are_solved_exactly() -> None:
    digits = data.load("digits")
    X, y = digits.X[:800], hide(digits.y[:800], fraction=0.1, random_state=0)
    for lam1, lam2 in ((0.1, 1.0), (1e-3, 0.1), (1e-4, 10.0)):
        model = S3VM("linear", lam1=lam1, lam2=lam2).fit(X, y)
        assert model.duality_gap_ < 1e-9 * model.objective_
        F, W = model.decision_function(X), X.T @ model.dual_coef_
        signs = 2.0 * (y[y >= 0, None] == np.arange(10)) - 1
        assert_allclose(F[y < 0].mean(axis=0), signs.mean(axis=0), atol=1e-9)
        hinges = np.maximum(1 - signs * F[y >= 0], 0).mean(axis=0).sum()
        hats = np.maximum(1 - np.abs(F[y < 0]), 0).mean(axis=0).sum()
        value = hinges + lam1 * np.sum(W**2) + lam2 * hats
        assert model.objective_ == pytest.approx(value, rel=1e-7)
