"""Files the browser fetches over HTTP: plotly.js once per version, and what the app generates.

Generated files are kept in `served/` below the cache folder, within the bound that kept_files.py
states, and written again whenever they are missing or damaged. Where the disk refuses them, they
are served from memory.
"""

import hashlib
import re
import time
from pathlib import Path

import plotly

from sslviz import kept_files
from sslviz.ui.state.streamlit_internals import serve_bytes, serve_folder

MEDIA_TYPES = {".png": "image/png"}  # others are bytes
CHECKED_NAMES = 10_000  # remembered at most
_checked: dict[Path, tuple[int, int]] = {}  # files found to be right: size, time of the last change


def plotly_js() -> str:
    """The URL of the plotly.js that comes with the installed plotly package."""
    folder = Path(plotly.__file__).parent / "package_data"
    return f"{serve_folder('plotly', folder)}/plotly.min.js?v={plotly.__version__}"


def publish(data: bytes, suffix: str) -> str:
    """The URL of a file with this content, named by its hash: equal content, equal URL.

    Browsers may keep what they fetched forever.
    """
    if not re.fullmatch(r"\.[a-z0-9]+", suffix):
        raise ValueError(f"publish: suffix={suffix!r} is not a dot and letters, such as '.png'")
    folder = kept_files.folder_of("served")
    path = folder / (hashlib.blake2b(data, digest_size=16).hexdigest() + suffix)
    try:
        if not _is_right(path, data):
            kept_files.write_file(path, data)
    except OSError:
        kind = MEDIA_TYPES.get(suffix, "application/octet-stream")
        return serve_bytes(data, kind, path.name)
    return f"{serve_folder('files', folder)}/{path.name}"


def _is_right(path: Path, data: bytes) -> bool:
    """Whether a file holds this content; read only if it changed since the last time."""
    try:
        facts = path.stat()
        if _checked.get(path) != (facts.st_size, facts.st_mtime_ns):
            if facts.st_size != len(data) or path.read_bytes() != data:
                return False
        if time.time() - facts.st_mtime > kept_files.HOUR:
            kept_files.mark_used(path)
            facts = path.stat()
    except OSError:
        return False
    if len(_checked) >= CHECKED_NAMES:
        _checked.clear()
    _checked[path] = (facts.st_size, facts.st_mtime_ns)
    return True
