"""Two worker processes against one, on 40 equal cells of a sweep.

    python -m benchmarks.executor

Local workers, and those of a Dask cluster on this machine, started by its own command line. All
workers have computed a cell before the clock starts: imports are not part of the comparison. The
last line is what the machine gives: the fits of the cells in bare processes, without an executor.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import perf_counter

from threadpoolctl import threadpool_limits

from benchmarks.timing import verdict
from sslviz.executor import Executor, connect
from sslviz.experiments.cell_task import compute
from sslviz.experiments.runner import run
from sslviz.experiments.table import Row, Table, TableMethod

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from experiments.cluster import cluster

CELLS, ROUNDS, TARGET = 40, 2, 1.7
N_POINTS = 1000  # a cell takes a tenth of a second
METHOD = TableMethod("LapRLS", "sslviz:LapRLS")
ROW = Row("moons", "two_moons", per_class=3, options={"n_samples": N_POINTS})
TABLE = Table("equal", "40 equal cells", "", (ROW,), (METHOD,), draws=CELLS, shared=False)


def main() -> None:
    print(f"{CELLS} equal cells, best of {ROUNDS}, seconds; target: {TARGET} times one worker")
    print(f"{'workers':12} {'one':>6} {'two':>6} {'ratio':>6}")
    for kind, started in (("processes", local), ("Dask", on_dask)):
        with started(1) as one, started(2) as two:
            show(kind, [(timed(one), timed(two)) for _ in range(ROUNDS)])
    show("bare", [(bare(1), bare(2)) for _ in range(ROUNDS)])


def show(kind: str, rounds: list[tuple[float, float]]) -> None:
    """A line of the table: the best round of one worker and of two."""
    one, two = (min(column) for column in zip(*rounds, strict=True))
    print(
        f"{kind:12} {one:6.2f} {two:6.2f} {one / two:6.2f} {verdict(one / two >= TARGET)}",
        flush=True,
    )


def bare(processes: int) -> float:
    """Seconds for all cells, divided among processes that do nothing else."""
    spawn = get_context("spawn")
    barrier = spawn.Barrier(processes + 1)
    started = [
        spawn.Process(target=compute_share, args=(barrier, number, processes))
        for number in range(processes)
    ]
    for process in started:
        process.start()
    barrier.wait()
    begun = perf_counter()
    barrier.wait()
    seconds = perf_counter() - begun
    for process in started:
        process.join()
    return seconds


def compute_share(barrier: Barrier, number: int, processes: int) -> None:
    """Every so many-th cell, between two meetings with the other processes."""
    cells = list(TABLE.cells(CELLS))
    with threadpool_limits(1):  # as in workers
        compute(cells[0], False)
        barrier.wait()
        for cell in cells[number::processes]:
            compute(cell, False)
    barrier.wait()


@contextmanager
def local(workers: int) -> Iterator[Executor]:
    with closing(connect(workers=workers)) as executor:
        timed(executor, draws=4)
        yield executor


@contextmanager
def on_dask(workers: int) -> Iterator[Executor]:
    with tempfile.TemporaryDirectory() as folder:
        with cluster(Path(folder), workers) as (address, _), closing(connect(address)) as executor:
            timed(executor, draws=4)
            yield executor


def timed(executor: Executor, draws: int = CELLS) -> float:
    """Seconds of a run whose results are not stored yet."""
    with tempfile.TemporaryDirectory() as out:
        begun = perf_counter()
        done = run(TABLE, executor=executor, draws=draws, out=Path(out), stream=io.StringIO())
        assert done.status == 0, done.failed
        return perf_counter() - begun


if __name__ == "__main__":
    main()
