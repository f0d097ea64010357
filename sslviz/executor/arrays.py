"""Large arrays cross between processes as files that all of them map into memory.

Messages are pickles in which an array of more than `FILE_BYTES` bytes is the path of a file, named
by the content of the array: it is written once, and all processes that read it share the same
pages. A long message is itself left in a file and collected from there: a thread of a busy server
gets the interpreter anew for every piece that it takes from a connection, and for a file once.
Messages come only from processes that the server has started itself; nothing else is unpickled.
"""

import contextlib
import fcntl
import io
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from sslviz.content_hash import DIGEST_LENGTH, array_digest, remember_digest
from sslviz.paths import cache_folder

FILE_BYTES = 256 * 1024  # bytes; smaller arrays are part of the message
SHARED_MEMORY = Path("/dev/shm")
ATTEMPTS = 20  # to lock a new folder
TIDY_AFTER = 16  # the folder is looked through when a 16th of the bound was written


class ArrayFiles:
    """A folder of arrays, at most `max_bytes` of them: those used last are kept."""

    def __init__(self, folder: str | Path, max_bytes: int):
        self.folder, self.max_bytes = Path(folder), max_bytes
        self.written = 0  # bytes by this process since the folder was looked through

    def dumps(self, value: Any) -> bytes:
        """A message; large arrays in it are written to the folder unless they are there."""
        target = io.BytesIO()
        _Pickler(target, self).dump(value)
        return target.getvalue()

    def path_of(self, a: np.ndarray) -> Path | None:
        """The file of an array, written if it is missing; None where that is not possible."""
        order = "f" if a.flags.f_contiguous and not a.flags.c_contiguous else ""
        path = self.folder / f"{array_digest(a)}{order}.npy"
        try:
            os.utime(path)  # files used last are deleted last
            return path
        except OSError:
            pass
        return path if self.write(path, lambda file: np.save(file, a, allow_pickle=False)) else None

    def write(self, path: Path, save: Callable[[Any], object]) -> bool:
        """Write a file as a whole or not at all; False where there is no room."""
        part = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as file:
                part = file.name
                save(file)
            self.written += os.path.getsize(part)
            os.replace(part, path)
            return True
        except OSError:
            if part:
                Path(part).unlink(missing_ok=True)
            return False

    def leave(self, message: bytes) -> str | None:
        """The path of a new file with a message; None where there is no room."""
        path = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".msg", delete=False) as file:
                path = file.name
                file.write(message)
            return path
        except OSError:
            if path:
                Path(path).unlink(missing_ok=True)
            return None

    def collect(self, content: bytes | str) -> bytes:
        """A message, or that of a file, which is deleted."""
        if isinstance(content, bytes):
            return content
        message = Path(content).read_bytes()
        Path(content).unlink(missing_ok=True)
        return message

    def tidy(self, written: int = 0) -> None:
        """Delete the files used longest ago beyond `max_bytes`; a mapped file stays readable.

        `written` counts bytes written by other processes.
        """
        self.written += written
        if self.written < self.max_bytes / TIDY_AFTER:
            return
        self.written = 0
        found = []
        for entry in os.scandir(self.folder):
            try:
                found.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
            except OSError:
                continue  # deleted meanwhile
        total = 0
        for _, size, path in sorted(found, reverse=True):
            total += size
            if total > self.max_bytes * (1 - 1 / TIDY_AFTER) and not path.endswith(".lock"):
                Path(path).unlink(missing_ok=True)


class _Pickler(pickle.Pickler):
    def __init__(self, target: io.BytesIO, files: ArrayFiles):
        super().__init__(target, protocol=5)
        self._files = files
        self._storages: dict[int, bytearray] = {}  # of tensors, by their address

    def reducer_override(self, value: Any) -> Any:
        if type(value) is MappingProxyType:
            return read_only, (dict(value),)
        if is_plain_tensor(value):
            return self._reduce_tensor(value)
        if type(value) not in (np.ndarray, np.memmap):
            return NotImplemented
        if value.nbytes <= FILE_BYTES or value.dtype.hasobject:
            return NotImplemented
        path = self._files.path_of(value)
        return NotImplemented if path is None else (open_array, (str(path),))

    def _reduce_tensor(self, value: Any) -> Any:
        """A tensor as a view of its storage, which torch would send with each of its views."""
        storage = value.untyped_storage()
        address = storage.data_ptr()
        if address not in self._storages:
            whole = value.detach().new_empty(0, dtype=_torch().uint8).set_(storage)
            self._storages[address] = bytearray(whole.numpy())
        held = self._storages[address]
        place = value.storage_offset(), tuple(value.shape), value.stride()
        return view_of, (held, value.dtype, place, value.requires_grad)


def _torch() -> Any:
    """torch, if anything has imported it: nothing here does."""
    return sys.modules.get("torch")


def is_plain_tensor(value: Any) -> bool:
    """Whether a value is a dense tensor with numbers, in the memory of this machine."""
    torch = _torch()
    return (
        torch is not None
        and type(value) is torch.Tensor
        and value.layout is torch.strided
        and value.device.type == "cpu"
        and value.numel() > 0
    )


def view_of(storage: bytearray, dtype: Any, place: tuple, requires_grad: bool) -> Any:
    """The tensor at a place of a storage; all views of a storage share it."""
    import torch

    offset, shape, strides = place
    whole = torch.frombuffer(storage, dtype=dtype)
    return whole.as_strided(shape, strides, offset).requires_grad_(requires_grad)


def read_only(items: dict) -> MappingProxyType:
    """A read-only view of a dict; the class itself has no name by which it could be found."""
    return MappingProxyType(items)


def open_array(path: str) -> np.ndarray:
    """The array of a file, read-only and shared with all other processes that open it."""
    a = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    remember_digest(a, os.path.basename(path)[:DIGEST_LENGTH])
    return a


def new_folder(max_bytes: int) -> Path:
    """A folder for the arrays of this server; those of servers that have ended are deleted.

    It is in memory (/dev/shm) where there is room for twice the bound, else in the cache folder, or
    with other temporary files where that cannot be written to. The server holds a lock on it for as
    long as it lives.
    """
    own = f"sslviz-{os.getuid()}"
    places = [cache_folder() / "arrays", Path(tempfile.gettempdir()) / own]
    with contextlib.suppress(OSError):
        if shutil.disk_usage(SHARED_MEMORY).free > 2 * max_bytes:
            places.insert(0, SHARED_MEMORY / own)
    for base in places[:-1]:
        with contextlib.suppress(OSError):
            return _new_folder_in(base)
    return _new_folder_in(places[-1])


def _new_folder_in(base: Path) -> Path:
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    if base.stat().st_uid != os.getuid():  # whoever owns a folder can exchange what is in it
        raise PermissionError(f"{base} belongs to another user")
    for old in base.iterdir():
        if _take_lock(old) is not None:
            shutil.rmtree(old, ignore_errors=True)
    for _ in range(ATTEMPTS):
        folder = Path(tempfile.mkdtemp(dir=base))
        if (lock := _take_lock(folder)) is not None:  # else another server has just deleted it
            _locks[folder] = lock
            return folder
    raise OSError(f"no folder can be locked in {base}")


_locks: dict[Path, int] = {}  # held until the process ends


def _take_lock(folder: Path) -> int | None:
    """A lock on a folder, or None if a running server holds it."""
    try:
        lock = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return lock
    except OSError:
        os.close(lock)
        return None


def remove_folder(folder: Path) -> None:
    """Delete the folder of this server."""
    shutil.rmtree(folder, ignore_errors=True)
    if (lock := _locks.pop(folder, None)) is not None:
        os.close(lock)
