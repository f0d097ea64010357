"""A real Dask cluster, a worker of which is killed, gives exactly the rows of a local run."""

import signal
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import worker_stages as ws
from experiments.cluster import cluster
from experiments.majority import quietly

from sslviz.executor import Executor, connect
from sslviz.experiments.report import text
from sslviz.experiments.runner import TableRun
from sslviz.experiments.sweep import sweep
from sslviz.recordings.hosted import BEGAN_ANEW, HostedRun

KILLED_AT = 8  # of 24 cells


class Accident:
    """An executor that calls a function after it has been given some tasks."""

    def __init__(self, executor: Executor, happens: Callable[[], object]):
        self._executor, self._happens, self.given = executor, happens, 0
        self.given_to_each = executor.given_to_each

    @property
    def workers(self) -> int:
        return self._executor.workers

    def submit(self, func: Callable[..., Any], *arguments: Any) -> Future:
        task = self._executor.submit(func, *arguments)
        self.given += 1
        if self.given == KILLED_AT:
            self._happens()
        return task


def rows(run: TableRun) -> dict:
    """Accuracies and undetermined shares, without the seconds."""
    return {key: [score[:2] for score in found] for key, found in run.found.items()}


def test_a_worker_killed_in_a_sweep_changes_no_row(tmp_path: Path) -> None:
    table = sweep(["SSDR", "LapRLS"], ["iris", "wine"], [2, 4], seeds=3)
    local = quietly(table, tmp_path / "local")
    with cluster(tmp_path, workers=2) as (address, workers):
        executor = connect(address)
        accident = Accident(executor, lambda: workers[0].send_signal(signal.SIGKILL))
        far = quietly(table, tmp_path / "far", executor=accident)
        executor.close()
        assert workers[0].wait() == -signal.SIGKILL and workers[1].poll() is None
    assert far.status == local.status == 0 and accident.given == 24, text(far)
    assert rows(far) == rows(local) and len(rows(far)) == 8


def test_a_run_whose_worker_is_killed_begins_anew_on_another(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    with cluster(tmp_path, workers=2) as (address, workers):
        executor = connect(address)
        run = HostedRun(executor, ws.Counting, (str(trace),))
        assert run.wait() and run.taken == 0
        run.go_on(1e-9).result(60)
        holder = next(w for w in workers if w.pid == int(ws.lines(trace)[0]))
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        run.finish()
        assert run.taken == 10 and BEGAN_ANEW in run.status()
        assert len(set(ws.lines(trace))) == 2, "the second worker took all steps"
        executor.close()
