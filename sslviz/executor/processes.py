"""The executor of one machine: worker processes, as many as it has cores.

A call waits in the order of order.py until a process is free. Replies are read by one thread. A
worker that ends in the middle of a call is replaced, and the call is repeated once. To end a call
its worker is killed: numerical code can be interrupted in no other way, and a new worker is forked
within a fraction of a second (nursery.py).
"""

import atexit
import contextlib
import pickle
import selectors
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any

from sslviz.executor import worker
from sslviz.executor.arrays import ArrayFiles, new_folder, remove_folder
from sslviz.executor.base import is_named
from sslviz.executor.nursery import METHODS, Nursery
from sslviz.executor.order import QUICK, UNKNOWN, Estimates, Task, next_task, size_of
from sslviz.executor.process import Process, ProcessHost, allow_many_files, lost_error
from sslviz.memory_bound import results_bound
from sslviz.paths import cache_folder

MAX_HOSTS = 12  # objects that live in processes of their own; more only while all are in use
IDLE_SECONDS = 6.0  # after which an object counts as unused: a run is used every few seconds
TRIES = 2  # of a call whose worker ends
SENDS = 3  # of a call whose arrays were deleted before they arrived


class ProcessExecutor:
    """`workers` computations at a time in processes of this machine, and one more short one."""

    given_to_each = (
        1  # news takes less than a millisecond; a second call might run beside the first
    )

    def __init__(self, workers: int, max_bytes: int = 0, warm_up: str = METHODS):
        """`max_bytes` of arrays are shared with the workers, by default as stated for a server."""
        self.workers, self.ready = workers, False
        max_bytes = max_bytes or results_bound()
        allow_many_files()
        self.files = ArrayFiles(new_folder(max_bytes), max_bytes)
        self.estimates = Estimates()
        self._nursery = Nursery(
            self.files.folder, max_bytes, str(cache_folder() / "stages"), warm_up
        )
        self._lock, self._closed = threading.RLock(), False
        self._waiting: list[Task] = []
        self._processes: list[Process] = []
        self._selector = selectors.DefaultSelector()
        threading.Thread(target=self._start, daemon=True, name="workers").start()
        atexit.register(self.close)

    # -- the interface -------------------------------------------------------------------------

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Task:
        if not is_named(func):
            raise ValueError(f"{func!r} is not a function of a module: workers could not find it")
        return self.add(Task(self, (func, args, kw), owner, self._estimate(func, args, kw)))

    def recall(
        self, key: str, func: Callable[..., Any], args: tuple, kwargs: dict, *, owner: str = ""
    ) -> Task:
        call: tuple = (worker.recall, (key, func, args, kwargs), {})
        return self.add(Task(self, call, owner, self._estimate(func, args, kwargs)))

    def _estimate(self, func: Callable[..., Any], args: tuple, kwargs: dict) -> float:
        seconds = self.estimates.seconds(func, size_of(args, kwargs))
        return UNKNOWN if seconds is None else seconds

    def host(
        self, make: Callable[..., Any], /, *args: Any, owner: str = "", **kwargs: Any
    ) -> "ProcessHost":
        self._end_idle_hosts()
        return ProcessHost(self, self._host_process(), (make, args, kwargs), owner)

    def takes(self, func: Callable[..., Any], args: tuple, kwargs: dict) -> bool:
        if not self.ready or not is_named(func):
            return False
        seconds = self.estimates.seconds(func, size_of(args, kwargs))
        return seconds is None or seconds >= QUICK

    def observe(self, func: Callable[..., Any], args: tuple, kwargs: dict, seconds: float) -> None:
        self.estimates.add(func, size_of(args, kwargs), seconds)

    def place(self, task: Future) -> tuple[int, float]:
        now = time.monotonic()
        with self._lock:
            left = [
                max(p.task.estimate - (now - p.task.begun), 0.1) for p in self._processes if p.task
            ]
            if task not in self._waiting:
                begun = getattr(task, "begun", now)
                return 0, max(getattr(task, "estimate", 0.0) - (now - begun), 0.0)
            rank = task.rank(now)
            before = [t.estimate for t in self._waiting if t.rank(now) < rank]
        own = task.estimate
        return len(before) + 1, (sum(left) + sum(before)) / self.workers + own

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            tasks = self._waiting + [p.task for p in self._processes if p.task]
            self._waiting = []
        self._nursery.close()
        for process in self._processes:
            process.kill()
        for task in tasks:
            task.finish(error=CancelledError())
        remove_folder(self.files.folder)
        atexit.unregister(self.close)

    # -- processes -----------------------------------------------------------------------------

    def _start(self) -> None:
        """Start the workers when their modules are loaded."""
        threading.Thread(target=self._read_replies, daemon=True, name="replies").start()
        with contextlib.suppress(ConnectionError):
            self._nursery.warm_up()
            for _ in range(self.workers + 1):
                self.new_process()

    def _read_replies(self) -> None:
        while not self._closed:
            for found, _ in self._selector.select(0.5):
                self._read(found.data)

    def new_process(self, host: bool = False) -> Process:
        process = Process(*self._nursery.fork(), host)
        with self._lock:
            self._processes.append(process)
            self._selector.register(process.connection, selectors.EVENT_READ, process)
            self.ready = True
            self._dispatch()
        return process

    def _host_process(self) -> Process:
        """A worker for one object: one that is free, which another replaces, or a new one."""
        with self._lock:
            free = [p for p in self._processes if not p.host and p.task is None]
            if len(free) > 1:
                free[0].host, free[0].used = True, time.monotonic()  # no idle host to be ended
                threading.Thread(target=self._replace, daemon=True).start()
                return free[0]
        return self.new_process(host=True)

    def _end_idle_hosts(self) -> None:
        """End the unused hosts where there are too many: what they hold begins anew."""
        with self._lock:
            before = time.monotonic() - IDLE_SECONDS
            wanted = {id(task.host) for task in self._waiting}
            hosts = sorted((p for p in self._processes if p.host), key=lambda p: p.used)
            idle = [p for p in hosts if not p.task and id(p) not in wanted and p.used < before]
            for process in idle[: max(1 + len(hosts) - MAX_HOSTS, 0)]:
                process.evicted = True
                process.kill()

    def add(self, task: Task) -> Task:
        """Let a task wait for its turn."""
        task.message = self.files.dumps(task.call)
        self.files.tidy()
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is closed")
            if task.host is not None and task.host.ended:
                raise lost_error(task)
            self._waiting.append(task)
            self._dispatch()
        return task

    def _dispatch(self) -> None:
        """Send waiting tasks to free processes; the lock is held."""
        while self._waiting and not self._closed:
            running = [p.task for p in self._processes if p.task]
            task = next_task(self._waiting, running, self.workers, self._has_process)
            if task is None:
                return
            self._waiting.remove(task)
            process = self._free(task)
            assert process is not None
            process.task, task.begun = task, time.monotonic()
            if not task.running():
                task.set_running_or_notify_cancel()
            try:
                process.connection.send_bytes(task.message)
            except (
                OSError
            ):  # the process has ended, which `_read` will notice: no fault of the task
                task.tries -= 1

    def _free(self, task: Task) -> Process | None:
        if task.host is not None:
            return task.host if task.host.task is None else None
        return next((p for p in self._processes if not p.host and p.task is None), None)

    def _has_process(self, task: Task) -> bool:
        return self._free(task) is not None

    def _read(self, process: Process) -> None:
        """Take a reply, or notice that the process has ended."""
        try:
            message = process.connection.recv_bytes()
        except (EOFError, OSError):
            self._bury(process)
            return
        with self._lock:
            task, process.task, process.used = process.task, None, time.monotonic()
            self._dispatch()
        if task is not None:
            self._settle(task, message)

    def _settle(self, task: Task, message: bytes) -> None:
        """Give a task its reply."""
        try:
            reply = pickle.loads(message)
            if isinstance(reply, worker.Parcel):
                self.files.tidy(reply.written)
                reply = pickle.loads(self.files.collect(reply.content))
        except FileNotFoundError:
            reply = worker.Reply(missing=True)
        except Exception as error:  # the thread that reads all replies must not end
            reply = worker.Reply(error=error)
        if reply.missing:
            self._repeat(task, SENDS)
            return
        task.seconds = reply.seconds
        func, args, kwargs = task.call
        if func is worker.recall:
            _, func, args, kwargs = args
        self.estimates.add(func, size_of(args, kwargs), reply.seconds)
        task.finish(reply.value, reply.error)

    def _repeat(self, task: Task, most: int) -> None:
        task.tries += 1
        if task.tries >= most or task.host is not None:
            task.finish(error=lost_error(task))
            return
        task.message, task.begun = self.files.dumps(task.call), 0.0
        with self._lock:
            if not task.done():
                self._waiting.append(task)
                self._dispatch()

    def _bury(self, process: Process) -> None:
        """Replace a process that has ended, and repeat its task."""
        with self._lock:
            if process not in self._processes:
                return
            self._processes.remove(process)
            self._selector.unregister(process.connection)
            process.connection.close()
            process.ended = True
            task, process.task = process.task, None
            orphans = [t for t in self._waiting if t.host is process]
            self._waiting = [t for t in self._waiting if t.host is not process]
        if not self._closed and not process.host:
            threading.Thread(target=self._replace, daemon=True).start()
        for orphan in orphans:
            orphan.finish(error=lost_error(orphan))
        if task is not None and not task.done():
            self._repeat(task, TRIES)

    def _replace(self) -> None:
        with contextlib.suppress(ConnectionError):
            self.new_process()

    def withdraw(self, task: Task) -> bool:
        """End a task if it waits; False if it has begun."""
        with self._lock:
            if task not in self._waiting:
                return False
            self._waiting.remove(task)
        return task.finish(error=CancelledError())

    def end(self, task: Task) -> bool:
        """End a task, whether it waits or runs; False if it was done."""
        with self._lock:
            if task in self._waiting:
                self._waiting.remove(task)
            for process in self._processes:
                if process.task is task:
                    process.kill()
        return task.finish(error=CancelledError())
