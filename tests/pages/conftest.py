"""Pages are tested without the user's files and without warming up.

What the warming computes in the background would come and go between a test's warnings. Stages
are remembered from test to test of a file, as a server remembers them from session to session.
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
    monkeypatch.setattr("sslviz.ui.app.warm_up", lambda: None)
    return tmp_path / "data"


@pytest.fixture(autouse=True, scope="module")
def nothing_of_other_files() -> None:
    memory.clear()


@pytest.fixture
def nothing_remembered() -> None:
    """For tests of what is computed anew and what is not."""
    memory.clear()
