"""Files over HTTP: named by their content, written once, found below any base path."""

from pathlib import Path

import pytest
from browser.server import serve
from streamlit.testing.v1 import AppTest

from sslviz.ui.components.static_files import publish

DEMO = Path(__file__).with_name("live_figure_demo.py")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    return tmp_path / "served"


def test_equal_content_has_one_url_and_is_written_once(folder):
    url = publish(b"some bytes", ".png")
    (file,) = folder.iterdir()
    assert file.read_bytes() == b"some bytes" and url.endswith(f"/{file.name}")
    number = file.stat().st_ino
    assert publish(b"some bytes", ".png") == url and file.stat().st_ino == number
    assert publish(b"other bytes", ".png") != url
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("suffix", ["png", "", "./x", ".p/../q", ".PNG"])
def test_a_suffix_that_could_leave_the_folder_is_refused(folder, suffix):
    with pytest.raises(ValueError, match=r"suffix=.* is not a dot and letters"):
        publish(b"bytes", suffix)


def test_the_demo_runs_without_a_browser(folder):
    page = AppTest.from_file(str(DEMO), default_timeout=30).run()
    assert not page.exception
    assert page.text[0].value == "size 6, last None, events []"


def test_an_app_below_a_base_path_finds_its_files(page, tmp_path):
    with serve(DEMO, {"SSLVIZ_CACHE": str(tmp_path)}, base="below/here") as address:
        page.goto(f"{address}/?view=space")
        page.wait_for_selector(".sslviz-ready")
        asked = next(url for url in page.asked if "/plotly.min.js" in url)
        assert address.endswith("/below/here") and asked.startswith(f"{address}/component/")
        page.goto("about:blank")  # before its server is gone
