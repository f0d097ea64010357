"""Disk cache: results of stages in a folder, one .npz per result, no pickle, bounded in bytes.

A file name holds the stage, a digest of the source of its module and a digest of its arguments:
after a change of the code old results are not found. An unreadable file counts as missing.
"""

import inspect
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from sslviz.content_hash import digest

# Exceptions of reading a damaged file; TypeError where it is no archive.
_UNREADABLE = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    RuntimeError,
    EOFError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)


class DiskCache:
    """Arrays, CSR matrices, plain values and tuples of these, kept over restarts."""

    def __init__(self, folder: str | Path, max_bytes: int = 8 * 2**30):
        self.folder = Path(folder)
        self.max_bytes = max_bytes

    def path(self, func: Callable, key: str) -> Path | None:
        """The file for the result of a call; None for a function whose source is not in a file."""
        try:
            source = inspect.getsource(inspect.getmodule(func) or func)
        except (OSError, TypeError):
            return None
        return self.folder / f"{func.__name__}-{digest(source)[:8]}-{key}.npz"

    def read(self, func: Callable, key: str) -> tuple[bool, Any]:
        """Whether the result of a call was found, and the result."""
        path = self.path(func, key)
        if path is None:
            return False, None
        try:
            with np.load(path, allow_pickle=False) as file:
                result = _decode(json.loads(str(file["shape"])), file)
            os.utime(path)  # files used last are deleted last
            return True, result
        except _UNREADABLE:
            return False, None

    def write(self, func: Callable, key: str, result: Any) -> None:
        """Keep the result of a call, and delete the oldest files beyond `max_bytes`."""
        path = self.path(func, key)
        if path is None:
            return
        arrays: dict[str, np.ndarray] = {}
        try:
            arrays["shape"] = np.array(json.dumps(_encode(result, arrays)))
        except TypeError:
            return  # results of other types are not kept
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as file:
                part = Path(file.name)
                try:
                    np.savez(file, **arrays)  # type: ignore[arg-type]
                    file.flush()
                    os.replace(part, path)
                finally:
                    part.unlink(missing_ok=True)
            self._tidy()
        except OSError:
            pass  # a full disk only means that the next start computes again

    def _tidy(self) -> None:
        files = sorted(self.folder.glob("*.npz"), key=lambda p: p.stat().st_mtime, reverse=True)
        total = 0
        for path in files:
            total += path.stat().st_size
            if total > self.max_bytes:
                path.unlink(missing_ok=True)


def _encode(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """`value` as JSON; its arrays go to `arrays` under numbered names."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise TypeError("an array of objects")  # numpy would pickle it
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if sparse.issparse(value):
        csr = value.tocsr()
        parts = [_encode(part, arrays) for part in (csr.data, csr.indices, csr.indptr)]
        return {"csr": parts, "of": list(csr.shape)}
    if type(value) is tuple:
        return {"tuple": [_encode(v, arrays) for v in value]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"plain": value}
    raise TypeError(type(value).__name__)


def _decode(shape: Any, arrays: Any) -> Any:
    if "array" in shape:
        return arrays[shape["array"]]
    if "csr" in shape:
        return sparse.csr_array(
            tuple(_decode(part, arrays) for part in shape["csr"]), shape=tuple(shape["of"])
        )
    if "tuple" in shape:
        return tuple(_decode(part, arrays) for part in shape["tuple"])
    return shape["plain"]
