"""A RawTable as bytes, from the process that reads a file to the server.

A message is the length of its head (8 bytes), the head in JSON, then the bytes of its arrays one
after the other. Columns of texts are sent as their distinct texts, separated by NUL, and an index
for each row.
"""

import json
import math
import struct
from typing import Any

import numpy as np

from sslviz.data.uploads.raw_table import Format, RawTable, distinct_texts

Message = tuple[dict[str, Any], dict[str, np.ndarray]]
LENGTH = struct.Struct("<Q")
KINDS = "biuf"  # of arrays that are sent


def pack(head: dict[str, Any], arrays: dict[str, np.ndarray]) -> list[bytes | memoryview]:
    """The parts of a message; arrays are not copied."""
    flat = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    facts = {name: [array.dtype.str, array.shape] for name, array in flat.items()}
    text = json.dumps({**head, "arrays": facts}).encode()
    return [
        LENGTH.pack(len(text)),
        text,
        *(a.reshape(-1).view(np.uint8).data for a in flat.values()),
    ]


def head_of(sent: bytes) -> tuple[dict[str, Any], int]:
    """The head of a message, and where it ends."""
    if len(sent) < LENGTH.size:
        raise ValueError("a message without a head")
    end = LENGTH.size + LENGTH.unpack_from(sent)[0]
    head = json.loads(sent[LENGTH.size : end])
    if not isinstance(head, dict):
        raise ValueError("a message without a head")
    return head, end


def unpack(sent: bytes) -> Message:
    """Head and arrays of a message; a ValueError if it is not complete."""
    head, place = head_of(sent)
    arrays = {}
    for name, (kind, shape) in head["arrays"].items():
        dtype = np.dtype(kind)
        if dtype.kind not in KINDS:
            raise ValueError(f"{name} holds {dtype}")
        count = math.prod(shape)
        arrays[name] = np.frombuffer(sent, dtype, count, place).reshape(shape)
        place += count * dtype.itemsize
    return head, arrays


def parts_of(raw: RawTable) -> Message:
    """A table as head and arrays."""
    arrays = {f"split {name}": rows for name, rows in raw.splits.items()}
    if raw.block is not None:
        arrays["block"] = raw.block
    columns = []
    for place, (name, column) in enumerate(raw.columns.items()):
        if raw.is_number(name):
            arrays[f"column {place}"] = column
        else:
            words, index = distinct_texts(column)
            text = "\0".join(word.replace("\0", "") for word in words)
            arrays[f"texts {place}"] = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
            arrays[f"column {place}"] = index
        columns.append([name, raw.is_number(name)])
    head = {
        "kind": raw.kind,
        "columns": columns,
        "block_names": raw.block_names,
        "classes": raw.classes,
        "image_shape": raw.image_shape,
        "format": raw.format,
        "about": raw.about,
        "notes": raw.notes,
    }
    return head, arrays


def table_of(head: dict[str, Any], arrays: dict[str, np.ndarray]) -> RawTable:
    """The table of a head and its arrays."""
    columns = {}
    for place, (name, is_number) in enumerate(head["columns"]):
        column = arrays[f"column {place}"]
        if not is_number:
            words = arrays[f"texts {place}"].tobytes().decode().split("\0")
            column = np.array(words, dtype=object)[column]
        columns[name] = column
    shape = head["image_shape"]
    return RawTable(
        head["kind"],
        columns,
        arrays.get("block"),
        tuple(head["block_names"]),
        tuple(head["classes"]),
        None if shape is None else (shape[0], shape[1]),
        {key.removeprefix("split "): a for key, a in arrays.items() if key.startswith("split ")},
        Format(*head["format"]),
        head["about"],
        tuple(head["notes"]),
    )
