"""A watched training: it learns what a fit learns, in slices, and keeps the moments of its way."""

import numpy as np
import pytest

import sslviz
from sslviz import data
from sslviz.data.plane_grid import plane_of
from sslviz.metrics import clustering_accuracy, confident_argmax
from sslviz.recordings import clustering as module
from sslviz.recordings.clustering import TrainingRecording

EPOCHS = 2


@pytest.fixture(scope="module")
def moons():
    return data.load("two_moons", n_samples=200)


def model(name: str):
    return getattr(sslviz, name)(n_clusters=2, epochs=EPOCHS, random_state=0)


def training(name: str, moons, **more) -> TrainingRecording:
    plane = plane_of(moons.X, 2, 200)
    return TrainingRecording(model(name).training(moons.X), moons.y, 2, np.arange(2), plane, **more)


def finish(found: TrainingRecording, slices: float) -> int:
    """Learn to the end in slices of so many seconds: how many there were."""
    found.go()
    count = 0
    while found.running:
        found.slice = slices
        found.learn(EPOCHS)
        count += 1
    return count


@pytest.mark.parametrize("name", ["IMSAT", "SpectralNet"])
def test_slices_learn_to_the_bit_what_a_fit_learns(name, moons):
    found = training(name, moons)
    assert finish(found, 0.03) > 2
    fitted = model(name).fit(moons.X)
    np.testing.assert_array_equal(found.labels, fitted.labels_)
    np.testing.assert_allclose(found.P, fitted.predict_proba(moons.X), atol=1e-12)
    assert found.accuracy == clustering_accuracy(moons.y, fitted.labels_)


def test_the_autoencoder_comes_first_and_both_parts_learn_what_a_fit_learns(moons):
    dec = model("DEC")
    found = TrainingRecording(
        dec.pretraining(moons.X),
        moons.y,
        2,
        np.arange(2),
        then=lambda first: dec.training(moons.X, first),
    )
    assert not found.P.any() and found.iterations is None
    assert not confident_argmax(found.P).any(), "nothing to say before there are clusters"
    finish(found, 0.2)
    np.testing.assert_array_equal(found.labels, model("DEC").fit(moons.X).labels_)
    assert 0 < found.iterations <= EPOCHS * 100


def test_a_pause_keeps_what_is_learnt_and_going_on_is_as_if_there_had_been_none(moons):
    found = training("SEDC", moons)
    found.go(until=100)
    while found.running:
        found.learn(EPOCHS)
    assert found.iteration == 100 and not found.done(EPOCHS)
    stopped = model("SEDC").settle(found.course)
    np.testing.assert_array_equal(found.labels, stopped.labels_)
    finish(found, 0.1)
    np.testing.assert_array_equal(found.labels, model("SEDC").fit(moons.X).labels_)


def test_moments_are_few_evenly_spaced_and_hold_both_ends(moons, monkeypatch):
    monkeypatch.setattr(module, "FRAMES", 6)
    found = training("SEDC", moons)
    for _ in range(57):
        found.course.advance(1)
        found.look()
    at = [m.iteration for m in found.moments]
    assert at[0] == 0 and at[-1] == 57 and 3 < len(at) <= 6
    assert max(np.diff(at)) <= 4 * min(np.diff(at)[:-1])
    np.testing.assert_allclose(found.moments[-1].P / 255, found.P, atol=1 / 255)


def test_points_are_asked_in_turn_where_time_is_short(moons, monkeypatch):
    found = training("SEDC", moons)
    monkeypatch.setattr(module, "LOOK", 0.0)
    monkeypatch.setattr(module, "BLOCK", 100)
    found.P[:] = -1
    for asked in (100, 200, 200):
        found.look()
        assert (found.P[:, 0] >= 0).sum() == asked
    assert (found.P[:100] >= 0).all()


def test_slow_drawing_leaves_less_time_to_learn(moons):
    found = training("SEDC", moons)
    for _ in range(20):
        found.took(found.slice + 0.15)
    assert found.slice == pytest.approx(module.REPAINT - 0.15, abs=1e-3)
    for _ in range(20):
        found.took(found.slice + 5.0)
    assert found.slice == module.SLICE[0]


def test_the_pace_counts_drawing_but_no_pauses(moons, monkeypatch):
    now = [100.0]  # a clock that only the test moves
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    found = training("SEDC", moons)
    advance = found.course.advance

    def slow(count):
        now[0] += 0.1
        return advance(1)

    monkeypatch.setattr(found.course, "advance", slow)
    found.slice = 0.05  # one iteration
    for _ in range(4):
        found.go()
        for _ in range(5):
            found.learn(EPOCHS)
            now[0] += 0.3  # drawn
        found.pause()
        now[0] += 1.0
    assert found.iteration == 20
    assert found.pace == pytest.approx((20 * 0.1 + 16 * 0.3) / 20)
    found.go()
    now[0] += 1000  # on another page
    found.learn(EPOCHS)
    assert found.pace < 0.4


def test_what_first_weights_say_is_no_ground(moons):
    found = training("SEDC", moons)
    assert found.ground is None and found.moments[0].ground is not None
    found.go()
    found.learn(EPOCHS)
    assert found.ground is not None
