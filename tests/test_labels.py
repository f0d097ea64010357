"""What hiding labels promises: nothing invented, no class lost, more keeps what less kept."""

from itertools import pairwise

import numpy as np
import pytest

from sslviz.labels import UNLABELLED, hide, known_classes, one_hot


@pytest.fixture
def y():
    rng = np.random.default_rng(0)
    return rng.permutation(np.repeat([3, 7, 20], [50, 30, 1]))


def kept(hidden):
    return set(np.flatnonzero(hidden != UNLABELLED))


def test_every_kept_label_is_the_given_one(y):
    hidden = hide(y, per_class=4, random_state=1)
    given = hidden != UNLABELLED
    assert (hidden[given] == y[given]).all()
    assert hidden.shape == y.shape and hidden.dtype == y.dtype


@pytest.mark.parametrize("per_class", [1, 5, 30, 1000])
def test_per_class_keeps_so_many_of_each_class_or_all_it_has(y, per_class):
    hidden = hide(y, per_class=per_class, random_state=2)
    counts = {c: int((hidden == c).sum()) for c in (3, 7, 20)}
    assert counts == {c: min(per_class, int((y == c).sum())) for c in (3, 7, 20)}


@pytest.mark.parametrize("fraction", [1e-9, 0.1, 0.5, 1.0])
def test_fraction_keeps_its_share_but_no_class_goes_missing(y, fraction):
    for seed in range(20):
        hidden = hide(y, fraction=fraction, random_state=seed)
        assert len(kept(hidden)) == max(round(fraction * len(y)), 3)
        assert set(known_classes(hidden)) == {3, 7, 20}


@pytest.mark.parametrize("how", ["per_class", "fraction"])
def test_asking_for_more_keeps_what_was_there(y, how):
    amounts = [1, 2, 5, 20, 50] if how == "per_class" else [0.05, 0.1, 0.3, 0.9, 1.0]
    sets = [kept(hide(y, **{how: amount}, random_state=3)) for amount in amounts]
    assert all(less < more for less, more in pairwise(sets))


def test_labels_already_missing_stay_missing(y):
    y = y.copy()
    y[::2] = UNLABELLED
    y[np.flatnonzero(y != UNLABELLED)[:3]] = [3, 7, 20]
    hidden = hide(y, fraction=0.5, random_state=0)
    assert (hidden[y == UNLABELLED] == UNLABELLED).all()
    assert len(kept(hidden)) == round(0.5 * (y != UNLABELLED).sum())


def test_the_seed_decides_and_the_input_is_left_alone(y):
    before = y.copy()
    y.flags.writeable = False
    first, again = (hide(y, per_class=3, random_state=5) for _ in range(2))
    assert (first == again).all()
    assert (first != hide(y, per_class=3, random_state=6)).any()
    assert first.flags.writeable and (y == before).all()


def test_every_label_is_kept_equally_often(y):
    times = np.zeros(len(y))
    for seed in range(400):
        times[list(kept(hide(y, per_class=3, random_state=seed)))] += 1
    for c, size in ((3, 50), (7, 30)):
        expected = 400 * 3 / size
        assert np.abs(times[y == c] - expected).max() < 5 * np.sqrt(expected)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "either per_class or fraction"),
        ({"per_class": 1, "fraction": 0.5}, "either per_class or fraction"),
        ({"per_class": 0}, "per_class=0"),
        ({"per_class": 1.5}, "per_class=1.5"),
        ({"fraction": 0}, r"fraction=0 is not in \(0, 1\]"),
        ({"fraction": 1.1}, r"fraction=1.1 is not in \(0, 1\]"),
        ({"fraction": float("nan")}, "fraction=nan"),
        ({"fraction": "x"}, "fraction='x' is not in"),
    ],
)
def test_amounts_outside_their_domain_are_refused(y, options, said):
    with pytest.raises(ValueError, match=said):
        hide(y, **options)


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (np.zeros((4, 1), int), r"y of shape \(4, 1\), expected one label for every point"),
        (np.zeros(4, np.uint8), "type uint8 cannot hold -1; use a signed type"),
        (np.array(["a", "b"]), "cannot hold -1; number them"),
        (np.array([0, 1, np.nan]), "y holds NaN"),
    ],
)
def test_labels_that_cannot_be_hidden_are_refused(y, said):
    with pytest.raises(ValueError, match=f"hide: .*{said}"):
        hide(y, per_class=1)


def test_a_y_without_labels_is_refused():
    with pytest.raises(ValueError, match="no label"):
        hide(np.full(5, UNLABELLED), per_class=1)


def test_known_classes_are_sorted_and_leave_unlabelled_out():
    assert known_classes(np.array([5, -1, 2, -3, 5])).tolist() == [-3, 2, 5]
    assert known_classes(np.array(["b", "-1", "a"])).tolist() == ["-1", "a", "b"]


def test_one_hot_rows_name_the_class_and_are_empty_without_one(y):
    hidden = hide(y, per_class=2, random_state=0)
    classes = known_classes(hidden)
    Y = one_hot(hidden, classes)
    given = hidden != UNLABELLED
    assert Y.shape == (len(y), 3) and Y.dtype == np.float64
    assert (Y.sum(axis=1) == given).all()
    assert (classes[Y[given].argmax(axis=1)] == hidden[given]).all()
