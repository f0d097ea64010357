"""Visitors' files are read in a process of their own, with a limit on time and memory.

A file that would take too long or too much memory, or crashes a library, ends that process and not
the server. The process gets the file on its standard input and answers on its standard output, so
that reading needs no disk: a head in JSON, then the arrays as they are in memory (`transfer.py`).
Nothing is pickled.

    raw = isolated.read_apart(content, "wine.csv")            # as uploads.read
    name = isolated.store_apart("wine.csv", content)   # as uploads.store_upload

Small text files are read at once: the reader of tables takes time in proportion to their length.
"""

import json
import os
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sslviz.data.uploads import limits, transfer
from sslviz.data.uploads.choices import AS_FOUND, Choices
from sslviz.data.uploads.limits import Refusal
from sslviz.data.uploads.raw_table import UNDECIDED, Format, RawTable
from sslviz.data.uploads.reader import TEXT_TYPES, check_ending, read

READERS_AT_ONCE = 2  # processes; further files wait
BYTES_READ_HERE = 2**18  # of a text file, which takes less time than starting a process
_turns = threading.BoundedSemaphore(READERS_AT_ONCE)


def read_apart(content: bytes, filename: str, format: Format = UNDECIDED) -> RawTable:
    """What a file holds; a Refusal if it cannot be read within the limits."""
    name, ending = check_ending(filename)
    if _is_read(ending, content):
        return read(content, filename, format)
    head, arrays = _run("read", name, content, {"format": format})
    return transfer.table_of(head, arrays)


def store_apart(
    filename: str, content: bytes, choices: Choices = AS_FOUND, *, slow: bool = False
) -> str:
    """Read, understand and store a file; the name of the data set.

    A `slow` one, whose words have to be counted, is not understood here even if it is small.
    """
    from sslviz.data import uploads

    name, ending = check_ending(filename)
    if _is_read(ending, content) and not slow:
        return uploads.store_upload(filename, content, choices)
    head, _ = _run("store", name, content, {"choices": asdict(choices)})
    return str(head["name"])


def _is_read(ending: str, content: bytes) -> bool:
    return ending in TEXT_TYPES and len(content) <= BYTES_READ_HERE


def _run(job: str, filename: str, content: bytes, options: dict[str, Any]) -> transfer.Message:
    """The answer of a process of its own; a Refusal if it fails or takes too long."""
    limits.check_file_size(len(content), filename)
    question = transfer.pack({"job": job, "filename": filename, **options}, {})
    if not _turns.acquire(timeout=limits.MAX_READING_SECONDS):
        raise Refusal(f"{filename}: the server is reading other files; try again in a minute")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sslviz.data.uploads.isolated_reader"],
            input=b"".join([*question, content]),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limits.MAX_READING_SECONDS,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        seconds = limits.MAX_READING_SECONDS
        raise Refusal(
            f"{filename}: reading it takes longer than {seconds} seconds; upload fewer rows"
        ) from None
    except OSError as error:
        raise Refusal(f"{filename}: the server cannot read files just now") from error
    finally:
        _turns.release()
    try:
        head, arrays = transfer.unpack(done.stdout)
    except (ValueError, KeyError, TypeError):  # killed, or crashed in a library
        raise Refusal(f"{filename}: it is damaged, or too large to be read") from None
    if "refusal" in head:
        raise Refusal(str(head["refusal"]))
    return head, arrays


def _environment() -> dict[str, str]:
    """Variables of the process: it finds this package, and keeps to one thread."""
    package = str(Path(__file__).resolve().parents[3])
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    one_thread = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
    )
    return {
        **os.environ,
        **one_thread,
        "PYTHONPATH": os.pathsep.join(paths),
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # others reserve much more than they use
    }


def request_of(sent: bytes) -> tuple[dict[str, Any], bytes]:
    """The question and the file that a process is asked to read."""
    head, place = transfer.head_of(sent)
    return head, sent[place:]


def answer(sent: bytes) -> list[bytes | memoryview]:
    """What the process answers: a table, the name of a stored set, or a refusal."""
    from sslviz.data import uploads

    asked, content = request_of(sent)
    try:
        if asked["job"] == "store":
            choices = Choices(**asked["choices"])
            name = uploads.store_upload(asked["filename"], content, choices)
            return transfer.pack({"name": name}, {})
        return transfer.pack(
            *transfer.parts_of(read(content, asked["filename"], Format(*asked["format"])))
        )
    except ValueError as error:
        return transfer.pack({"refusal": str(error)}, {})
    except MemoryError:
        text = f"{asked['filename']}: {limits.needs_too_much_memory()}"
        return [json.dumps({"refusal": text}).encode()]
