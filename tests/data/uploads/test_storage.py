"""Uploaded files become data sets that only their name leads to."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from own_files import npz_of, wine_csv

from sslviz import data, kept_files
from sslviz.data import npz_files, uploads

TABLE = (
    b"width,name,height,Species\n1.5,a,2.5,setosa\n2,b,3.5,virginica\n3,c,,setosa\n4,d,1,setosa\n"
)

pytestmark = pytest.mark.usefixtures("place")


def test_a_stored_table_is_loaded_as_it_was_understood():
    name = uploads.store_upload("my flowers.csv", TABLE)
    d = data.load(name)
    assert name.startswith("my_flowers-") and d.name == name
    assert d.X.tolist() == [[1.5, 2.5], [2, 3.5], [3, 2.5], [4, 1]] and d.y.tolist() == [0, 1, 0, 0]
    assert d.classes == ("setosa", "virginica") and d.features == ("width", "height")
    assert d.notes is not None and d.notes.tolist() == [f"name: {c}" for c in "abcd"]
    assert "column “Species”" in d.about and "1 missing value in 1 row" in d.about


def test_a_partly_labelled_table_keeps_all_its_rows():
    d = data.load(uploads.store_upload("wine.csv", wine_csv(kept=0.1)))
    whole = data.load("wine")
    assert d.n_samples == 178 and 10 < d.known.sum() < 30
    assert (d.y[d.known] == whole.y[d.known]).all() and (d.y[~d.known] == -1).all()
    some = data.load(d.name, n_samples=60)
    assert np.array_equal(some.X, d.X[some.rows])
    assert (some.y >= 0).any() and (some.y < 0).any(), "a sample keeps the shares"


def test_an_archive_is_stored_with_its_options():
    content = npz_of(X=np.arange(12.0).reshape(6, 2), y=np.array([0, 1] * 3))
    assert data.load(uploads.store_upload("mine.npz", content), n_samples=4).X.shape == (4, 2)


def test_only_the_name_leads_to_it():
    name = uploads.store_upload("a.csv", TABLE)
    assert name not in data.names() and data.is_available(name)
    assert name != uploads.store_upload("a.csv", TABLE)
    with pytest.raises(ValueError, match="not the name of a data set"):
        data.load(f"../uploads/{name}")


def test_the_file_is_kept_to_be_understood_in_another_way():
    name = uploads.store_upload("../my flowers.csv", TABLE)
    assert uploads.kept_file(name) == ("my flowers.csv", TABLE)
    assert uploads.kept_file("nothing-000000000000") is None
    with pytest.raises(ValueError, match="not the name"):
        uploads.kept_file("../../etc/passwd")
    assert {p.parent for p in npz_files.uploads().rglob("*")} == {npz_files.uploads()}


def test_what_is_refused_is_not_stored():
    with pytest.raises(ValueError, match=r"a\.csv: it is empty"):
        uploads.store_upload("a.csv", b"")
    assert not npz_files.uploads().exists()


def test_old_uploads_and_the_oldest_beyond_the_limit_are_deleted(monkeypatch):
    old, first = (npz_files.path_of(uploads.store_upload("a.csv", TABLE)) for _ in range(2))
    now = time.time()
    for path, age in ((old, 40 * 86400), (first, 60)):
        for file in (path, path.with_suffix(".file")):
            os.utime(file, (now - age,) * 2)
    second = npz_files.path_of(uploads.store_upload("b.csv", TABLE))
    assert not old.exists() and not old.with_suffix(".file").exists()
    assert first.exists() and second.exists()
    bound = kept_files.BOUNDS["uploads"]._replace(max_bytes=1)
    monkeypatch.setitem(kept_files.BOUNDS, "uploads", bound)
    third = npz_files.path_of(uploads.store_upload("c.csv", TABLE))
    assert not first.exists() and not second.exists() and third.exists()


def test_visitors_may_upload_while_old_files_are_deleted():
    place = npz_files.uploads()
    place.mkdir(parents=True)
    for i in range(100):
        (place / f"old{i}.npz").touch()
        os.utime(place / f"old{i}.npz", (1, 1))
    with ThreadPoolExecutor(6) as pool:
        names = list(pool.map(lambda _: uploads.store_upload("a.csv", TABLE), range(6)))
    assert all(data.is_available(name) for name in names) and len(list(place.glob("old*"))) == 0


def test_a_full_disk_is_a_sentence(monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(npz_files, "write", full)
    with pytest.raises(ValueError, match="no room for another file"):
        uploads.store_upload("a.csv", TABLE)
