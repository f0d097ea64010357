"""Files that the server keeps below its cache folder: bounds, writing in one step, tidying.

Every folder has a bound in bytes and an age after which its files are deleted; the age counts from
the last use of a file. The oldest files go first. Unfinished files, left by a process that was
killed, are deleted after an hour. The server tidies at its start and every hour, and a folder when
much has been written to it. Stages of computations (`stages/`, disk_cache.py) keep their own bound;
here only unfinished files of theirs are deleted.
"""

import contextlib
import logging
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from sslviz.paths import cache_folder

LOG = logging.getLogger("sslviz")
MB, DAY, HOUR = 2**20, 86400.0, 3600.0
UNFINISHED = ".part"  # the ending of a file that is being written
TIDY_SHARE = 0.05  # of a folder's bounds: so much is written between two times of tidying


class FolderBound(NamedTuple):
    """How much a folder may hold, and for how long."""

    max_bytes: int
    max_days: float
    max_files: int


BOUNDS = {
    "served": FolderBound(1024 * MB, 2, 5_000),  # thumbnails; made again when a page needs them
    "uploads": FolderBound(2048 * MB, 30, 20_000),  # visitors' data sets, drawings and files
    "labels": FolderBound(256 * MB, 365, 2_000),  # sets of labels by hand too long for an address
    "stories": FolderBound(64 * MB, 365, 500),  # lecturers' stories
    "data": FolderBound(4096 * MB, 365, 1_000),  # downloads from OpenML
    "stages": FolderBound(8192 * MB, 3650, 1_000_000),  # results of stages (disk_cache.py)
}
_written: dict[Path, float] = {}  # share of the bounds since a folder was tidied
_lock = threading.Lock()
_refused_at = -HOUR  # when the disk last refused a file


def folder_of(kind: str) -> Path:
    """The folder of one kind of files, which may not be there yet."""
    assert kind in BOUNDS
    return cache_folder() / kind


def write_file(path: Path, data: bytes) -> None:
    """Write a file that appears complete or not at all; OSError where the disk refuses.

    Others may write the same file, or read it, at the same time. Something else in its place, such
    as a directory, is removed.
    """
    global _refused_at
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=UNFINISHED, delete=False) as part:
            try:
                part.write(data)
                part.flush()
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                os.replace(part.name, path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        LOG.warning("a file of %s bytes cannot be written: %s", len(data), error)
        _refused_at = time.monotonic()
        raise
    _refused_at = -HOUR
    note_written(path.parent, len(data))


def disk_refuses() -> bool:
    """Whether the last file could not be written, not long ago."""
    return time.monotonic() - _refused_at < HOUR


def note_written(folder: Path, size: int) -> None:
    """Count what is written to a folder, and tidy it when that is much."""
    bound = BOUNDS.get(folder.name)
    if bound is None:
        return
    with _lock:
        _written[folder] = _written.get(folder, 0.0) + size / bound.max_bytes + 1 / bound.max_files
        due = _written[folder] > TIDY_SHARE
        if due:
            _written[folder] = 0.0
    if due:
        tidy(folder, bound)


def tidy_all() -> None:
    """Tidy all folders; what the disk refuses is left for the next time."""
    for kind, bound in BOUNDS.items():
        with contextlib.suppress(OSError):
            tidy(folder_of(kind), bound, unfinished_only=kind == "stages")


def tidy(folder: Path, bound: FolderBound, *, unfinished_only: bool = False) -> None:
    """Delete old and unfinished files, then the oldest ones while there are too many.

    Another thread or process may do the same at the same time.
    """
    now, kept = time.time(), []
    for path, used, size in _files_in(folder):
        if path.suffix == UNFINISHED or path.name.startswith("tmp"):
            if now - used > HOUR:
                _delete(path)
        elif not unfinished_only:
            kept.append((used, size, path))
    kept.sort(key=lambda file: file[:2])
    total, count = sum(size for _, size, _ in kept), len(kept)
    newest = kept[-1][2].stem if kept else ""  # stays in any case, with what belongs to it
    for used, size, path in kept:
        if path.stem == newest:
            continue
        old = now - used > bound.max_days * DAY
        if not old and total <= bound.max_bytes and count <= bound.max_files:
            break
        _delete(path)
        total, count = total - size, count - 1


def _files_in(folder: Path) -> list[tuple[Path, float, int]]:
    """Files of a folder with the time of their last use and their size."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another thread has just deleted it
                if entry.is_file(follow_symlinks=False):
                    facts = entry.stat(follow_symlinks=False)
                    found.append((Path(entry.path), facts.st_mtime, facts.st_size))
    return found


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def mark_used(path: Path) -> None:
    """Let the age of a file count from now on."""
    with contextlib.suppress(OSError):
        os.utime(path)
