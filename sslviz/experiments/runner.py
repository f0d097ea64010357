"""Run a table: every cell without a stored result, on this machine or on a Dask cluster.

A cell that fails is reported and the others continue. After Ctrl-C finished results are kept.
"""

import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from math import isnan
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from sslviz.experiments import result_files
from sslviz.experiments.sampling import draw, points, why_missing
from sslviz.experiments.scoring import CellScore, evaluate
from sslviz.experiments.table import Cell, Table
from sslviz.memo import Memo

OK, FAILED, INCOMPLETE, INTERRUPTED = 0, 1, 3, 130  # exit codes; 2 is argparse's
LOG_INTERVAL = 15.0  # seconds between two lines of progress where the output is not a terminal
Outcome = tuple[Cell, CellScore | str]  # a result, or the error message


@dataclass
class TableRun:
    """Results, failures and missing data of a table."""

    table: Table
    draws: int
    found: dict[tuple[str, str], list[CellScore]] = field(default_factory=dict)  # by row, method
    failed: list[tuple[Cell, str]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)  # row -> why its data set is missing
    interrupted: bool = False

    @property
    def status(self) -> int:
        """0: complete, 1: cells failed, 3: data sets are missing, 130: stopped by the user."""
        if self.interrupted:
            return INTERRUPTED
        return FAILED if self.failed else INCOMPLETE if self.missing else OK

    def add(self, cell: Cell, result: CellScore) -> None:
        self.found.setdefault((cell.row.title, cell.method.title), []).append(result)


def run(
    table: Table,
    *,
    draws: int | None = None,
    out: Path = Path("results"),
    scheduler: str | None = None,
    stream: TextIO | None = None,
) -> TableRun:
    """Compute what is not stored in `out` and collect all results; progress goes to `stream`."""
    report = TableRun(table, table.draws if draws is None else draws)
    todo = []
    for row in table.rows:
        if reason := why_missing(row.dataset):
            report.missing[row.title] = reason
    for cell in table.cells(report.draws):
        stored = result_files.read(out, cell)
        if stored is not None and not isnan(stored.accuracy):
            report.add(cell, stored)
        elif cell.row.title not in report.missing:
            todo.append(cell)
    work = _remote(todo, table.shared, scheduler) if scheduler else _local(todo, table.shared)
    stream = stream or sys.stderr
    interval = 0.1 if stream.isatty() else LOG_INTERVAL
    with tqdm(total=len(todo), file=stream, mininterval=interval, disable=not todo) as progress:
        try:
            for cell, result in work:
                if isinstance(result, str):
                    report.failed.append((cell, result))
                else:
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


def _by_draw(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Neighbouring cells of the same draw together."""
    return [list(g) for _, g in groupby(cells, key=lambda cell: (cell.row.title, cell.seed))]


def _local(cells: list[Cell], shared: bool) -> Iterator[Outcome]:
    for group in _by_draw(cells):
        yield from evaluate_draw(group, shared)


def _remote(cells: list[Cell], shared: bool, scheduler: str) -> Iterator[Outcome]:
    """Run on a Dask cluster, whose workers need this package and the data sets."""
    try:
        from dask.distributed import Client, as_completed
    except ImportError as error:
        raise ValueError(
            f"scheduler={scheduler!r} needs Dask: install the package 'distributed'"
        ) from error
    with Client(scheduler) as client:
        tasks = [
            client.submit(lambda g: list(evaluate_draw(g, shared)), group, pure=False)
            for group in _by_draw(cells)
        ]
        for task in as_completed(tasks):
            yield from task.result()


def evaluate_draw(cells: list[Cell], shared: bool) -> Iterator[Outcome]:
    """Evaluate the cells of one row and seed, on the same points."""
    row, memory = cells[0].row, Memo() if shared else None
    try:
        sample = draw(points(row), row, cells[0].seed)
    except Exception as error:
        yield from ((cell, _error_message(error)) for cell in cells)
        return
    for cell in cells:
        try:
            yield cell, evaluate(cell, sample, memory)
        except Exception as error:  # an error of one method must not stop the others
            yield cell, _error_message(error)


def _error_message(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
