"""Semi-KSC: the saddle point of its objective, amplified kernel ridge, reversed past the pole."""

import warnings
from functools import cache

import numpy as np
import pytest
from inductive.oracles import cloud, rbf
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

import sslviz
from sslviz import SemiKSC
from sslviz.inductive.semi_ksc import MAX_POINTS
from sslviz.labels import hide
from sslviz.memo import Memo

SIGMA = 0.8
settings = pytest.mark.parametrize(
    ("pull", "trust"), [(0.01, 0.5), (0.6, 0.01), (0.99, 0.5), (0.999, 0.99), (0.9, 10.0)]
)


def fitted(X: np.ndarray, y: np.ndarray, **options: float) -> SemiKSC:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # past 1
        return SemiKSC(SIGMA, **options).fit(X, y)


def blocks(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, its row sums, and the targets ±1 (n, C), zero for unlabelled points."""
    K = rbf(X, X, SIGMA, True)
    classes = np.unique(y[y >= 0])
    signs = 2.0 * (y[:, None] == classes) - 1
    return K, K.sum(axis=1), signs * (y >= 0)[:, None]


def columns(a: np.ndarray) -> np.ndarray:
    """One score of two classes as two columns."""
    return a if a.ndim == 2 else np.column_stack([-a, a])


@settings
@pytest.mark.parametrize("classes", [2, 3])
def test_it_solves_the_printed_system(classes: int, pull: float, trust: float) -> None:
    X, y = cloud(0, classes=classes)
    model = fitted(X, y, pull=pull, trust=trust)
    K, d, c = blocks(X, y)
    R = model.gamma1_ / d - model.gamma2_ * (y >= 0)
    e, alpha = columns(model.decision_function(X)), columns(model.dual_coef_)
    scale = np.abs(alpha).max()
    assert_allclose(alpha, R[:, None] * e + model.gamma2_ * c, rtol=0, atol=1e-11 * scale)
    assert_allclose(alpha.sum(axis=0), 0, atol=1e-13 * scale * len(X))
    bias = np.atleast_1d(model.intercept_)
    assert_allclose(columns(K @ model.dual_coef_ + bias.squeeze()), e, rtol=0, atol=1e-12)
    assert_allclose(model.gamma1_ * model.eigenvalues_[0], pull, rtol=1e-12)
    labelled = (y >= 0).sum()
    assert_allclose(model.gamma2_ * labelled / (model.gamma1_ * (1 / d).sum()), trust, rtol=1e-12)


def objective(v: np.ndarray, R: np.ndarray, d: np.ndarray, c: np.ndarray, w: tuple) -> float:
    """Of v = (w, b) for features R, K = RRᵀ."""
    e = R @ v[:-1] + v[-1]
    loss = (w[1] / 2) * np.square(e - c)[c != 0].sum()
    return 0.5 * v[:-1] @ v[:-1] - (w[0] / 2) * (np.square(e) / d).sum() + loss


@settings
def test_it_is_stationary_by_finite_differences_with_one_negative_direction(
    pull: float, trust: float
) -> None:
    X, y = cloud(1, n=40, classes=2)
    model = fitted(X, y, pull=pull, trust=trust)
    K, d, c = blocks(X, y)
    mu, V = np.linalg.eigh(K)
    R = V * np.sqrt(np.maximum(mu, 0))
    v, w = np.append(R.T @ model.dual_coef_, model.intercept_), (model.gamma1_, model.gamma2_)
    directions = np.random.default_rng(0).normal(size=(20, len(v)))
    for u in directions:
        step = 1e-4 * u
        ends = [objective(v + s * step, R, d, c[:, 1], w) for s in (1, -1)]
        assert abs(ends[0] - ends[1]) / 2e-4 < 1e-7 * max(1.0, np.abs(v).max())
    Z = np.column_stack([R, np.ones(len(X))])
    inside = -model.gamma1_ / d + model.gamma2_ * (y >= 0)
    hessian = Z.T @ (inside[:, None] * Z) + np.diag([*np.ones(len(X)), 0.0])
    negative = int((np.linalg.eigvalsh(hessian) < 0).sum())
    assert negative == model.negative_directions_
    assert negative == 1 or trust > 1


@pytest.mark.parametrize("pull", [1.0, 1.02, 1.2])
@pytest.mark.parametrize("trust", [0.01, 0.5])
def test_past_one_it_is_still_the_stationary_point_with_more_negative_directions(
    pull: float, trust: float
) -> None:
    X, y = cloud(1, n=40, classes=2)
    model = fitted(X, y, pull=pull, trust=trust)
    K, d, c = blocks(X, y)
    inside = model.gamma1_ / d - model.gamma2_ * (y >= 0)
    e = K @ model.dual_coef_ + model.intercept_
    scale = np.abs(model.dual_coef_).max()
    wanted = inside * e + model.gamma2_ * c[:, 1]
    assert_allclose(model.dual_coef_, wanted, rtol=0, atol=1e-9 * scale)
    mu, V = np.linalg.eigh(K)
    Z = np.column_stack([V * np.sqrt(np.maximum(mu, 0)), np.ones(len(X))])
    hessian = np.diag([*np.ones(len(X)), 0.0]) - Z.T @ (inside[:, None] * Z)
    assert model.negative_directions_ == (np.linalg.eigvalsh(hessian) < 0).sum()


@pytest.mark.parametrize("pull", [0.5, 0.99, 1.1])
def test_it_is_the_mean_of_a_gaussian_process_amplified_by_its_covariance(pull: float) -> None:
    X, y = cloud(2, classes=2)
    model, given = fitted(X, y, pull=pull), y >= 0
    _, d, c = blocks(X, y)
    # A free bias is a constant kernel with a large variance.
    kernel = ConstantKernel(1e6) + RBF(SIGMA)
    process = GaussianProcessRegressor(kernel, alpha=1 / model.gamma2_, optimizer=None)
    process.fit(X[given], c[given, 1])
    m, G = process.predict(X, return_cov=True)
    assert_allclose(model.ridge_scores(), m, rtol=0, atol=1e-4)
    e = np.linalg.solve(np.eye(len(X)) - model.gamma1_ * G / d, m)
    assert_allclose(model.decision_function(X), e, rtol=0, atol=1e-3 * np.abs(e).max())
    found, s = model.amplification(len(X) - 1), 1 / np.sqrt(d)
    mu = np.linalg.eigvalsh(s[:, None] * G * s)[::-1]
    assert_allclose(found.gain, model.gamma1_ * mu[:-1], rtol=1e-4, atol=1e-6)
    assert_allclose(found.factor, 1 / (1 - found.gain))
    assert_allclose(found.scores, found.factor[:, None] * found.ridge)
    assert (found.gain > 1).sum() == model.negative_directions_
    # All coordinates together have the norm of the scores: nothing is lost but the last, μ = 0.
    e = model.decision_function(X)
    assert_allclose(np.square(found.scores).sum(), np.square(s * e).sum(), rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_eigenvalues_are_those_of_ksc_and_interlace(seed: int) -> None:
    X, y = cloud(seed)
    K, d, _ = blocks(X, y)
    weights = (1 / d) / (1 / d).sum()
    M = np.eye(len(X)) - weights  # subtracts the weighted mean of each column
    wanted = np.sort(np.linalg.eigvals((M @ K) / d[:, None]).real)[::-1]
    found = fitted(X, y).eigenvalues_
    assert_allclose(found, wanted, rtol=0, atol=1e-12)
    plain = np.sort(np.linalg.eigvals(K / d[:, None]).real)[::-1]
    assert (plain + 1e-12 >= found).all() and (found[:-1] + 1e-12 >= plain[1:]).all()
    assert_allclose(plain[0], 1.0)


def test_swapping_the_classes_flips_the_scores() -> None:
    X, y = cloud(3, classes=2)
    swapped = np.where(y < 0, -1, 7 - y)
    a, b = (fitted(X, t).decision_function(X) for t in (y, swapped))
    assert_allclose(a, -b, rtol=0, atol=1e-13)


def test_new_points_have_the_scores_of_training_points_at_the_same_places() -> None:
    X, y = cloud(4)
    Q = cloud(9, n=15)[0]
    model = fitted(X, y)
    plain = rbf(Q, X, SIGMA, True) @ model.dual_coef_ + model.intercept_
    assert_allclose(model.decision_function(Q), plain, rtol=0, atol=1e-12)
    hidden = y < 0
    assert_array_equal(model.predict(X)[hidden], model.transduction_[hidden])


@cache
def moons(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = sslviz.data.load("two_moons", n_samples=400, random_state=seed)
    return d.X, hide(d.y, per_class=3, random_state=seed), d.y


@pytest.mark.parametrize("seed", range(3))
def test_two_moons_follow_the_clusters_and_flip_past_the_pole(seed: int) -> None:
    X, y, truth = moons(seed)
    memo, right = Memo(), {}
    for pull in (0.01, 0.99, 1.1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = SemiKSC(pull=pull, memory=memo).fit(X, y)
        right[pull] = (model.transduction_ == truth)[y < 0].mean()
        assert (model.negative_directions_ > 1) == (pull > 1)
    assert right[0.99] >= 0.95 > 0.93 > right[0.01] and right[1.1] < 0.75


def test_digits_are_as_good_as_the_notes_say() -> None:
    right = []
    for seed in range(3):
        d = sslviz.data.load("digits", n_samples=700, random_state=seed)
        y = hide(d.y, per_class=4, random_state=seed)
        right.append((SemiKSC().fit(d.X / 16, y).transduction_ == d.y)[y < 0].mean())
    assert min(right) >= 0.88


def test_moving_pull_and_trust_keeps_the_spectrum() -> None:
    X, y, _ = moons(0)
    memo = Memo()
    for pull, trust in ((0.99, 0.5), (0.5, 0.5), (0.9, 0.1)):
        SemiKSC(pull=pull, trust=trust, memory=memo).fit(X, y)
    for name in ("gram", "ksc_basis"):
        assert [stage.reused for stage in memo.log if stage.name == name] == [False, True, True]


def test_a_pull_from_one_on_is_warned_of_and_beyond_the_lesson_refused() -> None:
    X, y = cloud(0)
    for pull in (1.0, 1.2):
        with pytest.warns(UserWarning, match="SemiKSC: pull="):
            SemiKSC(SIGMA, pull).fit(X, y)
    for pull in (0.0, 1.3, -1.0, np.nan):
        with pytest.raises(ValueError, match="SemiKSC: pull="):
            SemiKSC(SIGMA, pull).fit(X, y)
    with pytest.raises(ValueError, match="SemiKSC: trust="):
        SemiKSC(SIGMA, trust=0).fit(X, y)


def test_too_many_points_are_refused_before_anything_is_computed() -> None:
    n = MAX_POINTS + 1
    y = np.full(n, -1)
    y[:2] = 0, 1
    with pytest.raises(ValueError, match=f"SemiKSC: n={n} points"):
        SemiKSC().fit(np.random.default_rng(0).normal(size=(n, 2)), y)


@pytest.mark.parametrize("sigma", [1e-6, 1.0, 1e6])
def test_equal_points_and_extreme_widths_give_numbers(sigma: float) -> None:
    X, y = cloud(0)
    for points in (X, np.ones_like(X), np.repeat(X[:30], 2, axis=0)):
        model = SemiKSC(sigma).fit(points, y)
        assert np.isfinite(model.decision_function(points)).all()
        assert np.isfinite(model.label_distributions_).all()
