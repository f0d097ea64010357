"""Pages are tested with neither the user's files nor other tests' stages."""

from pathlib import Path

import pytest

from sslviz.ui.server import memory


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data sets, empty."""
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    memory.clear()
    return tmp_path / "data"
