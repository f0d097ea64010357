"""Labels by hand that are too many for an address: kept on the server under a key.

Where the disk refuses them they are kept in memory, so that the address works until the server is
started again.
"""

import hashlib
import re
from collections import OrderedDict
from pathlib import Path

from sslviz import kept_files

KEY = re.compile(r"saved-[0-9a-f]{16}")
MAX_BYTES = 5_000_000  # of one set
SETS_IN_MEMORY = 200  # of those the disk refused, the newest
_unsaved: OrderedDict[str, str] = OrderedDict()


def keep(text: str) -> str:
    """Keep labels in the form of an address; their key, for the address."""
    name = key_of(text)
    if _read(_path(name)) != text:
        try:
            kept_files.write_file(_path(name), text.encode("ascii"))
        except OSError:
            _unsaved[name] = text
            while len(_unsaved) > SETS_IN_MEMORY:
                _unsaved.popitem(last=False)
        else:
            _unsaved.pop(name, None)
    return name


def find(key: str) -> str | None:
    """The labels kept under a key; None if there are none, or not those that were kept."""
    if not KEY.fullmatch(key):
        return None
    text = _read(_path(key))
    if text is None or key_of(text) != key:
        return _unsaved.get(key)
    kept_files.mark_used(_path(key))
    return text


def key_of(text: str) -> str:
    """The key of labels: a hash of them, so that a damaged file is noticed."""
    return f"saved-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii") if path.stat().st_size <= MAX_BYTES else None
    except (OSError, UnicodeDecodeError):
        return None


def _path(key: str) -> Path:
    return kept_files.folder_of("labels") / key
