"""Memo: results of stages, kept in memory under a hash of their arguments (joblib's interface).

A stage is a pure function of arrays, CSR matrices and plain values. Sessions of a server share one
`Memo`: equal calls at the same time run once, different ones run in parallel. Results are shared,
and therefore read-only. The least recently used ones are dropped when `max_bytes` is reached; slow
ones can be kept in a folder as well, so that a restart does not compute them again. joblib.Memory
has neither the single run of equal calls nor the log of stages that pages show.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
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


class Memo:
    """Results of stages, bounded in bytes, safe to share between threads."""

    def __init__(
        self,
        max_bytes: int = 2 * 2**30,
        folder: str | Path | None = None,
        disk_after: float = 2.0,
    ):
        self.max_bytes = max_bytes
        self.folder = folder
        self.disk_after = disk_after  # seconds beyond which a stage is kept in the folder
        self.log: deque[Stage] = deque(maxlen=1000)
        self._disk = DiskCache(folder) if folder else None
        self._results: OrderedDict[str, Future] = OrderedDict()
        self._bytes: dict[str, int] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Memo(max_bytes={self.max_bytes})"

    def __deepcopy__(self, _: dict) -> "Memo":  # sklearn.clone copies parameters; a Memo is shared
        return self

    def __reduce__(self) -> tuple:  # another process starts with an empty one
        return Memo, (self.max_bytes, self.folder, self.disk_after)

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
            return self._recall(key, func, args, kwargs)

        return remembered

    def _recall(self, key: str, func: Callable, args: tuple, kwargs: dict) -> Any:
        start = time.perf_counter()
        with self._lock:
            mine = key not in self._results
            future = self._results.setdefault(key, Future())
            self._results.move_to_end(key)
        if mine:
            reused = self._fulfil(key, future, func, args, kwargs)
        else:
            reused = True
        result = future.result()
        word = getattr(func, "stage_word", func.__name__)
        self._note(Stage(func.__name__, word, reused, time.perf_counter() - start))
        return result

    def _fulfil(self, key: str, future: Future, func: Callable, args: tuple, kwargs: dict) -> bool:
        """Read the result from the folder or compute it; True if it was in the folder."""
        try:
            found, result = self._disk.read(func, key) if self._disk else (False, None)
            start = time.perf_counter()
            if not found:
                result = func(*args, **kwargs)
            result = freeze(result)
            if self._disk and not found and time.perf_counter() - start > self.disk_after:
                self._disk.write(func, key, result)
        except BaseException as error:
            with self._lock:
                self._results.pop(key, None)
            future.set_exception(error)
            return False
        with self._lock:
            self._bytes[key] = bytes_held(result)
            self._evict()
        future.set_result(result)
        return found

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
