"""What a page does while it waits for a worker: it leaves when nobody wants its picture any more.

A page whose control was moved again, or whose tab was closed, stops waiting at once, and what only
it had asked for is not computed. Where others come first, the page says how long that takes.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from sslviz.executor import Executor
from sslviz.ui.state.streamlit_internals import leave_if_superseded

TOLD_FROM = 2.0  # seconds: shorter waits are not worth a text


class QueueNote:
    """The text about the queue; nothing unless the machine is busy."""

    def __init__(self) -> None:
        self.element, self.text = st.empty(), ""

    def tell(self, place: int, seconds: float) -> None:
        """So many computations come first, and it takes so many seconds until the end."""
        text = queue_text(place, seconds)
        if text != self.text and (text or place == 0):
            self.element.caption(text) if text else self.element.empty()
            self.text = text

    def end(self) -> None:
        if self.text:
            self.element.empty()


_note: ContextVar[QueueNote | None] = ContextVar("note", default=None)


@contextmanager
def waiting_note(make: Callable[[], QueueNote] = QueueNote) -> Iterator[None]:
    """A place for what is said while workers compute in the block."""
    note = make()
    token = _note.set(note)
    try:
        yield
    finally:
        _note.reset(token)
        note.end()


def keep_waiting(executor: Executor, task: Future) -> None:
    """Called while a page waits: raises if its picture is not wanted any more."""
    leave_if_superseded()
    note = _note.get()
    if note is not None:
        note.tell(*executor.place(task))


def queue_text(place: int, seconds: float) -> str:
    """Place in the queue and time left; "" where there is nothing to wait for."""
    if place == 0 or seconds < TOLD_FROM:
        return ""
    before = "one computation comes" if place == 1 else f"{place} computations come"
    rounded = max(5 * round(seconds / 5), 2)
    return f"The machine is busy: {before} first, about {rounded:.0f} s left."
