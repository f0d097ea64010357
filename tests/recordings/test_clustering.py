"""A recorded training learns what a fit learns, in steps, and keeps frames on the way."""

import numpy as np
import pytest

import sslviz
from sslviz import data, labels
from sslviz.data.plane_grid import plane_of
from sslviz.metrics import clustering_accuracy, confident_argmax
from sslviz.recordings import training as module
from sslviz.recordings.clustering import ClusteringRun

EPOCHS = 2
MOONS = data.load("two_moons", n_samples=200)
PLACES = plane_of(MOONS.X, 2, 200).places


def model(name: str, epochs: int = EPOCHS):
    few = {"pretraining_epochs": 1} if name == "VaDE" else {}
    return getattr(sslviz, name)(n_clusters=2, epochs=epochs, random_state=0, **few)


def run_of(name: str, epochs: int = EPOCHS, **more) -> ClusteringRun:
    return ClusteringRun(model(name, epochs), MOONS.X, MOONS.y, 2, np.arange(2), PLACES, **more)


@pytest.mark.parametrize("name", ["SEDC", "IMSAT", "SpectralNet", "DEC", "VaDE", "CatGAN"])
def test_a_run_learns_to_the_bit_what_a_fit_learns(name):
    run, fitted = run_of(name), model(name).fit(MOONS.X)
    run.finish()
    P = fitted.predict_proba(MOONS.X)
    np.testing.assert_array_equal(run.moment.P.argmax(axis=1), fitted.labels_)
    np.testing.assert_allclose(run.moment.P, P, atol=1e-12)
    assert run.score[1] == clustering_accuracy(MOONS.y, fitted.labels_)
    np.testing.assert_array_equal(run.settle().labels_, fitted.labels_)
    assert run.share == 1.0 and ("Trained for" in run.status() or "Converged" in run.status())
    assert set(run.terms) == set(run.training.objective.names)


def test_pretraining_comes_first_and_has_no_clusters():
    run = run_of("DEC")
    assert run.training is None and not run.moment.P.any()
    assert not confident_argmax(run.moment.P).any()
    run.take_for(1e-9)  # one step
    assert "Pretraining" in run.status() and 0 < run.share < 0.5
    assert run.losses.frames[-1].used == 0 and np.isnan(run.losses.frames[-1].accuracy)
    run.finish()
    assert 0 < run.moment.iteration <= EPOCHS * 100 and run.moment.P.any()


def test_pictures_of_the_objective_are_kept_with_every_frame():
    for name, shapes in (
        ("VaDE", {"codes": (200, 10), "means": (2, 10), "variances": (2, 10), "weights": (2,)}),
        ("CatGAN", {"fakes": (300, 2)}),
    ):
        run = run_of(name, 1)
        run.finish()
        for moment in (run.moment, *run.frames.frames):
            assert {key: a.shape for key, a in moment.picture.items()} == shapes
        first, last = (run.frames.frames[at].picture for at in (0, -1))
        assert all(not np.array_equal(first[key], last[key]) for key in shapes)


def test_with_labels_a_cluster_keeps_the_colour_of_its_class():
    given = labels.hide(MOONS.y, per_class=5, random_state=0)
    run = run_of("CatGAN", 1, given=given)
    run.finish()
    assert all(moment.order.tolist() == [0, 1] for moment in run.frames.frames)
    fitted = model("CatGAN", 1).fit(MOONS.X, given)
    np.testing.assert_array_equal(run.moment.P.argmax(axis=1), fitted.labels_)
    assert (run.moment.P.argmax(axis=1) == MOONS.y).mean() > 0.7


def test_a_pause_keeps_what_is_learnt_and_continuing_is_as_if_there_had_been_none():
    run = run_of("SEDC")
    while run.iteration < 100:
        run.advance(1e-9)
    run.pause()
    if run._slice is not None:  # a step may be under way
        run._slice.result()
    at = run.moment.iteration
    run.finish()
    assert run.moment.iteration == at and f"stopped at iteration {at}" in run.status()
    np.testing.assert_array_equal(run.settle().labels_, run.moment.P.argmax(axis=1))
    run.resume()
    run.finish()
    fitted = model("SEDC").fit(MOONS.X)
    np.testing.assert_array_equal(run.moment.P.argmax(axis=1), fitted.labels_)


def test_more_epochs_continue_a_finished_run_as_if_it_had_been_that_long(monkeypatch):
    monkeypatch.setattr(module, "MAX_STEP_SECONDS", 1e3)  # the same steps on a busy machine
    short, long = run_of("IMSAT", 1), run_of("IMSAT", 2)
    short.finish()
    longer = run_of("IMSAT", 2, before=short)
    assert longer.iteration == 100 and longer.moment is short.moment
    for run in (longer, long):
        run.finish()
    np.testing.assert_array_equal(longer.moment.P, long.moment.P)
    assert longer.frames.iterations == long.frames.iterations
    assert short.moment.iteration == 100 == short.frames.iterations[-1], "it stays as it was"


def test_frames_are_few_evenly_spaced_and_hold_both_ends(monkeypatch):
    monkeypatch.setattr(module, "FRAMES", 6)
    run = run_of("SEDC")
    run.finish()
    at = run.frames.iterations
    assert at[0] == 0 and at[-1] == 200 and 3 < len(at) <= 6
    last = run.frames.frames[-1]
    np.testing.assert_allclose(last.P / 255, run.moment.P, atol=1 / 255)
    assert last.P.dtype == last.field.dtype == np.uint8 and last.field.shape == (len(PLACES), 2)


def test_a_large_network_takes_short_steps_and_predicts_points_in_turn(monkeypatch):
    monkeypatch.setattr(module, "MAX_STEP_SECONDS", 1e-6)
    monkeypatch.setattr("sslviz.recordings.clustering.PREDICTION_SECONDS", 1e-9)
    run = run_of("SEDC", 1)
    for _ in range(3):
        run.go_on(1e-9).result()
    assert run.frames.iterations == [0, 10, 11, 12], "one iteration a step, once the speed is known"
    assert run.takes_turns and (run.moment.P != 0).any(axis=1).all()
    run.pause()
    run.complete()
    fitted = run.settle()
    np.testing.assert_array_equal(run.moment.P.argmax(axis=1), fitted.labels_)
