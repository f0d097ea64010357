"""The runs of a server, shared by all sessions."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

RUNS_KEPT = 24  # the most recently used


class RunStore:
    """The most recently used runs by name; thread-safe.

    Sessions that ask for the same name share one run; one that has failed or was cancelled is
    started again. A run that is dropped goes on for the sessions that watch it.
    """

    def __init__(self, capacity: int = RUNS_KEPT):
        self._capacity, self._lock = capacity, threading.Lock()
        self._runs: OrderedDict[str, Any] = OrderedDict()
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
            with self._lock:
                self._starting.pop(name, None)
                self._runs[name] = found
                self._runs.move_to_end(name)
                while len(self._runs) > self._capacity:
                    self._runs.popitem(last=False)
        return found

    def find(self, name: str) -> Any | None:
        """The run of this name, or None."""
        with self._lock:
            return self._usable(name)

    def forget(self, name: str) -> None:
        """Drop a run, so that the next request starts it anew."""
        with self._lock:
            self._runs.pop(name, None)

    def _usable(self, name: str) -> Any | None:
        found = self._runs.get(name)
        if found is None or found.error is not None or found.cancelled:
            return None
        self._runs.move_to_end(name)
        return found
