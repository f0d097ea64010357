"""One worker process as the server sees it, and objects that have such a process to themselves."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection
from typing import Any

from sslviz.executor import worker
from sslviz.executor.base import HostEvicted, WorkerLost
from sslviz.executor.order import UNKNOWN, Task

OPEN_FILES = 32_768
LOST = (
    "This computation was ended twice by the operating system, probably because the memory of "
    "the machine is full. Try fewer points or a smaller setting."
)
EVICTED = "Too many computations are kept at a time, and this one was not used. Start it again."


class Process:
    """A worker process, and the task it computes."""

    def __init__(self, pid: int, connection: Connection, host: bool):
        self.pid, self.connection, self.host = pid, connection, host
        self.task: Task | None = None
        self.ended, self.evicted, self.used = False, False, time.monotonic()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class ProcessHost:
    """An object in a process of its own."""

    def __init__(self, executor: Any, process: Process, recipe: tuple, owner: str):
        self._executor, self._process, self._owner = executor, process, owner
        self._made: Task | None = self._send(worker.hold, *recipe)

    def call(self, method: str, *args: Any, background: bool = False) -> Future:
        if self._made is not None and self._made.done():
            self._made.result()  # raises what making the object raised
            self._made = None
        return self._send(worker.ask, method, args, background=background)

    def _send(self, func: Callable[..., Any], *args: Any, background: bool = False) -> Task:
        call: tuple = (func, args, {})
        return self._executor.add(
            Task(self._executor, call, self._owner, UNKNOWN, self._process, background)
        )

    def withdraw(self, call: Future) -> bool:
        return self._executor.withdraw(call)

    def close(self) -> None:
        self._process.kill()


def lost_error(task: Task) -> WorkerLost:
    """Why a task has no process any more."""
    evicted = task.host is not None and task.host.evicted
    return HostEvicted(EVICTED) if evicted else WorkerLost(LOST)


def allow_many_files() -> None:
    """Raise the limit of open files: every array mapped from a file counts as one."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
