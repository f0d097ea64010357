"""Runs on a page: shared by sessions, drawn while they go on, stopped and continued."""

import threading
import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run
from sslviz.recordings.store import RunStore
from sslviz.ui import runs


def counting() -> None:
    """A page that watches ten steps; the test holds the run."""
    import streamlit as st

    from sslviz.recordings.run import Run
    from sslviz.ui.runs import start_run, watch

    def start() -> Run:
        run = Run(iter(range(10)))
        run.total = 10
        return run

    run, stage = start_run("counting", start)
    watch(run, lambda: st.write(f"at {run.taken}"))
    st.write("reused" if stage.reused else "computed")


@pytest.fixture
def app(monkeypatch) -> AppTest:
    """The page, with a run of which no step is taken before a page asks for it."""
    monkeypatch.setattr(runs, "FIRST_PICTURE", 0.0)
    runs.run_store.clear()
    return AppTest.from_function(counting, default_timeout=60)


def the_run() -> Run:
    return runs.run_store().find("counting")


def texts(app: AppTest) -> list[str]:
    assert not app.exception
    return [m.value for m in app.markdown]


def test_a_run_that_is_quickly_done_is_drawn_once_without_a_bar(app, monkeypatch):
    monkeypatch.setattr(runs, "FIRST_PICTURE", 60.0)
    app.run()
    assert texts(app) == ["at 10", "computed"] and not app.button
    app.run()
    assert texts(app) == ["at 10", "reused"]


def test_the_first_picture_does_not_wait_and_has_a_button_that_stops(app):
    app.run()
    assert texts(app)[0] == "at 0" and app.button[0].label == "Stop here"


def test_a_run_can_be_stopped_and_continued(app):
    app.run()
    the_run().go_on(1e-9).result()
    app.button[0].click().run()
    assert texts(app)[0] == "at 1" and app.button[0].label == "Continue"
    app.run()
    assert texts(app)[0] == "at 1", "it stays where it was stopped"
    app.button[0].click().run()
    assert app.button[0].label == "Stop here"
    the_run().finish()
    app.run()
    assert texts(app)[0] == "at 10" and not app.button


class Kept(Run):
    def __init__(self, steps):
        super().__init__(steps)
        self.kept: list[int | None] = []

    def take(self, step):
        self.kept.append(step)


def test_every_step_is_taken_once_whoever_asks():
    run = Kept(iter(range(50)))
    threads = [threading.Thread(target=run.advance, args=(0.01,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.finish()
    assert run.kept == [*range(50), None] and run.done and run.taken == 50 and run.share == 1


def test_a_page_does_not_wait_for_a_long_step():
    release = threading.Event()
    run = Kept(release.wait() and i for i in range(2))
    begun = time.perf_counter()
    run.advance(0.05)
    assert time.perf_counter() - begun < 5 and run.taken == 0
    release.set()
    run.finish()
    assert run.taken == 2


def test_what_a_step_raises_reaches_the_page():
    def steps():
        yield 1
        raise ValueError("no more memory")

    run = Kept(steps())
    for _ in range(2):  # also for the next visitor: a failed run is not a finished one
        with pytest.raises(ValueError, match="no more memory"):
            run.finish()
    assert not run.done and run.taken == 1
    store = RunStore()
    assert store.get("a", lambda: run) is run and store.find("a") is None
    assert store.get("a", lambda: Kept(iter(()))) is not run, "asked for again, it starts anew"


def test_a_paused_or_cancelled_run_takes_no_steps():
    run = Kept(iter(range(5)))
    run.pause()
    run.advance(1.0)
    assert run.taken == 0
    run.resume()
    run.cancel()
    assert run.go_on(1.0) is None and run.taken == 0


def test_only_the_last_few_runs_are_kept_and_dropped_ones_go_on_for_their_watchers():
    kept, begun = RunStore(capacity=2), []

    def begin(name: str):
        def start() -> Run:
            begun.append(name)
            return Run(iter(()))

        return start

    first = kept.get("a", begin("a"))
    for name in ("b", "a", "c", "a"):
        kept.get(name, begin(name))
    assert begun == ["a", "b", "c"] and kept.get("a", begin("a")) is first
    kept.get("b", begin("b"))
    kept.get("c", begin("c"))
    first.finish()
    assert first.done and begun == ["a", "b", "c", "b", "c"]


class Recording(Run):
    """A run with an array, which takes its memory once."""

    def __init__(self, numbers: int):
        super().__init__(iter(()))
        self.frames = [np.zeros(numbers)] * 2


def test_recordings_are_bounded_in_bytes_and_the_newest_stays():
    kept = RunStore(max_bytes=1_000_000)
    for name, numbers in (("a", 60_000), ("b", 60_000), ("c", 200_000)):
        kept.get(name, lambda numbers=numbers: Recording(numbers)).finish()
    assert kept.find("a") and kept.find("b") and kept.find("c"), "c is not counted while it runs"
    kept.get("d", lambda: Recording(1)).finish()
    assert [name for name in "abcd" if kept.find(name)] == ["d"]
    kept.get("e", lambda: Recording(1)).finish()
    assert kept.find("d") and kept.find("e")


def test_sessions_that_ask_at_once_get_one_run():
    kept, begun = RunStore(), []

    def start() -> Run:
        time.sleep(0.05)
        begun.append(1)
        return Run(iter(()))

    found: list[Run] = []
    threads = [threading.Thread(target=lambda: found.append(kept.get("a", start))) for _ in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == 1 and len({id(run) for run in found}) == 1


@pytest.mark.parametrize("last", [None, 200])
def test_frames_stay_few_and_keep_the_first_and_the_newest(last):
    frames = Frames(6, last)
    for i in range(1, 201):
        frames.add(i, str(i))
        at = frames.iterations
        assert at[0] == 1 and at[-1] == i and len(at) <= 7 and at == sorted(set(at))
    assert frames.frames == [str(i) for i in frames.iterations]
    assert frame_count(1000, 10_000, 2, 40) == 10 and frame_count(10**9, 10_000, 2, 40) == 2


def test_one_visitor_gets_half_of_the_time_and_a_class_a_share_of_it():
    assert runs.pause_after(0.05, watchers=1) == 0.05
    assert 29 * 0.05 / runs.pause_after(0.05, watchers=30) < runs.DRAWING_SHARE
    assert runs.pause_after(0.5, watchers=30) == runs.LONGEST_WAIT
