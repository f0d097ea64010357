"""Two worker processes against one, on 40 equal cells of a sweep.

    python -m benchmarks.executor

Local workers, and those of a Dask cluster on this machine, started by its own command line. All
workers have computed a cell before the clock starts: imports are not part of the comparison.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter

from benchmarks.timing import verdict
from sslviz.executor import Executor, connect
from sslviz.experiments.runner import run
from sslviz.experiments.table import Row, Table, TableMethod

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from experiments.cluster import cluster

CELLS, ROUNDS, TARGET = 40, 2, 1.7
METHOD = TableMethod("LapRLS", "sslviz:LapRLS")
ROW = Row("moons", "two_moons", per_class=3, options={"n_samples": 1500})
TABLE = Table("equal", "40 equal cells", "", (ROW,), (METHOD,), draws=CELLS, shared=False)


def main() -> None:
    print(f"{CELLS} equal cells, best of {ROUNDS}, seconds; target: {TARGET} times one worker")
    print(f"{'workers':12} {'one':>6} {'two':>6} {'ratio':>6}")
    for kind, started in (("processes", local), ("Dask", on_dask)):
        with started(1) as one, started(2) as two:
            seconds = [[timed(executor) for executor in (one, two)] for _ in range(ROUNDS)]
        best = [min(column) for column in zip(*seconds, strict=True)]
        ratio = best[0] / best[1]
        print(
            f"{kind:12} {best[0]:6.2f} {best[1]:6.2f} {ratio:6.2f} {verdict(ratio >= TARGET)}",
            flush=True,
        )


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
