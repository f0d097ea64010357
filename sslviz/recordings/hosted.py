"""A run in a process of its own: pages hold its latest snapshot, and watching costs it nothing.

    run = HostedRun(executor, DictionaryRun, (model, X, y))

The snapshot is the run itself as it was after a slice of steps, without its iterator. All that a
run shows is asked of the snapshot. If the process is killed, the run begins anew.
"""

import threading
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from time import monotonic, perf_counter
from types import MappingProxyType
from typing import Any

from sslviz.executor import Executor, HostEvicted, WorkerLost
from sslviz.recordings.run import Run

# Seconds between two snapshots, steps and sending together. Sending takes at most half of them:
# where it takes longer, or others' computations come first, snapshots are rarer.
SNAPSHOT_INTERVAL, LONGEST_SLICE = 0.16, 0.4
AWAITED_SLICE = 1.0  # where a page waits for the end instead
UNWATCHED = 2.0  # seconds after which steps that nobody asks for any more are not begun
POLL = 0.05  # seconds between two looks whether the first snapshot is still wanted
RESTARTS = 2  # of a run whose process is killed
BEGAN_ANEW = " It began anew, because its process was ended by the system."


class RunHolder:
    """What lives in the other process."""

    def __init__(self, make: Callable[..., Run], args: tuple, kwargs: dict):
        self._run = make(*args, **kwargs)

    def take(self, seconds: float) -> Run:
        """Take steps for some seconds, at least one unless 0 are asked for; the run after them."""
        self._run.take_for(seconds)
        return self._run


class HostedRun:
    """Has the methods of a `Run`, and whatever else the snapshot has.

    Steps are taken as long as somebody asks for them: `go_on(seconds)` extends the time. A run that
    is `held` and has not begun is paused.
    """

    def __init__(
        self,
        executor: Executor,
        make: Callable[..., Run],
        args: tuple = (),
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        *,
        owner: str = "",
        held: bool = False,
    ):
        self._executor, self._owner, self._recipe = executor, owner, (make, args, dict(kwargs))
        self._lock, self._thread = threading.Lock(), ThreadPoolExecutor(1, "steps")
        self._slice: Future[None] | None = None
        self._until, self._restarts, self._waiting = 0.0, 0, 0
        self._slice_seconds = slice_after(0.0)
        self._latest: Run | None = None
        self.paused, self.cancelled, self.awaited = held, False, False
        self.error: Exception | None = None
        self.changes = 0  # snapshots so far
        self._begin()
        self._first = self._host.call("take", 0.0)

    # the code of Run, for an object that is none
    _go_on: Any = Run.go_on
    advance: Any = Run.advance
    finish: Any = Run.finish
    _stopped: Any = Run._stopped

    def _begin(self) -> None:
        self._host = self._executor.host(RunHolder, *self._recipe, owner=self._owner)
        weakref.finalize(self, self._host.close)

    def wait(self, on_wait: Callable[[Future], object] = lambda task: None) -> bool:
        """Wait for the first snapshot; if `on_wait` raises, the caller leaves.

        When the last one has left, the run is cancelled; False if it was before.
        """
        with self._lock:
            if self.cancelled:
                return False
            self._waiting += 1
        try:
            while self._latest is None:
                wait_for([self._first], POLL)
                if self._first.done():
                    self._take_first(self._first)  # raises what making the run raised
                else:
                    on_wait(self._first)
            return True
        finally:
            with self._lock:
                self._waiting -= 1
                unwanted = not self._waiting and not self._first.done()
                self.cancelled |= unwanted
            if unwanted:
                self.cancel()

    def snapshot(self) -> Run:
        """The run as it was after its last slice of steps."""
        while (latest := self._latest) is None:
            self._take_first(self._first)
        return latest

    def _take_first(self, first: Future) -> None:
        """Wait for the first snapshot; if the process ends before, the run begins anew."""
        try:
            snapshot = first.result()
        except Exception as error:
            if isinstance(error, WorkerLost) and self._begins_again(first):
                return
            self.error = error
            raise
        with self._lock:
            if self._latest is None:
                self.paused = self.paused and not snapshot.share
                self._take(snapshot)

    def _begins_again(self, lost: Future) -> bool:
        """Begin in another process, unless another thread has; False if that was done too often."""
        with self._lock:
            if self._first is not lost:
                return True
            if self._restarts == RESTARTS or self.cancelled:
                return False
            self._restarts += 1
            self._begin()
            self._first = self._host.call("take", 0.0)
            return True

    def _take(self, snapshot: Run) -> None:
        snapshot.paused = self.paused
        self._latest, self.changes = snapshot, self.changes + 1
        if snapshot.done:
            self._host.close()

    def go_on(self, seconds: float) -> Future[None] | None:
        """Take steps for so many seconds from now, without waiting for them."""
        self._until = max(self._until, monotonic() + seconds)
        return self._go_on(seconds)

    def lend(self, seconds: float) -> None:
        """Let steps that are being taken go on for so many seconds."""
        if not self._stopped:
            self.go_on(seconds)

    def take_for(self, seconds: float) -> None:
        """Take slices of steps until nobody asks for more."""
        while not self._stopped:
            try:
                self._take_slice(
                    AWAITED_SLICE if self.awaited else min(seconds, self._slice_seconds)
                )
            except HostEvicted:
                self._begin()
            except WorkerLost as error:
                if self._restarts == RESTARTS or self.cancelled:
                    self.error = error
                    raise
                self._restarts += 1
                self._begin()
            except Exception as error:
                self.error = error
                raise
            if (seconds := self._until - monotonic()) <= 0:
                return

    def _take_slice(self, seconds: float) -> None:
        """One slice and its snapshot; what it took beyond its steps decides on the next one."""
        before, begun = self.snapshot().seconds, perf_counter()
        answer = self._host.call("take", seconds, background=not self.awaited)
        while not answer.done():
            wait_for([answer], UNWATCHED / 8)
            if monotonic() > self._until + UNWATCHED and self._host.withdraw(answer):
                return
        self._take(answer.result())
        sending = perf_counter() - begun - (self.snapshot().seconds - before)
        self._slice_seconds = slice_after(sending)

    @property
    def begun(self) -> bool:
        """Whether the first snapshot has arrived."""
        return self._latest is not None

    @property
    def done(self) -> bool:
        return self.snapshot().done

    def pause(self) -> None:
        self.paused = self.snapshot().paused = True

    def resume(self) -> None:
        self.paused = self.snapshot().paused = False

    def cancel(self) -> None:
        """Take no more steps; cannot be undone."""
        self.cancelled = True
        self._host.close()
        self._thread.shutdown(wait=False)

    def status(self) -> str:
        return self.snapshot().status() + (BEGAN_ANEW if self._restarts else "")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.snapshot(), name)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of the run, for isinstance."""
        latest = self.__dict__.get("_latest")
        return HostedRun if latest is None else type(latest)

    def __reduce__(self) -> tuple:  # another process gets the snapshot
        return _itself, (self.snapshot(),)


def slice_after(sending: float) -> float:
    """Seconds of steps in the next slice, where sending a snapshot took some seconds."""
    return min(max(SNAPSHOT_INTERVAL - sending, sending), LONGEST_SLICE)


def _itself(run: Run) -> Run:
    return run
