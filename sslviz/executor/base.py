"""The interface of all executors, and functions by name: only these can run in another process."""

import importlib
import sys
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol


class WorkerLost(ConnectionError):
    """A worker process ended in the middle of a computation, and again when it was repeated."""


class HostEvicted(WorkerLost):
    """An object was unused while others needed its place; it can be made again."""


class Host(Protocol):
    """An object that lives in a process of its own."""

    def call(self, method: str, *args: Any, background: bool = False) -> Future:
        """Call one of its methods there; calls are answered one after the other.

        One in the background comes after what pages wait for.
        """

    def withdraw(self, call: Future) -> bool:
        """Take a call back that has not begun; whether that was possible."""

    def close(self) -> None:
        """End the object, also in the middle of a call."""


class Executor(Protocol):
    """Runs functions and hosts objects somewhere else.

    `owner` names the visitor that a computation is for: of each only one long computation runs at a
    time. `cancel()` of the Future that `submit` returns ends the computation even while it runs,
    where the executor can.
    """

    given_to_each: int  # calls of a long list that a worker should have at a time
    ready: bool  # whether a computation would begin now; workers take seconds to start

    @property
    def workers(self) -> int:
        """Computations at a time; 0: everything runs in the calling thread."""

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Future:
        """Call a function that `is_named`."""

    def recall(
        self, key: str, func: Callable[..., Any], args: tuple, kwargs: dict, *, owner: str = ""
    ) -> Future:
        """The `Remembered` result of a stage, through the memory of the worker."""

    def host(self, make: Callable[..., Any], /, *args: Any, owner: str = "", **kwargs: Any) -> Host:
        """An object made by calling `make`."""

    def takes(self, func: Callable[..., Any], args: tuple, kwargs: dict) -> bool:
        """Whether a call should run here; not if it is over sooner than a message to a worker."""

    def observe(self, func: Callable[..., Any], args: tuple, kwargs: dict, seconds: float) -> None:
        """Learn from a call in this process how long such calls take."""

    def place(self, task: Future) -> tuple[int, float]:
        """How many computations come before a waiting one, and the seconds until its end."""

    def close(self) -> None:
        """End all workers."""


def name_of(func: Callable[..., Any]) -> str:
    """The name "module:qualname" of a function."""
    return f"{func.__module__}:{func.__qualname__}"


def function_of(name: str) -> Any:
    """The function of a name."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def is_named(func: Callable[..., Any]) -> bool:
    """Whether another process finds the function by its name."""
    module, path = getattr(func, "__module__", None), getattr(func, "__qualname__", "<")
    if not module or module == "__main__" or "<" in path or module not in sys.modules:
        return False
    try:
        return function_of(name_of(func)) is func
    except (AttributeError, ImportError):
        return False
