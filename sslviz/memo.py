"""Memo: results of stages, kept in memory under a hash of their arguments (joblib's interface).

A stage is a pure function of arrays, CSR matrices and plain values. Sessions of a server share one
`Memo`: equal calls at the same time run once, different ones run in parallel. Results are shared,
and therefore read-only. The least recently used ones are dropped when `max_bytes` is reached; slow
ones can be kept in a folder as well, so that a restart does not compute them again. joblib.Memory
has neither the single run of equal calls nor the log of stages that pages show.

With an executor (executor/base.py) a stage that is not known yet is computed by a worker process.
Whoever waits for it may leave; when the last one has left, the computation is ended.
"""

import pickle
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy import sparse

from sslviz.content_hash import digest, freeze
from sslviz.disk_cache import DiskCache


class Stage(NamedTuple):
    """One call of a stage, as pages show it: "graph reused", "solve 12 ms"."""

    name: str  # of the function
    word: str  # shown to the user
    reused: bool
    seconds: float


Func = TypeVar("Func", bound=Callable[..., Any])


def stage(word: str) -> Callable[[Func], Func]:
    """Name a function for the badge that shows which stages were reused."""

    def named(func: Func) -> Func:
        func.stage_word = word  # type: ignore[attr-defined]
        return func

    return named


_watchers: ContextVar[tuple[list[Stage], ...]] = ContextVar("watchers", default=())
POLL = 0.05  # seconds between two looks whether a result is still wanted
SHARE_AFTER = 0.002  # seconds beyond which workers share a result


class Entry:
    """A result, or the computation of one."""

    def __init__(self) -> None:
        self.result: Future = Future()
        self.task: Future | None = None  # in a worker
        self.stages: list[Stage] = []  # called in the worker
        self.waiting = 0  # threads


class Memo:
    """Results of stages, bounded in bytes, safe to share between threads.

    `executor` computes stages elsewhere. `shared` (executor/results.py) keeps results for several
    processes. While a thread waits for a worker it calls `on_wait` with the task every `POLL`
    seconds; if that raises, the thread leaves. `owner` names the visitor that a thread works for.
    """

    def __init__(
        self,
        max_bytes: int = 2 * 2**30,
        folder: str | Path | None = None,
        disk_after: float = 2.0,
        *,
        shared: Any = None,
        executor: Any = None,
        on_wait: Callable[[Future], object] = lambda task: None,
        owner: Callable[[], str] = lambda: "",
    ):
        self.max_bytes = max_bytes
        self.folder = folder
        self.disk_after = disk_after  # seconds beyond which a stage is kept in the folder
        self.executor = executor
        self._shared, self._on_wait, self._owner = shared, on_wait, owner
        self.log: deque[Stage] = deque(maxlen=1000)
        self._disk = DiskCache(folder) if folder else None
        self._results: OrderedDict[str, Entry] = OrderedDict()
        self._bytes: dict[str, int] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Memo(max_bytes={self.max_bytes})"

    def __deepcopy__(self, _: dict) -> "Memo":  # sklearn.clone copies parameters; a Memo is shared
        return self

    def __reduce__(self) -> tuple:  # another process takes its own, or starts with an empty one
        return _arrive, (self.max_bytes, self.folder, self.disk_after)

    def cache(self, func: Callable, ignore: Sequence[str] = (), **_: Any) -> Callable:
        """`func` with a memory; `ignore` names arguments that do not change its result.

        Other options of joblib's `cache` are accepted and not needed.
        """
        arguments = signature(func)

        @wraps(func)
        def remembered(*args: Any, **kwargs: Any) -> Any:
            bound = arguments.bind(*args, **kwargs)
            bound.apply_defaults()
            known = {k: v for k, v in bound.arguments.items() if k not in ignore}
            key = digest(func.__module__, func.__qualname__, known)
            return self.recall(key, func, args, kwargs)

        return remembered

    def recall(self, key: str, func: Callable, args: tuple, kwargs: dict) -> Any:
        """The result of a call under its key, computed if there is none."""
        start = time.perf_counter()
        with self._lock:
            entry = self._results.get(key)
            mine = entry is None
            if entry is None:
                entry = self._results[key] = Entry()
            self._results.move_to_end(key)
            entry.waiting += 1
        reused = not mine
        try:
            if mine and not self._send(key, entry, func, args, kwargs):
                reused = self._fulfil(key, entry, func, args, kwargs)
            result = self._wait(entry)
        finally:
            self._leave(key, entry)
        if mine and entry.stages:
            for each in entry.stages:
                self._note(each)
        else:
            word = getattr(func, "stage_word", func.__name__)
            self._note(Stage(func.__name__, word, reused, time.perf_counter() - start))
        return result

    def _send(self, key: str, entry: Entry, func: Callable, args: tuple, kwargs: dict) -> bool:
        """Let a worker compute the result; False if this process should."""
        if self.executor is None or not self.executor.takes(func, args, kwargs):
            return False
        try:
            task = self.executor.recall(key, func, args, kwargs, owner=self._owner())
        except (pickle.PicklingError, TypeError, AttributeError):
            return False  # arguments that stay in this process
        entry.task = task

        def arrive(task: Future) -> None:
            if (error := task.exception()) is None:
                value, entry.stages = task.result()
                self._keep(key, entry, freeze(value))
            else:
                self._fail(key, entry, error)

        task.add_done_callback(arrive)
        return True

    def _wait(self, entry: Entry) -> Any:
        while entry.task is not None and not entry.result.done():
            wait([entry.result], POLL)
            if not entry.result.done():
                self._on_wait(entry.task)
        return entry.result.result()

    def _leave(self, key: str, entry: Entry) -> None:
        """End a computation that nobody waits for any more."""
        with self._lock:
            entry.waiting -= 1
            unwanted = not entry.waiting and not entry.result.done() and entry.task is not None
            if unwanted and self._results.get(key) is entry:
                del self._results[key]
        if unwanted and entry.task is not None:
            entry.task.cancel()

    def _fulfil(self, key: str, entry: Entry, func: Callable, args: tuple, kwargs: dict) -> bool:
        """Find the result or compute it here; True if it was found."""
        try:
            with nullcontext() if self._shared is None else self._shared.turn(key):
                found, result = self._find(func, key)
                if not found:
                    result = self._compute(key, func, args, kwargs)
        except BaseException as error:
            self._fail(key, entry, error)
            return False
        self._keep(key, entry, freeze(result))
        return found

    def _find(self, func: Callable, key: str) -> tuple[bool, Any]:
        found, result = self._shared.read(key) if self._shared else (False, None)
        if not found and self._disk:
            found, result = self._disk.read(func, key)
        return found, result

    def _compute(self, key: str, func: Callable, args: tuple, kwargs: dict) -> Any:
        start = time.perf_counter()
        result = freeze(func(*args, **kwargs))
        took = time.perf_counter() - start
        if self.executor is not None:
            self.executor.observe(func, args, kwargs, took)
        if self._disk and took > self.disk_after:
            self._disk.write(func, key, result)
        if self._shared and took > SHARE_AFTER:
            result = self._shared.write(key, result)
        return result

    def _keep(self, key: str, entry: Entry, result: Any) -> None:
        with self._lock:
            if self._results.get(key) is entry:
                self._bytes[key] = bytes_held(result)
                self._evict()
        entry.result.set_result(result)

    def _fail(self, key: str, entry: Entry, error: BaseException) -> None:
        with self._lock:
            if self._results.get(key) is entry:
                del self._results[key]
        entry.result.set_exception(error)

    def _evict(self) -> None:
        total = sum(self._bytes.values())
        for key in list(self._results):
            if total <= self.max_bytes:
                break
            if key in self._bytes:  # running calls have no size yet and stay
                total -= self._bytes.pop(key)
                del self._results[key]

    def _note(self, stage: Stage) -> None:
        self.log.append(stage)
        for watcher in _watchers.get():
            watcher.append(stage)

    @contextmanager
    def watch(self) -> Iterator[list[Stage]]:
        """Collect the stages called in the block by this thread, not those of other sessions."""
        seen: list[Stage] = []
        token = _watchers.set((*_watchers.get(), seen))
        try:
            yield seen
        finally:
            _watchers.reset(token)

    def clear(self, warn: bool = True) -> None:
        """Forget everything kept in memory (joblib's signature); files stay."""
        with self._lock:
            for key in list(self._bytes):
                del self._bytes[key], self._results[key]

    @property
    def bytes(self) -> int:
        return sum(self._bytes.values())


def bytes_held(value: Any) -> int:
    """Bytes that a result takes."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if sparse.issparse(value):
        csr = value.tocsr()
        return csr.data.nbytes + csr.indices.nbytes + csr.indptr.nbytes
    if isinstance(value, (tuple, list)):
        return sum(map(bytes_held, value))
    return len(value) if isinstance(value, bytes) else getattr(value, "nbytes", 64)


_process_memo: Memo | None = None


def process_memo() -> Memo:
    """The Memo of this process, which stands for those of other processes in messages."""
    global _process_memo
    if _process_memo is None:
        _process_memo = Memo()
    return _process_memo


def set_process_memo(memo: Memo | None) -> None:
    global _process_memo
    _process_memo = memo


def _arrive(max_bytes: int, folder: str | Path | None, disk_after: float) -> Memo:
    return Memo(max_bytes, folder, disk_after) if _process_memo is None else _process_memo
