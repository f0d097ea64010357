"""Files the browser fetches over HTTP: plotly.js once per version, and what the app generates.

Streamlit serves the folder of every declared component under /component/<module>.<name>/, so a
folder is declared as a component that is never shown. Static serving would need the files copied
beside app.py; the asset folder of components.v2 needs an installed package with a manifest.
"""

import hashlib
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from sslviz.paths import cache_folder


def plotly_js() -> str:
    """The URL of the plotly.js that comes with the installed plotly package."""
    folder = Path(plotly.__file__).parent / "package_data"
    return f"{_serve('plotly', folder)}/plotly.min.js?v={plotly.__version__}"


def publish(data: bytes, suffix: str) -> str:
    """The URL of a file with this content, named by it: equal content, equal URL.

    The file is written once and stays: browsers may keep what they fetched for good.
    """
    if not re.fullmatch(r"\.[a-z0-9]+", suffix):
        raise ValueError(f"publish: suffix={suffix!r} is not a dot and letters, such as '.png'")
    folder = cache_folder() / "served"
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.blake2b(data, digest_size=16).hexdigest() + suffix
    if not (folder / name).exists():
        _write(folder / name, data)
    return f"{_serve('files', folder)}/{name}"


def _write(path: Path, data: bytes) -> None:
    """All of the file or none of it: sessions write at the same time, browsers read meanwhile."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as part:
        part.write(data)
    os.replace(part.name, path)


def _serve(name: str, folder: Path) -> str:
    """The URL below which `folder` is served.

    Called in every script run: Streamlit only registers a component when a script runs, and a
    new runtime (a restart, a test) starts with none.
    """
    component = declare_component(name, path=folder.resolve())
    return f"{_base()}/component/{component.name}"


@cache
def _base() -> str:
    """Where the app is mounted, as the server was started."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""
