"""Streams: data sets in order of arrival, and drift as declared."""

import numpy as np
import pytest

from sslviz import data
from sslviz.data.drift import DRIFTING, as_stream, batches, coming_and_going, turning_moons

every_stream = pytest.mark.parametrize("stream", DRIFTING.values(), ids=DRIFTING)


@pytest.mark.parametrize("order", ["shuffled", "sorted", "as stored"])
def test_an_order_changes_the_order_only(order: str) -> None:
    d = data.load("wine")
    s = as_stream(d, order, 3)
    pairs = {(tuple(x), int(c)) for x, c in zip(d.X, d.y, strict=True)}
    assert pairs == {(tuple(x), int(c)) for x, c in zip(s.X, s.y, strict=True)}
    assert s.n_samples == d.n_samples and s.classes == d.classes
    np.testing.assert_array_equal(s.X, as_stream(d, order, 3).X)
    assert (np.diff(s.y) >= 0).all() == (order != "shuffled")
    assert np.array_equal(s.X, d.X) == (order == "as stored")
    with pytest.raises(ValueError, match="order='backwards'"):
        as_stream(d, "backwards")


def test_batches_are_the_whole_stream() -> None:
    d = turning_moons(n_samples=103)
    parts = list(batches(d, 10))
    assert [len(y) for _, y in parts] == [10] * 10 + [3]
    np.testing.assert_array_equal(np.vstack([X for X, _ in parts]), d.X)
    np.testing.assert_array_equal(np.concatenate([y for _, y in parts]), d.y)
    with pytest.raises(ValueError, match="size=0"):
        next(batches(d, 0))


@every_stream
def test_the_seed_determines_the_stream(stream) -> None:
    a, b, other = (stream(n_samples=200, random_state=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(a.X, b.X)
    np.testing.assert_array_equal(a.y, b.y)
    assert not np.array_equal(a.X, other.X)
    assert a.about and a.name in DRIFTING and set(a.y) == set(range(len(a.classes)))
    with pytest.raises(ValueError, match="noise"):
        stream(noise=-1)


def test_half_a_turn_exchanges_the_moons() -> None:
    still = turning_moons(n_samples=4000, noise=0, turns=0)
    turned = turning_moons(n_samples=4000, noise=0, turns=0.5)
    last = slice(-100, None)
    np.testing.assert_allclose(turned.X[:1], still.X[:1])
    mirrored = [1.0, 0.5] - still.X[last]  # half a turn about the common centre
    np.testing.assert_allclose(turned.X[last], mirrored, atol=0.15)
    whole = turning_moons(n_samples=4000, noise=0, turns=1)
    np.testing.assert_allclose(whole.X[last], still.X[last], atol=0.3)


def test_there_is_always_one_cluster_of_each_class_and_one_moves_at_a_time() -> None:
    d = coming_and_going(n_samples=1200, noise=0, lives=12)
    places_before = None
    for rows in np.array_split(np.arange(1200), 12):
        pairs = {(tuple(np.round(x, 6)), int(c)) for x, c in zip(d.X[rows], d.y[rows], strict=True)}
        assert len(pairs) == 3 and {c for _, c in pairs} == {0, 1, 2}
        assert len({place for place, _ in pairs}) == 3
        assert places_before is None or len(pairs & places_before) == 2  # one has moved
        places_before = pairs
