"""The process that reads one visitor's file (`isolated.py`), within limits of time and memory.

Called as `python -m sslviz.data.uploads.isolated_reader`, with the question and the file on its
standard input.
"""

import contextlib
import os
import sys
from importlib import import_module

from sslviz.data.uploads import isolated, limits

LIBRARIES = {  # by the ending of a file
    "parquet": ("pyarrow.parquet", "pyarrow.compute"),
    "npz": ("scipy.sparse",),
    "mat": ("scipy.io",),
    "zip": ("PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin"),
}


def bound_process(memory: int, seconds: int) -> None:
    """Limit what this process may take from now on; where the system has no limits, nothing."""
    try:
        import resource
    except ImportError:  # not on this system: the time is limited by whoever waits
        return
    pages = 0
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    now = pages * resource.getpagesize()
    wanted = [(resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)]
    if pages:
        wanted.append((resource.RLIMIT_AS, now + memory))
    for kind, limit in wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))


def main() -> None:
    sent = sys.stdin.buffer.read()
    ending = str(isolated.request_of(sent)[0]["filename"]).rpartition(".")[2].lower()
    for library in LIBRARIES.get(ending, ("pyarrow.csv", "pyarrow.compute")):
        import_module(library)  # before the limit: libraries are no part of it
    bound_process(limits.MAX_READING_BYTES, limits.MAX_READING_SECONDS)
    for part in isolated.answer(sent):
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()
    os._exit(0)  # nothing is left to do, and giving back memory takes time


if __name__ == "__main__":
    main()
