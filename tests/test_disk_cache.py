"""Results survive a restart; a file that is damaged or of older code is as good as none."""

import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stage_log

from sslviz.disk_cache import DiskCache
from sslviz.memo import Memo


@pytest.fixture(autouse=True)
def calls() -> Iterator[list[str]]:
    stage_log.CALLS.clear()
    yield stage_log.CALLS


@pytest.fixture
def restarted(tmp_path: Path) -> Callable[[], Memo]:
    """A server that has just started, on the same folder every time."""
    return lambda: Memo(folder=tmp_path, disk_after=0)


def same(a: Any, b: Any) -> None:
    """Equal values, types and shapes all the way down."""
    if isinstance(a, tuple):
        assert type(b) is tuple and len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            same(left, right)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif hasattr(a, "indptr"):
        same((a.data, a.indices, a.indptr, a.shape), (b.data, b.indices, b.indptr, b.shape))
    else:
        assert type(a) is type(b) and a == b


def test_a_result_survives_a_restart(restarted: Callable[[], Memo], calls: list[str]) -> None:
    first = restarted().cache(stage_log.everything)(5)
    memo = restarted()
    again = memo.cache(stage_log.everything)(5)
    assert calls == ["everything"] and memo.log[-1].reused
    same(first, again)
    with pytest.raises(ValueError, match="read-only"):
        again[0][0] = 1


def test_quick_stages_are_not_worth_a_file(tmp_path: Path) -> None:
    Memo(folder=tmp_path, disk_after=60).cache(stage_log.everything)(5)
    assert list(tmp_path.iterdir()) == []


def test_changed_source_finds_nothing_old(tmp_path: Path) -> None:
    place, shelf = tmp_path / "module_that_changes.py", DiskCache(tmp_path / "shelf")
    paths = []
    for number in (1, 2):
        place.write_text(f"def stage(x):\n    return x + {number}{' ' * number}\n")
        code: dict[str, Any] = {"__name__": "module_that_changes", "__file__": str(place)}
        exec(compile(place.read_text(), str(place), "exec"), code)
        paths.append(shelf.path(code["stage"], "key"))
    assert paths[0] != paths[1] and paths[0] is not None


def test_functions_without_a_file_are_computed_every_time(tmp_path: Path) -> None:
    code: dict[str, Any] = {"__name__": "typed_in"}
    exec("def stage(x):\n    return x + 1.0", code)
    assert [Memo(folder=tmp_path, disk_after=0).cache(code["stage"])(i) for i in (1, 1)] == [2, 2]
    assert DiskCache(tmp_path).path(len, "key") is None and list(tmp_path.iterdir()) == []


def test_no_file_holds_a_pickle(restarted: Callable[[], Memo], tmp_path: Path) -> None:
    memo = restarted()
    memo.cache(stage_log.everything)(3)
    assert memo.cache(stage_log.objects)(3)[2] == {2: 2}
    (path,) = tmp_path.iterdir()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            assert archive.read(name).startswith(b"\x93NUMPY")
    with np.load(path, allow_pickle=False) as file:
        assert all(not file[name].dtype.hasobject for name in file.files)


@pytest.mark.parametrize("damage", ["empty", "text", "array", "objects", "cut"])
def test_a_damaged_file_is_computed_again_and_replaced(
    restarted: Callable[[], Memo], tmp_path: Path, calls: list[str], damage: str
) -> None:
    restarted().cache(stage_log.everything)(3)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    if damage == "array":
        np.save(path.open("wb"), np.zeros(3))
    elif damage == "objects":  # pickled, and never opened
        np.savez(path.open("wb"), shape=np.array([{"plain": "evil"}], dtype=object))
    else:
        path.write_bytes({"empty": b"", "text": b"not an archive", "cut": whole[:-40]}[damage])
    restarted().cache(stage_log.everything)(3)
    assert len(calls) == 2
    restarted().cache(stage_log.everything)(3)
    assert len(calls) == 2


def test_no_flipped_byte_brings_a_wrong_result_or_an_error(tmp_path: Path) -> None:
    shelf, result = DiskCache(tmp_path), (np.arange(4.0), np.arange(3))
    shelf.write(stage_log.doubled, "key", result)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        found, read = shelf.read(stage_log.doubled, "key")
        if found:  # the byte said nothing that matters, such as a date
            same(read, result)


def test_two_writers_of_one_result_leave_one_good_file(tmp_path: Path) -> None:
    shelf, go = DiskCache(tmp_path), threading.Barrier(6)
    result = np.arange(50_000.0)
    wrong: list[int] = []

    def write_and_read() -> None:
        go.wait(10)
        for _ in range(10):
            shelf.write(stage_log.doubled, "key", result)
            found, read = shelf.read(stage_log.doubled, "key")
            if not found or not np.array_equal(read, result):
                wrong.append(1)

    threads = [threading.Thread(target=write_and_read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(list(tmp_path.iterdir())) == 1


def test_the_oldest_files_go_when_the_folder_is_full(tmp_path: Path) -> None:
    shelf = DiskCache(tmp_path, max_bytes=30_000)
    for i in range(5):
        shelf.write(stage_log.doubled, f"key{i}", np.full(1000, float(i)))
        path = shelf.path(stage_log.doubled, f"key{i}")
        if path is not None and path.exists():
            os.utime(path, (i, i))  # a second apart, as if written over a while
        if i == 2:
            assert shelf.read(stage_log.doubled, "key0")[0]  # used now: key1 is the oldest
    found = [shelf.read(stage_log.doubled, f"key{i}")[0] for i in range(5)]
    assert found == [True, False, False, True, True]
    assert sum(p.stat().st_size for p in tmp_path.iterdir()) <= 30_000


def test_a_folder_that_cannot_be_written_costs_nothing_but_speed(
    tmp_path: Path, calls: list[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    for _ in range(2):
        Memo(folder=in_the_way / "shelf", disk_after=0).cache(stage_log.everything)(3)
    assert calls == ["everything"] * 2


def test_a_write_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    DiskCache(tmp_path).write(stage_log.doubled, "key", np.zeros(3))
    assert list(tmp_path.iterdir()) == []
