"""The projection filter loses no neighbour, and is used only where it pays."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from graph.oracles import assert_equal_lists, brute_force
from second_device import SecondDevice
from sklearn.datasets import load_digits

from sslviz.graph.search import blocked_product, projection_filter
from sslviz.graph.search.error_bound_filter import build_error_bound_filter, rounded

rng = np.random.default_rng(3)


def flat(n: int, d: int, rank: int, noise: float) -> np.ndarray:
    """Points near a plane of `rank` dimensions."""
    return rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + noise * rng.normal(size=(n, d))


def with_outlier(X: np.ndarray, factor: float) -> np.ndarray:
    X = X.copy()
    X[::250] *= factor
    return X


plane = flat(600, 90, 6, 0.3)
CASES = {
    "near a plane": plane,
    "digits": load_digits().data[:700],
    "float32": plane.astype(np.float32),
    "most variance outside the plane": flat(500, 80, 3, 4.0),
    "isotropic": rng.normal(size=(450, 70)),
    "duplicates": np.repeat(plane[:60], 9, axis=0)[rng.permutation(540)],
    "more duplicates than a list is long": np.repeat(plane[:8], 60, axis=0),
    "outliers": with_outlier(plane, 1e6),
    "outliers out of range of float32": with_outlier(plane, 1e40),
    "far from the origin": plane + 1e6,
    "tiny": plane * 1e-180,
    "exactly in a plane": flat(500, 64, 4, 0.0),
    "binary": rng.integers(0, 2, size=(400, 66)).astype(np.uint8),
    "constant but for a few": np.where(np.arange(500)[:, None] < 9, plane[:500], 1.0),
}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Use the filter on small data and where it does not pay; note its numbers of pairs."""
    small = {
        "MIN_POINTS": 100,
        "MIN_POINTS_PER_NEIGHBOUR": 8,
        "MIN_FEATURES": 8,
        "VARIANCE_SHARE": 0.4,
        "PROBE_SHARE": 0.0,
    }
    for name, value in small.items():
        monkeypatch.setattr(projection_filter, name, value)
    pairs = []
    survivors = projection_filter.ProjectionFilter.survivors

    def noted(
        self: projection_filter.ProjectionFilter, Q: np.ndarray, own: np.ndarray | None
    ) -> tuple:
        found = survivors(self, Q, own)
        pairs.append(len(found[0]))
        return found

    monkeypatch.setattr(projection_filter.ProjectionFilter, "survivors", noted)
    return pairs


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("k", [1, 10, 25])
def test_lists_are_those_of_brute_force(name: str, k: int, always: list[int]) -> None:
    X = CASES[name]
    listed = blocked_product.product_nearest(X, X, k, skip_self=True)
    expected = brute_force(X, X, k, skip_self=True)
    if name == "tiny":  # where squares underflow, brute force itself is wrong
        expected = brute_force(X * 1e180, X * 1e180, k, skip_self=True)
        np.testing.assert_array_equal(listed[0], expected[0])
        np.testing.assert_allclose(listed[1], expected[1] * 1e-180, rtol=1e-13)
        return
    assert_equal_lists(listed, expected)


def test_these_cases_do_pass_through_the_filter(always: list[int]) -> None:
    for name in ("near a plane", "digits", "duplicates", "outliers", "far from the origin"):
        always.clear()
        blocked_product.product_nearest(CASES[name], CASES[name], 5, skip_self=True)
        assert len(always) == 2 and always[1] >= 5 * 100, name  # a probe, then all rows at once


@pytest.mark.parametrize("name", ["near a plane", "duplicates", "outliers", "isotropic"])
def test_other_points_find_their_neighbours_too(name: str, always: list[int]) -> None:
    X = CASES[name]
    Q = np.concatenate([X[::3], X[:50] + 0.25])
    assert_equal_lists(blocked_product.product_nearest(Q, X, 6), brute_force(Q, X, 6))
    assert always


@pytest.mark.parametrize("rows", [1, 7, 64])
def test_the_size_of_blocks_changes_nothing(
    rows: int, always: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    X = plane[:300]
    monkeypatch.setattr(blocked_product, "BLOCK_ENTRIES", rows * len(X))
    expected = brute_force(X, X, 9, skip_self=True)
    assert_equal_lists(blocked_product.product_nearest(X, X, 9, skip_self=True), expected)
    assert len(always) == 1 + -(-300 // rows)


@pytest.mark.parametrize("name", ["near a plane", "duplicates", "outliers"])
def test_the_second_device_gives_the_same_bits(name: str, always: list[int]) -> None:
    X = CASES[name]
    with SecondDevice():
        result = blocked_product.product_nearest(X, X, 5, skip_self=True, device="meta")
    assert always
    assert_equal_lists(result, brute_force(X, X, 5, skip_self=True))


@pytest.mark.parametrize("name", ["near a plane", "digits", "isotropic", "exactly in a plane"])
def test_the_smaller_product_stays_below_the_distances(name: str, always: list[int]) -> None:
    X = CASES[name]
    full = build_error_bound_filter(X, X, 5, len(X), torch.empty(0))
    assert full is not None
    quick = projection_filter.build_projection_filter(full, X, X, None)
    assert quick is not None and quick.columns.shape[0] < X.shape[1]
    a, z = quick._rows(X, np.arange(len(X)))
    np.testing.assert_array_equal(a, rounded(X, full.centre, full.exponent, a))
    np.testing.assert_array_equal(z, projection_filter._projected(X, full, quick.basis))
    t = (z @ quick.columns).numpy().astype(np.longdouble)
    norms = (z[:, :-1].numpy().astype(np.longdouble) ** 2).sum(axis=1)
    true = np.ldexp(X.astype(np.longdouble) - full.centre, -full.exponent)
    np.testing.assert_allclose(norms, (true**2).sum(axis=1), rtol=1e-6)
    distances = np.stack([((x - true) ** 2).sum(axis=1) for x in true])
    excess = t + norms[:, None] - distances
    assert (excess <= quick.alpha * norms[:, None] + full.tau).all()
    assert (excess > -0.7 * distances).mean() > 0.1  # and is no idle bound


def test_it_is_used_for_images_and_not_where_it_cannot_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(projection_filter, "MIN_POINTS", 1500)
    images, noise = flat(2000, 200, 12, 0.3), rng.normal(size=(2000, 200))
    text = (rng.random((2000, 200)) < 0.03).astype(float)
    for X, used in ((images, True), (noise, False), (text, False), (images[:1400], False)):
        full = build_error_bound_filter(X, X, 10, len(X), torch.empty(0))
        assert full is not None
        assert (
            projection_filter.build_projection_filter(full, X, X, np.arange(len(X))) is not None
        ) == used


def test_real_digits_pass_it_with_few_candidates(
    monkeypatch: pytest.MonkeyPatch, real: Callable
) -> None:
    monkeypatch.setattr(projection_filter, "MIN_POINTS", 1500)
    X = real("mnist", n_samples=2500, random_state=0).X.astype(float)
    full = build_error_bound_filter(X, X, 20, 500, torch.empty(0))
    assert full is not None
    own = np.arange(len(X))
    quick = projection_filter.build_projection_filter(full, X, X, own)
    assert quick is not None
    rows, cols = quick.survivors(X[:500], own[:500])
    assert 20 * 450 < len(rows) < 21 * 500 and (rows != cols).all()
    listed = blocked_product.product_nearest(X, X, 20, skip_self=True)
    some = np.arange(0, 2500, 17)
    indices, distances = brute_force(X[some], X, 21)
    np.testing.assert_array_equal(listed[0][some], indices[:, 1:])
    np.testing.assert_array_equal(listed[1][some], distances[:, 1:])
