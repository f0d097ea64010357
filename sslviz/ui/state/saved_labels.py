"""Labels by hand that are too many for an address: kept on the server under a key."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from sslviz.paths import cache_folder

KEY = re.compile(r"saved-[0-9a-f]{16}")
SETS_KEPT = 2000  # the newest
MAX_BYTES = 5_000_000


def keep(text: str) -> str:
    """Keep labels in the form of an address; their key, for the address."""
    name = f"saved-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"
    folder = _folder()
    if (folder / name).exists():
        return name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as part:
        part.write(text)
    os.replace(part.name, folder / name)
    _drop_oldest(folder)
    return name


def find(key: str) -> str | None:
    """The labels kept under a key; None if there are none."""
    if not KEY.fullmatch(key):
        return None
    path = _folder() / key
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None


def _drop_oldest(folder: Path) -> None:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except FileNotFoundError:  # dropped by somebody else
            return 0.0

    for path in sorted(folder.glob("saved-*"), key=age)[:-SETS_KEPT]:
        path.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / "labels"
