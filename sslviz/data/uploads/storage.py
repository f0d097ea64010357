"""Visitors' data sets on the server: stored under a name with random digits, deleted after a while.

The name is in no list, so only visitors who know it can load the data.
"""

import contextlib
import re
import secrets
from dataclasses import replace
from pathlib import Path

from sslviz import kept_files
from sslviz.data import npz_files
from sslviz.data.dataset import Dataset

KEPT_DAYS = int(kept_files.BOUNDS["uploads"].max_days)


def store(dataset: Dataset, title: str) -> str:
    """Store a data set; return its name, which starts with the title."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:30] or "own"
    name, place = f"{word}-{secrets.token_hex(6)}", npz_files.uploads()
    try:
        npz_files.write(replace(dataset, name=name), place)
    except OSError as error:
        raise ValueError("The server has no room for another file; try again later.") from error
    kept_files.tidy(place, kept_files.BOUNDS["uploads"])
    return name


def keep_file(name: str, filename: str, content: bytes) -> None:
    """Keep an uploaded file beside its data set, so that it can be understood in another way."""
    with contextlib.suppress(OSError):  # the data set is stored; only changing it is not possible
        kept_files.write_file(_file_of(name), f"{filename}\n".encode() + content)


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
