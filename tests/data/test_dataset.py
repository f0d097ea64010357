"""A data set is checked, read-only, and can be subsampled with its class shares."""

from itertools import pairwise

import numpy as np
import pytest

from sslviz.content_hash import is_frozen
from sslviz.data import Dataset


def made(**changes):
    rng = np.random.default_rng(0)
    fields = {
        "X": rng.random((30, 6)),
        "y": rng.permutation(np.repeat([0, 1, 2], [20, 9, 1])),
        "name": "made",
        "about": "Made up.",
        "classes": ("a", "b", "c"),
    }
    return Dataset(**{**fields, **changes})


def test_arrays_are_read_only_copies():
    X, rows = np.ones((4, 2)), np.arange(3)
    dataset = made(X=X, y=np.array([0, 1, 2, 2]), splits={"rows": rows, "train_n": np.int64(2)})
    X[0, 0], rows[0] = 9.0, 7
    assert dataset.X[0, 0] == 1.0 and dataset.splits["rows"][0] == 0
    assert all(is_frozen(a) for a in (dataset.X, dataset.y, dataset.splits["rows"]))
    assert type(dataset.splits["train_n"]) is int
    with pytest.raises(ValueError, match="read-only"):
        dataset.X[0, 0] = 2.0


def test_a_read_only_array_is_not_copied():
    X = np.ones((30, 6))
    X.flags.writeable = False
    assert made(X=X).X is X


@pytest.mark.parametrize(
    ("given", "kept"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.int16, np.float64)],
)
def test_points_are_floats(given, kept):
    dataset = made(X=np.ones((30, 6), dtype=given), y=made().y.astype(np.int32))
    assert dataset.X.dtype == kept and dataset.y.dtype == np.int64


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": np.ones(30)}, r"X has shape \(30,\), expected samples × features"),
        ({"X": np.ones((1, 6)), "y": np.zeros(1, int)}, "at least 2 × 1"),
        ({"X": np.ones((30, 0))}, "at least 2 × 1"),
        ({"X": np.full((30, 6), "x")}, "expected numbers"),
        ({"X": np.where(np.arange(180) == 77, np.nan, 0).reshape(30, 6)}, "in 1 rows, first in 12"),
        ({"X": np.full((30, 6), np.inf)}, "missing or infinite"),
        ({"y": np.zeros(29, int)}, r"y has shape \(29,\), expected \(30,\)"),
        ({"y": np.zeros(30)}, "expected whole numbers"),
        ({"y": np.full(30, -2)}, r"y goes from -2 to -2, expected \[0, 2\], or -1"),
        ({"classes": ("a", "b")}, r"y goes from 0 to 2, expected \[0, 1\]"),
        ({"image_shape": (2, 2)}, r"image_shape=\(2, 2\) is not height × width of 6 features"),
        ({"image_shape": (2, 3, 1)}, r"image_shape=\(2, 3, 1\)"),
        ({"image_shape": (-2, -3)}, r"image_shape=\(-2, -3\)"),
    ],
)
def test_invalid_points_or_classes_are_refused_by_name(changes, message):
    with pytest.raises(ValueError, match=f"^made: .*{message}"):
        made(**changes)


def test_a_subset_keeps_shares_order_and_every_class():
    rng = np.random.default_rng(1)
    y = rng.permutation(np.repeat(np.arange(4), [500, 300, 190, 10]))
    whole = Dataset(np.arange(2000).reshape(1000, 2), y, "m", "", tuple("abcd"), (1, 2), {"t": 3})
    for n in (4, 10, 100, 500, 1000):
        part = whole.subset(n, random_state=2)
        rows = (part.X[:, 0] // 2).astype(int)
        assert (np.diff(rows) > 0).all() and (whole.y[rows] == part.y).all()
        assert len(part.y) == n and part.image_shape == (1, 2) and part.splits is None
        counts = np.bincount(part.y, minlength=4)
        assert counts.min() >= 1
        assert np.abs(counts - n * np.array([0.5, 0.3, 0.19, 0.01])).max() <= 2
        assert is_frozen(part.X)


def test_a_subset_knows_its_rows_in_the_whole():
    whole = made()
    assert whole.rows is None and whole.subset(30).rows is None
    part = whole.subset(20)
    np.testing.assert_array_equal(part.X, whole.X[part.rows])
    np.testing.assert_array_equal(part.subset(8).X, whole.X[part.subset(8).rows])
    with pytest.raises(ValueError, match="rows has shape"):
        made(rows=np.arange(3))


def test_a_larger_subset_contains_the_smaller_and_the_seed_decides():
    whole = made(X=np.arange(180.0).reshape(30, 6))
    rows = [set(whole.subset(n, 3).X[:, 0]) for n in (3, 8, 20, 30)]
    assert all(less < more for less, more in pairwise(rows))
    assert rows[1] == set(whole.subset(8, 3).X[:, 0]) != set(whole.subset(8, 4).X[:, 0])


@pytest.mark.parametrize("n", [2, 31, 5.5, -1])
def test_a_subset_too_small_for_its_classes_or_too_large_is_refused(n):
    with pytest.raises(ValueError, match=rf"n_samples={n} is not a whole number in \[3, 30\]"):
        made().subset(n)
