"""The executor of a Dask cluster: workers of any machine, which need this package and the data.

    SSLVIZ_SCHEDULER=tcp://host:8786

A call whose worker is lost goes to another one; workers may join and leave at any time. Each worker
keeps a memory of stages of its own. Large arrays are sent once, by their content. A computation
that has begun cannot be ended: if it is cancelled, its result is dropped.
"""

import contextlib
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from time import monotonic
from typing import Any

import numpy as np

from sslviz.content_hash import array_digest
from sslviz.executor import worker
from sslviz.executor.arrays import FILE_BYTES
from sslviz.executor.base import WorkerLost, is_named
from sslviz.executor.order import QUICK, Estimates, size_of

PATIENCE = 10.0  # seconds for the scheduler to answer
RETRIES = 2  # of a call that fails because of its worker
SCATTERED = 64  # large arrays that are kept on the cluster
NEWS_AFTER = 1.0  # seconds between two questions how many workers there are
LOST_AFTER = 2.0  # seconds between two looks whether the worker of an object is still there
LOST = "The worker of this computation has left the cluster. Start it again."


class ClusterExecutor:
    """Calls to the workers of the Dask scheduler at an address such as tcp://host:8786."""

    ready = True
    given_to_each = 2  # one is computed, one is there when it ends: news takes milliseconds

    def __init__(self, address: str):
        from distributed import Client

        _check_port(
            address
        )  # at once; a Client that found nobody would keep the process from ending
        try:
            self._client = Client(address, timeout=PATIENCE)  # the default one, which actors need
        except OSError as error:
            raise ConnectionError(f"no Dask scheduler answers at {address}") from error
        self._calls = self._client.get_executor(pure=False, retries=RETRIES)
        self._scattered: dict[str, Any] = {}  # the last large arrays, by content
        self.estimates = Estimates()
        self._workers, self._counted = 0, -NEWS_AFTER  # threads, when they were counted

    @property
    def workers(self) -> int:
        """Threads of all workers; the scheduler is not asked anew for each of many calls."""
        if monotonic() - self._counted > NEWS_AFTER or not self._workers:
            self._workers = sum(self._client.nthreads().values())
            self._counted = monotonic()
        return self._workers

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Future:
        arrays: dict[str, Any] = {}
        call = self._without_arrays((func, args, kw), arrays)
        return self._calls.submit(call_with_arrays, call, list(arrays), *arrays.values())

    def recall(
        self, key: str, func: Callable[..., Any], args: tuple, kwargs: dict, *, owner: str = ""
    ) -> Future:
        task = self.submit(worker.recall, key, func, args, kwargs)

        def learn(task: Future) -> None:
            if not task.cancelled() and task.exception() is None:
                self.observe(func, args, kwargs, task.result().stages[-1].seconds)

        task.add_done_callback(learn)
        return task

    def _without_arrays(self, value: Any, arrays: dict[str, Any]) -> Any:
        """A call with large arrays replaced by names; `arrays` takes their futures."""
        if (
            isinstance(value, np.ndarray)
            and value.nbytes > FILE_BYTES
            and not value.dtype.hasobject
        ):
            name = array_digest(value)
            if name not in self._scattered:
                self._scattered[name] = self._client.scatter(value, hash=False, broadcast=False)
                for old in list(self._scattered)[:-SCATTERED]:
                    del self._scattered[old]
            arrays[name] = self._scattered[name]
            return ArrayName(name)
        if type(value) in (tuple, list):
            return type(value)(self._without_arrays(v, arrays) for v in value)
        if type(value) is dict:
            return {k: self._without_arrays(v, arrays) for k, v in value.items()}
        return value

    def host(
        self, make: Callable[..., Any], /, *args: Any, owner: str = "", **kwargs: Any
    ) -> "ClusterHost":
        return ClusterHost(self._client.submit(Actor, make, args, kwargs, actor=True, pure=False))

    def takes(self, func: Callable[..., Any], args: tuple, kwargs: dict) -> bool:
        seconds = self.estimates.seconds(func, size_of(args, kwargs))
        return is_named(func) and (seconds is None or seconds >= QUICK)

    def observe(self, func: Callable[..., Any], args: tuple, kwargs: dict, seconds: float) -> None:
        self.estimates.add(func, size_of(args, kwargs), seconds)

    def place(self, task: Future) -> tuple[int, float]:
        return 0, 0.0  # the scheduler of the cluster does not say

    def close(self) -> None:
        """Give up calls that are not finished and leave the cluster."""
        self._calls.shutdown(wait=False)
        self._client.close(timeout=PATIENCE)


def _check_port(address: str) -> None:
    from distributed.comm.addressing import parse_address, parse_host_port

    host, port = parse_host_port(parse_address(address)[1], 8786)
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise ConnectionError(
            f"no Dask scheduler answers at {address}: {error.strerror}"
        ) from error


class ArrayName(str):
    """The content of a large array, in place of the array."""


def call_with_arrays(call: Any, names: list[str], *arrays: np.ndarray) -> Any:
    """Call a function whose large arrays have arrived beside the call."""
    found = dict(zip(names, arrays, strict=True))
    for a in arrays:
        a.flags.writeable = False
    func, args, kwargs = _with_arrays(call, found)
    return func(*args, **kwargs)


def _with_arrays(value: Any, found: dict[str, np.ndarray]) -> Any:
    if isinstance(value, ArrayName):
        return found[value]
    if type(value) in (tuple, list):
        return type(value)(_with_arrays(v, found) for v in value)
    if type(value) is dict:
        return {k: _with_arrays(v, found) for k, v in value.items()}
    return value


class Actor:
    """An object that lives on a worker of the cluster."""

    def __init__(self, make: Callable[..., Any], args: tuple, kwargs: dict):
        self._held = make(*args, **kwargs)

    def ask(self, method: str, args: tuple) -> Any:
        return getattr(self._held, method)(*args)


class ClusterHost:
    """The server's end of an object on the cluster."""

    def __init__(self, made: Any):
        self._made: Any = made
        self._actor: Any = None

    def withdraw(self, call: Future) -> bool:
        return False  # an actor answers at once, one call after the other

    def call(self, method: str, *args: Any, background: bool = False) -> Future:
        future: Future = Future()

        def ask() -> None:
            try:
                self._actor = self._actor or self._made.result()
                future.set_result(self._answer(self._actor.ask(method, args)))
            except Exception as error:
                lost = self._is_lost or isinstance(error, OSError)  # its connection is gone
                future.set_exception(WorkerLost(LOST) if lost else error)

        threading.Thread(target=ask, daemon=True).start()
        return future

    def _answer(self, call: Any) -> Any:
        """Wait for the answer of an actor; if its worker is lost, Dask may leave us waiting."""
        while True:
            try:
                return call.result(timeout=LOST_AFTER)
            except TimeoutError:
                if self._is_lost:
                    raise

    @property
    def _is_lost(self) -> bool:
        """Whether the worker that held the object has ended, after it was made."""
        return self._actor is not None and self._made.status not in ("finished", "pending")

    def close(self) -> None:
        self._actor = None
        with contextlib.suppress(RuntimeError):  # the connection to the cluster is closed
            self._made.cancel()
