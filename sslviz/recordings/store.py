"""The runs of a server, shared by all sessions."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from sslviz.recordings.run_size import bytes_of_run

RUNS_KEPT = 24  # the most recently used


class RunStore:
    """The most recently used runs by name, with at most `max_bytes` of recordings; thread-safe.

    Sessions that ask for the same name share one run; one that has failed or was cancelled is
    started again. A run that is dropped goes on for the sessions that watch it.
    """

    def __init__(self, capacity: int = RUNS_KEPT, max_bytes: float = float("inf")):
        self._capacity, self._max_bytes, self._lock = capacity, max_bytes, threading.Lock()
        self._runs: OrderedDict[str, Any] = OrderedDict()
        self._bytes: dict[str, int] = {}  # of runs that are done or paused
        self._starting: dict[str, threading.Lock] = {}

    def get(self, name: str, start: Callable[[], Any]) -> Any:
        """The run of this name, started if there is none."""
        with self._lock:
            if (found := self._usable(name)) is not None:
                return found
            turn = self._starting.setdefault(name, threading.Lock())
        with turn:
            with self._lock:
                found = self._usable(name)
            found = start() if found is None else found
            self._measure()
            with self._lock:
                self._starting.pop(name, None)
                self._runs[name] = found
                self._bytes.pop(name, None)
                self._runs.move_to_end(name)
                while len(self._runs) > self._capacity or self._is_full():
                    self._bytes.pop(self._runs.popitem(last=False)[0], None)
        return found

    def find(self, name: str) -> Any | None:
        """The run of this name, or None."""
        with self._lock:
            return self._usable(name)

    def forget(self, name: str) -> None:
        """Drop a run, so that the next request starts it anew."""
        with self._lock:
            self._runs.pop(name, None)
            self._bytes.pop(name, None)

    def _measure(self) -> None:
        """Count the bytes of the runs that take no steps now."""
        with self._lock:
            runs, known = dict(self._runs), set(self._bytes)
        still = {n: r for n, r in runs.items() if r.begun and (r.done or r.paused)}
        sizes = {n: bytes_of_run(r) for n, r in still.items() if r.paused or n not in known}
        with self._lock:
            self._bytes |= {name: size for name, size in sizes.items() if name in self._runs}

    def _is_full(self) -> bool:
        """Whether there are too many bytes; the newest run stays in any case."""
        return len(self._runs) > 1 and sum(self._bytes.values()) > self._max_bytes

    def _usable(self, name: str) -> Any | None:
        found = self._runs.get(name)
        if found is None or found.error is not None or found.cancelled:
            return None
        self._runs.move_to_end(name)
        return found
