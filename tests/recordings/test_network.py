"""A recorded classifier learns what a fit learns, beside its twin, in steps of any length."""

from typing import Any

import numpy as np
import pytest

import sslviz
from sslviz import data, labels
from sslviz.data.plane_grid import plane_of
from sslviz.recordings import network as module
from sslviz.recordings.network import NetworkRun, without_unlabelled

MOONS = data.load("two_moons", n_samples=200)
Y = labels.hide(MOONS.y, per_class=3, random_state=0)
PLACES = plane_of(MOONS.X, 2, 200).places
FEW: dict[str, dict[str, Any]] = {
    "LadderNetwork": {"hidden": (12,), "epochs": 12, "batch_size": 50},
    "VATClassifier": {"hidden": (12,), "epochs": 12, "batch_size": 50},
    "ConvNet": {"layout": "usps", "epochs": 12},
}


def model(name: str) -> Any:
    return getattr(sslviz, name)(random_state=0, **FEW[name])


def run_of(name: str) -> NetworkRun:
    return NetworkRun(model(name), MOONS.X, Y, np.where(Y < 0, MOONS.y, -1), PLACES)


def take_one_step(run: NetworkRun) -> None:
    under_way = run.go_on(1e-9)
    assert under_way is not None
    under_way.result()


@pytest.mark.parametrize("name", FEW)
def test_a_run_learns_to_the_bit_what_two_fits_learn(name: str) -> None:
    run, fitted = run_of(name), model(name).fit(MOONS.X, Y)
    run.finish()
    hidden = Y < 0
    np.testing.assert_array_equal(run.moment.P, fitted.predict_proba(MOONS.X))
    assert run.accuracy == np.mean((fitted.transduction_ == MOONS.y)[hidden])
    assert run.share == 1.0 and "Trained for" in run.status()
    assert set(run.terms) == set(run.training.objective.names)
    assert run.frames.iterations[-1] == run.losses.iterations[-1] == run.iteration
    assert run.moment.field.shape == (len(PLACES), 2)
    twin = without_unlabelled(model(name))
    assert (twin is None) == (name == "ConvNet") == np.isnan(run.twin_accuracy)
    if twin is not None:
        alone = twin.fit(MOONS.X, Y).transduction_
        assert run.twin_accuracy == np.mean((alone == MOONS.y)[hidden])
        assert without_unlabelled(twin) is None


def test_a_pause_keeps_what_is_learnt_and_continuing_is_as_if_there_had_been_none() -> None:
    run = run_of("VATClassifier")
    take_one_step(run)
    run.pause()
    at = run.iteration
    run.finish()
    assert 0 < run.iteration == at and f"stopped at iteration {at}" in run.status()
    np.testing.assert_array_equal(run.settle().predict_proba(MOONS.X), run.moment.P)
    run.resume()
    run.finish()
    fitted = model("VATClassifier").fit(MOONS.X, Y)
    np.testing.assert_array_equal(run.moment.P, fitted.predict_proba(MOONS.X))


def test_a_run_that_stops_shows_its_inside_of_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PICTURE_SECONDS", 1e3)  # no time for another one
    run = run_of("LadderNetwork")
    for _ in range(2):
        take_one_step(run)
    before = run.picture["rebuilt"]
    run.complete()
    assert not np.array_equal(run.picture["rebuilt"], before)
    present = run.training.objective.picture()["rebuilt"]
    np.testing.assert_array_equal(run.picture["rebuilt"], present)


def test_points_take_turns_where_a_prediction_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECORDED_ROWS", 30)
    monkeypatch.setattr(module, "PREDICTION_SECONDS", 0.0)  # ten at a time
    run = run_of("LadderNetwork")
    take_one_step(run)
    first = run.moment.P
    assert first.any(axis=1).all(), "every point once, after the first iteration"
    take_one_step(run)
    anew = (run.moment.P != first).any(axis=1)
    assert run.takes_turns and anew.sum() == 10
    while run.iteration < module.SHORTEST_GAP:
        take_one_step(run)
    recorded = run.frames.frames[-1]
    assert recorded.iteration == module.SHORTEST_GAP and recorded.P.any(axis=1).all()
    assert np.isfinite(run.accuracy)
    run.complete()
    np.testing.assert_array_equal(run.moment.P, run.settle().predict_proba(MOONS.X))


@pytest.mark.parametrize("name", ["VATClassifier", "ConvNet"])
def test_film_and_charts_do_not_depend_on_how_fast_the_computer_is(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for seconds in (0.0, 1e3):  # of a step: one iteration, or as many as there may be
        monkeypatch.setattr(module, "STEP_SECONDS", seconds)
        run = run_of(name)
        run.finish()
        found.append(run)
    slow, fast = found
    assert slow.taken > fast.taken
    assert slow.frames.iterations == fast.frames.iterations
    assert slow.losses.frames == fast.losses.frames
    for one, other in zip(slow.frames.frames, fast.frames.frames, strict=True):
        np.testing.assert_array_equal(one.P, other.P)
        np.testing.assert_array_equal(one.field, other.field)


def test_steps_are_short_enough_to_stop_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEP_SECONDS", 0.0)  # one iteration a step
    run = run_of("ConvNet")
    run.finish()
    assert run.taken == run.iterations == run.iteration == 12


def test_without_known_classes_there_is_no_accuracy() -> None:
    run = NetworkRun(model("VATClassifier"), MOONS.X, Y, np.full(200, -1))
    take_one_step(run)
    assert np.isnan(run.accuracy) and run.moment.P.any() and run.moment.field is None
