"""Pages are tested with neither the user's files nor other tests' stages, and without warming up.

What the warming computes in the background would come and go between a test's warnings.
"""

from pathlib import Path

import pytest

from sslviz.ui.server import memory


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data sets, empty."""
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    monkeypatch.setattr("sslviz.ui.shell.warm_up", lambda: None)
    memory.clear()
    return tmp_path / "data"
