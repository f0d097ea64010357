"""Long computations: progress by the estimated time, and a button that gives them up.

A numerical library cannot be interrupted in the middle of a call. Therefore a thread computes, and
the page only waits: it stops waiting at the button or at any other change. What has been computed
until then stays in the memory of the server.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from time import perf_counter
from typing import TypeVar

import streamlit as st

from sslviz.ui.data.data_options import POINTS_SHOWN
from sslviz.ui.messages import format_seconds
from sslviz.ui.problem import Problem
from sslviz.ui.state import page_state

SECONDS_WITHOUT_BAR = 5.0  # estimated; a shorter computation has no button
REPAINT_INTERVAL_OF_BAR = 0.5  # seconds
FULL_BAR = 0.97  # of the bar, where it takes longer than estimated

Found = TypeVar("Found")


def compute_long(work: Callable[[], Found], seconds: float, problem: Problem) -> Found:
    """The result of `work`, which is estimated to take so many seconds and draws nothing."""
    if seconds < SECONDS_WITHOUT_BAR:
        return work()
    begun, place = perf_counter(), st.container()
    thread = ThreadPoolExecutor(1, "long fit")
    future = thread.submit(copy_context().run, work)  # with the watchers of stages
    thread.shutdown(wait=False)
    if wait([future], REPAINT_INTERVAL_OF_BAR).done:
        return future.result()  # from the memory
    with place:
        bar = st.empty()
        _show_stop(problem)
    while not future.done():
        passed = perf_counter() - begun
        text = f"{format_seconds(passed)} of about {seconds:.0f} s for {len(problem.y):,} points"
        bar.progress(min(passed / seconds, FULL_BAR), text)
        wait([future], REPAINT_INTERVAL_OF_BAR)
    bar.empty()
    return future.result()


def _show_stop(problem: Problem) -> None:
    key = f"{problem.setting.dataset}.n_samples"
    if key not in st.session_state or len(problem.y) <= POINTS_SHOWN:
        return
    st.button(
        f"Stop, and show {POINTS_SHOWN:,} points",
        key="open.stop",
        icon=":material/stop_circle:",
        on_click=page_state.set_widgets,
        args=({key: POINTS_SHOWN},),
    )
