"""Which waiting computation is next: short ones first, and one long one per visitor at a time.

Steps of a run, which goes on while its pictures are watched, come after what pages wait for.

How long a call takes is estimated by what the same function took lately, scaled by the bytes of its
arguments. A computation that waits moves up by the second, so that none waits for ever.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from typing import Any

from sslviz.executor.base import name_of
from sslviz.memo import bytes_held

UNKNOWN = 0.3  # seconds that a function is assumed to take before its first call
LONG_SECONDS = 1.0  # seconds from which a computation is long
RUNS_LATER = 12.0  # seconds that the next steps of a run let others go first
QUICK = 0.003  # seconds below which a message to a worker would take longer
SIMILAR = 2.0  # sizes differ by no more than this factor
LONGEST_GUESS = 5.0  # seconds, from calls of quite another size
LONGEST_HANDICAP = 5.0  # seconds that a long computation lets short ones go first
REMEMBERED = 6  # calls of a function


class Estimates:
    """The seconds that calls of functions take."""

    def __init__(self) -> None:
        self._calls: dict[str, deque[tuple[int, float]]] = {}
        self._lock = threading.Lock()

    def add(self, func: Callable[..., Any], size: int, seconds: float) -> None:
        with self._lock:
            calls = self._calls.setdefault(name_of(func), deque(maxlen=REMEMBERED))
            calls.append((size, seconds))

    def seconds(self, func: Callable[..., Any], size: int) -> float | None:
        """What the last call of the nearest size suggests; None before the first.

        Most stages take between linear and quadratic time: larger inputs are scaled by the square,
        smaller ones linearly, so that a call is rather taken for long than for quick. For inputs of
        quite another size that is a guess, which has a bound.
        """
        with self._lock:
            calls = list(self._calls.get(name_of(func), ()))
        ratios = [(max(size, 1) / max(before, 1), took) for before, took in calls]
        if not ratios:
            return None
        nearest = min(max(r, 1 / r) for r, _ in ratios)
        guess = max(took * max(r, r * r) for r, took in ratios if max(r, 1 / r) <= nearest)
        return min(guess, LONGEST_GUESS) if nearest > SIMILAR else guess


def size_of(args: tuple, kwargs: dict) -> int:
    """Bytes of the arguments of a call."""
    return bytes_held(args) + bytes_held(tuple(kwargs.values()))


class Task(Future):
    """A call that waits for a worker or is computed by one."""

    def __init__(
        self,
        executor: Any,
        call: tuple,
        owner: str,
        seconds: float,
        host: Any = None,
        background: bool = False,
    ):
        super().__init__()
        self.background = background  # steps of a run that is watched
        self.call, self.owner, self.estimate, self.host = call, owner, seconds, host
        self.message = b""
        self.since, self.begun, self.tries = time.monotonic(), 0.0, 0
        self.seconds = 0.0  # that the call took in the worker
        self._executor = executor

    def cancel(self) -> bool:
        """End the computation, also while it runs."""
        return self._executor.end(self)

    def finish(self, value: Any = None, error: BaseException | None = None) -> bool:
        """Give it its result or error, unless it has one; whether it had none."""
        with contextlib.suppress(InvalidStateError):  # done meanwhile by another thread
            if error is not None:
                self.set_exception(error)
            else:
                self.set_result(value)
            return True
        return False

    def is_long(self, now: float) -> bool:
        passed = now - self.begun if self.begun else 0.0
        return self.background or max(self.estimate, passed) > LONG_SECONDS

    def rank(self, now: float) -> float:
        handicap = RUNS_LATER if self.background else min(self.estimate, LONGEST_HANDICAP)
        return handicap - (now - self.since)


def next_task(
    waiting: Iterable[Task], running: Iterable[Task], slots: int, idle: Callable[[Task], bool]
) -> Task | None:
    """The task that begins now, or None.

    At most `slots` long computations run at a time; one slot more is for short ones. `idle` tells
    whether there is a process for a task.
    """
    now, running = time.monotonic(), list(running)
    if len(running) > slots:
        return None
    long = [task for task in running if task.is_long(now)]
    full, busy = len(running) >= slots, {task.owner for task in long if task.owner}
    allowed = (
        task
        for task in waiting
        if idle(task)
        and not (task.is_long(now) and (full or len(long) >= slots or task.owner in busy))
    )
    return min(allowed, key=lambda task: task.rank(now), default=None)
