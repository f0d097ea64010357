"""Runs on a page: a store for all sessions, a progress bar with a stop button, repeated drawing.

run, took = start_run(name, lambda: SomeRun(...))   # the run of this name, shared
watch(run, draw)                                    # draws now and as it goes on
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, TypeVar

import streamlit as st

from sslviz.memo import Stage
from sslviz.recordings.run import Run
from sslviz.recordings.store import RunStore
from sslviz.ui.messages import stop_on_error
from sslviz.ui.once import Once

FIRST_PICTURE = 0.08  # seconds until the first picture is drawn, whether the run is done or not
REPAINT_INTERVAL = 0.4  # seconds between two pictures; clicks are handled in between
SLICE = 0.5  # seconds of steps that each picture asks for, without waiting for them
BAR_AND_BUTTON = (5, 1)  # columns: in one row the button would move under the cursor

SomeRun = TypeVar("SomeRun", bound=Run)


@Once
def run_store() -> RunStore:
    """The runs of all sessions."""
    return RunStore()


def start_run(name: str, start: Callable[[], SomeRun]) -> tuple[SomeRun, Stage]:
    """The run of this name, finished if that is quick, and the time of its steps just now."""
    begun = perf_counter()
    run: SomeRun = run_store().get(name, start)
    reused = run.done
    if not run.ready:
        patience = max(FIRST_PICTURE, run.patience)
        run.advance(max(begun + patience - perf_counter(), patience / 10))
    return run, Stage("start_run", "steps", reused, perf_counter() - begun)


def start_training(
    name: str, start: Callable[[], SomeRun], *, at_once: bool
) -> tuple[SomeRun, Stage]:
    """The run of this name; a new one waits for the button Start, unless it begins at once."""

    def new_run() -> SomeRun:
        run = start()
        if not at_once and run.share == 0:
            run.pause()
        return run

    run: SomeRun = run_store().get(name, new_run)
    if at_once and run.paused and not run.taken:
        run.resume()
    return start_run(name, new_run)


def watch(run: Run, draw: Callable[[], object], *, every: float = REPAINT_INTERVAL) -> None:
    """Draw a run now and repeatedly until it is done, with a button that stops it.

    While it runs the picture is a fragment, and only the fragment is drawn again. When the run
    ends, is stopped or continued, the whole page is drawn once.
    """
    if run.done or run.cancelled:
        with st.container():  # a fragment has one too: so the figure stays the same element
            st.container()  # in place of the progress bar
            draw()
        return
    paused = run.paused
    again = st.fragment(_draw_again, run_every=None if paused else every)
    again(run, draw, iter([True]), paused)


def _draw_again(run: Run, draw: Callable[[], object], first: Iterator[bool], paused: bool) -> None:
    """The first picture; on each later call, a picture of the present state of the run."""
    if next(first, None) is None:
        with stop_on_error():
            run.go_on(SLICE)
        if run.done or run.paused != paused:
            st.rerun()  # the whole page
    with st.container():
        show_progress(run)
    draw()


def show_progress(run: Run) -> None:
    """A bar where the number of steps is known, and a button that stops or continues the run."""
    wide, narrow = st.columns(BAR_AND_BUTTON, vertical_alignment="center")
    if run.share is None:
        wide.caption(run.status())
    else:
        wide.progress(run.share, run.status())
    key = f"run:{id(run)}"
    if run.paused:
        word = "Continue" if run.taken else "Start"
        pressed = narrow.button(word, key=f"{key}:continue", on_click=run.resume)
    else:
        pressed = narrow.button("Stop here", key=f"{key}:stop", on_click=run.pause)
    if pressed:
        st.rerun()  # the whole page: it decides whether the fragment is drawn repeatedly


def finish(run: Run) -> Any:
    """Take all steps of a run while a bar shows the progress; a rerun of the page interrupts."""
    place = st.empty()
    while not (run.done or run.paused or run.cancelled):
        run.advance(REPAINT_INTERVAL)
        if not run.done:
            place.progress(run.share or 0.0, run.status())
    place.empty()
    return run
