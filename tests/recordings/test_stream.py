"""A stream on film: what it shows is what the method says, however the film is cut."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import sslviz
from sslviz.data.drift import turning_moons
from sslviz.memo import Memo
from sslviz.recordings import stream as streamed
from sslviz.recordings.stream import (
    Stream,
    StreamRecording,
    final_owners,
    record_stream,
    running,
    show_nearest,
    with_noise_features,
)
from sslviz.ui.stream.sidebar import rows_in
from sslviz.ui.stream.views import in_bytes, purity, shots_of, steps_of

CAPACITY = 20
SETTINGS = {"capacity": CAPACITY}


def silent(done: int) -> None:
    pass


def direct(function):
    return function


@pytest.fixture(scope="module")
def stream() -> Stream:
    moons = turning_moons(n_samples=330, turns=0.2)
    told = np.zeros(330, bool)
    told[:10] = told[60::25] = True
    return Stream(moons.X, moons.y, told, 30, 2)


@pytest.fixture(scope="module")
def film(stream) -> StreamRecording:
    return record_stream(direct, "OnlineQLP", SETTINGS, stream, 300, silent)


@pytest.mark.parametrize("Method", [sslviz.OnlineQLP, sslviz.OnlineQRLP])
def test_the_film_says_what_the_method_says_point_by_point(stream, Method):
    film = record_stream(direct, Method.__name__, SETTINGS, stream, 300, silent)
    model = Method(CAPACITY).partial_fit(stream.X[:30], stream.target[:30])
    for t, (x, label) in enumerate(zip(stream.X[30:], stream.target[30:], strict=True)):
        if label < 0:
            said = model.observe(x)
        else:
            said = model.predict([x])[0]
            model.partial_fit([x], [label])
        assert film.labels[t] == said
        assert film.radius[t + 1] == model.radius_
        there = film.births[t + 1] >= 0
        rows = stream.covered[film.births[t + 1][there]]
        np.testing.assert_array_equal(stream.X[rows], model.centroids_)
        np.testing.assert_array_equal(film.sizes[t + 1][there], model.multiplicities_)
    np.testing.assert_array_equal(film.opinions[-1][there], model.centroid_labels())


def test_a_longer_film_computes_its_new_pieces_only_and_changes_nothing(stream, film, monkeypatch):
    monkeypatch.setattr(streamed, "PIECE", 50)
    memo = Memo()
    heard: list[int] = []
    short = record_stream(memo.cache, "OnlineQLP", SETTINGS, stream, 100, heard.append)
    with memo.watch() as stages:
        long = record_stream(memo.cache, "OnlineQLP", SETTINGS, stream, 300, heard.append)
    assert [s.reused for s in stages] == [True, True, True, False, False, False, False]
    assert heard == [50, 100, 50, 100, 150, 200, 250, 300]
    for name in ("F", "births", "sizes", "opinions", "radius", "owners", "merges"):
        whole, cut = getattr(film, name), getattr(long, name)
        np.testing.assert_array_equal(whole, cut)
        if name != "merges":
            part = getattr(short, name)
            np.testing.assert_array_equal(cut[: len(part)], part)


def test_multiplicities_count_the_points_that_ended_in_a_centroid(stream, film):
    owners = final_owners(film, stream)
    assert ((owners < 0) == stream.told[30:]).all()
    there = film.births[-1] >= 0
    rows, sizes = stream.covered[film.births[-1][there]], film.sizes[-1][there]
    counted = np.array([(owners == row).sum() for row in rows])
    assert set(owners[owners >= 0]) <= set(rows)
    assert (counted <= sizes).all()
    assert (sizes - counted).sum() == 20, "those known before are the others"


def test_one_nn_knows_the_labels_that_have_come_and_no_later_ones(stream):
    said = show_nearest(stream, 300)
    for t in (0, 29, 30, 31, 150, 299):
        known = np.flatnonzero(stream.told[: 30 + t])
        nearest = KNeighborsClassifier(1).fit(stream.X[known], stream.y[known])
        assert said[t] == nearest.predict(stream.X[[30 + t]])[0]


def test_running_shares():
    right = np.array([1, 0, 1, 1], bool)
    np.testing.assert_allclose(running(right, None), [1, 1 / 2, 2 / 3, 3 / 4])
    np.testing.assert_allclose(running(right, 2), [1, 1 / 2, 1 / 2, 1])


def test_features_of_chance_are_as_wide_as_the_others_and_stay_when_more_come(stream):
    few, many = with_noise_features(stream.X, 3), with_noise_features(stream.X, 50)
    np.testing.assert_array_equal(few, many[:, :5])
    np.testing.assert_array_equal(many[:, :2], stream.X)
    assert many[:, 2:].std() == pytest.approx(stream.X.std(axis=0).mean(), rel=0.02)
    assert with_noise_features(stream.X, 0) is stream.X


def test_doubling_collapses_when_features_of_chance_are_added_and_lazy_merging_does_not(stream):
    doubling, lazy = (
        streamed.mean_centroid_count(stream.X, (0, 100), CAPACITY, merge)
        for merge in ("doubling", "lazy")
    )
    assert doubling[0] > 10 > 5 > doubling[1]
    assert (lazy == CAPACITY).all()


def test_frames_hold_every_merge_once(stream, film):
    steps = steps_of(300, 7)
    assert steps[0] == 0 and steps[-1] == 300 and (np.diff(steps[:-1]) == 7).all()
    assert len(steps_of(10_000, 1)) <= 501
    shots = shots_of(film, stream, steps)
    assert sum(shot.merges.shape[1] for shot in shots) == len(film.merges) > 0
    assert all(shot.sizes.sum() == (~stream.told[: shot.arrived]).sum() for shot in shots)


def test_the_order_of_arrival():
    y = np.array([1, 0, 2, 1, 0, 2])
    assert list(rows_in(y, "as stored")) == [0, 1, 2, 3, 4, 5]
    assert sorted(rows_in(y, "shuffled")) == [0, 1, 2, 3, 4, 5]
    assert list(y[rows_in(y, "sorted")]) == [0, 0, 1, 1, 2, 2]


def test_purity_is_the_share_of_the_majority():
    owners, truth = np.array([3, 3, 3, 7, 7, -1]), np.array([0, 0, 1, 1, 1, 0])
    assert purity(owners, truth) == 4 / 5
    assert np.isnan(purity(owners[-1:], truth[-1:]))


def test_bytes_in_words():
    assert [in_bytes(n) for n in (12, 5580, 2.5e7, 3e9)] == ["12 B", "5.58 kB", "25 MB", "3 GB"]
