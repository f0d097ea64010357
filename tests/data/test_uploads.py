"""Uploaded tables and archives become data sets that only their name leads to."""

import io
import os
import time

import numpy as np
import pytest

from sslviz import data
from sslviz.data import npz_files, uploads

PRICES = b"x,price\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(200))
TABLE = b"width,name,height,Species\n1,a,2.5,setosa\n2,b,3.5,virginica\n3,c,,setosa\n4,d,1,setosa\n"


pytestmark = pytest.mark.usefixtures("place")


def test_a_table_is_read_and_its_description_says_what_is_not_used():
    name = uploads.store_upload("my flowers.csv", TABLE)
    d = data.load(name)
    assert name.startswith("my_flowers-") and d.name == name
    assert d.X.tolist() == [[1, 2.5], [2, 3.5], [4, 1]] and d.y.tolist() == [0, 1, 0]
    assert d.classes == ("setosa", "virginica")
    assert "the class is column 'Species'" in d.about
    assert "Not used (text columns): name. Not used (incomplete): 1 row." in d.about


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("classes", [(3, 7), ("no", "yes")])
def test_without_names_the_last_column_is_the_class(mark, classes):
    rng = np.random.default_rng(0)
    rows = [[f"{a:.3f}", f"{b:.3f}", classes[i % 2]] for i, (a, b) in enumerate(rng.random((9, 2)))]
    text = "\n".join(mark.join(map(str, row)) for row in rows)
    d = data.load(uploads.store_upload("points.tsv", text.encode()))
    assert d.X.shape == (9, 2) and d.classes == tuple(map(str, classes))
    assert d.y.tolist() == [i % 2 for i in range(9)]


def test_a_column_called_class_goes_before_one_called_y():
    d = data.load(uploads.store_upload("points.csv", b"x,y,class\n1,2.5,a\n2,3.5,b\n3,4.5,a\n"))
    assert d.X.tolist() == [[1, 2.5], [2, 3.5], [3, 4.5]] and d.classes == ("a", "b")


def test_an_archive_is_read_as_a_data_file():
    file = io.BytesIO()
    np.savez(file, X=np.arange(12.0).reshape(6, 2), y=np.array([0, 1] * 3))
    d = data.load(uploads.store_upload("mine.npz", file.getvalue()), n_samples=4)
    assert d.X.shape == (4, 2)


def test_only_the_name_leads_to_it():
    name = uploads.store_upload("a.csv", TABLE)
    assert name not in data.names() and data.is_available(name)
    assert name != uploads.store_upload("a.csv", TABLE)
    with pytest.raises(ValueError, match="not the name of a data set"):
        data.load(f"../uploads/{name}")


@pytest.mark.parametrize(
    ("filename", "content", "message"),
    [
        ("a.xlsx", b"", r"a\.xlsx: expected a table \(csv, tsv\) or an archive"),
        ("a.csv", b"", "a.csv: it cannot be read as a table"),
        ("a.csv", b"\xff\xfe\x00", "a.csv: it is not UTF-8 text"),
        ("a.csv", b"only\n1\n2\n", "a.csv: "),
        ("a.csv", b"x,class\nleft,a\nright,b\n", "no column except 'class' holds numbers"),
        ("a.csv", b"x,class\n1,a\n2,a\n", "'class' has 1 different value, expected 2 to 100"),
        ("a.csv", PRICES, "'price' has 200 different values"),
        ("a.csv", b"x,class\n,a\n,b\n1,a\n", "fewer than two rows are complete"),
        ("a.npz", b"PK no archive", "a.npz: "),
    ],
)  # fmt: skip
def test_other_files_are_refused_with_a_reason_and_not_stored(filename, content, message):
    with pytest.raises(ValueError, match=message):
        uploads.store_upload(filename, content)
    assert not list(npz_files.uploads().glob("*"))


def test_pickles_are_never_read():
    file = io.BytesIO()
    np.savez(file, X=np.array([{"a": 1}], dtype=object), y=np.zeros(1, int))
    with pytest.raises(ValueError, match="pickled objects, which are never read"):
        uploads.store_upload("bad.npz", file.getvalue())


def test_old_uploads_and_the_oldest_beyond_the_limit_are_deleted(monkeypatch):
    old, first = (npz_files.path_of(uploads.store_upload("a.csv", TABLE)) for _ in range(2))
    now = time.time()
    os.utime(old, (now - 40 * 86400,) * 2)
    os.utime(first, (now - 60,) * 2)
    second = npz_files.path_of(uploads.store_upload("b.csv", TABLE))
    assert not old.exists() and first.exists() and second.exists()
    monkeypatch.setattr(uploads, "MAX_BYTES", 1)
    third = npz_files.path_of(uploads.store_upload("c.csv", TABLE))
    assert not first.exists() and not second.exists() and third.exists()
