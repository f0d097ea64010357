"""Files the browser fetches over HTTP: plotly.js once per version, and what the app generates."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

import plotly

from sslviz.paths import cache_folder
from sslviz.ui.state.streamlit_internals import serve_folder


def plotly_js() -> str:
    """The URL of the plotly.js that comes with the installed plotly package."""
    folder = Path(plotly.__file__).parent / "package_data"
    return f"{serve_folder('plotly', folder)}/plotly.min.js?v={plotly.__version__}"


def publish(data: bytes, suffix: str) -> str:
    """The URL of a file with this content, named by its hash: equal content, equal URL.

    The file is written once and stays: browsers may keep what they fetched forever.
    """
    if not re.fullmatch(r"\.[a-z0-9]+", suffix):
        raise ValueError(f"publish: suffix={suffix!r} is not a dot and letters, such as '.png'")
    folder = cache_folder() / "served"
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.blake2b(data, digest_size=16).hexdigest() + suffix
    if not (folder / name).exists():
        _write(folder / name, data)
    return f"{serve_folder('files', folder)}/{name}"


def _write(path: Path, data: bytes) -> None:
    """Write a file in one step: sessions write at the same time, browsers read meanwhile."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as part:
        part.write(data)
    os.replace(part.name, path)
