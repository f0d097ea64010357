"""A worker process: it answers one call after the other until its connection closes."""

import os
import pickle
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from sslviz import memo
from sslviz.executor.arrays import FILE_BYTES, ArrayFiles

MEMORY = 256 * 2**20  # bytes of results that a worker keeps open


class Reply(NamedTuple):
    """The answer to a call."""

    value: Any = None
    error: Exception | None = None
    seconds: float = 0.0  # of the call
    missing: bool = False  # an array of the call was deleted before it arrived


class Parcel(NamedTuple):
    """A reply for which files were written: its pickle, or the path of a file that holds it."""

    content: bytes | str
    written: int  # bytes of arrays


class Remembered(NamedTuple):
    """The result of a stage, and the stages that were called for it, itself last."""

    value: Any
    stages: list[memo.Stage]


def serve(connection: Connection, files: ArrayFiles) -> None:
    """Answer calls until the server closes the connection or ends."""
    while True:
        try:
            message = connection.recv_bytes()
            connection.send_bytes(answer(message, files))
        except (EOFError, OSError):
            return


def answer(message: bytes, files: ArrayFiles) -> bytes:
    """The reply to a call, as a message."""
    try:
        func, args, kwargs = pickle.loads(message)
    except FileNotFoundError:
        return pickle.dumps(Reply(missing=True))
    except Exception as error:
        return pickle.dumps(Reply(error=portable(error)))
    begun = time.perf_counter()
    try:
        reply = Reply(func(*args, **kwargs))
    except Exception as raised:
        reply = Reply(error=portable(raised))
    seconds = time.perf_counter() - begun
    try:
        body = files.dumps(reply._replace(seconds=seconds))
    except Exception as raised:  # a result that cannot be pickled
        body = pickle.dumps(Reply(error=portable(raised), seconds=seconds))
    written, files.written = files.written, 0
    path = files.leave(body) if len(body) > FILE_BYTES else None
    return pickle.dumps(Parcel(path or body, written)) if path or written else body


def portable(error: Exception) -> Exception:
    """An error that can be sent, with the place where it was raised as a note."""
    place = "".join(traceback.format_exception(error))
    try:
        error = pickle.loads(pickle.dumps(error.with_traceback(None)))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"In a worker process:\n{place}")
    return error


def recall(key: str, func: Callable[..., Any], args: tuple, kwargs: dict) -> Remembered:
    """The result of a stage under its key, from the memory of this worker."""
    own = memo.process_memo()
    with own.watch() as stages:
        value = own.recall(key, func, args, kwargs)
    return Remembered(value, stages)


_held: Any = None  # the object that this process hosts


def hold(make: Callable[..., Any], args: tuple, kwargs: dict) -> None:
    """Make the object that this process hosts."""
    global _held
    _held = make(*args, **kwargs)


def ask(method: str, args: tuple) -> Any:
    """Call a method of the object that this process hosts."""
    return getattr(_held, method)(*args)


def begin(fd: int, folder: str, max_bytes: int, stages: str | None) -> None:
    """Be a worker, in a process that has just been forked."""
    from sslviz.executor.results import ResultFiles

    files = ArrayFiles(folder, max_bytes)
    memo.set_process_memo(memo.Memo(MEMORY, stages, shared=ResultFiles(files)))
    serve(Connection(fd), files)
    os._exit(0)
