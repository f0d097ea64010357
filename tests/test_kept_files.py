"""Files the server keeps: bounded, tidied, whole or not there; any damage is noticed or healed."""

import io
import os
import shutil
import threading
import time
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from sslviz import data, kept_files
from sslviz.data import drawings, npz_files, uploads
from sslviz.memo import Memo, stage
from sslviz.stories import shelf
from sslviz.ui.components.static_files import publish
from sslviz.ui.page_list import PAGE_BY_NAME
from sslviz.ui.problem import load_dataset
from sslviz.ui.state import saved_labels

PAGES = frozenset(PAGE_BY_NAME)
TABLE = b"a,b,class\n" + b"".join(b"%d,%d,k%d\n" % (i, i * i % 7, i % 2) for i in range(30))
CALLS: list[int] = []


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_files, "_refused_at", -kept_files.HOUR)
    saved_labels._unsaved.clear()
    return tmp_path / "cache"


@stage("squares")
def squares(n: int) -> np.ndarray:
    CALLS.append(n)
    return np.arange(n) ** 2


def stage_result() -> object:
    memo = Memo(folder=kept_files.folder_of("stages"), disk_after=-1.0)
    return memo.cache(squares)(50).tolist()


def thumbnail() -> object:
    url = publish(b"\x89PNG" + bytes(5000), ".png")
    return (kept_files.folder_of("served") / url.rpartition("/")[2]).read_bytes()


def upload() -> object:
    return uploads.store_upload("t.csv", TABLE)


def drawing() -> object:
    return uploads.store(drawings.dataset_of_drawing(drawings.shapes()["bridge"]), "drawing")


def labels() -> object:
    return saved_labels.keep("_".join(f"{i}.0" for i in range(500)))


def story() -> object:
    return shelf.keep_story(shelf.story_text(shelf.FIRST) or "", PAGES)


def loaded(name: object) -> object:
    """What a page makes of an own set: its points, or a sentence without a folder of the server."""
    try:
        return load_dataset(str(name), {}, 0).X.tolist()
    except ValueError as error:
        assert str(kept_files.folder_of("uploads")) not in str(error)
        return None


# How a file is made, what reads it, and whether damage heals by itself when it is made again.
KINDS = {
    "stages": (stage_result, lambda _: stage_result(), True),
    "served": (thumbnail, lambda _: thumbnail(), True),
    "uploads": (upload, loaded, False),
    "drawings": (drawing, loaded, False),
    "labels": (labels, lambda key: saved_labels.find(str(key)), False),
    "stories": (story, lambda name: shelf.find_story(str(name), PAGES), False),
}
DAMAGES = ("truncated", "garbage", "empty", "directory")


def damage(path: Path, how: str) -> None:
    size = path.stat().st_size
    if how == "directory":
        path.unlink()
        path.mkdir()
        (path / "x").touch()
        return
    content = path.read_bytes()
    broken = {"truncated": content[: size // 2], "empty": b"", "garbage": os.urandom(size)}
    path.write_bytes(broken[how])


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_made_again_or_counts_as_missing(kind, how, cache):
    make, read, heals = KINDS[kind]
    made = make()
    right = read(made)
    assert right is not None
    for path in list(cache.rglob("*")):
        if path.is_file():
            damage(path, how)
    found = read(made)
    assert found == right if heals else found is None
    assert read(make()) == right, "made again, it is right"


def test_a_killed_write_leaves_nothing_behind_after_an_hour(cache):
    for kind in kept_files.BOUNDS:
        folder = kept_files.folder_of(kind)
        folder.mkdir(parents=True)
        for name, age in (("a.part", 2 * 3600), ("tmpabc", 2 * 3600), ("b.part", 60)):
            (folder / name).touch()
            os.utime(folder / name, (time.time() - age,) * 2)
    kept_files.tidy_all()
    assert {path.name for path in cache.rglob("*") if path.is_file()} == {"b.part"}


def test_every_folder_is_tidied_by_age_and_size_even_if_nobody_uploads(cache, monkeypatch):
    for kind, bound in kept_files.BOUNDS.items():
        folder = kept_files.folder_of(kind)
        folder.mkdir(parents=True)
        for i in range(6):
            (folder / f"f{i}").write_bytes(bytes(100))
            os.utime(folder / f"f{i}", (time.time() - 60 * (6 - i),) * 2)
        os.utime(folder / "f0", (time.time() - (bound.max_days + 1) * 86400,) * 2)
        monkeypatch.setitem(kept_files.BOUNDS, kind, bound._replace(max_bytes=250))
    kept_files.tidy_all()
    for kind in set(kept_files.BOUNDS) - {"stages"}:
        assert sorted(p.name for p in kept_files.folder_of(kind).iterdir()) == ["f4", "f5"]


def test_a_visitor_with_a_slider_cannot_fill_the_disk(cache, monkeypatch):
    bound = kept_files.BOUNDS["served"]._replace(max_bytes=100_000)
    monkeypatch.setitem(kept_files.BOUNDS, "served", bound)
    for i in range(200):
        publish(i.to_bytes(4, "little") * 1000, ".png")
    total = sum(path.stat().st_size for path in kept_files.folder_of("served").iterdir())
    assert total <= 1.1 * bound.max_bytes


def test_many_threads_may_write_and_tidy_at_once(cache):
    folder = kept_files.folder_of("uploads")
    folder.mkdir(parents=True)
    for i in range(300):
        (folder / f"old{i}.npz").touch()
        os.utime(folder / f"old{i}.npz", (1, 1))
    problems = []

    def work(i: int) -> None:
        try:
            for _ in range(3):
                kept_files.write_file(folder / f"new{i}.npz", b"x")
                kept_files.tidy(folder, kept_files.BOUNDS["uploads"])
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems and len(list(folder.iterdir())) == 6


@pytest.fixture
def refusing_disk(cache, monkeypatch) -> None:
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_files.tempfile, "NamedTemporaryFile", full)


@pytest.mark.usefixtures("refusing_disk")
def test_where_the_disk_refuses_pictures_and_labels_are_served_from_memory(cache):
    image = bytes(range(256))
    assert publish(image, ".png") == f"data:image/png;base64,{b64encode(image).decode()}"
    text = "_".join(f"{i}.1" for i in range(500))
    assert saved_labels.find(saved_labels.keep(text)) == text
    with pytest.raises(ValueError, match="no room for another file"):
        uploads.store_upload("t.csv", TABLE)
    with pytest.raises(OSError):
        story()
    assert stage_result() == (np.arange(50) ** 2).tolist()
    assert kept_files.disk_refuses() and not [p for p in cache.rglob("*") if p.is_file()]


def test_a_half_written_file_of_a_full_disk_is_removed(cache, monkeypatch):
    monkeypatch.setattr(kept_files.os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28)))
    with pytest.raises(OSError):
        kept_files.write_file(cache / "served" / "x.png", b"data")
    assert not list((cache / "served").iterdir())
    monkeypatch.undo()


def test_nothing_is_written_outside_the_cache_folder(tmp_path):
    for make, _, _ in KINDS.values():
        make()
    assert {path.name for path in tmp_path.iterdir()} == {"cache"}
    assert npz_files.uploads().is_relative_to(tmp_path)
    shutil.rmtree(tmp_path / "cache")
    assert isinstance(upload(), str), "a folder that is deleted meanwhile is made again"


def test_archives_of_the_data_folder_are_named_without_the_servers_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_DATA", str(tmp_path))
    (tmp_path / "mine.npz").write_bytes(io.BytesIO(b"no archive").getvalue())
    with pytest.raises(ValueError) as caught:
        data.load("mine")
    assert str(tmp_path) not in str(caught.value) and str(caught.value).startswith("mine.npz: ")
