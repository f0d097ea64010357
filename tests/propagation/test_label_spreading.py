"""Label spreading gives the fixed point of the paper, near labels and far from them."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from propagation.oracles import one_hot, spreading_limit, weights
from scipy import sparse
from sklearn.base import clone
from sklearn.semi_supervised import LabelSpreading as TheirSpreading

from sslviz import LabelSpreading, data
from sslviz.labels import hide

ALPHAS = [0.01, 0.1, 0.5, 0.9, 0.99, 0.9999]


def shares(F: np.ndarray) -> np.ndarray:
    return F / F.sum(axis=1, keepdims=True)


def assert_closed_form(X: np.ndarray, y: np.ndarray, alpha: float) -> None:
    F = LabelSpreading(alpha=alpha).fit(X, y).label_distributions_
    expected = shares(spreading_limit(weights(X, 10, halved=True), y, alpha))
    np.testing.assert_allclose(F, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_moons_and_digits_agree_with_the_closed_form(alpha: float, moons: tuple) -> None:
    assert_closed_form(*moons[:2], alpha)
    d = data.load("digits", n_samples=1000)
    assert_closed_form(d.X, hide(d.y, per_class=3, random_state=0), alpha)


def test_handwritten_digits_agree_with_the_closed_form(real: Callable) -> None:
    d = real("mnist", n_samples=900, random_state=2)
    assert_closed_form(d.X, hide(d.y, per_class=4, random_state=2), 0.9)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_rows_with_hardly_any_mass_are_as_right_as_the_others(alpha: float) -> None:
    rng = np.random.default_rng(0)  # a tube too well knit to be taken apart, labelled at one end
    n = 1500
    X = rng.normal(size=(n, 12))
    X[:, 0] = np.linspace(0, 60, n)
    y = np.full(n, -1)
    y[[0, 1, 2, 40]] = 0, 0, 1, 1
    model = LabelSpreading(alpha=alpha).fit(X, y)
    W = weights(X, 10, halved=True)
    d = W.sum(axis=1)
    S, Y = sparse.csr_array(W / np.sqrt(d[:, None] * d)), one_hot(y)
    F = Y
    for _ in range(500):  # only sums of positive numbers: every digit counts
        F = alpha * (S @ F) + (1 - alpha) * Y
    assert F.sum(axis=1).min() < 1e-9
    np.testing.assert_allclose(model.label_distributions_, shares(F), rtol=0, atol=1e-11)
    assert (model.transduction_ >= 0).all()


def test_it_agrees_with_scikit_learn_on_the_same_graph(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 10, halved=True)
    ours = LabelSpreading(alpha=0.8).fit(X, y)
    theirs = TheirSpreading(kernel=lambda *_: W, alpha=0.8, max_iter=10_000, tol=1e-14).fit(X, y)
    np.testing.assert_allclose(
        ours.label_distributions_, theirs.label_distributions_, rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("alpha", [0.3, 0.9])
def test_every_sweep_shrinks_the_move_by_alpha_or_more(alpha: float, moons: tuple) -> None:
    X, y, _ = moons
    frames = [s.F.numpy() for s in LabelSpreading(alpha=alpha).steps(X, y)]
    moves = [np.linalg.norm(b - a) for a, b in pairwise(frames)]
    assert all(after <= alpha * before + 1e-16 for before, after in pairwise(moves))


@pytest.mark.parametrize(
    ("alpha", "tol", "max_iter", "sweeps"),
    [(0.5, 1e-3, 1000, 10), (0.9, 1e-6, 20, 20), (0.9, 0, 7, 7), (0.9, 1, 50, 1)],
)
def test_sweeps_are_as_many_as_announced(
    alpha: float, tol: float, max_iter: int, sweeps: int, moons: tuple
) -> None:
    X, y, _ = moons
    model = LabelSpreading(alpha=alpha, tol=tol, max_iter=max_iter)
    assert len(list(model.steps(X, y))) == model.n_iter_ == sweeps
    assert clone(model).fit(X, y).n_iter_ == sweeps


def test_sweeps_follow_the_recurrence_and_end_in_fit(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 10, halved=True)
    d = W.sum(axis=1)
    S, Y = W / np.sqrt(d[:, None] * d), one_hot(y)
    watched, F = LabelSpreading(alpha=0.8), 0.2 * Y
    for sweep in watched.steps(X, y):
        F, before = 0.8 * S @ F + 0.2 * Y, F
        np.testing.assert_allclose(sweep.F.numpy(), F, rtol=0, atol=1e-13)
        assert abs(sweep.change - np.abs(F - before).max()) < 1e-13
    fitted = LabelSpreading(alpha=0.8).fit(X, y)
    np.testing.assert_array_equal(watched.label_distributions_, fitted.label_distributions_)
    limit = spreading_limit(W, y, 0.8)
    start = np.linalg.norm(0.2 * Y - limit)
    assert np.linalg.norm(F - limit) <= 0.8**watched.n_iter_ * start <= 1e-6 * start


def test_a_wrong_label_amid_right_ones_is_outvoted_but_kept() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 8])
    y = np.repeat([0, 1], 40)
    y[5] = 1
    model = LabelSpreading(n_neighbors=6, alpha=0.95).fit(X, y)
    assert model.transduction_[5] == 1 and model.label_distributions_[5].argmax() == 0
    assert model.predict(X[[5]])[0] == 0


def test_links_are_rows_of_s(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 10, halved=True)
    d = W.sum(axis=1)
    others, opinions = LabelSpreading().fit(X, y).links(42)
    assert others.tolist() == np.flatnonzero(W[42]).tolist()
    np.testing.assert_allclose(opinions, (W / np.sqrt(d[:, None] * d))[42, others], rtol=1e-11)
