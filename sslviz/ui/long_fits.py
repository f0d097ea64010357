"""Long computations: progress by the estimated time, and a button that gives them up.

A worker computes and the page waits (waiting.py). The button, like any other change, ends both.
"""

from contextlib import AbstractContextManager
from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sslviz.ui.data.data_options import POINTS_SHOWN
from sslviz.ui.messages import format_seconds
from sslviz.ui.problem import Problem
from sslviz.ui.state import page_state
from sslviz.ui.waiting import QueueNote, queue_text, waiting_note

SECONDS_WITHOUT_BAR = 5.0  # estimated; a shorter computation has no button
REPAINT_INTERVAL_OF_BAR = 0.5  # seconds
FULL_BAR = 0.97  # of the bar, where it takes longer than estimated


def long_fit(problem: Problem, seconds: float) -> AbstractContextManager[None]:
    """A context for a computation that is estimated to take so many seconds."""
    return waiting_note(partial(FitBar, problem, seconds))


class FitBar(QueueNote):
    """A bar with the time left, and a button."""

    def __init__(self, problem: Problem, seconds: float):
        super().__init__()
        self.problem, self.seconds = problem, seconds
        self.begun = self.drawn = perf_counter()
        self.bar: DeltaGenerator | None = None

    def tell(self, place: int, seconds: float) -> None:
        now = perf_counter()
        if self.seconds < SECONDS_WITHOUT_BAR:
            return super().tell(place, seconds)
        if now - self.drawn < REPAINT_INTERVAL_OF_BAR:
            return
        self.drawn, passed = now, now - self.begun
        if self.bar is None:
            with self.element.container():
                self.bar = st.empty()
                _show_stop(self.problem)
        n = len(self.problem.y)
        text = f"{format_seconds(passed)} of about {self.seconds:.0f} s for {n:,} points"
        self.text = f"{text}. {queue_text(place, seconds)}"
        self.bar.progress(min(passed / self.seconds, FULL_BAR), self.text)


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
