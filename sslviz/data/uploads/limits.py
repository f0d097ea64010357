"""What a visitor's file may hold, checked before anything is unpacked or parsed.

A small file can describe a very large array (a zip bomb), so sizes are counted from headers first
and while unpacking. Every refusal is a sentence for the visitor.
"""

import unicodedata
import zlib
from typing import IO

MAX_FILE_BYTES = 100 * 2**20
MAX_INFLATED_BYTES = 400 * 2**20  # of all that is unpacked from one file
MAX_NUMBERS = 32_000_000  # points × features: 256 MB
MAX_ROWS = 1_000_000
MAX_COLUMNS = 5_000  # of a table
MAX_FEATURES = 20_000  # of a matrix
MAX_CLASSES = 100
MAX_NAME_LENGTH = 60  # of a class or column
MAX_CELL_LENGTH = 5_000  # of a text in a table
MAX_TEXT_CELLS = 4_000_000  # further columns of texts are left out
MAX_ABOUT_LENGTH = 300
MAX_IMAGES = 20_000
MAX_IMAGE_SIDE = 128  # pixels of images in an archive of arrays
MAX_MAGNITUDE = 1e30  # larger numbers overflow when squared distances are added up
CHUNK_BYTES = 2**20
MAX_READING_SECONDS = 60  # of the process that reads a file (isolated.py)
MAX_READING_BYTES = 2 * 2**30  # of its memory


class Refusal(ValueError):
    """A file that is not read; the message is the reason, in words for the visitor."""


def check_file_size(size: int, filename: str = "") -> None:
    start = f"{filename}: it" if filename else "it"
    if size == 0:
        raise Refusal(f"{start} is empty")
    if size > MAX_FILE_BYTES:
        limit = f"at most {_megabytes(MAX_FILE_BYTES)} are read"
        raise Refusal(f"{start} has {_megabytes(size)}, {limit}")


def needs_too_much_memory() -> str:
    """The sentence about a file that exceeds the memory of the process that reads it."""
    return (
        f"reading it takes more than {_megabytes(MAX_READING_BYTES)} of memory; upload fewer "
        "points, features or texts"
    )


def check_inflated(size: int) -> None:
    """Refuse what would take more than `MAX_INFLATED_BYTES` when unpacked."""
    if size > MAX_INFLATED_BYTES:
        raise Refusal(
            f"unpacked it has more than {_megabytes(MAX_INFLATED_BYTES)}, which is not read; "
            "upload fewer points or features"
        )


def check_shape(rows: int, columns: int, max_columns: int = MAX_FEATURES) -> None:
    """Refuse a table or matrix that is too large to work with."""
    if rows < 2:
        raise Refusal(f"it has {count_of(rows, 'row')} of data, at least 2 are needed")
    if rows > MAX_ROWS:
        raise Refusal(f"it has {rows:,} rows, at most {MAX_ROWS:,} are read")
    if columns > max_columns:
        raise Refusal(f"it has {columns:,} columns, at most {max_columns:,} are read")
    if rows * columns > MAX_NUMBERS:
        fitting = MAX_NUMBERS // max(columns, 1)
        raise Refusal(
            f"{rows:,} rows × {columns:,} columns are more than {MAX_NUMBERS:,} numbers; upload at "
            f"most {fitting:,} rows"
        )


def bounded_read(file: IO[bytes], limit: int) -> bytes:
    """All that a packed file holds; refused if it is more than `limit` bytes, whatever it says."""
    parts, total = [], 0
    while part := file.read(min(CHUNK_BYTES, limit + 1 - total)):
        parts.append(part)
        total += len(part)
        if total > limit:
            check_inflated(MAX_INFLATED_BYTES + 1)
    return b"".join(parts)


def inflated_size(packed: bytes, limit: int = MAX_INFLATED_BYTES) -> int:
    """Bytes of a zlib stream when unpacked, counted without keeping them; stops beyond `limit`."""
    stream, rest, total = zlib.decompressobj(), packed, 0
    while total <= limit and not stream.eof:
        total += len(part := stream.decompress(rest, CHUNK_BYTES))
        rest = stream.unconsumed_tail
        if not part and not rest:
            break
    return total


def clean_name(text: object, length: int = MAX_NAME_LENGTH) -> str:
    """A name of one line, without control characters, cut to `length` characters."""
    start = str(text)[: 4 * length]
    if len(start) <= length and start.isascii() and start.isprintable():
        return " ".join(start.split())  # most names: there may be a million
    letters = (" " if c.isspace() else c for c in start)
    word = "".join(c for c in letters if unicodedata.category(c)[0] != "C")
    word = " ".join(word.split())
    return word if len(word) <= length else word[: length - 1] + "…"


def count_of(count: int, noun: str) -> str:
    """A number and what it counts: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def unique_names(names: list[str]) -> list[str]:
    """Clean names, each used once: an empty one is called by its place, a second "x" is "x (2)"."""
    found: list[str] = []
    seen: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        word = clean_name(name) or f"column {place}"
        seen[word] = seen.get(word, 0) + 1
        unique = word if seen[word] == 1 else f"{word} ({seen[word]})"
        while unique in seen and unique != word:
            seen[word] += 1
            unique = f"{word} ({seen[word]})"
        seen.setdefault(unique, 1)
        found.append(unique)
    return found


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MB"
