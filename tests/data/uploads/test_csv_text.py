"""Text tables: delimiter, decimal mark, header and encoding are found by counting."""

import numpy as np
import pytest
from own_files import german_csv

from sslviz import data
from sslviz.data import uploads
from sslviz.data.uploads.csv_text import decimal_mark, most_regular_delimiter


def read(text: str | bytes, name: str = "a.csv", **format: object) -> uploads.RawTable:
    content = text.encode() if isinstance(text, str) else text
    return uploads.read(content, name, uploads.Format(**format))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("classes", [(3, 7), ("no", "yes")])
def test_without_names_the_last_column_is_the_class(mark, classes):
    rng = np.random.default_rng(0)
    points = rng.random((9, 2)).round(3)
    rows = [[*map(str, x), str(classes[i % 2])] for i, x in enumerate(points)]
    raw = read("\n".join(mark.join(row) for row in rows), "points.tsv")
    d = uploads.dataset_of(raw, uploads.understand(raw), "own")
    assert raw.format.delimiter == mark and raw.format.header is False
    assert np.array_equal(d.X, points) and d.classes == tuple(map(str, classes))
    assert d.y.tolist() == [i % 2 for i in range(9)]


def test_a_german_table_is_read_as_the_english_one():
    raw = read(german_csv())
    d, wine = uploads.dataset_of(raw, uploads.understand(raw), "own"), data.load("wine")
    assert raw.format == (";", ",", True, "cp1252") and "Größe" in raw.names
    assert np.array_equal(d.X, wine.X)
    assert d.classes == ("Nord", "Süd", "West") and [d.classes[c] for c in d.y[:1]] == ["Süd"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_encodings_are_found(encoding):
    raw = read("größe,art\n1.5,süß\n2.5,herb\n3.5,süß\n4,herb\n".encode(encoding))
    assert raw.names == ["größe", "art"] and raw.columns["art"].tolist()[0] == "süß"


def test_quotes_hide_delimiters_and_newlines():
    raw = read('x,text\n1,"a, b"\n2,"c\nd"\n3,"e ""f"" g"\n')
    assert raw.columns["text"].tolist() == ["a, b", "c\nd", 'e "f" g']
    assert raw.columns["x"].tolist() == [1, 2, 3]


def test_numbers_may_have_thousands_signs_and_exponents():
    assert read("x,y\n1e3,+2\n-.5,3.\n").columns["x"].tolist() == [1000, -0.5]
    raw = read("x;y\n1.234,5;2\n0,25;3\n7;4\n")
    assert raw.columns["x"].tolist() == [1234.5, 0.25, 7]


def test_missing_cells_and_odd_words_among_numbers_are_missing():
    rows = [f"{i},{i % 2}" for i in range(40)]
    raw = read("x,y\n" + "\n".join([*rows, "?,0", "NA,1", ",0", "n.d.,1"]))
    assert np.isnan(raw.columns["x"][-4:]).all() and np.isfinite(raw.columns["x"][:-4]).all()
    assert raw.notes == ("Counted as missing: 1 cell of “x” without a number.",)


def test_rows_of_another_length_are_left_out_and_said():
    rows = [f"{i},a,{i}" for i in range(30)]
    raw = read("x,y,z\n" + "\n".join([*rows, "1,2,3,4"]))
    assert raw.n_rows == 30 and "1 row with another number of cells" in raw.notes[-1]
    with pytest.raises(ValueError, match="rows have another number of cells"):
        read("x,y\n1,2\n1,2,3\n1,2,3\n")


def test_the_format_can_be_corrected():
    text = "1;5,2\n2;6,3\n3;7,1\n"
    assert read(text).columns["column 2"].tolist() == [5.2, 6.3, 7.1]
    corrected = read(text, delimiter=",", header=True)
    assert corrected.names == ["1;5", "2"] and corrected.n_rows == 2


def test_names_of_columns_are_unique_and_short():
    raw = read(f"x,x,,{'n' * 500}\n1,2,3,4\n1,2,3,4\n")
    assert raw.names[:3] == ["x", "x (2)", "column 3"] and len(raw.names[3]) == 60


@pytest.mark.parametrize(
    ("lines", "delimiter"),
    [
        (["a;b", "1,5;2", "2,5;3"], ";"),
        (["a,b", "x; y,2", "z,3"], ","),
        (['"a,b",c', '"d,e",f'], ","),
        (["1 2  3", "4  5 6"], " "),
        (["one", "two"], ","),
    ],
)
def test_the_most_regular_delimiter_is_taken(lines, delimiter):
    assert most_regular_delimiter(lines) == delimiter


def test_the_decimal_mark_is_that_of_most_numbers():
    assert decimal_mark(["1,5;2,5;3.5"], ";") == "," and decimal_mark(["1.5;2.5;3,5"], ";") == "."
    assert decimal_mark(["1,5,2"], ",") == "."


def test_a_long_first_line_is_read_whole():
    names = [f"column number {i} of a wide table" for i in range(3000)]
    raw = read("\n".join([",".join(names), *(",".join(["1.5"] * 3000) for _ in range(2))]))
    assert raw.names == names


def test_a_mark_in_every_cell_of_a_column_is_no_delimiter():
    raw = uploads.read(b"a,b,command\n" + b"1.5,2,=cmd|calc\n2.5,3,=sum|calc\n" * 20, "a.csv")
    assert raw.format.delimiter == "," and raw.names == ["a", "b", "command"]
