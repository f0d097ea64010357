"""Steps of a method taken in slices, while a page draws how far they have come.

They are taken in a thread of their own: some last seconds, and a page that waited for them would
answer no click. Sessions share them, and whatever interrupts a script, they stay.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any, TypeVar

from sslviz.memo import Stage
from sslviz.ui.runs import run_store

AT_ONCE = 0.08  # seconds after which the first picture is drawn, however far it is
PATIENCE = 0.03  # seconds that it waits at least: one step may take longer than it is given
EVERY = 0.4  # seconds between two pictures: clicks are answered in the time that drawing leaves
SLICE = 0.5  # seconds of steps that a picture asks for and does not wait for


class BackgroundRun(ABC):
    """Steps on their way; `done` when there are no more, `seconds` is what they have cost.

    What is `ready` can be drawn as it is, before any step of its own.
    """

    ready = False

    def __init__(self, steps: Iterator[Any]):
        self._steps, self._lock = steps, threading.Lock()
        self._thread = ThreadPoolExecutor(1, "steps")
        self._slice: Future[None] | None = None
        self.done, self.seconds = False, 0.0

    @abstractmethod
    def _took(self, step: Any | None) -> None:
        """One more step is there, or none is to come."""

    @abstractmethod
    def said(self) -> str:
        """How far they have come, in words."""

    def go_on(self, seconds: float) -> Future[None]:
        """Let steps be taken for so long, one at least if any, unless some are under way."""
        with self._lock:
            if self._slice is None or self._slice.done():
                if self._slice is not None:
                    self._slice.result()  # raises what a step has raised
                self._slice = self._thread.submit(self._take, seconds)
            return self._slice

    def advance(self, seconds: float) -> None:
        """The same, and wait for them; but not for a long step."""
        if seconds <= 0 or self.done:
            return
        under_way = self.go_on(seconds)
        if wait([under_way], max(seconds, PATIENCE)).done:
            under_way.result()

    def _take(self, seconds: float) -> None:
        while seconds > 0 and not self.done:
            begun = perf_counter()
            step = next(self._steps, None)
            self._took(step)
            self.done = step is None
            took = perf_counter() - begun
            seconds, self.seconds = seconds - took, self.seconds + took


Way = TypeVar("Way", bound=BackgroundRun)


def start_run(name: str, begin: Callable[[], Way]) -> tuple[Way, Stage]:
    """The steps of this name, all of them if that is quickly done, and what they cost just now."""
    begun = perf_counter()
    way: Way = run_store().get(name, begin)
    reused = way.done
    if not way.ready:
        way.advance(max(begun + AT_ONCE - perf_counter(), AT_ONCE / 10))
    return way, Stage("first_steps", "steps", reused, perf_counter() - begun)
