"""Memory that a computation has freed goes back to the operating system.

The C library keeps freed blocks for each thread. A server has a thread for every visitor, and after
a few minutes of a class would hold gigabytes that nobody uses. Where the C library is not glibc
nothing happens.
"""

import ctypes
import threading
import time

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # parameters of glibc's mallopt
LARGE_BLOCK = 256 * 1024  # bytes; such blocks are returned as soon as they are freed
ARENAS = 2  # pools of small blocks, shared by all threads
TRIM_INTERVAL = 15.0  # seconds


def return_large_blocks() -> bool:
    """Let freed blocks be returned at once if they are large, and share the pools of small ones."""
    libc = _glibc()
    if libc is None:
        return False
    return bool(libc.mallopt(MMAP_THRESHOLD, LARGE_BLOCK) and libc.mallopt(ARENA_MAX, ARENAS))


def trim_regularly() -> threading.Thread:
    """Return what is free among small blocks every few seconds, in the background."""
    libc = _glibc()

    def trim() -> None:
        while libc is not None:
            time.sleep(TRIM_INTERVAL)
            libc.malloc_trim(0)

    thread = threading.Thread(target=trim, daemon=True, name="trim")
    thread.start()
    return thread


def _glibc() -> ctypes.CDLL | None:
    try:
        libc = ctypes.CDLL(None)
        libc.gnu_get_libc_version  # noqa: B018  (raises where there is none)
        return libc
    except (AttributeError, OSError, TypeError):
        return None
