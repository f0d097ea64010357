"""Tables in text files: csv, tsv, with semicolons or tabs, decimal comma or point, any encoding.

Delimiter, decimal mark and header are decided by counting in the first lines, in time proportional
to their length. The parser is that of pyarrow.
"""

import codecs
import re
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    MAX_TEXT_CELLS,
    Refusal,
    check_shape,
    clean_name,
    count_of,
    unique_names,
)
from sslviz.data.uploads.raw_table import UNDECIDED, Format, RawTable

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE_BYTES, SAMPLE_LINES = 2**16, 50  # read to decide how a file is written
DELIMITERS = ("\t", ";", "|", ",", " ")  # in order of preference
MAX_LINE_LENGTH = 2**21  # of the first line, where that is longer than the sample
AGREEMENT = 0.9  # share of lines with the same number of delimiters
NUMBER_SHARE = 0.9  # of the cells of a column that must be numbers; the others are missing
INVALID_SHARE = 0.1  # of the rows that may have another number of cells and are left out
NOTES_SHOWN = 3
MISSING_WORDS = ("", "?", "na", "n/a", "nan", "null", "none", "missing", "-", "–", ".", "#n/a")
NUMBER_TEXT = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_QUOTED = re.compile(r'"[^"]*"')
_POINT, _COMMA = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.I), re.compile(r"[+-]?[\d.]*,\d+")
_NUMBER = re.compile(NUMBER_TEXT.strip("^$"))


def read_csv(content: bytes, format: Format = UNDECIDED) -> RawTable:
    """The table in a text file; `format` overrides what would be decided."""
    encoding = format.encoding or text_encoding(content)
    text = _decode(content, encoding)
    sample = [line for line in text[:SAMPLE_BYTES].splitlines() if line.strip()][:SAMPLE_LINES]
    if not sample:
        raise Refusal("it is empty")
    if len(text) > SAMPLE_BYTES:  # the last line may be cut
        sample = sample[:-1] or [text[:MAX_LINE_LENGTH].splitlines()[0]]
    delimiter = format.delimiter or most_regular_delimiter(sample)
    decimal = format.decimal or decimal_mark(sample, delimiter)
    first = _cells(sample[0], delimiter)
    header = format.header
    if header is None:
        header = not any(_is_number(cell, decimal) for cell in first)
    if len(first) > MAX_COLUMNS:
        raise Refusal(f"it has {len(first):,} columns, at most {MAX_COLUMNS:,} are read")
    if len(first) == 1:
        raise Refusal(f"it has one column only, “{clean_name(first[0])}”; is the delimiter right?")
    names = unique_names(first if header else [""] * len(first))
    table, invalid = _parse_cells(text, delimiter, names, header)
    check_shape(table.num_rows, table.num_columns, MAX_COLUMNS)
    columns, notes = _columns(table, names, decimal)
    if invalid:
        notes.append(f"Left out: {count_of(invalid, 'row')} with another number of cells.")
    found = Format(delimiter, decimal, header, encoding)
    return RawTable("table", columns, format=found, notes=tuple(notes))


def text_encoding(content: bytes) -> str:
    """The encoding of a text file: by its mark, else UTF-8 if it can be, else Windows-1252."""
    if content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in content[:SAMPLE_BYTES]:
        raise Refusal("it is not a text file")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding, "replace" if encoding == "cp1252" else "strict")
    except (UnicodeDecodeError, LookupError) as error:
        raise Refusal(f"it is not a text file in {encoding}") from error


def most_regular_delimiter(lines: list[str]) -> str:
    """The delimiter in the first line that occurs equally often in most lines, outside quotes."""
    plain = [_QUOTED.sub("", line.strip(" ")) for line in lines]
    found, best = ",", 0.0
    for mark in [mark for mark in DELIMITERS if mark in plain[0]]:
        counts = Counter(len(re.findall(" +", x)) if mark == " " else x.count(mark) for x in plain)
        count, agreeing = max(counts.items(), key=lambda item: (item[0] > 0, item[1]))
        share = agreeing / len(plain) if count else 0.0
        if share >= AGREEMENT:
            return mark
        if share > best:
            found, best = mark, share
    return found


def decimal_mark(lines: list[str], delimiter: str) -> str:
    """The decimal mark of most numbers with a fraction."""
    if delimiter == ",":
        return "."
    cells = [cell for line in lines for cell in _cells(line, delimiter)[:MAX_COLUMNS]]
    points = sum(bool(_POINT.fullmatch(cell)) for cell in cells)
    commas = sum(bool(_COMMA.fullmatch(cell)) for cell in cells)
    return "," if commas > points else "."


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of one line; a delimiter inside quotes is part of its cell."""
    if delimiter == " ":
        return line.split()
    cells: list[str] = []
    open_parts: list[str] = []
    quotes = 0
    for part in line.split(delimiter):
        open_parts.append(part)
        quotes += part.count('"')
        if quotes % 2 == 0:
            cells.append(_cell_text(delimiter.join(open_parts)))
            open_parts = []
    return [*cells, _cell_text(delimiter.join(open_parts))] if open_parts else cells


def _cell_text(cell: str) -> str:
    return cell.strip().strip('"').replace('""', '"')


def _is_number(cell: str, decimal: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.replace(",", ".") if decimal == "," else cell))


def _parse_cells(
    text: str, delimiter: str, names: list[str], header: bool
) -> tuple["pa.Table", int]:
    """All cells as texts, and the number of rows left out."""
    import pyarrow as pa
    from pyarrow import csv

    text = text.lstrip("\r\n")
    if delimiter == " ":
        text = "\n".join(" ".join(line.split()) for line in text.splitlines())
    data = text.encode("utf-8")
    invalid: list[None] = []

    def leave_out(row: Any) -> str:
        invalid.append(None)
        return "skip"

    try:
        table = csv.read_csv(
            BytesIO(data),
            csv.ReadOptions(
                column_names=names,
                skip_rows=int(header),
                block_size=len(data) + 1,
                use_threads=False,
            ),
            csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, invalid_row_handler=leave_out
            ),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except pa.ArrowInvalid as error:
        if "Empty" in str(error):
            raise Refusal("it has no rows of data") from error
        raise Refusal(f"it cannot be read as a table: {str(error)[:200]}") from error
    if len(invalid) > INVALID_SHARE * (table.num_rows + len(invalid)):
        raise Refusal(
            f"{len(invalid):,} rows have another number of cells than the first one, {len(names)}; "
            "is it one table, and is the delimiter right?"
        )
    return table, len(invalid)


def _columns(
    table: "pa.Table", names: list[str], decimal: str
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Columns of numbers where nearly all cells are, others as texts; and notes where some aren't.

    All cells are gone through at once: a wide table has many short columns.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    n, d = table.num_rows, table.num_columns
    cells = pa.concat_arrays([table.column(i).combine_chunks() for i in range(d)])
    cells = pc.utf8_trim_whitespace(cells)
    missing = pc.is_in(pc.utf8_lower(cells), value_set=pa.array(MISSING_WORDS))
    numbers = _numbers(cells, decimal)
    numeric = np.isfinite(numbers).reshape(d, n)
    there = n - missing.to_numpy(zero_copy_only=False).reshape(d, n).sum(axis=1)
    count = numeric.sum(axis=1)
    are_numbers = (count > 0) & (count >= NUMBER_SHARE * there)
    columns, notes, texts_left = {}, [], MAX_TEXT_CELLS // n
    for j, name in enumerate(names):
        if are_numbers[j]:
            columns[name] = numbers[j * n : (j + 1) * n]
            if odd := int(there[j] - count[j]):
                strange = count_of(odd, "cell")
                notes.append(f"Counted as missing: {strange} of “{name}” without a number.")
        elif texts_left:
            texts_left -= 1
            texts = pc.utf8_slice_codeunits(cells.slice(j * n, n), 0, MAX_CELL_LENGTH)
            columns[name] = texts.to_numpy(zero_copy_only=False).astype(object)
    if len(columns) < d:
        notes.insert(0, f"Left out: {count_of(d - len(columns), 'further column')} of texts.")
    if len(notes) > NOTES_SHOWN:
        more = count_of(len(notes) - NOTES_SHOWN, "further column")
        notes = [*notes[:NOTES_SHOWN], f"The same in {more}."]
    return columns, notes


def _numbers(cells: "pa.StringArray", decimal: str) -> np.ndarray:
    """All cells as numbers, NaN where they are none.

    A number may have the other mark between thousands: 1.234,5 or 1,234.5.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    other = "." if decimal == "," else ","
    groups = rf"^[+-]?\d{{1,3}}(\{other}\d{{3}})+(\{decimal}\d*)?$"
    grouped = pc.match_substring_regex(cells, groups)
    if decimal == "," or pc.any(grouped).as_py():
        cells = pc.if_else(grouped, pc.replace_substring(cells, other, ""), cells)
    if decimal == ",":
        cells = pc.replace_substring(cells, ",", ".")
    numeric = pc.match_substring_regex(cells, NUMBER_TEXT)
    kept = pc.if_else(numeric, pc.replace_substring_regex(cells, r"^\+", ""), None)
    return np.array(kept.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
