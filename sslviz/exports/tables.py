"""A table as CSV, Markdown or LaTeX: columns by name in, text out."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would compute such a text
LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip

Columns = Mapping[str, Sequence[Any]]


def to_csv(columns: Columns) -> str:
    """Comma-separated values, numbers in full precision.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_harmless(name) for name in columns)
    writer.writerows(map(_harmless, row) for row in _rows(columns))
    return out.getvalue()


def to_markdown(columns: Columns) -> str:
    """A table of Markdown, as GitHub and many editors show it."""
    lines = [list(columns), ["---"] * len(columns), *_rows(columns)]
    return "".join(f"| {' | '.join(map(_markdown_cell, line))} |\n" for line in lines)


def to_latex(columns: Columns) -> str:
    """A tabular with the rules of the package booktabs."""
    lines = [" & ".join(map(_latex_cell, row)) + r" \\" for row in (list(columns), *_rows(columns))]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * len(columns)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _rows(columns: Columns) -> list[list[Any]]:
    return [list(row) for row in zip(*columns.values(), strict=True)]


def _harmless(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and not _is_number(cell):
        return f"'{cell}"
    return repr(float(cell)) if isinstance(cell, float) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(cell: Any) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _markdown_cell(cell: Any) -> str:
    return _text(cell).replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _latex_cell(cell: Any) -> str:
    return "".join(LATEX_SPECIAL.get(c, c) for c in _text(cell).replace("\n", " "))
