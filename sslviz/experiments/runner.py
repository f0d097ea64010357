"""Run a table: every cell without a stored result, on all cores or on a Dask cluster.

Each result is stored as soon as it arrives, so a run that was stopped, even by SIGKILL, continues
where it was. A cell that fails is reported and the others continue.
"""

import sys
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from sslviz.executor import Executor
from sslviz.experiments import result_files
from sslviz.experiments.cell_task import compute, message
from sslviz.experiments.sampling import why_missing
from sslviz.experiments.scoring import CellScore
from sslviz.experiments.shards import Shards
from sslviz.experiments.table import Cell, Table

OK, FAILED, INCOMPLETE, INTERRUPTED = 0, 1, 3, 130  # exit codes; 2 is argparse's
LOG_INTERVAL = 15.0  # seconds between two lines of progress where the output is not a terminal
Outcome = tuple[Cell, CellScore | str]  # a result, or the error message


@dataclass
class TableRun:
    """Results, failures and missing data of a table."""

    table: Table
    draws: int
    scores: dict[tuple[str, str, int], CellScore] = field(default_factory=dict)
    failures: dict[tuple[str, str, int], str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)  # row -> why its data set is missing
    interrupted: bool = False

    @property
    def status(self) -> int:
        """0: complete, 1: cells failed, 3: data sets are missing, 130: stopped by the user."""
        if self.interrupted:
            return INTERRUPTED
        return FAILED if self.failures else INCOMPLETE if self.missing else OK

    @property
    def found(self) -> dict[tuple[str, str], list[CellScore]]:
        """Results by row and method, in the order of the table and of the draws."""
        results: dict[tuple[str, str], list[CellScore]] = {}
        for cell in self.table.cells(self.draws):
            if (score := self.scores.get(_place(cell))) is not None:
                results.setdefault(_place(cell)[:2], []).append(score)
        return results

    @property
    def failed(self) -> list[tuple[Cell, str]]:
        """Failed cells with their errors, in the order of the table."""
        cells = self.table.cells(self.draws)
        return [(c, self.failures[_place(c)]) for c in cells if _place(c) in self.failures]

    def add(self, cell: Cell, result: CellScore | str) -> None:
        if isinstance(result, str):
            self.failures[_place(cell)] = result
        else:
            self.scores[_place(cell)] = result


def run(
    table: Table,
    *,
    executor: Executor,
    draws: int | None = None,
    out: Path = Path("results"),
    stream: TextIO | None = None,
) -> TableRun:
    """Compute what is not stored in `out` and collect all results; progress goes to `stream`."""
    report = TableRun(table, table.draws if draws is None else draws)
    todo = _cells_left(report, out)
    stream = stream or sys.stderr
    interval = 0.1 if stream.isatty() else LOG_INTERVAL
    bar = tqdm(total=len(todo), file=stream, mininterval=interval, smoothing=0, disable=not todo)
    with bar as progress, closing(_outcomes(todo, table.shared, executor)) as outcomes:
        try:
            for cell, result in outcomes:
                if not isinstance(result, str):
                    result_files.write(out, cell, result)
                report.add(cell, result)
                last = f"{cell.row.title}, {cell.method.title}, draw {cell.seed}"
                progress.set_postfix_str(last, refresh=False)
                progress.update()
        except KeyboardInterrupt:
            report.interrupted = True
    return report


def worst(statuses: Iterable[int]) -> int:
    """The exit code of several runs: interrupted, else failed, else incomplete."""
    return max(statuses, key=(OK, INCOMPLETE, FAILED, INTERRUPTED).index)


def _place(cell: Cell) -> tuple[str, str, int]:
    return cell.row.title, cell.method.title, cell.seed


def _cells_left(report: TableRun, out: Path) -> list[Cell]:
    """Note stored results and missing data in the report; the cells that have neither."""
    for row in report.table.rows:
        if reason := why_missing(row.dataset):
            report.missing[row.title] = reason
    result_files.tidy(out)
    todo = []
    for cell in report.table.cells(report.draws):
        stored = result_files.read(out, cell)
        if stored is not None and not isnan(stored.accuracy):
            report.add(cell, stored)
        elif cell.row.title not in report.missing:
            todo.append(cell)
    return todo


def _outcomes(
    cells: list[Cell], shared: bool, executor: Executor
) -> Generator[Outcome, None, None]:
    """Results as they arrive. On a cluster the next cell of a worker waits there, of its draw."""
    shards, running, free = Shards(cells), dict[Future, Cell](), list[Cell]()
    try:
        while True:
            workers = executor.workers
            while len(running) < max(1, workers * executor.given_to_each):
                if len(running) == workers and not free:
                    free = list(running.values())  # each of them goes on with its draw
                if not (cell := shards.next(free.pop(0) if free else None)):
                    break
                running[executor.submit(compute, cell, shared)] = cell
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            arrived = [(running.pop(future), future) for future in done]
            free = [cell for cell, _ in arrived]
            yield from ((cell, _result(future)) for cell, future in arrived)
    finally:
        for future in running:
            future.cancel()


def _result(future: Future) -> CellScore | str:
    """What the worker sent, or why it sent nothing: it died twice, the cluster is gone."""
    try:
        return future.result()
    except Exception as error:
        return message(error)
