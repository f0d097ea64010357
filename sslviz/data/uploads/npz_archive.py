"""Archives of arrays (npz): dense, or sparse in CSR parts. Pickled objects are never read.

Only arrays that are asked for are unpacked, each after its header has been checked: a few hundred
kilobytes can hold gigabytes of zeros.
"""

import math
import zipfile
from io import BytesIO
from typing import IO, Any

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_INFLATED_BYTES,
    Refusal,
    bounded_read,
    check_inflated,
    check_shape,
)
from sslviz.data.uploads.matrix_parts import WANTED, raw_matrix
from sslviz.data.uploads.raw_table import RawTable
from sslviz.data.uploads.sparse_matrix import csr_of_parts

MAX_HEADER = 10_000
MAX_MEMBERS = 1000
CSR_PARTS = ("data", "indices", "indptr", "shape")
PLAIN_KINDS = "biufUS"


def read_npz(content: bytes) -> RawTable:
    """The arrays of an archive as a table."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        if len(names) > MAX_MEMBERS:
            raise Refusal(f"it holds {len(names):,} files, at most {MAX_MEMBERS:,} are expected")
        here = {name.removesuffix(".npy") for name in names if name.endswith(".npy")}
        dense = [name for name in here if name in WANTED or name.startswith("idxLabs")]
        prefix = next((p for p in ("X_", "") if {p + part for part in CSR_PARTS} <= here), None)
        sparse = [] if "X" in here or prefix is None else [prefix + part for part in CSR_PARTS]
        arrays: dict[str, Any] = {}
        for name in [*dense, *sparse]:
            before = sum(a.nbytes for a in arrays.values())
            with archive.open(f"{name}.npy") as file:
                arrays[name] = read_array(file, name, MAX_INFLATED_BYTES - before)
    if sparse:
        arrays["X"] = csr_of_parts(*(arrays.pop(name) for name in sparse))
    if "X" not in arrays:
        raise Refusal(
            "it has no array X (samples × features) and no sparse matrix (data, indices, indptr, "
            "shape)"
        )
    return raw_matrix(arrays)


def read_array(file: IO[bytes], name: str, limit: int) -> np.ndarray:
    """One array of at most `limit` bytes; objects are refused."""
    version = np.lib.format.read_magic(file)
    read_header = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, by_columns, dtype = read_header(file, max_header_size=MAX_HEADER)
    if dtype.hasobject:
        raise Refusal("it holds pickled objects, which are never read")
    if dtype.kind not in PLAIN_KINDS or dtype.itemsize == 0:
        raise Refusal(f"{name} holds {dtype}, expected numbers or words")
    if not all(type(side) is int and side >= 0 for side in shape):
        raise Refusal(f"{name} has a damaged header")
    if name == "X" and len(shape) == 2:
        check_shape(*shape)
    size = math.prod(shape) * dtype.itemsize
    if size > limit:
        check_inflated(MAX_INFLATED_BYTES + 1)
    content = bounded_read(file, size)
    if len(content) < size:
        raise Refusal(f"{name} is cut short")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")
