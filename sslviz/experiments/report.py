"""A run as text: paper, reference, ours, difference, in columns that line up."""

from statistics import mean, median, stdev

from sslviz.experiments.runner import Run
from sslviz.experiments.table import Known, Method, Row

HEAD = ("set", "method", "paper", "reference", "ours", "- paper", "- reference", "undetermined",
        "seconds", "draws")  # fmt: skip


def text(run: Run) -> str:
    """The whole report; columns about which nothing is known are left out."""
    table = run.table
    lines = [f"{table.name}: {table.title}", *([table.source] if table.source else []), ""]
    rows = []
    for row in table.rows:
        entries = [line for method in table.methods for line in _lines(run, row, method)]
        rows += [[row.title if place == 0 else "", *line] for place, line in enumerate(entries)]
    lines += _aligned([list(HEAD), *rows])
    lines += [""] if any(row.note for row in table.rows) else []
    lines += [f"{row.title}: {row.note}." for row in table.rows if row.note]
    return "\n".join(lines + _shortcomings(run))


def _lines(run: Run, row: Row, method: Method) -> list[list[str]]:
    """A method's line, and where points were set aside a second one for them."""
    found = run.found.get((row.title, method.title), [])
    lines = [
        _entries(
            method.title,
            [result.accuracy for result in found],
            row.paper.get(method.title),
            row.reference.get(method.title),
        )
    ]
    if found:
        lines[0][HEAD.index("undetermined") - 1] = f"{mean(r.undetermined for r in found):.3f}"
    if found and not run.table.shared:  # else the first of a draw pays for the graph of all
        lines[0][HEAD.index("seconds") - 1] = f"{median(r.seconds for r in found):.3f}"
    if row.test is not None:
        lines.append(
            _entries(
                f"{method.title}, new points",
                [result.test for result in found if result.test is not None],
                row.paper_test.get(method.title),
                row.reference_test.get(method.title),
            )
        )
    return lines


def _entries(
    title: str, found: list[float], paper: Known | None, reference: Known | None
) -> list[str]:
    """Everything in a line but the set's name."""
    line = [title, _known(paper), _known(reference)]
    if not found:
        return line + [""] * (len(HEAD) - len(line) - 1)
    ours = mean(found)
    spread = f" ± {stdev(found):.3f}" if len(found) > 1 else ""
    return [
        *line,
        f"{ours:.3f}{spread}",
        f"{ours - paper.mean:+.3f}" if paper else "",
        f"{ours - reference.mean:+.3f}" if reference else "",
        "",
        "",
        str(len(found)),
    ]


def _known(number: Known | None) -> str:
    if number is None:
        return ""
    return f"{number.mean:.3f}" + ("" if number.std is None else f" ± {number.std:.3f}")


def _aligned(rows: list[list[str]]) -> list[str]:
    """Words to the left, numbers to the right; a column with nothing under its head is dropped."""
    columns = [c for c in zip(*rows, strict=True) if any(c[1:])]
    padded = []
    for place, column in enumerate(columns):
        width = max(map(len, column))
        padded.append([c.ljust(width) if place < 2 else c.rjust(width) for c in column])
    lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def _shortcomings(run: Run) -> list[str]:
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
        lines += ["", "Stopped. What is done is kept: the same command goes on from here."]
    return lines
