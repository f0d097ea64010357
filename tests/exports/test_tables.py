"""Tables as text: what was written can be read again, and nothing in it is computed or executed."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sslviz.exports.tables import to_csv, to_latex, to_markdown

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
tables = st.lists(st.tuples(texts, st.floats(allow_nan=False), st.integers()), max_size=6).map(
    lambda rows: {
        "name": [r[0] for r in rows],
        "value": [r[1] for r in rows],
        "n": [r[2] for r in rows],
    }
)


@given(tables)
def test_numbers_come_back_from_csv_exactly_and_texts_but_for_an_apostrophe(table):
    rows = list(csv.reader(io.StringIO(to_csv(table))))
    assert rows[0] == ["name", "value", "n"] and len(rows) == len(table["n"]) + 1
    for row, name, value, n in zip(rows[1:], *table.values(), strict=True):
        assert row[0] in (name, f"'{name}") and float(row[1]) == value and int(row[2]) == n


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1"])
def test_a_spreadsheet_computes_no_cell(text):
    assert f"'{text}" in to_csv({text: [text]}).replace('"', "")
    assert to_csv({"x": ["-1.5"]}) == "x\n-1.5\n"  # a number stays one


def test_markdown_and_latex_keep_rows_and_escape_what_would_end_a_cell():
    table = {"a|b": ["x|y", "50 % & more_"], "mean": [0.123456, 2]}
    lines = to_markdown(table).splitlines()
    assert lines[0] == r"| a\|b | mean |" and lines[1] == "| --- | --- |"
    assert lines[2] == r"| x\|y | 0.1235 |" and len(lines) == 4
    latex = to_latex(table)
    assert r"50 \% \& more\_ & 2 \\" in latex and latex.count(r"\\") == 3
    assert latex.startswith(r"\begin{tabular}{ll}")
