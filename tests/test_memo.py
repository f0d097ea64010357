"""Equal work runs once, unequal work side by side, and nobody can spoil what others share."""

import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import stage_log
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.validation import check_memory

import sslviz
from sslviz.memo import Memo, bytes_held


@pytest.fixture(autouse=True)
def calls() -> Iterator[list[str]]:
    """The stages that really ran."""
    stage_log.CALLS.clear()
    yield stage_log.CALLS


def block(i: int) -> np.ndarray:
    """A stage with a result of 800 bytes."""
    stage_log.CALLS.append(str(i))
    return np.full(100, float(i))


def test_the_second_call_is_remembered_and_bit_equal(calls: list[str]) -> None:
    memo = Memo()
    first, again = (memo.cache(stage_log.doubled)(np.arange(3.0)) for _ in range(2))
    assert first is again and calls == ["doubled"]
    assert first.tolist() == [0, 2, 4]
    assert [(s.name, s.reused) for s in memo.log] == [("doubled", False), ("doubled", True)]


def test_positions_names_and_defaults_make_the_same_key(calls: list[str]) -> None:
    cached = Memo().cache(stage_log.doubled)
    x = np.arange(3.0)
    cached(x), cached(x, 1), cached(times=1, x=x), cached(x, shift=0.0), cached(x.copy())
    assert len(calls) == 1
    cached(x, 2), cached(x, shift=1.0), cached(x.astype(np.float32))
    assert len(calls) == 4


def test_functions_of_one_name_in_two_modules_are_two_stages() -> None:
    def named(module: str, result: int) -> Callable[[], int]:
        def stage() -> int:
            return result

        stage.__module__, stage.__qualname__ = module, "stage"
        return stage

    memo = Memo()
    assert [memo.cache(named(m, r))() for m, r in (("a", 1), ("b", 2), ("a", 3))] == [1, 2, 1]


def test_results_cannot_be_written_to() -> None:
    x, W, *_ = Memo().cache(stage_log.everything)(4)
    for array in (x, W.data, W.indices, W.indptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


def test_equal_work_asked_for_at_once_runs_once() -> None:
    memo, ready, count = Memo(), threading.Barrier(8), []
    enter = threading.Event()

    def slow(x: int) -> np.ndarray:
        count.append(x)
        assert enter.wait(10)
        return np.full(3, x)

    cached = memo.cache(slow)

    def ask(_: int) -> np.ndarray:
        ready.wait(10)
        return cached(7)

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask, i) for i in range(8)]
        threading.Timer(0.1, enter.set).start()
        results = [a.result(10) for a in answers]
    assert count == [7] and all(r is results[0] for r in results)
    assert sorted(s.reused for s in memo.log) == [False] + [True] * 7


def test_unequal_work_runs_side_by_side() -> None:
    both = threading.Barrier(2)

    def meets(x: int) -> int:
        both.wait(10)  # passes only while the other call is running, too
        return x

    cached = Memo().cache(meets)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(cached, [1, 2])) == [1, 2]


def test_errors_reach_everybody_who_waits_and_are_not_kept(calls: list[str]) -> None:
    memo, entered, go = Memo(), threading.Event(), threading.Event()

    def slow_failure(x: int) -> int:
        entered.set()
        assert go.wait(10)
        return stage_log.failing(x)

    cached = memo.cache(slow_failure)
    with ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(cached, 1)]
        assert entered.wait(10)
        answers += [pool.submit(cached, 1) for _ in range(2)]
        threading.Timer(0.1, go.set).start()
        for answer in answers:
            with pytest.raises(ArithmeticError, match="no answer for 1"):
                answer.result(10)
    tried = len(calls)
    with pytest.raises(ArithmeticError):
        cached(1)
    assert len(calls) == tried + 1 and memo.bytes == 0 and not memo.log


def test_the_least_recently_used_go_first(calls: list[str]) -> None:
    memo = Memo(max_bytes=2400)
    cached = memo.cache(block)
    cached(0), cached(1), cached(2), cached(0), cached(3)  # 1 is the oldest now
    assert memo.bytes == 2400
    calls.clear()
    cached(0), cached(2), cached(3)
    assert calls == []
    cached(1)
    assert calls == ["1"]


def test_a_result_larger_than_the_bound_is_returned_and_not_kept(calls: list[str]) -> None:
    memo = Memo(max_bytes=500)
    assert memo.cache(block)(1).sum() == memo.cache(block)(1).sum() == 100
    assert calls == ["1", "1"] and memo.bytes == 0


def test_clearing_forgets_and_computes_again(calls: list[str]) -> None:
    memo = Memo()
    memo.cache(block)(1)
    memo.clear()
    assert memo.bytes == 0
    memo.cache(block)(1)
    assert calls == ["1", "1"]


def test_the_bound_holds_with_many_threads() -> None:
    memo = Memo(max_bytes=8000)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(memo.cache(block), [i % 30 for i in range(600)]))
    assert [r[0] for r in results] == [i % 30 for i in range(600)]
    assert 0 < memo.bytes <= 8000


def test_watching_sees_the_stages_of_its_own_thread_only() -> None:
    memo = Memo()
    with memo.watch() as outer:
        memo.cache(block)(1)
        with memo.watch() as inner:
            other = threading.Thread(target=memo.cache(block), args=(2,))
            other.start()
            other.join()
            memo.cache(block)(1)
    memo.cache(block)(3)
    assert [s.reused for s in outer] == [False, True]
    assert [s.reused for s in inner] == [True] and inner[0].seconds >= 0


def test_copies_of_an_estimator_share_the_memory() -> None:
    memo = Memo()
    model = sslviz.LabelPropagation(memory=memo)
    assert deepcopy(memo) is memo and clone(model).memory is memo
    assert check_memory(memo) is memo


def test_another_process_starts_with_an_empty_one(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("sslviz.memo._process_memo", None)
    memo = Memo(max_bytes=1234, folder=tmp_path, disk_after=0.5)
    memo.cache(block)(1)
    other = pickle.loads(pickle.dumps(memo))
    assert (other.max_bytes, other.folder, other.disk_after) == (1234, tmp_path, 0.5)
    assert other.bytes == 0 and len(other.log) == 0


def test_the_wrapper_keeps_name_and_docstring() -> None:
    cached = Memo().cache(stage_log.doubled, ignore=None)
    assert cached.__name__ == "doubled" and cached.__doc__ == stage_log.doubled.__doc__


def test_sizes_are_those_of_the_arrays() -> None:
    W = sparse.csr_array(np.eye(10))
    parts = W.data.nbytes + W.indices.nbytes + W.indptr.nbytes
    assert bytes_held(np.zeros(10)) == 80 and bytes_held(W) == parts
    assert bytes_held((np.zeros(10), [W, np.zeros(3, np.int8)])) == 80 + parts + 3
    assert bytes_held((b"four", "word")) == 4 + 64
