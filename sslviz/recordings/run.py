"""A run: the steps of a method taken in slices by a thread of its own, watched while it goes on.

One mechanism for everything that is shown step by step. A run takes an iterator of records and
knows nothing of pages: what it needs are plain functions and arrays, so that the steps can be taken
by another process or machine. Some steps last seconds; a page that waited for them would answer no
click. Sessions share a run (store.py), and it stays when a script is interrupted.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any

SHORTEST_WAIT = 0.03  # seconds: one step may take longer than the time it is given


class Run:
    """Steps under way: `done` when there are no more, `seconds` is the time they have taken.

    A subclass keeps what it needs of each step (`take`) and says how far it is (`status`). Steps
    are only taken while somebody asks for them (`advance`, `go_on`), so that a run nobody watches
    stops by itself; `pause` stops it for everybody until `resume`, `cancel` for good.
    """

    total: int | None = None  # steps, where their number is known
    ready = False  # whether there is something to draw before any step of its own
    patience = 0.0  # seconds that the first picture may wait, where one step takes long

    def __init__(self, steps: Iterator[Any]):
        self._steps, self._lock = steps, threading.Lock()
        self._thread = ThreadPoolExecutor(1, "steps")
        self._slice: Future[None] | None = None
        self.taken, self.seconds = 0, 0.0
        self.done = self.paused = self.cancelled = False

    def take(self, step: Any | None) -> None:
        """Keep what is needed of a step; None when there are no more."""

    def status(self) -> str:
        """How far the run is, as a sentence."""
        whole = "" if self.total is None else f" of {self.total:,}"
        return f"{'' if self.done else '**Running:** '}step {self.taken:,}{whole}."

    @property
    def share(self) -> float | None:
        """The part that is done, from 0 to 1; None where the number of steps is not known."""
        if self.done:
            return 1.0
        return None if not self.total else min(self.taken / self.total, 1.0)

    def go_on(self, seconds: float) -> Future[None] | None:
        """Let steps be taken for so long, at least one, without waiting for them.

        Raises what a step of the slice before has raised.
        """
        with self._lock:
            if self._slice is not None and self._slice.done():
                self._slice.result()
                self._slice = None
            if self._slice is None and not self._stopped:
                self._slice = self._thread.submit(self._take_for, seconds)
            return self._slice

    def advance(self, seconds: float) -> None:
        """Let steps be taken for so long and wait for them, but not for a long step."""
        if seconds <= 0 or self._stopped:
            return
        if (under_way := self.go_on(seconds)) is not None:
            if wait([under_way], max(seconds, SHORTEST_WAIT)).done:
                under_way.result()

    def finish(self) -> None:
        """Take all steps and wait for the end."""
        while not self._stopped:
            if (under_way := self.go_on(60.0)) is not None:
                under_way.result()

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def cancel(self) -> None:
        """Take no more steps, ever."""
        self.cancelled = True
        self._thread.shutdown(wait=False)

    @property
    def _stopped(self) -> bool:
        return self.done or self.paused or self.cancelled

    def _take_for(self, seconds: float) -> None:
        while seconds > 0 and not self._stopped:
            begun = perf_counter()
            step = next(self._steps, None)
            self.take(step)
            self.taken += step is not None
            self.done = step is None
            took = perf_counter() - begun
            seconds, self.seconds = seconds - took, self.seconds + took
