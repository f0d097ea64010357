"""Gaussian mixtures by EM: the objective written out, its monotone rise, and known limits."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

from sslviz import SemiSupervisedGMM
from sslviz.labels import hide


def gaussians(
    seed: int, n: int = 90, d: int = 3, apart: float = 2.0
) -> tuple[np.ndarray, np.ndarray]:
    """Three overlapping Gaussians of different shapes, and their classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    shapes = rng.normal(size=(3, d, d))
    X = np.einsum("nd,nde->ne", rng.normal(size=(n, d)), shapes[y])
    return X + apart * rng.normal(size=(3, d))[y], y


def written_out(model: Any, X: np.ndarray, target: np.ndarray) -> float:
    """Eq. 4 with the prior, from the fitted parameters alone."""
    joint = np.column_stack(
        [
            np.log(w) + multivariate_normal(m, S).logpdf(X)
            for w, m, S in zip(model.weights_, model.means_, model.covariances_, strict=True)
        ]
    )
    given = target >= 0
    total = (
        joint[given, target[given]].sum() + model.weight * logsumexp(joint[~given], axis=1).sum()
    )
    share = np.bincount(target[given]) / given.sum()
    mass = share * (given.sum() + model.weight * (~given).sum())
    traces = np.trace(np.linalg.inv(model.covariances_), axis1=1, axis2=2)
    return float(total - 0.5 * model.floor * (mass * traces).sum())


@pytest.mark.parametrize("weight", [0.1, 1.0])
def test_the_objective_never_falls(weight: float, real: Any) -> None:
    problems = [(*gaussians(seed), {"per_class": 4}) for seed in range(3)]
    sets = [real(name) for name in ("ionosphere", "diabetes")]
    for X, truth, labelled in problems + [(d.X, d.y, {"fraction": 0.1}) for d in sets]:
        y = hide(truth, **labelled, random_state=0)
        found = np.array([s.objective for s in SemiSupervisedGMM(weight, max_iter=60).steps(X, y)])
        assert len(found) > 3 and (np.diff(found) > -1e-9 * np.abs(found[1:])).all()


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_the_objective_is_equation_4_with_the_prior(weight: float) -> None:
    X, truth = gaussians(1)
    y = hide(truth, per_class=5, random_state=0)
    model = SemiSupervisedGMM(weight, floor=0.05, max_iter=7).fit(X, y)
    assert model.objective_ == pytest.approx(written_out(model, X, y), rel=1e-12)


def test_it_ends_where_the_objective_is_flat() -> None:
    X, truth = gaussians(2)
    y = hide(truth, per_class=5, random_state=0)
    model = SemiSupervisedGMM(0.5, floor=0.1, max_iter=10**5, tol=0.0).fit(X, y)
    rng, h = np.random.default_rng(0), 1e-4
    for _ in range(5):
        dm, dS, dw = (
            rng.normal(size=a.shape) for a in (model.means_, model.covariances_, truth[:3])
        )
        dS += dS.transpose(0, 2, 1)
        dw -= dw.mean()
        values = []
        for t in (-h, h):
            moved = SemiSupervisedGMM(0.5, floor=0.1)
            moved.means_, moved.covariances_ = model.means_ + t * dm, model.covariances_ + t * dS
            moved.weights_ = model.weights_ + t * dw
            values.append(written_out(moved, X, y))
        slope, bend = (values[1] - values[0]) / (2 * h), sum(values) - 2 * model.objective_
        assert abs(slope) < 1e-3 and bend < 0  # a maximum, not merely flat


def test_without_weight_and_at_the_first_step_it_is_the_supervised_closed_form() -> None:
    X, truth = gaussians(3)
    y = hide(truth, fraction=0.5, random_state=1)
    model = SemiSupervisedGMM(0.0, floor=0.02).fit(X, y)
    for c in range(3):
        own = X[y == c]
        assert_allclose(model.means_[c], own.mean(axis=0), atol=1e-12)
        expected = np.cov(own.T, bias=True) + 0.02 * np.eye(3)
        assert_allclose(model.covariances_[c], expected, atol=1e-12)
    assert_allclose(model.weights_, np.bincount(y[y >= 0]) / (y >= 0).sum(), atol=1e-15)
    first = next(SemiSupervisedGMM(1.0, floor=0.02).steps(X, y))
    for found, expected in zip(first[2:4], model.components(), strict=True):
        assert_allclose(found.numpy(), expected, atol=1e-13)
    assert_allclose(first.weights.numpy(), model.weights_, atol=1e-13)


def test_scikit_learn_finds_the_same_mixture_of_separate_gaussians() -> None:
    X, truth = gaussians(4, n=150, apart=12.0)
    y = hide(truth, per_class=2, random_state=0)
    model = SemiSupervisedGMM(floor=1e-9, tol=0.0, max_iter=1000).fit(X, y)
    start = {
        "weights_init": model.weights_,
        "means_init": model.means_ + 0.05,
        "precisions_init": np.linalg.inv(model.covariances_),
    }
    peer = GaussianMixture(3, reg_covar=0.0, tol=1e-14, max_iter=1000, **start).fit(X)
    assert_allclose(model.means_, peer.means_, atol=1e-6)
    assert_allclose(model.covariances_, peer.covariances_, atol=1e-6)
    assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-6)


def test_posteriors_are_bayes_rule_and_training_points_have_theirs() -> None:
    X, truth = gaussians(5)
    y = hide(truth, per_class=5, random_state=0)
    model = SemiSupervisedGMM(tol=0.0, max_iter=2000).fit(X, y)
    P, free = model.predict_proba(X), y < 0
    assert_allclose(P.sum(axis=1), 1, atol=1e-14)
    assert_allclose(P[free], model.label_distributions_[free], atol=1e-7)
    joint = model.decision_function(X)
    assert_allclose(P, np.exp(joint - logsumexp(joint, axis=1)[:, None]), atol=1e-14)
    assert (model.transduction_[~free] == y[~free]).all()


def test_renaming_classes_and_moving_the_origin_change_nothing() -> None:
    X, truth = gaussians(6)
    y = hide(truth, per_class=5, random_state=0)
    plain = SemiSupervisedGMM().fit(X, y)
    names = np.array([40, 7, 12])  # sorted: class 1, class 2, class 0
    other = SemiSupervisedGMM().fit(X + 1e5, np.where(y < 0, -1, names[y]))
    assert_allclose(other.means_ - 1e5, plain.means_[[1, 2, 0]], atol=1e-6)
    assert_array_equal(other.transduction_, names[plain.transduction_])


def test_more_features_than_points_stay_finite() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2
    X = rng.normal(size=(60, 300)) + truth[:, None]
    model = SemiSupervisedGMM().fit(X, hide(truth, per_class=3, random_state=0))
    assert np.isfinite(model.covariances_).all() and np.isfinite(model.objective_)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert np.linalg.eigvalsh(model.covariances_).min() > 0.5e-3 / 2


def test_a_floor_below_rounding_is_named() -> None:
    X = np.random.default_rng(0).normal(size=(20, 40)) * 1e9
    with pytest.raises(ValueError, match=r"floor=0\.001 vanishes beside a variance"):
        SemiSupervisedGMM().fit(X, np.arange(20) % 2)


def test_a_single_label_per_class_is_enough() -> None:
    X, truth = gaussians(7, n=150, apart=12.0)
    model = SemiSupervisedGMM(floor=1.0).fit(X, hide(truth, per_class=1, random_state=0))
    assert (model.transduction_ == truth).mean() > 0.95


def test_unlabelled_points_hurt_where_classes_are_no_gaussians(moons: Any) -> None:
    X, y, truth = moons
    free = y < 0
    accuracy = [
        (SemiSupervisedGMM(w).fit(X, y).transduction_ == truth)[free].mean() for w in (0, 1)
    ]
    assert accuracy[1] < accuracy[0]


def test_many_features_and_points_have_scipys_densities_also_far_from_the_origin() -> None:
    X, truth = gaussians(8, n=3000, d=70)  # several bands of features, several chunks of points
    X += 1e3
    model = SemiSupervisedGMM(max_iter=3).fit(X, hide(truth, fraction=0.3, random_state=0))
    peers = [
        np.log(w) + multivariate_normal(m, S).logpdf(X)
        for w, m, S in zip(model.weights_, model.means_, model.covariances_, strict=True)
    ]
    assert_allclose(model.decision_function(X), np.column_stack(peers), rtol=1e-9)
