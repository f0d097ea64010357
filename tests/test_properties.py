"""Any input of visitors is taken or refused in words; `python -m tests.fuzz N` tries more."""

import random
from typing import Any

import fuzz
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sslviz import data
from sslviz.data import drawings, uploads
from sslviz.exports.label_files import LabelFileError, labels_from_csv, labels_to_csv
from sslviz.stories.record import StoryError, parse_story
from sslviz.ui.components.events import sent_events
from sslviz.ui.state import manual_labels, old_links

few = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4)
    ),
    max_leaves=8,
)


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path))


@pytest.mark.parametrize("kind", sorted(set(fuzz.KINDS) - {"pages"}))
def test_no_damaged_input_does_anything_but_be_refused(kind):
    report = fuzz.run(60, seed=1, kinds={kind: (fuzz.KINDS[kind][0], 1.0)})
    assert not report["failures"]


@few
@given(st.binary(max_size=400), st.sampled_from(uploads.FILE_TYPES))
def test_any_bytes_are_a_table_or_a_refusal(content, ending):
    try:
        raw = uploads.read(content, f"x.{ending}")
        d = uploads.dataset_of(raw, uploads.understand(raw), "own")
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert np.isfinite(d.X).all() and (d.y < d.n_classes).all()


@few
@given(
    st.lists(
        st.lists(st.text("abc019.,;\"' \n-é", max_size=6), min_size=3, max_size=3), min_size=3
    ),
    st.sampled_from(",;\t|"),
)
def test_any_cells_are_a_table_or_a_refusal(rows, delimiter):
    text = "\n".join(delimiter.join(row) for row in rows)
    try:
        raw = uploads.read(text.encode(), "x.csv")
        uploads.dataset_of(raw, uploads.understand(raw), "own")
    except ValueError as refusal:
        assert str(refusal)


@few
@given(st.dictionaries(st.integers(0, 99), st.integers(-1, 3), max_size=300))
def test_labels_survive_their_way_through_a_link_and_through_a_file(labels):
    assert manual_labels.parse_labels(manual_labels.format_labels(labels)) == labels
    classes = ("a", "b;c", '"', "=x")
    y = np.full(100, -1)
    y[list(labels)] = list(labels.values())
    found = labels_from_csv(labels_to_csv(y, classes).encode(), 100, classes)
    assert found == {p: c for p, c in labels.items() if c >= 0}


@few
@given(st.text(max_size=300), st.dictionaries(st.text(max_size=12), st.text(max_size=12)))
def test_any_text_of_a_link_is_read_or_left_out(text, query):
    labels = manual_labels.parse_labels(text)
    y, used = manual_labels.with_manual_labels(np.array([0, 1, -1, -1]), labels, 2)
    assert set(used.items()) <= set(labels.items()) and {0, 1} <= set(y.tolist())
    assert old_links.translate(old_links.translate(query)) == old_links.translate(query)
    try:
        data.load(text) if text in data.names() else data.is_available(text)
    except ValueError as refusal:
        assert len(str(refusal)) < 400


@few
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_label_file_is_read_or_refused_in_words(content):
    try:
        found = labels_from_csv(b"point,label\n" + content, 20, ("a", "b"))
    except LabelFileError as refusal:
        assert len(str(refusal)) < 400
    else:
        assert all(0 <= p < 20 and -1 <= c < 2 for p, c in found.items())


@few
@given(st.text(max_size=200), st.integers(0, 10**9))
def test_any_story_is_read_or_refused_in_words(text, seed):
    rng = random.Random(seed)
    sound = b'title="t"\n[[steps]]\npage="graph"\ntitle="s"\ntext="x"\nsettings={a=1}\n'
    for found in (text, fuzz.damaged(rng, sound).decode("utf-8", "replace")):
        try:
            assert parse_story(found, frozenset(["graph"])).steps
        except StoryError as refusal:
            assert str(refusal)


@pytest.mark.parametrize(
    "text", [".".join("a" * 40_000) + "=1", "a=" + "1" * 5000, "a=" + "[" * 50_000, "a" * 99_000]
)
def test_no_story_keeps_the_server_busy(text):
    with pytest.raises(StoryError):
        parse_story(text, frozenset(["graph"]))


@few
@given(json_values | st.fixed_dictionaries({"event": json_values | st.lists(json_values)}))
def test_forged_events_are_left_out(value: Any):
    for serial, event in sent_events(value):
        assert type(serial) is int and event.kind in ("click", "key", "select")


@few
@given(json_values | st.lists(st.integers(-4000, 4000), max_size=60))
def test_any_drawing_is_a_set_or_a_refusal(value: Any):
    try:
        assert drawings.dataset_of_drawing(value).n_classes >= 2
    except ValueError as refusal:
        assert str(refusal)
