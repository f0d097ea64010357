"""Visitors' data sets on the server: stored under a name with random digits, deleted after a while.

The name is in no list, so only visitors who know it can load the data.
"""

import contextlib
import os
import re
import secrets
import time
from dataclasses import replace
from pathlib import Path

from sslviz.data import npz_files
from sslviz.data.dataset import Dataset

KEPT_DAYS, MAX_BYTES = 30, 2 * 2**30  # how long uploads are kept, and how much in all
STORED_ENDINGS = (".npz", ".part", ".file")  # data sets, unfinished ones, files as they came


def store(dataset: Dataset, title: str) -> str:
    """Store a data set; return its name, which starts with the title."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:30] or "own"
    name, place = f"{word}-{secrets.token_hex(6)}", npz_files.uploads()
    try:
        npz_files.write(replace(dataset, name=name), place)
    except OSError as error:
        raise ValueError("The server has no room for another file; try again later.") from error
    tidy(place)
    return name


def tidy(place: Path) -> None:
    """Delete old files, then the oldest ones while they take too much space."""
    found = []
    for path in place.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another thread has just deleted it
            if path.suffix in STORED_ENDINGS:
                facts = path.stat()
                found.append((facts.st_mtime, facts.st_size, path))
    found.sort()
    total, now = sum(size for _, size, _ in found), time.time()
    for born, size, path in found[:-1]:  # the newest stays in any case
        if now - born > KEPT_DAYS * 86400 or total > MAX_BYTES:
            path.unlink(missing_ok=True)
            total -= size


def keep_file(name: str, filename: str, content: bytes) -> None:
    """Keep an uploaded file beside its data set, so that it can be understood in another way."""
    path = _file_of(name)
    with contextlib.suppress(OSError):  # the data set is stored; only changing it is not possible
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(f"{filename}\n".encode() + content)


def kept_file(name: str, *, head: bool = False) -> tuple[str, bytes] | None:
    """Name and content of the uploaded file of a data set, if it is still there.

    With `head` the content is not read.
    """
    try:
        with _file_of(name).open("rb") as file:
            filename = file.readline().rstrip(b"\n").decode("utf-8", "replace")
            return filename, b"" if head else file.read()
    except OSError:
        return None


def _file_of(name: str) -> Path:
    return npz_files.uploads() / f"{npz_files.check_name(name)}.file"
