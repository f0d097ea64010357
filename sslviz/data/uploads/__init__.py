"""Visitors' own files: read, understood, turned into data sets, and stored.

A file is read within limits (`limits.py`, one module for each format), its columns are understood
(`understanding.py`), a visitor may correct that (`choices.py`), and the data set is stored under a
name with random digits (`storage.py`).
"""

import ast
import os

from sslviz.data.dataset import Dataset
from sslviz.data.uploads import storage
from sslviz.data.uploads.choices import AS_FOUND, Choices
from sslviz.data.uploads.conversion import dataset_of, scales_differ, sentences
from sslviz.data.uploads.limits import Refusal, clean_name
from sslviz.data.uploads.raw_table import Format, RawTable
from sslviz.data.uploads.reader import FILE_TYPES, read
from sslviz.data.uploads.storage import KEPT_DAYS, keep_file, kept_file, store
from sslviz.data.uploads.understanding import Understanding, understand

__all__ = [
    "FILE_TYPES",
    "KEPT_DAYS",
    "Choices",
    "Format",
    "RawTable",
    "Refusal",
    "Understanding",
    "choices_of",
    "dataset_of",
    "keep_file",
    "kept_file",
    "read",
    "scales_differ",
    "sentences",
    "source_of",
    "storage",
    "store",
    "store_understood",
    "store_upload",
    "understand",
]


def store_upload(filename: str, content: bytes, choices: Choices = AS_FOUND) -> str:
    """Read and store a file; return the name of the data set."""
    raw = read(content, filename, choices.format)
    return store_understood(filename, content, raw, _understand(filename, raw, choices))


def store_understood(filename: str, content: bytes, raw: RawTable, meaning: Understanding) -> str:
    """Store a file that is read and understood; return the name of the data set."""
    stem = os.path.basename(filename).rpartition(".")[0]
    dataset = dataset_of(raw, meaning, "own", source_of(filename, meaning.choices))
    name = store(dataset, stem)
    keep_file(name, clean_name(os.path.basename(filename), 100), content)
    return name


def source_of(filename: str, choices: Choices) -> str:
    """The arguments of `sslviz.data.read_table` that read this file in this way, as code."""
    name = clean_name(os.path.basename(filename), 100)
    return ", ".join([repr(name), *(f"{k}={v!r}" for k, v in choices.arguments().items())])


def choices_of(source: str) -> Choices:
    """The choices in the code that `source_of` writes."""
    try:
        call = ast.parse(f"f({source})", mode="eval").body
        assert isinstance(call, ast.Call)
        return Choices(**{k.arg or "": ast.literal_eval(k.value) for k in call.keywords})
    except (SyntaxError, ValueError, TypeError, AssertionError):
        return AS_FOUND


def read_table(path: str | os.PathLike[str], choices: Choices) -> Dataset:
    """The data set in a file, understood as on the pages."""
    filename = os.path.basename(os.fspath(path))
    with open(path, "rb") as file:
        content = file.read()
    raw = read(content, filename, choices.format)
    stem = clean_name(filename.rpartition(".")[0]) or "own"
    return dataset_of(raw, _understand(filename, raw, choices), stem)


def _understand(filename: str, raw: RawTable, choices: Choices) -> Understanding:
    try:
        return understand(raw, choices)
    except Refusal as refusal:
        raise Refusal(f"{os.path.basename(filename)}: {refusal}") from refusal
