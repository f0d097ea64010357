"""Folders for the files that sslviz writes."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """$SSLVIZ_CACHE, or sslviz/ in the user's cache folder; created when first written to."""
    if chosen := os.environ.get("SSLVIZ_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "sslviz"


def app_folder() -> Path:
    """Folder of app.py, pages/ and assets/: sslviz/_app if installed, else the checkout's top."""
    package = Path(__file__).resolve().parent
    installed = package / "_app"
    return installed if installed.is_dir() else package.parent
