"""A run: the steps of a method, taken in slices by a separate thread and drawn meanwhile.

All methods that are shown step by step use it. A run takes an iterator of records and does not
depend on pages, so that the steps can be taken by another process or machine (hosted.py). Some
steps take seconds; a page that waited for them could not react to clicks. Sessions share a run
(store.py), and it continues to exist when a script is interrupted.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any

SHORTEST_WAIT = 0.03  # seconds
LOCK = "a lock"  # stands for one in a snapshot


class Run:
    """Steps in progress: `done` when there are no more; `seconds` is the time they have taken.

    A subclass stores what it needs of each step (`take`) and describes the progress (`status`).
    Steps are taken only on request (`advance`, `go_on`), so that a run without a visitor stops by
    itself. `pause` stops it for all sessions until `resume`, `cancel` for ever.
    """

    total: int | None = None  # number of steps, if it is known
    ready = False  # whether there is something to draw before the first step
    patience = 0.0  # seconds that the first picture may wait, for methods with long steps
    begun = True  # whether there is anything of it
    awaited = False  # whether a page waits for its end instead of drawing it meanwhile

    def __init__(self, steps: Iterator[Any]):
        self._steps, self._lock = steps, threading.Lock()
        self._thread = ThreadPoolExecutor(1, "steps")
        self._slice: Future[None] | None = None
        self.taken, self.seconds = 0, 0.0
        self.done = self.paused = self.cancelled = False
        self.error: Exception | None = None  # of a step; no more steps are taken then

    def __getstate__(self) -> dict[str, Any]:
        """All that pages show: the steps taken so far, and not how to take the next ones."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("_steps", "_thread", "_slice")}
        lock = type(self._lock)
        return {k: LOCK if isinstance(v, lock) else v for k, v in state.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        locks = {k: threading.Lock() for k, v in state.items() if isinstance(v, str) and v == LOCK}
        self.__dict__.update(state | locks, _steps=iter(()), _thread=None, _slice=None)

    def take(self, step: Any | None) -> None:
        """Store what is needed of a step; None when there are no more."""

    def status(self) -> str:
        """The progress as a sentence."""
        total = "" if self.total is None else f" of {self.total:,}"
        return f"{'' if self.done else '**Running:** '}step {self.taken:,}{total}."

    @property
    def share(self) -> float | None:
        """The share of the steps taken; None if their number is not known."""
        if self.done:
            return 1.0
        return None if not self.total else min(self.taken / self.total, 1.0)

    def go_on(self, seconds: float) -> Future[None] | None:
        """Take steps for so many seconds, at least one, without waiting for them.

        Raises the error of a step, each time: a failed run is not a finished one.
        """
        with self._lock:
            if self.error is not None:
                raise self.error
            if self._slice is not None and self._slice.done():
                self._slice = None
            if self._slice is None and not self._stopped:
                self._slice = self._thread.submit(self.take_for, seconds)
            return self._slice

    def lend(self, seconds: float) -> None:
        """Nothing: a run in this process takes steps only when a picture is drawn."""

    def advance(self, seconds: float) -> None:
        """Take steps for so many seconds and wait for them, but not for a longer step."""
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
        """Take no more steps; cannot be undone."""
        self.cancelled = True
        self._thread.shutdown(wait=False)

    @property
    def _stopped(self) -> bool:
        return self.done or self.paused or self.cancelled

    def take_for(self, seconds: float) -> None:
        """Take steps for about so many seconds in this thread; for one caller at a time.

        There is no next step where less is left than half of what the last one took.
        """
        took = 0.0
        while seconds > took / 2 and not self._stopped:
            begun = perf_counter()
            try:
                step = next(self._steps, None)
                self.take(step)
            except Exception as error:
                self.error = error
                raise
            self.taken += step is not None
            self.done = step is None
            took = perf_counter() - begun
            seconds, self.seconds = seconds - took, self.seconds + took
