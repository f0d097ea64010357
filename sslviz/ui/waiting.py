"""What a page does while it waits for a worker: it leaves when nobody wants its picture any more.

A page whose control was moved again, or whose tab was closed, stops waiting at once, and what only
it had asked for is not computed. Where others come first, the page says how long that takes.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import streamlit as st

from sslviz.executor import Executor
from sslviz.ui.state.streamlit_internals import leave_if_superseded

TOLD_FROM = 2.0  # seconds: shorter waits are not worth a text

_note: ContextVar[list[Any] | None] = ContextVar("note", default=None)  # element, last text


@contextmanager
def waiting_note() -> Iterator[None]:
    """A place for the text about the queue; empty unless the machine is busy."""
    element = st.empty()
    token = _note.set([element, ""])
    try:
        yield
    finally:
        note = _note.get()
        _note.reset(token)
        if note is not None and note[1]:
            element.empty()


def keep_waiting(executor: Executor, task: Future) -> None:
    """Called while a page waits: raises if its picture is not wanted any more."""
    leave_if_superseded()
    note = _note.get()
    if note is None:
        return
    place, seconds = executor.place(task)
    text = queue_text(place, seconds)
    if text != note[1] and (text or place == 0):
        note[0].caption(text) if text else note[0].empty()
        note[1] = text


def queue_text(place: int, seconds: float) -> str:
    """Place in the queue and time left; "" where there is nothing to wait for."""
    if place == 0 or seconds < TOLD_FROM:
        return ""
    before = "one computation comes" if place == 1 else f"{place} computations come"
    rounded = max(5 * round(seconds / 5), 2)
    return f"The machine is busy: {before} first, about {rounded:.0f} s left."
