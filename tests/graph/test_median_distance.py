"""The median distance is that of all pairs, whichever way it is found."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from sslviz.graph import median_distance as middle
from sslviz.graph.median_distance import median_distance, middle_distances

random = np.random.default_rng(0)
CLOUDS = {
    "plane": random.normal(size=(2200, 2)),
    "space": random.normal(size=(2101, 90)) ** 3,
    "ties": random.integers(0, 4, size=(2200, 2)).astype(float),
    "half ties": np.where(random.random((2200, 1)) < 0.7, 0.0, random.normal(size=(2200, 3))),
    "two groups": random.normal(size=(2200, 3)) + 50 * random.integers(0, 2, size=(2200, 1)),
    "one point": np.ones((2200, 2)),
    "small": random.normal(size=(7, 3)),
}


@pytest.mark.parametrize("name", CLOUDS)
def test_the_middle_of_many_pairs_is_found_without_holding_them(name: str) -> None:
    X = CLOUDS[name]
    assert (len(X) * (len(X) - 1) // 2 > middle.ALL_PAIRS_KEPT) == (len(X) > 7)
    expected = np.median(pdist(X))
    assert median_distance(X) == pytest.approx(expected, rel=1e-14, abs=0)


def test_limits_that_miss_the_middle_are_moved_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    X = CLOUDS["plane"]
    tried = []
    between = middle._count_and_keep

    def watched(*arguments) -> tuple:
        tried.append(arguments[2:])
        return between(*arguments)

    monkeypatch.setattr(middle, "_count_and_keep", watched)
    monkeypatch.setattr(middle, "PAIRS_DRAWN", 40)  # whose middle is off by a tenth
    assert median_distance(X) == pytest.approx(np.median(pdist(X)), rel=1e-14)
    assert len(tried) > 1 and tried[-1][0] < tried[0][0]


@pytest.mark.parametrize("far", [1e8, 1e12])
def test_one_far_point_does_not_blur_the_others(far: float) -> None:
    X = CLOUDS["plane"][:201].copy()
    X[3] += far
    assert median_distance(X) == pytest.approx(np.median(pdist(X)), rel=1e-14)


def test_an_even_number_of_pairs_has_two_in_the_middle() -> None:
    X = np.array([[0.0], [1.0], [3.0], [7.0]])  # 1 2 3 4 6 7
    np.testing.assert_array_equal(np.sort(middle_distances(X)), [3, 4])
    assert median_distance(X) == 3.5
    np.testing.assert_array_equal(middle_distances(X[:3]), [2])


def test_beyond_what_a_pass_may_cost_a_fixed_sample_stands_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = CLOUDS["plane"]
    monkeypatch.setattr(middle, "MAX_WORK", 10**6)
    monkeypatch.setattr(middle, "SAMPLE_POINTS", 102)
    value = median_distance(X)
    assert value == median_distance(X) != np.median(pdist(X))
    assert value == pytest.approx(np.median(pdist(X)), rel=0.2)
    assert value in pdist(X)
