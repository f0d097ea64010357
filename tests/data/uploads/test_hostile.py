"""Hostile files: a sentence in little time and memory, nothing executed, nothing written."""

import io
import resource
import struct
import time
import zipfile
import zlib

import numpy as np
import pytest
from own_files import npz_of, png, zip_of
from PIL import Image
from scipy.io import savemat

from sslviz.data import npz_files, uploads
from sslviz.data.uploads import limits, mat_file

QUICK = 5.0  # seconds on a busy machine; the readers before took 10 s to 17 min
LITTLE = 700 * 2**20  # bytes; the reader before took 4 GB

pytestmark = pytest.mark.usefixtures("place")


def refused(name: str, content: bytes) -> str:
    """The sentence of a refusal, which comes soon and takes little memory."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    with pytest.raises(ValueError) as caught:
        uploads.store_upload(name, content)
    assert time.perf_counter() - start < QUICK
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < LITTLE
    assert not list(npz_files.uploads().glob("*")), "nothing is stored"
    return str(caught.value)


def npy(header: bytes, body: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


def stored_zip(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def test_the_table_that_held_the_server_for_ten_seconds():
    assert "no column except the labels" in refused("a.csv", (b"a,'b' " * 4000 + b"\n") * 3)


@pytest.mark.parametrize(
    "content",
    [
        b"," * 500_000,
        b'"' + b"a," * 200_000,
        b"a\n" * 300_000,
        b"\x00" * 1000,
        b"a,b\n" + b"1,2,3\n" * 100_000,
        bytes(range(256)) * 100,
        b"x" * 3_000_000,
    ],
    ids=["columns", "quote", "lines", "zeros", "ragged", "bytes", "word"],
)
def test_strange_texts_are_refused_soon(content):
    assert refused("a.csv", content).startswith("a.csv: ")


def test_small_archives_of_gigabytes_are_refused():
    zeros = npz_of(X=np.zeros((20_000, 2_000), np.uint8), y=np.zeros(2))
    assert len(zeros) < 100_000
    assert "more than 32,000,000 numbers" in refused("a.npz", zeros)
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1200, 600, 600)}\n"
    cube = stored_zip({"X.npy": npy(header)})
    assert "unpacked it has more than 400 MB" in refused("a.npz", cube)


def test_arrays_nobody_asks_for_are_not_unpacked():
    X = np.random.default_rng(0).normal(size=(20, 2))
    packed = npz_of(X=X, junk=np.zeros(50 * 2**20, np.uint8))
    start = time.perf_counter()
    assert np.array_equal(uploads.read(packed, "a.npz").block, X)
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize(
    "header",
    [
        b"{\n",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (True, 2)}\n",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000, 2)}\n",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2)}\n",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (5, 5)}\n",
        b"(" * 5000 + b"\n",
    ],
    ids=["open", "true", "huge", "negative", "short", "deep"],
)
def test_damaged_headers_are_refused(header):
    assert refused("a.npz", stored_zip({"X.npy": npy(header)})).startswith("a.npz: ")


def test_pickles_are_never_read():
    X = np.array([[{"a": 1}, 2], [3, 4]], dtype=object)
    assert "pickled objects, which are never read" in refused("a.npz", npz_of(X=X, y=[0, 1]))


def test_times_and_records_are_no_shapes():
    X = np.random.default_rng(0).normal(size=(60, 2))
    when = np.array(["2020", "2021"], "M8[s]")
    assert "image_shape" in refused("a.npz", npz_of(X=X, y=np.arange(60) % 2, image_shape=when))


def test_an_array_without_a_number_is_refused():
    nothing = npz_of(X=np.full((9, 2), np.nan), y=np.arange(9) % 2)
    assert "every number of the features is missing" in refused("a.npz", nothing)


def test_a_packed_matlab_variable_of_gigabytes_is_refused(monkeypatch):
    for module in (limits, mat_file):
        monkeypatch.setattr(module, "MAX_INFLATED_BYTES", 20 * 2**20)
    file = io.BytesIO()
    savemat(file, {"X": np.eye(3), "y": np.arange(3)})
    packed = zlib.compress(bytes(30 * 2**20), 1)
    bomb = file.getvalue() + struct.pack("<II", 15, len(packed)) + packed
    assert "unpacked it has more than 20 MB" in refused("a.mat", bomb)


def test_matlab_cells_and_other_classes_are_refused():
    file = io.BytesIO()
    savemat(file, {"X": np.array([[1, "a"]], dtype=object), "y": np.arange(3)})
    assert "X is of class cell" in refused("a.mat", file.getvalue())


@pytest.mark.parametrize("path", ["../evil.png", "/etc/evil.png", "a/../../evil.png", "C:/x.png"])
def test_paths_that_lead_out_of_the_archive_are_refused(path, tmp_path):
    files = {"a/1.png": png(np.zeros((8, 8))), path: png(np.zeros((8, 8)))}
    assert "leads out of the archive" in refused("a.zip", zip_of(files))
    assert not list(tmp_path.rglob("*.png"))


def test_links_nested_archives_and_passwords_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        link = zipfile.ZipInfo("a/passwd.png")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert "links to other files" in refused("a.zip", file.getvalue())
    assert "another archive" in refused("a.zip", zip_of({"a/b.zip": zip_of({"x": b""})}))


def test_images_of_absurd_size_are_refused():
    file = io.BytesIO()
    Image.new("1", (9000, 9000)).save(file, "PNG")
    small = file.getvalue()
    assert len(small) < 20_000
    assert "9,000 × 9,000 pixels" in refused("a.zip", zip_of({"a/1.png": small, "b/1.png": small}))
    Image.new("1", (4000, 4000)).save(file := io.BytesIO(), "PNG")
    many = {f"a/{i}.png": file.getvalue() for i in range(40)}
    assert "pixels, at most 500,000,000" in refused("a.zip", zip_of(many))


def test_a_zip_bomb_is_refused_by_what_it_says_and_by_what_it_holds(monkeypatch):
    bomb = zip_of({"a/1.png": bytes(30 * 2**20)})
    monkeypatch.setattr(limits, "MAX_INFLATED_BYTES", 20 * 2**20)
    assert "more than 20 MB" in refused("a.zip", bomb)
    with zipfile.ZipFile(io.BytesIO(bomb)) as archive, archive.open("a/1.png") as file:
        with pytest.raises(ValueError, match="more than 20 MB"):
            limits.bounded_read(file, 2**20)
    assert "holds no PNG or JPEG" in refused("a.zip", zip_of({"a/1.txt": b"x"}))
    assert "cannot be read as an image" in refused("a.zip", zip_of({"a/1.png": b"GIF89a"}))


@pytest.mark.parametrize("ending", uploads.FILE_TYPES)
def test_noise_is_refused_in_every_format(ending):
    rng = np.random.default_rng(0)
    starts = {"zip": b"PK\x03\x04", "npz": b"PK\x03\x04", "parquet": b"PAR1", "mat": b"MATLAB 5.0"}
    for size in (1, 7, 200, 5000):
        content = starts.get(ending, b"") + rng.bytes(size)
        assert refused(f"a.{ending}", content + (b"PAR1" if ending == "parquet" else b""))


def test_other_files_are_refused_by_their_name():
    assert "a.xlsx: expected a table (csv, tsv, parquet)" in refused("a.xlsx", b"x")
    long = refused("<b>" + "n" * 500 + ".exe", b"x")
    assert len(long) < 300
