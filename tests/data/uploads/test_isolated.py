"""Files are read in a process of their own: the same tables, and no way to hold the server."""

import io
import time
import zipfile

import numpy as np
import pytest
from own_files import book_mat, digits_zip, german_csv, npz_of, wine_csv, wine_parquet

from sslviz import data
from sslviz.data import npz_files, uploads
from sslviz.data.uploads import isolated, limits, transfer

pytestmark = pytest.mark.usefixtures("place")

FILES = {
    "wine.csv": wine_csv(kept=0.5, missing=0.1),
    "deutsch.csv": german_csv(),
    "wine.parquet": wine_parquet(),
    "book.mat": book_mat(),
    "digits.zip": digits_zip(40),
    "a.npz": npz_of(X=np.eye(6), y=np.array(list("ababab")), classes=["a", "b"]),
}


def same(a: uploads.RawTable, b: uploads.RawTable) -> bool:
    arrays = [*zip(a.columns.values(), b.columns.values(), strict=True)]
    arrays += zip(a.splits.values(), b.splits.values(), strict=True)
    if a.block is not None:
        arrays.append((a.block, b.block))
    facts = ("kind", "names", "block_names", "classes", "image_shape", "format", "about", "notes")
    numbers = [np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in arrays]
    return all(numbers) and all(getattr(a, f) == getattr(b, f) for f in facts)


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_the_same_after_its_way_through_a_pipe(name):
    raw = uploads.read(FILES[name], name)
    sent = b"".join(transfer.pack(*transfer.parts_of(raw)))
    assert same(transfer.table_of(*transfer.unpack(sent)), raw)
    with pytest.raises(ValueError):
        transfer.unpack(sent[: len(sent) // 2])


def test_another_process_reads_and_stores_what_this_one_would():
    assert same(isolated.read_apart(FILES["a.npz"], "a.npz"), uploads.read(FILES["a.npz"], "a.npz"))
    name = isolated.store_apart("wine.parquet", FILES["wine.parquet"], uploads.Choices(label=None))
    assert not data.load(name).known.any() and data.load(name).n_samples == 178
    with pytest.raises(ValueError, match=r"^b\.npz: it has no array X"):
        isolated.read_apart(npz_of(Y=np.eye(3)), "b.npz")


def test_a_file_that_takes_too_long_is_stopped_and_said(monkeypatch):
    monkeypatch.setattr(limits, "MAX_READING_SECONDS", 0.01)
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r"^a\.npz: reading it takes longer than 0\.01 seconds"):
        isolated.read_apart(FILES["a.npz"], "a.npz")
    assert time.perf_counter() - start < 5 and not list(npz_files.uploads().glob("*"))


def test_the_memory_of_the_process_is_bounded():
    """The limit counts from what the process holds when it begins: two gigabytes are refused."""
    code = (
        "from sslviz.data.uploads.isolated_reader import bound_process\n"
        "import numpy as np\nbound_process(100 * 2**20, 60)\n"
        "np.ones(5 * 2**20)\n"
        "try:\n    np.ones(50 * 2**20)\nexcept MemoryError:\n    print('refused')\n"
    )
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=isolated._environment()
    )
    assert done.stdout == "refused\n", done.stderr


def test_a_crash_of_the_process_is_a_sentence(monkeypatch):
    monkeypatch.setattr(isolated.sys, "executable", "/bin/false")
    with pytest.raises(ValueError, match=r"^a\.npz: it is damaged, or too large to be read"):
        isolated.read_apart(FILES["a.npz"], "a.npz")


def test_sizes_are_refused_with_the_number_and_the_limit(monkeypatch):
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 2**20)
    with pytest.raises(ValueError, match="it has 3 MB, at most 1 MB are read"):
        isolated.read_apart(bytes(3 * 2**20), "a.npz")


def test_names_texts_and_descriptions_have_a_length():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    long = npz_of(X=X, y=y, classes=["n" * 10**6, "b"], about="a" * 10**6)
    d = data.load(uploads.store_upload("x.npz", long))
    assert len(d.classes[0]) == limits.MAX_NAME_LENGTH and len(d.about) < 1000
    rows = b"".join(b"%d,%s,k%d\n" % (i, b"w" * 10**4, i % 2) for i in range(50))
    d = data.load(uploads.store_upload("x.csv", b"a,note,class\n" + rows))
    assert d.notes is not None and max(map(len, d.notes)) < 100


def test_an_archive_that_lies_about_its_size_is_refused_in_little_memory():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 2)}\n"
        head = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        archive.writestr("X.npy", head + bytes(50 * 2**20))
    with pytest.raises(ValueError, match="unpacked it has more than"):
        uploads.read(file.getvalue(), "x.npz")
