"""Results of stages in the folder of arrays, so that what one worker computed others only open."""

import fcntl
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sslviz.executor.arrays import ArrayFiles


class ResultFiles:
    """Results by key; a result whose arrays are gone counts as missing."""

    def __init__(self, files: ArrayFiles):
        self._files = files

    def read(self, key: str) -> tuple[bool, Any]:
        """Whether a result was found, and the result."""
        path = self._files.folder / f"{key}.result"
        try:
            message = path.read_bytes()
            os.utime(path)
            return True, pickle.loads(message)
        except FileNotFoundError:
            return False, None

    def write(self, key: str, result: Any) -> Any:
        """Keep a result for all workers; gives it back with its large arrays mapped from files."""
        try:
            message = self._files.dumps(result)
        except (TypeError, AttributeError, pickle.PicklingError):
            return result  # of a type that stays in this process
        path = self._files.folder / f"{key}.result"
        self._files.write(path, lambda file: file.write(message))
        try:
            return pickle.loads(message)
        except FileNotFoundError:
            return result

    @contextmanager
    def turn(self, key: str) -> Iterator[None]:
        """One process at a time computes a key; a process that ends gives its turn away.

        On a disk that takes no file nobody waits for a turn.
        """
        path = self._files.folder / f"{key}.lock"
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(lock)
