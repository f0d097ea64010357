"""Short computations first, one long one per visitor, nobody waits for ever."""

import os
import pickle
import time
from pathlib import Path
from types import MappingProxyType

import numpy as np

from sslviz.executor.arrays import ArrayFiles
from sslviz.executor.order import LONG_SECONDS, Estimates, Task, next_task


def task(seconds: float, owner: str = "", waited: float = 0.0, begun: bool = False) -> Task:
    made = Task(None, (), owner, seconds)
    made.since -= waited
    made.begun = time.monotonic() if begun else 0.0
    return made


def anywhere(_: Task) -> bool:
    return True


def test_short_ones_come_first_and_waiting_moves_up():
    long, short = task(5.0), task(0.1)
    assert next_task([long, short], [], 2, anywhere) is short
    patient = task(5.0, waited=6.0)
    assert next_task([short, patient], [], 2, anywhere) is patient


def test_a_visitor_has_one_long_computation_at_a_time():
    mine, others = task(2 * LONG_SECONDS, "me"), task(3 * LONG_SECONDS, "you")
    running = [task(9 * LONG_SECONDS, "me", begun=True)]
    assert next_task([mine, others], running, 2, anywhere) is others
    assert next_task([mine], running, 2, anywhere) is None
    quick = task(0.1, "me")
    assert next_task([mine, quick], running, 2, anywhere) is quick


def test_one_place_is_kept_for_short_ones():
    running = [task(2 * LONG_SECONDS, "a", begun=True), task(2 * LONG_SECONDS, "b", begun=True)]
    long, short = task(2 * LONG_SECONDS, "c"), task(0.1, "c")
    assert next_task([long], running, 2, anywhere) is None
    assert next_task([long, short], running, 2, anywhere) is short
    assert next_task([short], [*running, task(0.1, begun=True)], 2, anywhere) is None


def test_estimates_follow_the_last_calls_and_the_size_of_the_input():
    known = Estimates()
    assert known.seconds(np.dot, 100) is None
    known.add(np.dot, 100, 0.2)
    assert known.seconds(np.dot, 100) == 0.2
    assert known.seconds(np.dot, 50) == 0.1 and known.seconds(np.dot, 200) == 0.8


def test_files_of_arrays_stay_within_their_bound_and_those_used_last_are_kept(tmp_path: Path):
    files = ArrayFiles(tmp_path, max_bytes=3_000_000)
    arrays = [np.full(50_000, float(i)) for i in range(20)]
    for i, a in enumerate(arrays):
        path = files.path_of(a)
        assert path is not None
        os.utime(path, (i, i))
        files.tidy()
        assert sum(p.stat().st_size for p in tmp_path.iterdir()) <= 3_000_000
    kept = {p.name for p in tmp_path.iterdir()}
    assert path.name in kept and 5 <= len(kept) < 8


def test_a_full_disk_only_makes_messages_longer(tmp_path: Path):
    files, a = ArrayFiles(tmp_path / "missing", 10**9), np.arange(100_000.0)
    assert files.path_of(a) is None and len(files.dumps(a)) > a.nbytes


def test_a_read_only_mapping_arrives_as_one(tmp_path: Path):
    files = ArrayFiles(tmp_path, 10**9)
    arrived = pickle.loads(files.dumps(MappingProxyType({"codes": np.arange(3)})))
    assert type(arrived) is MappingProxyType and arrived["codes"].tolist() == [0, 1, 2]
