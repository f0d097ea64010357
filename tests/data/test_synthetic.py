"""Synthetic data sets: the right number of points, on their curves, in their class shares."""

from math import erf, sqrt

import numpy as np
import pytest

from sslviz import data
from sslviz.data.synthetic import GENERATORS, class_sizes

every_generator = pytest.mark.parametrize("name", GENERATORS)
SHARES = {
    "two_moons": [0.5, 0.5],
    "three_rings": [0.5, 0.33, 0.17],
    "four_clusters": [0.5, 0.2, 0.2, 0.1],
    "spirals": [0.5, 0.5],
    "gaussians": [0.5, 0.5],
    "swiss_roll": [0.25, 0.25, 0.25, 0.25],
}


@every_generator
@pytest.mark.parametrize("n", [10, 2001])
def test_n_points_with_the_designed_class_shares(name, n):
    d = data.load(name, n_samples=n)
    assert d.X.shape == (n, d.n_features) and d.y.shape == (n,)
    assert d.X.dtype == np.float64 and d.y.dtype == np.int64
    shares = np.bincount(d.y, minlength=d.n_classes) / n
    assert np.abs(shares - SHARES[name]).max() < 0.005 + 1 / n


@every_generator
def test_the_seed_determines_the_points(name):
    first, again, other = (data.load(name, n_samples=50, random_state=s) for s in (1, 1, 2))
    assert (first.X == again.X).all() and (first.y == again.y).all()
    assert (first.X != other.X).any() and (first.y != other.y).any()


@every_generator
def test_classes_come_in_random_order(name):
    y = data.load(name).y
    same = (y[1:] == y[:-1]).mean()
    expected = (np.bincount(y) ** 2).sum() / len(y) ** 2
    assert abs(same - expected) < 0.05


@every_generator
def test_outliers_have_their_share_and_five_times_the_noise(name):
    n, noise = 4000, 0.02
    d = data.load(name, n_samples=n, noise=noise, outliers=0.25)
    clean = data.load(name, n_samples=n, noise=0, outliers=0.25)
    out = d.splits["outliers"]
    assert out.sum() == 1000 and (out == clean.splits["outliers"]).all()
    assert (d.y == clean.y).all()
    moved = d.X - clean.X
    assert moved[~out].std() == pytest.approx(noise, rel=0.04)
    assert moved[out].std() == pytest.approx(5 * noise, rel=0.06)


@every_generator
def test_noise_and_outliers_scale_the_same_random_numbers(name):
    first, more = (data.load(name, n_samples=200, noise=0.1, outliers=o) for o in (0.1, 0.3))
    old, new = first.splits["outliers"], more.splits["outliers"]
    assert (new | ~old).all() and new.sum() == 60
    unmoved = new == old
    assert (first.X[unmoved] == more.X[unmoved]).all()
    clean, far = (data.load(name, n_samples=200, noise=s, outliers=0) for s in (0, 0.2))
    near = data.load(name, n_samples=200, noise=0.1, outliers=0)
    np.testing.assert_allclose(far.X - clean.X, 2 * (near.X - clean.X), atol=1e-12)


@every_generator
def test_balance_multiplies_the_share_of_class_c_by_its_power(name):
    d = data.load(name, n_samples=5000, balance=0.5)
    shares = np.array(SHARES[name]) * 0.5 ** np.arange(d.n_classes)
    assert np.abs(np.bincount(d.y) / 5000 - shares / shares.sum()).max() < 0.005
    scarce = data.load(name, n_samples=10, balance=1e-9)
    assert np.bincount(scarce.y)[1:].tolist() == [1] * (d.n_classes - 1)


def clean(name):
    d = data.load(name, n_samples=500, noise=0, random_state=4)
    return d.X, d.y, np.linalg.norm(d.X, axis=1)


def test_moons_without_noise_are_half_circles():
    X, y, r = clean("two_moons")
    np.testing.assert_allclose(r[y == 0], 1, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(X[y == 1] - [1, 0.5], axis=1), 1, atol=1e-12)
    assert X[y == 0, 1].min() >= 0 and X[y == 1, 1].max() <= 0.5


def test_rings_without_noise_are_circles_and_equally_dense():
    _, y, r = clean("three_rings")
    np.testing.assert_allclose(r, 3 - y, atol=1e-12)
    density = np.bincount(data.load("three_rings", n_samples=6000).y) / [3, 2, 1]
    assert np.ptp(density) == 0


def test_clusters_without_noise_are_a_disc_and_three_points():
    X, y, r = clean("four_clusters")
    assert r[y == 0].max() <= 0.8
    assert (r[y == 0] < 0.4).mean() == pytest.approx(0.25, abs=0.07)  # evenly filled
    assert [len(np.unique(X[y == c], axis=0)) for c in (1, 2, 3)] == [1, 1, 1]


def test_spirals_without_noise_turn_while_they_grow():
    X, y, r = clean("spirals")
    angle = np.arctan2(X[:, 1], X[:, 0])
    turned = (angle - np.pi * r - np.pi * y) / (2 * np.pi)  # whole turns on the curve
    np.testing.assert_allclose(turned, np.round(turned), atol=1e-12)
    assert r.min() >= 0.5 and r.max() <= 3.5


def test_the_roll_without_noise_is_a_sheet_and_classes_follow_each_other():
    X, y, _ = clean("swiss_roll")
    r = np.hypot(X[:, 0], X[:, 2])  # grows along the roll by one every half turn
    np.testing.assert_allclose(X[:, 0], r * np.cos(np.pi * r), atol=1e-12)
    np.testing.assert_allclose(X[:, 2], r * np.sin(np.pi * r), atol=1e-12)
    assert (np.floor((r - 1.5) / 0.75).astype(int) == y).all()


def test_gaussians_without_noise_are_two_points_at_the_stated_distance():
    X, y, _ = clean("gaussians")
    centres = [np.unique(X[y == c], axis=0) for c in (0, 1)]
    assert [c.shape for c in centres] == [(1, 241), (1, 241)]
    assert np.linalg.norm(centres[0] - centres[1]) == pytest.approx(2.5, abs=1e-12)


def test_the_bayes_error_of_gaussians_is_that_of_g241c():
    options = {"n_samples": 40_000, "n_features": 20, "random_state": 3}
    centres, noisy = data.load("gaussians", noise=0, **options), data.load("gaussians", **options)
    direction = centres.X[centres.y == 1][0]
    wrong = ((noisy.X @ direction > 0) != noisy.y).mean()
    best = 0.5 * (1 + erf(-1.25 / sqrt(2)))  # Φ(-1.25) = 10.6 %
    assert wrong == pytest.approx(best, abs=4 * sqrt(best / 40_000))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 9}, r"two_moons: n_samples=9 is not (a whole number )?in \[10, 1e\+07\]"),
        ({"n_samples": 100.0}, "n_samples=100.0"),
        ({"n_samples": None}, "n_samples=None"),
        ({"noise": -0.1}, r"noise=-0.1 is not in \[0, inf\)"),
        ({"noise": float("nan")}, "noise=nan"),
        ({"outliers": 1.1}, r"outliers=1.1 is not in \[0, 1\]"),
        ({"balance": 0}, r"balance=0 is not in \(0, 1\]"),
        ({"random_state": -1}, "random_state=-1"),
    ],
)
def test_values_outside_their_domain_are_refused(options, message):
    for make in (GENERATORS["two_moons"], lambda **o: data.load("two_moons", **o)):
        with pytest.raises(ValueError, match=message):
            make(**options)


def test_class_sizes_add_up_for_any_shares():
    rng = np.random.default_rng(0)
    for _ in range(200):
        shares, n = rng.random(5) ** 8, int(rng.integers(5, 300))
        sizes = class_sizes(n, shares)
        assert sizes.sum() == n and sizes.min() >= 1
        exact = n * shares / shares.sum()
        if exact.min() >= 1:
            assert np.abs(sizes - exact).max() < 1
