"""What a client needs of Streamlit's messages, read without parsing large ones as a whole.

A picture may have a megabyte; a session only has to know that it arrived. Large messages are
therefore walked along the lengths of their fields (the wire format of protocol buffers), and only
the small parts are parsed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg, ForwardMsgMetadata

LARGEST_PARSED = 32_000  # bytes; larger messages are walked
HASH, METADATA, DELTA = 1, 2, 5  # field numbers of ForwardMsg
NEW_ELEMENT, COMPONENT, COMPONENT_NAME = 3, 59, 2  # … of Delta, Element and BidiComponent


class Answer(NamedTuple):
    """A message of the server: the small ones parsed, of the large ones what identifies them."""

    kind: str  # the name of ForwardMsg's field: "delta", "new_session", "script_finished" …
    message: ForwardMsg | None  # None for a large message
    hash: str
    cacheable: bool  # a browser keeps it and names its hash, so that it is not sent again
    component: str = ""  # the name of a component of the app, such as a figure
    path: tuple[int, ...] = ()  # its place on the page


def read_answer(data: bytes) -> Answer:
    """A message as it came over the websocket."""
    if len(data) <= LARGEST_PARSED:
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type") or ""
        name = message.delta.new_element.bidi_component.component_name if kind == "delta" else ""
        metadata = message.metadata
        path = tuple(metadata.delta_path)
        return Answer(kind, message, message.hash, metadata.cacheable, name, path)
    found = dict(fields(memoryview(data)))
    metadata = ForwardMsgMetadata.FromString(bytes(found.get(METADATA, b"")))
    kind = "delta" if DELTA in found else "other"
    name = found.get(DELTA, memoryview(b""))
    for number in (NEW_ELEMENT, COMPONENT, COMPONENT_NAME):
        name = dict(fields(name)).get(number, memoryview(b""))
    hash_ = str(found.get(HASH, b""), "utf-8")
    path = tuple(metadata.delta_path)
    return Answer(kind, None, hash_, metadata.cacheable, str(name, "utf-8"), path)


def fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Numbers and contents of the length-delimited fields of a message; others are skipped."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        wire_type = tag & 7
        if wire_type == 2:
            size, at = _varint(data, at)
            yield tag >> 3, data[at : at + size]
            at += size
        elif wire_type == 0:
            _, at = _varint(data, at)
        elif wire_type in (1, 5):
            at += 8 if wire_type == 1 else 4
        else:
            raise ValueError(f"fields: wire type {wire_type} is not one of protocol buffers")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, lowest first, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
