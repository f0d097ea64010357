"""The executor without processes: everything runs in the calling thread, at once."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class InlineExecutor:
    """For scripts, tests and SSLVIZ_WORKERS=0."""

    workers, given_to_each, ready = 0, 1, True

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Future:
        return done(func, *args, **kw)

    def recall(
        self, key: str, func: Callable[..., Any], args: tuple, kwargs: dict, *, owner: str = ""
    ) -> Future:
        from sslviz.executor.worker import recall

        return done(recall, key, func, args, kwargs)

    def host(
        self, make: Callable[..., Any], /, *args: Any, owner: str = "", **kwargs: Any
    ) -> "InlineHost":
        return InlineHost(make(*args, **kwargs))

    def takes(self, func: Callable[..., Any], args: tuple, kwargs: dict) -> bool:
        return False

    def observe(self, func: Callable[..., Any], args: tuple, kwargs: dict, seconds: float) -> None:
        pass

    def place(self, task: Future) -> tuple[int, float]:
        return 0, 0.0

    def close(self) -> None:
        pass


class InlineHost:
    """An object in this process."""

    def __init__(self, held: Any):
        self._held = held

    def call(self, method: str, *args: Any, background: bool = False) -> Future:
        return done(getattr(self._held, method), *args)

    def withdraw(self, call: Future) -> bool:
        return False

    def close(self) -> None:
        self._held = None


def done(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Future:
    """A Future with the result of a call, or with its error."""
    future: Future = Future()
    begun = time.perf_counter()
    try:
        future.set_result(func(*args, **kwargs))
    except Exception as error:
        future.set_exception(error)
    future.seconds = time.perf_counter() - begun  # type: ignore[attr-defined]
    return future
