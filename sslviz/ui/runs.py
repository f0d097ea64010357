"""Runs on a page: a store for all sessions, a progress bar with a stop button, repeated drawing.

run, took = start_run(name, SomeRun, *arguments)   # the run of this name, shared
watch(run, draw)                                   # draws now and as it goes on
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from time import monotonic, perf_counter, sleep
from typing import Any

import streamlit as st

from sslviz.memo import Stage
from sslviz.memory_bound import results_bound
from sslviz.recordings.hosted import HostedRun
from sslviz.recordings.store import RunStore
from sslviz.ui.errors import fragment
from sslviz.ui.messages import stop_on_error
from sslviz.ui.once import Once
from sslviz.ui.server import executor
from sslviz.ui.state.slots import RUN_GOES_ON
from sslviz.ui.state.streamlit_internals import (
    is_run_waiting,
    sending_together,
    session_id,
)
from sslviz.ui.waiting import keep_waiting

FIRST_PICTURE = 0.08  # seconds until the first picture is drawn, whether the run is done or not
REPAINT_INTERVAL = 0.1  # seconds between two pictures at least; clicks are handled in between
SLICE = 0.5  # seconds of steps that each picture asks for, without waiting for them
LEASE = 3.0  # seconds that a run in another process goes on after the last picture
DRAWING_SHARE = 0.3  # of the time, for the pictures of all visitors but one together
LONGEST_WAIT = 8.0  # seconds between two pictures, however many watch
WITHOUT_NEWS = 2.0  # seconds between two pictures of the same state
POLL, POLL_PER_WATCHER = 0.1, 0.02  # seconds at most, and for each session that watches
BAR_AND_BUTTON = (5, 1)  # columns: in one row the button would move under the cursor


@Once
def run_store() -> RunStore:
    """The runs of all sessions."""
    return RunStore(max_bytes=results_bound())


def find_or_begin(
    name: str, make: Callable[..., Any], args: tuple, kwargs: dict[str, Any], held: bool = False
) -> Any:
    """The run of this name, made by `make` in a process of its own where there are workers.

    A new run that is `held` is paused. A page that is left while it waits for the beginning ends
    the run, unless others wait for it.
    """
    workers = executor()

    def begin() -> Any:
        if workers.workers and workers.ready:
            return HostedRun(workers, make, args, kwargs, owner=session_id(), held=held)
        run = make(*args, **kwargs)
        if held and run.share == 0:
            run.pause()
        return run

    while True:
        run = run_store().get(name, begin)
        if type(run) is not HostedRun or run.wait(partial(keep_waiting, workers)):
            return run


def start_run(name: str, make: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, Stage]:
    """The run of this name, finished if that is quick, and the time of its steps just now."""
    begun = perf_counter()
    return _first_slice(find_or_begin(name, make, args, kwargs), begun)


def start_training(
    name: str, make: Callable[..., Any], *args: Any, at_once: bool, **kwargs: Any
) -> tuple[Any, Stage]:
    """The run of this name; a new one waits for the button Start, unless it begins at once."""
    begun = perf_counter()
    run = find_or_begin(name, make, args, kwargs, held=not at_once)
    if at_once and run.paused and not run.taken:
        run.resume()
    return _first_slice(run, begun)


def _first_slice(run: Any, begun: float) -> tuple[Any, Stage]:
    reused = run.done
    if not run.ready:
        patience = max(FIRST_PICTURE, run.patience)
        run.advance(max(begun + patience - perf_counter(), patience / 10))
    run.lend(LEASE)
    return run, Stage("start_run", "steps", reused, perf_counter() - begun)


def watch(run: Any, draw: Callable[[], object], *, every: float = REPAINT_INTERVAL) -> None:
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
    RUN_GOES_ON.set(not paused)
    again = fragment(_draw_again, run_every=None if paused else every)
    again(run, draw, iter([True]), paused)


def _draw_again(run: Any, draw: Callable[[], object], first: Iterator[bool], paused: bool) -> None:
    """The first picture; on each later call, a picture of the present state of the run."""
    begun, later = perf_counter(), next(first, None) is None
    if later:
        with stop_on_error():
            run.go_on(SLICE)
            run.lend(LEASE)
        if run.done or run.paused != paused:
            st.rerun()  # the whole page
    drawn = run.taken
    # The first picture is awaited: what is ready comes at once, such as that the run is stopped.
    with sending_together() if later else nullcontext():
        with st.container():
            show_progress(run)
        draw()
    if later and type(run) is HostedRun:
        _let_others_draw(run, drawn, perf_counter() - begun)


def _let_others_draw(run: Any, drawn: int, seconds: float) -> None:
    """Wait after a picture that took some seconds, the longer the more sessions watch some run.

    One visitor gets up to half of the time of the interface; all others together get a share of
    it, whichever runs they watch. Without news there is no next picture. A click ends the wait.
    """
    now = monotonic()
    count = _count_watchers(now)
    crowded = now + pause_after(seconds, count)
    latest = max(crowded, now + WITHOUT_NEWS)
    while not is_run_waiting() and monotonic() < latest:
        if run.done or run.error is not None:
            break  # the next picture is the last
        if monotonic() > crowded and (run.taken != drawn or run.paused):
            break
        run.lend(LEASE)
        sleep(min(POLL, POLL_PER_WATCHER * count))


def pause_after(seconds: float, watchers: int) -> float:
    """Seconds until the next picture of a session, after one that took some seconds to draw."""
    return min(seconds * (1 + (watchers - 1) / DRAWING_SHARE), LONGEST_WAIT)


def _count_watchers(now: float) -> int:
    """Sessions that have drawn a run not long ago, this one among them."""
    _watchers[session_id()] = now
    for session, seen in list(_watchers.items()):
        if now - seen > LONGEST_WAIT + LEASE:
            _watchers.pop(session, None)
    return max(len(_watchers), 1)


_watchers: dict[str, float] = {}  # session: time of its last picture


def show_progress(run: Any) -> None:
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


def finish(name: str, make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The run of this name with all its steps; meanwhile a bar shows the progress.

    A rerun of the page interrupts.
    """
    run = find_or_begin(name, make, args, kwargs)
    run.awaited = True
    place = st.empty()
    while not (run.done or run.paused or run.cancelled):
        run.advance(REPAINT_INTERVAL)
        if not run.done:
            place.progress(run.share or 0.0, run.status())
    place.empty()
    return run
