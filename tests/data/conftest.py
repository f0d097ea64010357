"""What tests of data sets share: folders that hold nothing yet."""

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The user's data folder, empty; there are no downloads and no uploads either."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("SSLVIZ_DATA", str(folder))
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    return folder
