"""A memory whose stages run in workers: the same results to the last bit, computed once."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import worker_stages as ws
from worker_stages import is_alive, lines, until

import sslviz
from sslviz.executor.processes import ProcessExecutor
from sslviz.memo import Memo

SMALL: dict[str, dict[str, Any]] = {  # one estimator of each family
    "LabelPropagation": {},
    "FLP": {},
    "LapSVM": {},
    "LCKSVD": {"n_atoms": 20, "max_iter": 2},
    "VATClassifier": {"epochs": 1, "random_state": 0},
    "OnlineQLP": {"capacity": 20},
    "IMSAT": {"n_clusters": 2, "epochs": 1, "random_state": 0},
}


def learnt(model: Any) -> dict[str, np.ndarray]:
    names = ("transduction_", "label_distributions_", "components_", "labels_", "losses_", "alpha_")
    found = {n: np.asarray(getattr(model, n)) for n in names if hasattr(model, n)}
    return found | {n: v for n, v in vars(model).items() if isinstance(v, np.ndarray)}


@pytest.mark.parametrize("name", SMALL)
def test_every_family_learns_the_same_to_the_last_bit(name, moons, workers: ProcessExecutor):
    here, there = Memo(), Memo(executor=workers)
    sent = len(workers.estimates._calls)
    models = [
        getattr(sslviz, name)(**SMALL[name], memory=memory, device="cpu").fit(moons.X, moons.y)
        for memory in (here, there)
    ]
    first, second = map(learnt, models)
    assert first.keys() == second.keys() and len(first) > 0
    for part in first:
        np.testing.assert_array_equal(first[part], second[part], err_msg=part)
    assert len(workers.estimates._calls) > sent, "at least one stage ran in a worker"
    assert sorted(s.name for s in here.log) == sorted(s.name for s in there.log)


def test_equal_work_of_many_threads_runs_once(workers: ProcessExecutor, tmp_path: Path):
    trace, gate, memo = tmp_path / "trace", tmp_path / "gate", Memo(executor=workers)
    with ThreadPoolExecutor(8) as pool:
        call = memo.cache(ws.noted)
        asked = [pool.submit(call, str(trace), str(gate), 100_000) for _ in range(8)]
        until(lambda: lines(trace))
        gate.touch()
        results = [a.result(60) for a in asked]
    assert len(lines(trace)) == 1 and all(r is results[0] for r in results)
    assert sorted(s.reused for s in memo.log) == [False] + [True] * 7


class Leaves(Exception):
    pass


def test_work_ends_when_the_last_one_who_waits_has_left(workers: ProcessExecutor, tmp_path: Path):
    trace, gone = tmp_path / "trace", [threading.Event(), threading.Event()]
    mine = threading.local()

    def leave_if_told(task: Future) -> None:
        if mine.gone.is_set():
            raise Leaves

    memo = Memo(executor=workers, on_wait=leave_if_told)

    def ask(number: int) -> None:
        mine.gone = gone[number]
        memo.cache(ws.noted)(str(trace), str(tmp_path / "gate"), 1)

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask, 0)]
        until(lambda: lines(trace))
        asked.append(pool.submit(ask, 1))
        until(lambda: [e.waiting for e in memo._results.values()] == [2])
        gone[0].set()
        assert isinstance(asked[0].exception(60), Leaves)
        assert is_alive(int(lines(trace)[0])), "another one still waits"
        gone[1].set()
        assert isinstance(asked[1].exception(60), Leaves)
    until(lambda: not is_alive(int(lines(trace)[0])))
    (tmp_path / "gate").touch()
    mine.gone = threading.Event()
    assert memo.cache(ws.noted)(str(trace), str(tmp_path / "gate"), 1).tolist() == [0]


def test_stages_inside_stages_are_logged_and_shared_between_workers(workers: ProcessExecutor):
    x = np.random.default_rng(1).normal(size=50_000)
    memo = Memo(executor=workers)
    assert np.array_equal(memo.cache(ws.outer, ignore=["memory"])(x, memory=memo), 2 * x + 1)
    assert [(s.name, s.reused) for s in memo.log] == [("inner", False), ("outer", False)]
    again = Memo(executor=workers)  # as after a restart of the interface: workers still know it
    inner = again.cache(ws.inner)(x)
    assert np.array_equal(inner, 2 * x) and again.log[-1].reused
    with pytest.raises(ValueError, match="read-only"):
        inner[0] = 1


def test_a_stage_known_to_be_quick_runs_where_it_is_asked_for(workers: ProcessExecutor):
    memo, x = Memo(executor=workers), np.arange(3.0)
    workers.observe(np.cumsum, (x,), {}, 1e-4)
    assert not workers.takes(np.cumsum, (x,), {})
    large = np.arange(3e6)
    assert workers.takes(np.cumsum, (large,), {}), "but not for a much larger input"
    assert memo.cache(np.cumsum)(x + 1).tolist() == [1, 3, 6]


def test_arguments_that_stay_here_are_computed_here(workers: ProcessExecutor):
    memo = Memo(executor=workers)
    assert memo.cache(ws.outer, ignore=["memory"])(np.ones(2), memory=Local()).tolist() == [3, 3]


class Local:
    """A memory that cannot be sent."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def cache(self, func: Any) -> Any:
        return func
