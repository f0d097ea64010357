"""MATLAB files up to version 7: X and y, and the splits of the SSL book in idxLabs.

Chapelle, Schölkopf, Zien. Semi-Supervised Learning, 2006: `idxLabs` has a row of labelled points,
counted from 1, for each of its splits. Files of version 7.3 are HDF5 and not read.
"""

import math
import struct
from io import BytesIO

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_INFLATED_BYTES,
    Refusal,
    check_inflated,
    check_shape,
    inflated_size,
)
from sslviz.data.uploads.matrix_parts import WANTED, raw_matrix
from sslviz.data.uploads.raw_table import RawTable

HEADER_BYTES, TAG_BYTES, COMPRESSED = 128, 8, 15  # of the format, version 5 to 7
HDF5 = b"\x89HDF"
PLAIN_CLASSES = {
    "double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "logical", "sparse",
}  # fmt: skip


def read_mat(content: bytes) -> RawTable:
    """The variables X, y, idxLabs… of a MATLAB file as a table."""
    if content.startswith((b"MATLAB 7.3", HDF5)) or HDF5 in content[:1024]:
        raise Refusal(
            "it is a MATLAB file of version 7.3, which is not read; save it with save(…, '-v7')"
        )
    check_inflated(unpacked_size(content))
    from scipy.io import loadmat, whosmat

    wanted = []
    for name, shape, kind in whosmat(BytesIO(content)):
        if name not in WANTED and not name.startswith("idxLabs"):
            continue
        if kind not in PLAIN_CLASSES:
            if name in ("X", "y"):
                raise Refusal(f"{name} is of class {kind}, expected numbers")
            continue
        if kind != "sparse":
            check_inflated(math.prod(int(side) for side in shape) * 8)
        wanted.append(name)
    if "X" not in wanted:
        raise Refusal("it has no matrix X (samples × features)")
    arrays = loadmat(BytesIO(content), variable_names=wanted)
    parts = {name: arrays[name] for name in wanted if name in arrays}
    if "y" in parts:
        parts["y"] = _dense(parts["y"])
    return raw_matrix(parts, from_one=True)


def _dense(y: object) -> np.ndarray:
    """Labels may be a column, a row, or sparse."""
    if hasattr(y, "toarray"):
        check_shape(*y.shape)  # type: ignore[attr-defined]
        y.check_format(full_check=True)  # type: ignore[attr-defined]
        y = y.toarray()
    array = np.asarray(y)
    return array.reshape(-1) if 1 in array.shape else array


def unpacked_size(content: bytes) -> int:
    """Bytes of all variables, counted by unpacking them in pieces; stops beyond the limit."""
    if len(content) < HEADER_BYTES or content[126:128] not in (b"IM", b"MI"):
        return len(content)  # version 4 is not packed
    order = "<" if content[126:128] == b"IM" else ">"
    place, total = HEADER_BYTES, 0
    while place + TAG_BYTES <= len(content) and total <= MAX_INFLATED_BYTES:
        kind, size = struct.unpack_from(f"{order}II", content, place)
        place += TAG_BYTES
        if kind == COMPRESSED:
            total += inflated_size(content[place : place + size], MAX_INFLATED_BYTES - total)
        else:
            total += size
        place += size
    return total
