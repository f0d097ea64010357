"""Reading a visitor's file: `read(content, filename)` gives a RawTable or a Refusal, no third.

It touches neither disk nor session, takes and returns plain data, and so can run in a process of
its own.
"""

import os

from sslviz.data.uploads.csv_text import read_csv
from sslviz.data.uploads.image_zip import read_image_zip
from sslviz.data.uploads.limits import (
    Refusal,
    check_file_size,
    clean_name,
    needs_too_much_memory,
)
from sslviz.data.uploads.mat_file import read_mat
from sslviz.data.uploads.npz_archive import read_npz
from sslviz.data.uploads.parquet_file import read_parquet
from sslviz.data.uploads.raw_table import UNDECIDED, Format, RawTable

READERS = {
    "parquet": read_parquet,
    "npz": read_npz,
    "mat": read_mat,
    "zip": read_image_zip,
}
TEXT_TYPES = ("csv", "tsv", "txt")
FILE_TYPES = (*TEXT_TYPES, *READERS)
EXPECTED = (
    "a table (csv, tsv, parquet), arrays (npz, mat) or a zip of images in a folder for each class"
)


def read(content: bytes, filename: str, format: Format = UNDECIDED) -> RawTable:
    """What the file holds. `format` says how a text file is written, where that is known.

    Whatever goes wrong in a library is a Refusal: files of visitors may be damaged in any way.
    """
    name, ending = check_ending(filename)
    try:
        check_file_size(len(content))
        return read_csv(content, format) if ending in TEXT_TYPES else READERS[ending](content)
    except Refusal as refusal:
        raise Refusal(f"{name}: {refusal}") from refusal
    except MemoryError as error:
        raise Refusal(f"{name}: {needs_too_much_memory()}") from error
    except Exception as error:
        kind = "text file" if ending in TEXT_TYPES else f"{ending} file"
        raise Refusal(f"{name}: it is damaged, or not a {kind}") from error


def check_ending(filename: str) -> tuple[str, str]:
    """Name and ending of a file; refused if no file of this kind is read."""
    name = clean_name(os.path.basename(filename.replace("\\", "/")), 100)
    ending = name.rpartition(".")[2].lower()
    if ending not in FILE_TYPES:
        raise Refusal(f"{name}: expected {EXPECTED}")
    return name, ending
