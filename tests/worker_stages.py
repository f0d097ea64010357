"""Functions that workers find by name and that leave traces in files, and how tests see these."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sslviz.recordings.run import Run

PATIENCE = 60.0  # seconds; a worker that nobody ends does not stay for ever


def note(path: str) -> int:
    """Add a line with the process id to a file."""
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\n")
    return os.getpid()


def wait_for(path: str) -> None:
    """Wait until a file exists."""
    end = time.monotonic() + PATIENCE
    while not Path(path).exists() and time.monotonic() < end:
        time.sleep(0.01)


def noted(path: str, gate: str, size: int) -> np.ndarray:
    """A stage that leaves a trace, and returns when a file exists."""
    note(path)
    wait_for(gate)
    return np.arange(float(size))


def hang_at_first(path: str, gate: str) -> str:
    """The first call never returns, the second one does."""
    first = not Path(path).exists()
    note(path)
    if first:
        wait_for(gate)
    return "right"


def end_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(text: str) -> None:
    raise ValueError(text)


def outer(x: np.ndarray, *, memory: Any = None) -> np.ndarray:
    """A stage with a stage in it."""
    return memory.cache(inner)(x) + 1


def inner(x: np.ndarray) -> np.ndarray:
    time.sleep(0.005)  # long enough to be shared
    return 2 * x


class Counting(Run):
    """Ten steps, each of which leaves a trace."""

    total = 10

    def __init__(self, path: str):
        super().__init__(self._count(path))

    def _count(self, path: str) -> Iterator[int]:
        for i in range(10):
            note(path)
            yield i


def slow_counting(path: str, gate: str) -> Counting:
    """A run that takes long to make."""
    note(path)
    wait_for(gate)
    return Counting(path)


class Failing(Run):
    """A run whose second step fails."""

    def __init__(self) -> None:
        super().__init__(self._steps_to_failure())

    def _steps_to_failure(self) -> Iterator[int]:
        yield 1
        raise ValueError("no more memory")


def until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; fail if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []
