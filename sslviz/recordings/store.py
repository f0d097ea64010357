"""The runs of a server, shared by all sessions."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

RUNS_KEPT = 24  # the most recently used


class RunStore:
    """The most recently used runs by name; thread-safe.

    Sessions that ask for the same name share one run. A run that is dropped is cancelled.
    """

    def __init__(self, capacity: int = RUNS_KEPT):
        self._capacity, self._lock = capacity, threading.Lock()
        self._runs: OrderedDict[str, Any] = OrderedDict()
        self._starting: dict[str, threading.Lock] = {}

    def get(self, name: str, start: Callable[[], Any]) -> Any:
        """The run of this name, started if there is none."""
        with self._lock:
            if name in self._runs:
                self._runs.move_to_end(name)
                return self._runs[name]
            turn = self._starting.setdefault(name, threading.Lock())
        with turn:
            with self._lock:
                found = self._runs.get(name)
            if found is None:
                found = start()
            with self._lock:
                self._runs[name] = found
                self._runs.move_to_end(name)
                self._starting.pop(name, None)
                dropped = [self._runs.popitem(last=False)[1] for _ in self._surplus()]
        for run in dropped:
            if callable(cancel := getattr(run, "cancel", None)):
                cancel()
        return found

    def find(self, name: str) -> Any | None:
        """The run of this name, or None."""
        with self._lock:
            return self._runs.get(name)

    def _surplus(self) -> range:
        return range(max(len(self._runs) - self._capacity, 0))
