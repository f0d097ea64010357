"""One rule says where features have different units."""

import numpy as np
import pytest

from sslviz import LabelPropagation, data, labels
from sslviz.data import Dataset
from sslviz.data.scaling import MAX_SCALE_RATIO, scale_ratio, units_differ


@pytest.mark.parametrize(
    ("name", "differ"),
    [("wine", True), ("breast_cancer", True), ("iris", False), ("digits", False),
     ("two_moons", False)],
)  # fmt: skip
def test_built_in_sets(name, differ):
    assert units_differ(data.load(name)) == differ


def test_the_ratio_is_that_of_standard_deviations_and_constants_do_not_count():
    X = np.array([[0.0, 0, 7], [1, 300, 7], [2, 600, 7]])
    assert scale_ratio(X) == pytest.approx(300) and scale_ratio(X[:, :1]) == 1
    assert scale_ratio(data.load("wine").X) == pytest.approx(2530.3, rel=1e-4)


def test_images_and_word_counts_are_left_alone():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4)) * [1, 1, 1, 2 * MAX_SCALE_RATIO]
    y = np.arange(30) % 2
    assert units_differ(Dataset(X, y, "table", "", ("a", "b")))
    assert not units_differ(Dataset(X, y, "images", "", ("a", "b"), (2, 2)))
    counts = np.where(rng.random(X.shape) < 0.4, 0, X)
    assert not units_differ(Dataset(counts, y, "counts", "", ("a", "b")))


def test_standardising_wine_is_worth_it():
    found = []
    for standardise in (False, True):
        d = data.load("wine", standardise=standardise)
        y = labels.hide(d.y, per_class=3, random_state=0)
        right = LabelPropagation().fit(d.X, y).transduction_ == d.y
        found.append(right[y < 0].mean())
    assert found[0] < 0.5 and found[1] > 0.9
