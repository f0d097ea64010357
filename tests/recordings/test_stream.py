"""A recorded stream is what the method predicts, however the recording is cut into segments."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import sslviz
from sslviz.data.drift import turning_moons
from sslviz.memo import Memo
from sslviz.recordings import stream as recorded
from sslviz.recordings.stream import Stream, StreamRecording, StreamRun
from sslviz.recordings.stream_measures import (
    arrival_order,
    final_owners,
    mean_centroid_count,
    nearest_label_predictions,
    purity,
    running_accuracy,
    with_noise_features,
)
from sslviz.ui.stream.map_view import frame_steps, frames_of
from sslviz.ui.stream.views import in_bytes

CAPACITY = 20
METHODS = {
    "QLP": ("OnlineQLP", {"capacity": CAPACITY}),
    "QRLP": ("OnlineQRLP", {"capacity": CAPACITY}),
}


def started(stream: Stream, arrivals: int = 300, cached=lambda f: f, names="QLP QRLP") -> StreamRun:
    return StreamRun({name: METHODS[name] for name in names.split()}, stream, arrivals, cached)


@pytest.fixture(scope="module")
def stream() -> Stream:
    moons = turning_moons(n_samples=330, turns=0.2)
    labelled = np.zeros(330, bool)
    labelled[:10] = labelled[60::25] = True
    return Stream(moons.X, moons.y, labelled, 30, 2)


@pytest.fixture(scope="module")
def films(stream) -> dict[str, StreamRecording]:
    run = started(stream)
    run.finish()
    return run.recordings()


@pytest.fixture(scope="module")
def film(films) -> StreamRecording:
    return films["QLP"]


@pytest.mark.parametrize("Method", [sslviz.OnlineQLP, sslviz.OnlineQRLP])
def test_the_recording_holds_what_the_method_predicts_point_by_point(stream, films, Method):
    film = films[Method.abbreviation]
    model = Method(CAPACITY).partial_fit(stream.X[:30], stream.target[:30])
    for t, (x, label) in enumerate(zip(stream.X[30:], stream.target[30:], strict=True)):
        if label < 0:
            predicted = model.observe(x)
        else:
            predicted = model.predict([x])[0]
            model.partial_fit([x], [label])
        assert film.labels[t] == predicted
        assert film.radius[t + 1] == model.radius_
        there = film.births[t + 1] >= 0
        rows = stream.covered[film.births[t + 1][there]]
        np.testing.assert_array_equal(stream.X[rows], model.centroids_)
        np.testing.assert_array_equal(film.sizes[t + 1][there], model.multiplicities_)
    np.testing.assert_array_equal(film.predictions[-1][there], model.centroid_labels())


def test_a_longer_recording_computes_its_new_segments_only(stream, film, monkeypatch):
    monkeypatch.setattr(recorded, "SEGMENT", 50)
    memo = Memo()
    short_run = started(stream, 100, memo.cache, "QLP")
    short_run.finish()
    memo.log.clear()
    long_run = started(stream, 300, memo.cache, "QLP")
    long_run.finish()
    assert [s.reused for s in memo.log] == [True, True, True, False, False, False, False]
    short, long = short_run.recordings()["QLP"], long_run.recordings()["QLP"]
    for name in ("F", "births", "sizes", "predictions", "radius", "owners", "merges"):
        whole, cut = getattr(film, name), getattr(long, name)
        np.testing.assert_array_equal(whole, cut)
        if name != "merges":
            part = getattr(short, name)
            np.testing.assert_array_equal(cut[: len(part)], part)


def test_a_stopped_run_shows_the_arrivals_that_all_methods_have_seen(stream):
    run = started(stream)
    assert run.total == 6 and "0 of 300 points" in run.status()
    assert all(len(film.F) == 0 and len(film.births) == 1 for film in run.recordings().values())
    for _ in range(3):
        run.go_on(1e-9).result()
    assert {len(film.F) for film in run.recordings().values()} == {100}
    assert "100 of 300 points" in run.status() and run.share == 0.5


def test_multiplicities_count_the_points_that_ended_in_a_centroid(stream, film):
    owners = final_owners(film, stream)
    assert ((owners < 0) == stream.labelled[30:]).all()
    there = film.births[-1] >= 0
    rows, sizes = stream.covered[film.births[-1][there]], film.sizes[-1][there]
    counted = np.array([(owners == row).sum() for row in rows])
    assert set(owners[owners >= 0]) <= set(rows)
    assert (counted <= sizes).all()
    assert (sizes - counted).sum() == 20, "those known before are the others"


def test_one_nn_knows_the_labels_that_have_come_and_no_later_ones(stream):
    predicted = nearest_label_predictions(stream, 300)
    for t in (0, 29, 30, 31, 150, 299):
        known = np.flatnonzero(stream.labelled[: 30 + t])
        nearest = KNeighborsClassifier(1).fit(stream.X[known], stream.y[known])
        assert predicted[t] == nearest.predict(stream.X[[30 + t]])[0]


def test_running_accuracy():
    right = np.array([1, 0, 1, 1], bool)
    np.testing.assert_allclose(running_accuracy(right, None), [1, 1 / 2, 2 / 3, 3 / 4])
    np.testing.assert_allclose(running_accuracy(right, 2), [1, 1 / 2, 1 / 2, 1])


def test_random_features_are_as_wide_as_the_others_and_stay_when_more_come(stream):
    few, many = with_noise_features(stream.X, 3), with_noise_features(stream.X, 50)
    np.testing.assert_array_equal(few, many[:, :5])
    np.testing.assert_array_equal(many[:, :2], stream.X)
    assert many[:, 2:].std() == pytest.approx(stream.X.std(axis=0).mean(), rel=0.02)
    assert with_noise_features(stream.X, 0) is stream.X


def test_doubling_collapses_when_random_features_are_added_and_lazy_merging_does_not(stream):
    doubling, lazy = (
        mean_centroid_count(stream.X, (0, 100), CAPACITY, merge) for merge in ("doubling", "lazy")
    )
    assert doubling[0] > 10 > 5 > doubling[1]
    assert (lazy == CAPACITY).all()


def test_frames_hold_every_merge_once(stream, film):
    steps = frame_steps(300, 7)
    assert steps[0] == 0 and steps[-1] == 300 and (np.diff(steps[:-1]) == 7).all()
    assert len(frame_steps(10_000, 1)) <= 501
    frames = frames_of(film, stream, steps)
    assert sum(frame.changed.shape[1] for frame in frames) == len(film.merges) > 0
    assert all(f.sizes.sum() == (~stream.labelled[: f.arrived]).sum() for f in frames)


def test_the_order_of_arrival():
    y = np.array([1, 0, 2, 1, 0, 2])
    assert list(arrival_order(y, "as stored")) == [0, 1, 2, 3, 4, 5]
    assert sorted(arrival_order(y, "shuffled")) == [0, 1, 2, 3, 4, 5]
    assert list(y[arrival_order(y, "sorted")]) == [0, 0, 1, 1, 2, 2]


def test_purity_is_the_share_of_the_majority():
    owners, truth = np.array([3, 3, 3, 7, 7, -1]), np.array([0, 0, 1, 1, 1, 0])
    assert purity(owners, truth) == 4 / 5
    assert np.isnan(purity(owners[-1:], truth[-1:]))


def test_bytes_in_words():
    assert [in_bytes(n) for n in (12, 5580, 2.5e7, 3e9)] == ["12 B", "5.58 kB", "25 MB", "3 GB"]
