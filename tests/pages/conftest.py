"""Pages are tested without the user's files and without the warm-up.

The warm-up in the background would issue warnings during the tests. The cache of stages is kept
between the tests of a file, as a server keeps it between sessions.
"""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from sslviz.ui.server import memory

# Streamlit's test runner searches all installed packages before every run: half a second.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data sets, empty."""
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    monkeypatch.setattr("sslviz.ui.app.warm_up", lambda: None)
    return tmp_path / "data"


@pytest.fixture(autouse=True, scope="module")
def nothing_of_other_files() -> None:
    memory.clear()


@pytest.fixture
def nothing_remembered() -> None:
    """For tests of what is computed again and what is not."""
    memory.clear()
