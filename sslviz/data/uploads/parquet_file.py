"""Tables in parquet files, read in batches; texts stay encoded until their sizes are known."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    MAX_INFLATED_BYTES,
    MAX_TEXT_CELLS,
    Refusal,
    check_inflated,
    check_shape,
    count_of,
    unique_names,
)
from sslviz.data.uploads.raw_table import RawTable

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 10_000
INDEX_COLUMN = "__index_level_"  # of pandas


def read_parquet(content: bytes) -> RawTable:
    """The table in a parquet file; columns of lists and other compounds are left out."""
    import pyarrow as pa
    from pyarrow import parquet

    meta = parquet.read_metadata(BytesIO(content))
    check_shape(meta.num_rows, meta.num_columns, MAX_COLUMNS)
    check_inflated(sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)))
    schema = meta.schema.to_arrow_schema()
    flat = [f.name for f in schema if not pa.types.is_nested(f.type)]
    wanted = [name for name in flat if not name.startswith(INDEX_COLUMN)]
    if not wanted:
        raise Refusal("it has no columns of numbers or texts")
    if len(set(schema.names)) < len(schema.names):
        raise Refusal("two of its columns have the same name")
    texts = [f.name for f in schema if _is_text(f.type)]
    file = parquet.ParquetFile(BytesIO(content), read_dictionary=texts, pre_buffer=False)
    table = _bounded(file, wanted)
    names = unique_names(wanted)
    shown = texts[: MAX_TEXT_CELLS // meta.num_rows]
    columns = {
        name: _cells_of(table[old])
        for name, old in zip(names, wanted, strict=True)
        if old not in texts or old in shown
    }
    nested = [name for name in schema.names if name not in flat]
    note = f"Left out: {count_of(len(nested), 'column')} of lists or records."
    return RawTable("table", columns, notes=(note,) if nested else ())


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)


def _bounded(file: Any, wanted: list[str]) -> "pa.Table":
    """All rows, refused as soon as they take too much memory."""
    import pyarrow as pa

    batches, total = [], 0
    for batch in file.iter_batches(BATCH_ROWS, columns=wanted, use_threads=False):
        total += batch.nbytes
        if total > MAX_INFLATED_BYTES:
            check_inflated(total)
        batches.append(batch)
    return pa.Table.from_batches(batches)


def _cells_of(column: "pa.ChunkedArray") -> np.ndarray:
    """A column as float64 with NaN for missing cells, or as texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return column.cast(pa.float64(), safe=False).to_numpy()
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64()).to_numpy()
    if pa.types.is_dictionary(kind):
        return _short_texts(column)
    texts = pc.utf8_slice_codeunits(column.cast(pa.string()), 0, MAX_CELL_LENGTH)  # e.g. dates
    return pc.fill_null(texts, "").to_numpy().astype(object)


def _short_texts(column: "pa.ChunkedArray") -> np.ndarray:
    """Texts whose dictionary is cut to short texts before they are written out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = []
    for chunk in column.chunks:
        words = chunk.dictionary.cast(pa.string())
        words = pc.utf8_trim_whitespace(pc.utf8_slice_codeunits(words, 0, MAX_CELL_LENGTH))
        texts = np.array([*words.to_pylist(), ""], dtype=object)
        parts.append(texts[pc.fill_null(chunk.indices, len(texts) - 1).to_numpy()])
    return np.concatenate(parts)
