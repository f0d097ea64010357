"""Labels kept on the server: found by their key alone, and never more than so many sets."""

import pytest

from sslviz import kept_files
from sslviz.ui.state import saved_labels
from sslviz.ui.state.manual_labels import LABELS_IN_URL, format_labels, parse_labels


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    return tmp_path / "labels"


def test_an_address_holds_few_labels_and_the_key_of_many(own_folder):
    few = {i: i % 3 for i in range(LABELS_IN_URL)}
    assert parse_labels(format_labels(few)) == few and not own_folder.exists()
    many = {i: i % 3 - 1 for i in range(3 * LABELS_IN_URL)}
    key = format_labels(many)
    assert saved_labels.KEY.fullmatch(key) and parse_labels(key) == many
    assert format_labels(many) == key and len(list(own_folder.iterdir())) == 1


@pytest.mark.parametrize("key", ["saved-../../etc/passwd", "saved-", "saved-" + "0" * 16, "x"])
def test_other_keys_lead_nowhere(key):
    assert saved_labels.find(key) is None and parse_labels(key) == {}


def test_a_broken_file_holds_no_labels_and_old_sets_are_dropped(own_folder, monkeypatch):
    key = saved_labels.keep("1.0_2.1")
    (own_folder / key).write_bytes(b"\xff\x00garbage")
    assert parse_labels(key) == {}
    bound = kept_files.BOUNDS["labels"]._replace(max_files=2)
    monkeypatch.setitem(kept_files.BOUNDS, "labels", bound)
    for text in "abcd":
        saved_labels.keep(text)
    assert len(list(own_folder.iterdir())) == 2
