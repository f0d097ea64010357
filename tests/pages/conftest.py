"""Pages are tested with neither the user's files nor other tests' stages, and without warming up.

What the warming computes in the background would come and go between a test's warnings.
"""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from sslviz.ui.server import memory

# Streamlit's test runner goes through all installed packages before every run: half a second.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data sets, empty."""
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    monkeypatch.setattr("sslviz.ui.shell.warm_up", lambda: None)
    memory.clear()
    return tmp_path / "data"
