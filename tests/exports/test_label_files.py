"""Labels leave as CSV and come back the same; a file that is none is refused with a sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sslviz.exports.label_files import (
    LabelFileError,
    labels_from_csv,
    labels_to_csv,
    read_label_file,
)

CLASSES = ("ja", "=nein", 'a,"b"', "ü")


@given(st.lists(st.integers(-1, 3), min_size=1, max_size=30))
def test_labels_come_back_as_they_left(y):
    y = np.array(y)
    found = labels_from_csv(labels_to_csv(y, CLASSES).encode(), len(y), CLASSES)
    assert found == {i: c for i, c in enumerate(y.tolist()) if c >= 0}


def test_names_and_colours_come_back_with_the_labels():
    y, names = np.array([1, -1, 0, 3, 4]), ("rose", "=2", "c", "ü", "new")
    text = labels_to_csv(y, names, ["#0072B2", "#E69F00", "#009E73", "#112233", "#445566"])
    found = read_label_file(text.encode(), len(y), CLASSES, max_classes=5)
    assert found.labels == {0: 1, 2: 0, 3: 3, 4: 4}
    assert found.names == {0: "rose", 1: "=2", 4: "new"}, "the others have their names already"
    assert found.colours == {0: "#0072B2", 1: "#E69F00", 3: "#112233", 4: "#445566"}
    with pytest.raises(LabelFileError, match="'new' is no class"):
        read_label_file(text.encode(), len(y), CLASSES)


def test_other_separators_and_columns_are_read():
    text = "note;label;point\nx;ja;3\ny;;4\n\n"
    assert labels_from_csv(b"\xef\xbb\xbf" + text.encode(), 5, CLASSES) == {3: 0, 4: -1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names the columns"),
        ("a,b\n1,2", "names the columns"),
        ("point,label\n9,ja", "row 2: point '9'"),
        ("point,label\n-1,ja", "no number"),
        ("point,label\n1,maybe", "'maybe' is no class"),
        ("point,label\n" + "1,ja\n" * 200_001, "more than"),
        ("x" * 5_000_001, "larger than"),
    ],
)
def test_what_is_wrong_is_said(text, said):
    with pytest.raises(LabelFileError, match=said):
        labels_from_csv(text.encode(), 5, CLASSES)


@given(st.binary(max_size=80))
def test_no_bytes_break_the_reader(noise):
    for content in (noise, b"point,label\n" + noise):
        try:
            labels_from_csv(content, 5, CLASSES)
        except LabelFileError as error:
            assert str(error)
