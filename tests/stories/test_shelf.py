"""Stories of the app and of lecturers are found by name, and no name leads elsewhere."""

import pytest

from sslviz import kept_files
from sslviz.stories import shelf
from sslviz.stories.record import StoryError
from sslviz.ui.page_list import PAGE_BY_NAME

PAGES = frozenset(PAGE_BY_NAME)


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    return tmp_path


def test_the_tour_comes_first_and_every_story_can_be_read():
    stories = shelf.built_in(PAGES)
    assert next(iter(stories)) == shelf.FIRST and all(s.about for s in stories.values())
    assert shelf.find_story(shelf.FIRST, PAGES) == stories[shelf.FIRST]


def test_a_lecturers_story_is_found_by_its_name_alone(own_folder):
    text = shelf.story_text(shelf.FIRST).replace("Start here", "Mein Kurs – Woche 1")
    name = shelf.keep_story(text, PAGES)
    assert shelf.find_story(name, PAGES).title == "Mein Kurs – Woche 1"
    assert shelf.keep_story(text, PAGES) == name  # equal text, equal link
    assert [p.name for p in (own_folder / "stories").iterdir()] == [f"{name}.toml"]
    with pytest.raises(StoryError):
        shelf.keep_story("title = 3", PAGES)


@pytest.mark.parametrize(
    "name", ["", "..", "../record", "own-../../etc", "own-zz", "record.py", "START", "x" * 300]
)
def test_other_names_lead_nowhere(name):
    assert shelf.find_story(name, PAGES) is None


def test_a_broken_file_is_no_story(own_folder):
    name = shelf.keep_story(shelf.story_text(shelf.FIRST), PAGES)
    path = own_folder / "stories" / f"{name}.toml"
    for content in (b"", b"\xff\xfe\x00", path.read_bytes()[:40]):
        path.write_bytes(content)
        assert shelf.find_story(name, PAGES) is None


def test_only_the_newest_are_kept(own_folder, monkeypatch):
    bound = kept_files.BOUNDS["stories"]._replace(max_files=3)
    monkeypatch.setitem(kept_files.BOUNDS, "stories", bound)
    text = shelf.story_text(shelf.FIRST)
    names = [shelf.keep_story(text.replace("Start here", f"S{i}"), PAGES) for i in range(5)]
    assert shelf.find_story(names[-1], PAGES) and len(list((own_folder / "stories").iterdir())) == 3
