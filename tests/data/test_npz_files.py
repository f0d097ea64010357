"""Data files are read as they are; others are refused with the name of the file and a reason."""

import io
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from sslviz import data
from sslviz.data import Dataset, npz_files
from sslviz.paths import cache_folder


def save(place, **changes):
    rng = np.random.default_rng(0)
    arrays = {"X": rng.random((12, 4)), "y": np.arange(12) % 3, **changes}
    np.savez(place / "mine.npz", **{k: v for k, v in arrays.items() if v is not None})


def test_a_file_is_found_described_and_read(place):
    save(place)
    assert data.names()[-1] == "mine"
    assert data.about("mine") == "12 points with 4 features from mine.npz."
    (knob,) = [p for p in data.options_of("mine") if p.name == "n_samples"]
    assert knob.spec.valid == (2, 12) and knob.default is None
    d = data.load("mine")
    with np.load(place / "mine.npz") as file:
        assert (d.X == file["X"]).all() and (d.y == file["y"]).all()
    assert d.classes == ("0", "1", "2") and d.image_shape is None and d.splits is None
    assert data.load("mine", n_samples=6).n_samples == 6


def test_files_whose_names_are_no_plain_words_are_not_listed(place):
    for name in ("a b.npz", ".hidden.npz", "notes.txt", "v1.2.npz", "iris.npz"):
        (place / name).write_bytes(b"")
    (place / "folder.npz").mkdir()
    assert [name for name in data.names() if name not in data.names()[:11]] == ["v1.2"]
    assert data.names().count("iris") == 1


@pytest.mark.parametrize(
    ("y", "expected", "classes"),
    [
        (["b", "a", "b", "c"] * 3, [1, 0, 1, 2] * 3, ("a", "b", "c")),
        ([b"b", b"a", b"b", b"c"] * 3, [1, 0, 1, 2] * 3, ("a", "b", "c")),
        ([-1, 1, 1, -1] * 3, [0, 1, 1, 0] * 3, ("-1", "1")),
        ([10.0, 7.0, 7.0, 10.0] * 3, [1, 0, 0, 1] * 3, ("7", "10")),
        ([True, False, False, True] * 3, [1, 0, 0, 1] * 3, ("False", "True")),
    ],
)
def test_labels_of_any_kind_become_indices_and_keep_their_names(place, y, expected, classes):
    save(place, y=np.array(y))
    d = data.load("mine")
    assert d.y.tolist() == expected and d.classes == classes


def test_class_names_splits_shape_and_description_are_kept(place):
    rows = np.array([[0, 1], [2, 11]], dtype=np.int32)
    save(
        place,
        classes=np.array(["x", "y", "z", "never seen"]),
        image_shape=np.array([2, 2]),
        train_n=np.array(8),
        idxLabs_2=rows,
        about=np.array("Made up."),
        feature_names=np.array(list("abcd")),
    )
    d = data.load("mine")
    assert d.classes == ("x", "y", "z", "never seen") and d.about == "Made up."
    assert d.image_shape == (2, 2)
    assert d.splits["train_n"] == 8 and (d.splits["idxLabs_2"] == rows).all()
    assert d.splits.keys() == {"train_n", "idxLabs_2"}


@pytest.mark.parametrize(
    ("stored", "read"),
    [(np.uint8, np.float32), (np.float32, np.float64), (np.int32, np.float64), (bool, np.float64)],
)
def test_pixels_become_float32_and_other_numbers_float64(place, stored, read):
    X = np.arange(48).reshape(12, 4).astype(stored)
    save(place, X=X)
    d = data.load("mine")
    assert d.X.dtype == read and (d.X == X).all()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"X": None}, "it has no array X"),
        ({"y": None}, "it has no array y"),
        ({"X": np.ones(12)}, r"X has shape \(12,\), expected samples × features"),
        ({"X": np.ones((12, 2, 2))}, r"X has shape \(12, 2, 2\)"),
        ({"X": np.ones((11, 4))}, r"y has shape \(12,\), expected \(11,\)"),
        ({"X": np.full((12, 4), np.nan)}, "missing or infinite values in 12 rows"),
        ({"X": np.full((12, 4), "x")}, "X holds <U1, expected numbers"),
        ({"X": np.ones((12, 4), complex)}, "X holds complex128, expected numbers"),
        ({"y": np.ones((12, 1), int)}, r"y has shape \(12, 1\), expected one label"),
        ({"y": np.linspace(0, 1, 12)}, "y holds fractions"),
        ({"y": np.full(12, np.nan)}, "y holds fractions or missing"),
        ({"y": np.ones(12, complex)}, "y holds complex128"),
        ({"classes": np.array(["a", "b"])}, r"y goes from 0 to 2, expected \[0, 1\]"),
        ({"classes": np.array("a")}, r"classes has shape \(\)"),
        ({"image_shape": np.array([3, 2])}, r"image_shape=\(3, 2\) is not height × width of 4"),
        ({"train_n": np.array(13)}, r"train_n=13 is not a number of rows in \[1, 12\]"),
        ({"idxLabs_2": np.array([[0, 12]])}, "idxLabs_2 holds something other than rows of X"),
        ({"idxLabs_2": np.array([0.5])}, "idxLabs_2 holds something other than rows of X"),
        ({"X": np.array([[object()]] * 12)}, "pickled objects, which are never read"),
        ({"y": np.array([{}] * 12)}, "pickled objects, which are never read"),
    ],
)
def test_a_malformed_file_is_refused_with_its_name_and_problem(place, changes, problem):
    save(place, **changes)
    with pytest.raises(ValueError, match=rf"mine\.npz: .*{problem}"):
        data.load("mine")


class Trap:
    """Makes a folder when unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def saved(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in members.items():
            packed.writestr(f"{name}.npy", content)
    return file.getvalue()


@pytest.mark.parametrize("form", ["pickle", "array", "archive"])
def test_nothing_pickled_is_ever_run(place, form):
    trap, path = place / "sprung", place / "mine.npz"
    array = saved(np.array([Trap(trap)], dtype=object))
    forms = {
        "pickle": pickle.dumps(Trap(trap)),
        "array": array,
        "archive": archive(X=array, y=array),
    }
    path.write_bytes(forms[form])
    for ask in (npz_files.read, npz_files.shape, lambda _: data.load("mine")):
        with pytest.raises(ValueError, match=r"mine\.npz: "):
            ask(path)
    assert not trap.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 nonsense",
        b"some text\n",
        saved(np.ones((3, 2))),
        archive(X="no array", y="text"),
    ],
)
def test_a_file_that_is_no_archive_of_arrays_is_refused(place, content):
    (place / "mine.npz").write_bytes(content)
    for ask in (lambda: data.load("mine"), lambda: npz_files.read(place / "mine.npz")):
        with pytest.raises(ValueError, match=r"mine\.npz: \S"):
            ask()


@pytest.mark.parametrize("compressed", [True, False])
def test_a_damaged_file_is_refused_or_read_correctly(place, compressed):
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 3)), np.arange(40) % 2
    path = place / "mine.npz"
    (np.savez_compressed if compressed else np.savez)(path, X=X, y=y)
    sound, refused = path.read_bytes(), 0
    for at in range(0, len(sound), 7):
        for broken in (sound[:at], sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :]):
            path.write_bytes(broken)
            try:
                d = npz_files.read(path)
                assert (d.X == X).all() and (d.y == y).all()  # the damaged byte has no meaning
            except ValueError as error:
                refused += 1
                assert str(error).startswith("mine.npz: ")
    assert refused > len(sound) / 7


def test_what_is_written_is_read_back(place, tmp_path):
    rng = np.random.default_rng(0)
    rows = {"train_n": 5, "idxLabs_2": np.array([[1, 2]])}
    first = Dataset(rng.random((9, 6)), np.arange(9) % 2, "kept", "Made.", ("a", "b"), (2, 3), rows)
    path = npz_files.write(first, tmp_path / "new" / "folder")
    second = npz_files.read(path)
    assert path.name == "kept.npz" and [p.name for p in path.parent.iterdir()] == ["kept.npz"]
    assert (second.X == first.X).all() and (second.y == first.y).all()
    for field in ("name", "about", "classes", "image_shape"):
        assert getattr(second, field) == getattr(first, field)
    assert second.splits["train_n"] == 5 and (second.splits["idxLabs_2"] == [[1, 2]]).all()


def test_a_write_that_fails_leaves_nothing_behind(place, monkeypatch):
    def full(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="disk full"):
        npz_files.write(data.load("two_moons", n_samples=10), place)
    assert list(place.iterdir()) == []


def test_folders_follow_the_environment(monkeypatch):
    for variable in ("SSLVIZ_DATA", "SSLVIZ_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert cache_folder() == Path.home() / ".cache" / "sslviz"
    assert npz_files.folder() == npz_files.downloads() == cache_folder() / "data"
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/sslviz")
    monkeypatch.setenv("SSLVIZ_CACHE", "/own")
    assert npz_files.folder() == Path("/own/data")
    monkeypatch.setenv("SSLVIZ_DATA", "/sets")
    assert npz_files.folder() == Path("/sets") and npz_files.downloads() == Path("/own/data")


def test_every_file_of_the_data_folder_is_a_data_set():
    paths = sorted(Path(os.environ.get("SSLVIZ_DATA", "/nowhere")).glob("*.npz"))
    if not paths:
        pytest.skip("SSLVIZ_DATA has no .npz files")
    for path in paths:
        if npz_files.shape(path)[0] > 20_000:
            continue  # the same code, only slower
        d = npz_files.read(path)
        assert d.X.shape == npz_files.shape(path) and d.y.min() == 0
        with np.load(path) as file:
            assert (d.X == file["X"]).all() and (d.y == file["y"]).all()
            assert {k for k in file.files if k.startswith("idx")} <= (d.splits or {}).keys()


def test_official_splits_have_the_promised_number_of_labels(real):
    splits = real("g241c").splits
    for labels in (10, 100):
        known, unknown = splits[f"idxLabs_{labels}"], splits[f"idxUnls_{labels}"]
        assert known.shape == (12, labels)
        assert (np.sort(np.hstack([known, unknown])) == np.arange(1500)).all()
