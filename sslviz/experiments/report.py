"""A run as text: the numbers of paper and reference, ours, and the differences."""

from collections.abc import Iterator
from statistics import mean, median, stdev

import pandas as pd

from sslviz.experiments.runner import TableRun
from sslviz.experiments.table import Known, Row, TableMethod

COLUMNS = ("paper", "reference", "ours", "- paper", "- reference", "undetermined", "seconds",
           "draws", "definition")  # fmt: skip


def text(run: TableRun) -> str:
    """The whole report; columns without any number are left out."""
    table = run.table
    lines = [f"{table.name}: {table.title}", *([table.source] if table.source else []), ""]
    entries = {
        (row.title, title): numbers
        for row in table.rows
        for method in table.methods
        for title, numbers in _entries(run, row, method)
    }
    frame = pd.DataFrame.from_dict(entries, orient="index", columns=COLUMNS).fillna("")
    frame.index = pd.MultiIndex.from_tuples(entries, names=["data", "method"])
    lines.append(frame.loc[:, (frame != "").any()].to_string())
    lines += [""] if any(row.note for row in table.rows) else []
    lines += [f"{row.title}: {row.note}." for row in table.rows if row.note]
    return "\n".join(lines + _problems(run))


def _entries(run: TableRun, row: Row, method: TableMethod) -> Iterator[tuple[str, dict[str, str]]]:
    """A method's line, and a second one where points are set aside for testing."""
    found = run.found.get((row.title, method.title), [])
    numbers = _comparison(
        [result.accuracy for result in found],
        row.paper.get(method.title),
        row.reference.get(method.title),
    )
    if found:
        numbers["undetermined"] = f"{mean(r.undetermined for r in found):.3f}"
    if found and not run.table.shared:  # else the first method of a draw builds the graph for all
        numbers["seconds"] = f"{median(r.seconds for r in found):.3f}"
    if method.definition:
        numbers["definition"] = method.definition
    yield method.title, numbers
    if row.test is not None:
        yield (
            f"{method.title}, new points",
            _comparison(
                [result.test for result in found if result.test is not None],
                row.paper_test.get(method.title),
                row.reference_test.get(method.title),
            ),
        )


def _comparison(found: list[float], paper: Known | None, reference: Known | None) -> dict[str, str]:
    """Entries of one line by column."""
    line = {}
    for column, known in (("paper", paper), ("reference", reference)):
        if known:
            line[column] = _with_deviation(known.mean, known.std)
        if known and found:
            line[f"- {column}"] = f"{mean(found) - known.mean:+.3f}"
    if found:
        line["ours"] = _with_deviation(mean(found), stdev(found) if len(found) > 1 else None)
        line["draws"] = str(len(found))
    return line


def _with_deviation(value: float, deviation: float | None) -> str:
    return f"{value:.3f}" + ("" if deviation is None else f" ± {deviation:.3f}")


def _problems(run: TableRun) -> list[str]:
    lines = []
    if run.missing:
        lines += ["", "Missing:"]
        lines += [f"  {row}: {reason}" for row, reason in run.missing.items()]
    if run.failed:
        lines += ["", "Failed:"]
        lines += [
            f"  {cell.row.title}, {cell.method.title}, draw {cell.seed}: {problem}"
            for cell, problem in run.failed
        ]
    if run.interrupted:
        lines += ["", "Interrupted. Finished results are stored; the same command continues."]
    return lines
