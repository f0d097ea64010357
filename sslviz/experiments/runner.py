"""Run a table: every cell that has no result yet, here or on a Dask cluster.

A cell that fails is reported and the others go on. Stopped with Ctrl-C, a run keeps what is done.
"""

import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from math import isnan
from pathlib import Path
from typing import TextIO

from sslviz.experiments import result_files
from sslviz.experiments.progress import Progress
from sslviz.experiments.sampling import draw, missing, points
from sslviz.experiments.scoring import Result, evaluate
from sslviz.experiments.table import Cell, Table
from sslviz.memo import Memo

OK, FAILED, INCOMPLETE, INTERRUPTED = 0, 1, 3, 130  # exit codes; 2 is argparse's
Outcome = tuple[Cell, Result | str]  # a result, or a sentence why there is none


@dataclass
class Run:
    """What is known of a table after a run."""

    table: Table
    draws: int
    found: dict[tuple[str, str], list[Result]] = field(default_factory=dict)  # by row, method
    failed: list[tuple[Cell, str]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)  # row -> why its set is not there
    interrupted: bool = False

    @property
    def status(self) -> int:
        """0: all there, 1: cells failed, 3: sets are missing, 130: stopped by the user."""
        if self.interrupted:
            return INTERRUPTED
        return FAILED if self.failed else INCOMPLETE if self.missing else OK

    def add(self, cell: Cell, result: Result) -> None:
        self.found.setdefault((cell.row.title, cell.method.title), []).append(result)


def run(
    table: Table,
    *,
    draws: int | None = None,
    out: Path = Path("results"),
    scheduler: str | None = None,
    stream: TextIO | None = None,
) -> Run:
    """Compute what is not in `out` yet and gather everything; progress goes to `stream`."""
    report = Run(table, table.draws if draws is None else draws)
    todo = []
    for row in table.rows:
        if reason := missing(row.dataset):
            report.missing[row.title] = reason
    for cell in table.cells(report.draws):
        stored = result_files.read(out, cell)
        if stored is not None and not isnan(stored.accuracy):
            report.add(cell, stored)
        elif cell.row.title not in report.missing:
            todo.append(cell)
    work = _remote(todo, table.shared, scheduler) if scheduler else _local(todo, table.shared)
    progress = Progress(len(todo), stream or sys.stderr)
    try:
        for cell, result in work:
            if isinstance(result, str):
                report.failed.append((cell, result))
            else:
                result_files.write(out, cell, result)
                report.add(cell, result)
            progress.step(f"{cell.row.title}, {cell.method.title}, draw {cell.seed}")
    except KeyboardInterrupt:
        report.interrupted = True
    return report


def worst(statuses: Iterable[int]) -> int:
    """The exit code of several runs: stopped, else failed, else incomplete."""
    return max(statuses, key=(OK, INCOMPLETE, FAILED, INTERRUPTED).index)


def _draws(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The cells of each draw; they stand next to each other."""
    return [list(g) for _, g in groupby(cells, key=lambda cell: (cell.row.title, cell.seed))]


def _local(cells: list[Cell], shared: bool) -> Iterator[Outcome]:
    for group in _draws(cells):
        yield from one_draw(group, shared)


def _remote(cells: list[Cell], shared: bool, scheduler: str) -> Iterator[Outcome]:
    """The same on a Dask cluster, whose workers need this package and the sets."""
    try:
        from dask.distributed import Client, as_completed
    except ImportError as error:
        raise ValueError(
            f"scheduler={scheduler!r} needs Dask: install the package 'distributed'"
        ) from error
    with Client(scheduler) as client:
        tasks = [
            client.submit(lambda g: list(one_draw(g, shared)), group, pure=False)
            for group in _draws(cells)
        ]
        for task in as_completed(tasks):
            yield from task.result()


def one_draw(cells: list[Cell], shared: bool) -> Iterator[Outcome]:
    """Cells of one row and seed, on the same points."""
    row, memory = cells[0].row, Memo() if shared else None
    try:
        sample = draw(points(row), row, cells[0].seed)
    except Exception as error:
        yield from ((cell, _sentence(error)) for cell in cells)
        return
    for cell in cells:
        try:
            yield cell, evaluate(cell, sample, memory)
        except Exception as error:  # whatever a method raises is its own cell's affair
            yield cell, _sentence(error)


def _sentence(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
