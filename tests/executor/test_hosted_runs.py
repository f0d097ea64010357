"""Runs in processes of their own: the same steps, paused, continued and begun anew."""

import os
import signal
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
import worker_stages as ws
from worker_stages import is_alive, lines, until

import sslviz
from sslviz.executor import processes
from sslviz.executor.processes import ProcessExecutor
from sslviz.recordings import hosted
from sslviz.recordings.clustering import ClusteringRun
from sslviz.recordings.hosted import (
    BEGAN_ANEW,
    LONGEST_SLICE,
    SNAPSHOT_INTERVAL,
    HostedRun,
    slice_after,
)
from sslviz.recordings.linkage import LinkageRun
from sslviz.recordings.network import NetworkRun
from sslviz.recordings.store import RunStore


def training(moons) -> tuple:
    """Of a method that has no clusters at first, and so no picture of them either."""
    model = sslviz.DEC(2, n_codes=2, hidden=(8,), epochs=1, tol=0, random_state=0, device="cpu")
    return model, moons.X, moons.truth, 2, np.arange(2), moons.X[:20]


SMALL: dict[str, dict] = {  # every other method that is watched while it learns
    "SEDC": {"n_hubs": 30, "hidden": (8,), "epochs": 1},
    "IMSAT": {"hidden": (8,), "epochs": 1},
    "SpectralNet": {"hidden": (8,), "batch_size": 80, "epochs": 1},
    "VaDE": {"n_codes": 2, "hidden": (8,), "pretraining_epochs": 1, "epochs": 1},
    "CatGAN": {"n_noise": 2, "hidden": (8,), "epochs": 1},
    "JULE": {"hidden": (8, 4), "share": 0.5},
    "LadderNetwork": {"hidden": (8,), "batch_size": 8, "epochs": 1},
    "VATClassifier": {"hidden": (8,), "batch_size": 8, "epochs": 1},
    "ConvNet": {"layout": "usps", "epochs": 1},
}


def small_run(name: str, moons) -> tuple:
    """The class of a run and its arguments."""
    model = getattr(sslviz, name)(**SMALL[name], random_state=0, device="cpu")
    if model.family == "network":
        return NetworkRun, (model, moons.X, moons.y, moons.truth)
    shared = model.set_params(n_clusters=2), moons.X, moons.truth, 2
    return (LinkageRun, shared) if name == "JULE" else (ClusteringRun, (*shared, np.arange(2)))


@pytest.mark.parametrize("name", SMALL)
def test_a_pause_elsewhere_changes_no_bit_of_what_is_learnt(name, moons, workers: ProcessExecutor):
    make, arguments = small_run(name, moons)
    here, there = make(*arguments), HostedRun(workers, make, arguments)
    here.finish()
    assert there.wait()
    there.advance(1e-9)
    until(lambda: there.taken > 0)
    there.pause()
    until(lambda: there._slice.done())
    there.resume()
    there.finish()
    np.testing.assert_array_equal(there.moment.P, here.moment.P)
    answers = [run.settle().predict(moons.X) for run in (there, here)]
    np.testing.assert_array_equal(*answers)
    losses = [np.array(run.settle().losses_) for run in (there, here)]
    np.testing.assert_allclose(*losses, rtol=1e-12)  # sums of slices


def test_a_training_elsewhere_is_the_same_to_the_last_bit(moons, workers: ProcessExecutor):
    here, there = (
        ClusteringRun(*training(moons)),
        HostedRun(workers, ClusteringRun, training(moons)),
    )
    here.finish()
    assert there.wait() and isinstance(there, ClusteringRun) and there.taken == 0
    there.advance(1e-9)
    until(lambda: there.taken > 0)
    there.pause()
    until(lambda: there._slice.done())
    taken = there.taken
    there.advance(1.0)
    assert there.taken == taken and "stopped at" in there.status()
    there.resume()
    there.finish()
    assert there.done and there.share == 1 and there.taken == here.taken
    np.testing.assert_array_equal(there.moment.P, here.moment.P)
    for name, term in here.terms.items():
        np.testing.assert_array_equal(there.terms[name], term)
    fitted = there.settle(), here.settle()
    np.testing.assert_array_equal(*(model.predict_proba(moons.X) for model in fitted))
    until(lambda: there._host._process.ended)  # a finished run needs no process


def test_a_run_whose_process_is_killed_begins_anew_and_says_so(workers, tmp_path: Path):
    trace = tmp_path / "trace"
    run = HostedRun(workers, ws.Counting, (str(trace),))
    assert run.wait() and not lines(trace)
    run.go_on(1e-9).result(60)
    os.kill(int(lines(trace)[0]), signal.SIGKILL)
    run.finish()
    assert run.done and run.taken == 10 and run.status().endswith(BEGAN_ANEW)
    assert len(set(lines(trace))) == 2


def test_a_run_whose_process_is_killed_before_it_has_begun_begins_anew(workers, tmp_path: Path):
    trace, gate = tmp_path / "trace", tmp_path / "gate"
    run = HostedRun(workers, ws.slow_counting, (str(trace), str(gate)))
    until(lambda: lines(trace))
    os.kill(int(lines(trace)[0]), signal.SIGKILL)
    gate.touch()
    assert run.wait() and len(set(lines(trace))) == 2 and run.status().endswith(BEGAN_ANEW)
    run.finish()
    assert run.taken == 10


def test_only_unused_runs_give_their_place_to_others(workers, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(processes, "MAX_HOSTS", 1)
    trace = tmp_path / "trace"
    first = HostedRun(workers, ws.Counting, (str(trace),))
    assert first.wait()
    first.go_on(1e-9).result(60)
    second = HostedRun(workers, ws.Counting, (str(tmp_path / "second"),))
    assert second.wait() and not first._host._process.evicted
    monkeypatch.setattr(processes, "IDLE_SECONDS", -1.0)
    third = HostedRun(workers, ws.Counting, (str(tmp_path / "third"),))
    assert third.wait()
    until(lambda: first._host._process.ended)
    first.finish()  # begins anew, however often its place is taken
    assert first.done and first.taken == 10 and len(set(lines(trace))) == 2
    assert BEGAN_ANEW not in first.status()


def test_a_run_that_nobody_asks_for_takes_no_steps(workers: ProcessExecutor, tmp_path: Path):
    run = HostedRun(workers, ws.Counting, (str(tmp_path / "trace"),), held=True)
    assert run.wait() and run.paused
    run.advance(1.0)
    assert not lines(tmp_path / "trace") and run.taken == 0
    run.resume()
    run.finish()
    assert run.taken == 10


def test_steps_that_wait_are_taken_back_when_nobody_watches_any_more(
    workers: ProcessExecutor, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(hosted, "UNWATCHED", 0.08)
    trace, gate = tmp_path / "trace", tmp_path / "gate"
    run = HostedRun(workers, ws.Counting, (str(trace),))
    assert run.wait()
    busy = [workers.submit(ws.noted, str(tmp_path / "busy"), str(gate), i) for i in (1, 2)]
    until(lambda: len(lines(tmp_path / "busy")) == 2)
    run.go_on(0.01).result(60)  # both places are taken: the steps wait, and leave
    assert run.taken == 0 and not lines(trace) and not workers._waiting
    run.awaited = True  # a page waits for the end: steps may take the place for short computations
    run.finish()
    assert run.taken == 10
    gate.touch()
    assert [len(task.result(60)) for task in busy] == [1, 2]


def test_a_run_left_before_it_began_is_ended_and_started_again_when_asked_for(workers, tmp_path):
    trace, store = tmp_path / "trace", RunStore()

    def start() -> HostedRun:
        return HostedRun(workers, ws.slow_counting, (str(trace), str(tmp_path / "gate")))

    def leave(task: Future) -> None:
        if lines(trace):
            raise KeyboardInterrupt

    run = store.get("counting", start)
    with pytest.raises(KeyboardInterrupt):
        run.wait(leave)
    until(lambda: not is_alive(int(lines(trace)[0])))
    assert run.cancelled and not run.wait()
    (tmp_path / "gate").touch()
    again = store.get("counting", start)
    assert again is not run and again.wait() and again.taken == 0
    again.cancel()


def test_what_a_step_raises_reaches_the_page(workers: ProcessExecutor):
    run = HostedRun(workers, ws.Failing)
    assert run.wait()
    for _ in range(2):
        with pytest.raises(ValueError, match="no more memory"):
            run.finish()
    assert RunStore()._usable("x") is None and run.error is not None


def test_snapshots_are_rarer_where_sending_them_takes_longer() -> None:
    assert slice_after(0.03) + 0.03 == SNAPSHOT_INTERVAL < 1 / 4, "four pictures a second"
    assert slice_after(0.3) == 0.3 and slice_after(1.0) == LONGEST_SLICE
