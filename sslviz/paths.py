"""Folders for the files that sslviz writes."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """$SSLVIZ_CACHE, or sslviz/ in the user's cache folder; created when first written to."""
    if chosen := os.environ.get("SSLVIZ_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "sslviz"
