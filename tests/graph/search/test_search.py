"""Exact searches give the lists of brute force, bit for bit, whatever the data."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from graph.oracles import assert_equal_lists, brute_force, brute_force_at_any_scale
from second_device import SecondDevice
from sklearn.datasets import load_digits

from sslviz.graph.search import blocked_product, kd_tree
from sslviz.graph.search.error_bound_filter import build_error_bound_filter, rounded

rng = np.random.default_rng(0)
both_searches = pytest.mark.parametrize(
    "nearest", [blocked_product.product_nearest, kd_tree.tree_nearest]
)


def grid(step: float) -> np.ndarray:
    side = np.arange(13) * step
    return rng.permutation(np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2))


def with_outlier(distance: float) -> np.ndarray:
    X = rng.normal(size=(150, 6))
    X[77] *= distance
    return X


CASES = {
    "random": rng.normal(size=(200, 7)),
    "many dimensions": rng.normal(size=(120, 300)),
    "more points than groups of columns": rng.normal(size=(1300, 3)),
    "float32": rng.normal(size=(180, 5)).astype(np.float32),
    "small integers": rng.integers(0, 4, size=(250, 3)),
    "integer grid": grid(1.0),
    "grid of tenths": grid(0.1),
    "one dimension": rng.integers(0, 30, size=(200, 1)).astype(float),
    "duplicates": np.repeat(rng.normal(size=(20, 4)), 9, axis=0)[rng.permutation(180)],
    "constant": np.full((90, 5), 0.3),
    "signed zeros": np.where(rng.random((60, 2)) < 0.5, 0.0, -0.0),
    "unit vectors": np.eye(70),
    "binary": rng.integers(0, 2, size=(150, 40)).astype(np.uint8),
    "far from the origin": rng.normal(size=(160, 4)) + 1e9,
    "two far clusters": rng.normal(size=(160, 4)) + 1e8 * (np.arange(160) % 2)[:, None],
    "outlier": with_outlier(1e7),
    "outlier out of range of float32": with_outlier(1e40),
    "Fortran order": np.asfortranarray(rng.normal(size=(150, 8))),
    "every other row": rng.normal(size=(300, 8))[::2],
    "two points": rng.normal(size=(2, 3)),
    "digits": load_digits().data[:400],
}


@both_searches
@pytest.mark.parametrize("name", CASES)
def test_lists_are_those_of_brute_force(nearest: Callable, name: str) -> None:
    X = CASES[name]
    expected = brute_force(X, X, len(X) - 1, skip_self=True)
    for k in sorted({1, min(9, len(X) - 1), len(X) - 1}):
        indices, distances = nearest(X, X, k, skip_self=True)
        assert indices.dtype == np.int64 and distances.dtype == np.float64
        np.testing.assert_array_equal(indices, expected[0][:, :k])
        np.testing.assert_array_equal(distances, expected[1][:, :k])


@both_searches
@pytest.mark.parametrize("name", ["random", "small integers", "duplicates", "unit vectors"])
def test_other_points_find_their_neighbours_too(nearest: Callable, name: str) -> None:
    X = CASES[name]
    Q = np.concatenate([X[::3], X[:20] + 0.25])
    assert_equal_lists(nearest(Q, X, 6), brute_force(Q, X, 6))


@both_searches
@pytest.mark.parametrize("scale", ["tiny", "huge", "both"])
def test_no_scale_is_too_small_or_too_large(nearest: Callable, scale: str) -> None:
    X = rng.normal(size=(60, 3))
    if scale == "both":
        X *= 10.0 ** rng.integers(-200, 200, (60, 1))
    else:
        X *= 1e-200 if scale == "tiny" else 1e200
    indices, distances = nearest(X, X, 7, skip_self=True)
    expected = brute_force_at_any_scale(X, 7)
    np.testing.assert_allclose(distances, expected[1], rtol=1e-14)
    if scale != "both":  # there, far smaller points are equally far to the last bit or one beside
        np.testing.assert_array_equal(indices, expected[0])


def test_real_digits_at_full_dimension(real: Callable) -> None:
    X = real("mnist", n_samples=1500, random_state=0).X
    rows = np.arange(0, 1500, 10)
    expected = brute_force(X[rows], X, 12)
    indices, distances = blocked_product.product_nearest(X, X, 11, skip_self=True)
    np.testing.assert_array_equal(indices[rows], expected[0][:, 1:])
    np.testing.assert_array_equal(distances[rows], expected[1][:, 1:])
    some = blocked_product.product_nearest_of(rows, X, 11)
    np.testing.assert_array_equal(some[0], indices[rows])


@pytest.mark.parametrize("name", ["random", "outlier", "outlier out of range of float32", "binary"])
def test_the_second_device_gives_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X = CASES[name]
    expected = blocked_product.product_nearest(X, X, 5, skip_self=True, device="cpu")
    monkeypatch.setattr(blocked_product, "BLOCK_ENTRIES", 50 * len(X))
    with SecondDevice():
        result = blocked_product.product_nearest(X, X, 5, skip_self=True, device="meta")
    assert_equal_lists(result, expected)


def test_a_graphics_card_gives_the_same_bits() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    X = CASES["digits"]
    mine = blocked_product.product_nearest(X, X, 5, skip_self=True, device="cuda")
    assert_equal_lists(mine, brute_force(X, X, 5, skip_self=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["random", "many dimensions", "two far clusters", "digits"])
def test_the_error_of_the_filter_is_within_its_bound(name: str, dtype: torch.dtype) -> None:
    X = np.ascontiguousarray(CASES[name], dtype=float)
    like = torch.empty(0, dtype=dtype)
    s = build_error_bound_filter(X, X, 5, len(X), like)
    assert s is not None
    t, squares = (part.clone().numpy().astype(np.longdouble) for part in s.product(X))
    a = rounded(X, s.centre, s.exponent, like)[:, :-1].numpy().astype(np.longdouble)
    np.testing.assert_allclose(squares, (a**2).sum(axis=1), rtol=1e-5)
    true = np.ldexp(X.astype(np.longdouble) - s.centre, -s.exponent)
    norms = (true**2).sum(axis=1)
    distances = ((true[:, None] - true[None]) ** 2).sum(axis=2)
    error = t + s.alpha * norms - (distances - (a**2).sum(axis=1)[:, None])
    assert (np.abs(error) <= s.alpha * (norms[:, None] + norms) + s.tau).all()


def test_few_candidates_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []
    lengths = blocked_product.lengths

    def counted(Q: np.ndarray, X: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        measured.append(len(rows))
        return lengths(Q, X, rows, cols)

    monkeypatch.setattr(blocked_product, "lengths", counted)
    for name, most in (("random", 12), ("outlier", 12), ("digits", 12), ("constant", 10)):
        measured.clear()
        X = CASES[name]
        blocked_product.product_nearest(X, X, 9, skip_self=True)
        assert sum(measured) <= most * len(X), name


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("rows", [1, 7, 64])
def test_the_size_of_blocks_changes_nothing(
    name: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = CASES[name][:500]
    monkeypatch.setattr(blocked_product, "BLOCK_ENTRIES", rows * len(X))
    k = min(9, len(X) - 1)
    expected = brute_force(X, X, k, skip_self=True)
    assert_equal_lists(blocked_product.product_nearest(X, X, k, skip_self=True), expected)


def test_less_than_float32_products_are_not_trusted() -> None:
    X = CASES["many dimensions"]
    torch.set_float32_matmul_precision("medium")
    try:
        result = blocked_product.product_nearest(X, X, 5, skip_self=True)
    finally:
        torch.set_float32_matmul_precision("highest")
    np.testing.assert_array_equal(result[0], brute_force(X, X, 5, skip_self=True)[0])


@both_searches
def test_input_is_not_written_to(nearest: Callable) -> None:
    X = CASES["small integers"].astype(float)
    before = X.copy()
    X.flags.writeable = False
    nearest(X, X, 5, skip_self=True)
    np.testing.assert_array_equal(X, before)


@both_searches
def test_impossible_demands_are_refused(nearest: Callable) -> None:
    X = CASES["random"]
    for Q, k, skip_self, message in (
        (X, 200, True, r"k=200 .* n=200"),
        (X, 0, False, "k=0 "),
        (X * np.nan, 1, False, "Q holds NaN"),
        (X[:, :4], 1, False, r"4 features.*7"),
        (X[:9], 1, True, "not X of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            nearest(Q, X, k, skip_self=skip_self)
