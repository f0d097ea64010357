"""Results in files, one per cell: its declaration and its result.

A file appears complete or not at all, so a run can be stopped at any moment and continued. Equal
cells of different tables share their file.
"""

import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from sslviz.experiments.scoring import CellScore
from sslviz.experiments.table import Cell


def read(folder: Path, cell: Cell) -> CellScore | None:
    """The stored result; None if there is no readable file."""
    try:
        stored = json.loads((folder / cell.file_name).read_text(encoding="utf-8"))
        return CellScore(**stored["result"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(folder: Path, cell: Cell, result: CellScore) -> None:
    """Store a result under the name of its cell."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"cell": cell.declaration(), "result": result._asdict()}
    part = tempfile.NamedTemporaryFile(
        "w", dir=folder, suffix=".part", delete=False, encoding="utf-8"
    )
    try:
        with part:
            json.dump(content, part, indent=1)
        os.replace(part.name, folder / cell.file_name)
    except BaseException:
        os.unlink(part.name)
        raise


def tidy(folder: Path, older_than: float = 3600.0) -> None:
    """Remove what a killed run left half written, older than some seconds."""
    for part in folder.glob("*.part"):
        with suppress(OSError):  # another run may be tidying, too
            if time.time() - part.stat().st_mtime > older_than:
                part.unlink()
