"""Converts change rows to and from Apache Arrow record batches and pandas DataFrames. Imports pyarrow, which is optional."""

from __future__ import annotations

import sys
from typing import Any, Iterable, Iterator, List, Sequence, Tuple

try:
    import pyarrow as pa
except ImportError:
    raise ImportError('Arrow needs pyarrow: pip install "jellybridge[arrow]"', name="pyarrow") from None

from ._changes import CHANGES_SCHEMA
from ._results import imported_pandas
from ._rows import Column, pack_columns, unpack_columns

# Limits of one batch to write, so that long texts don't use unbounded memory. A single row may be larger.
_BATCH_ROWS = 1 << 14
_BATCH_BYTES = 4 << 20
_TIME = pa.timestamp("ms", "UTC")


def _field(declaration: str) -> pa.Field:
    name, sql_type, *constraints = declaration.split()
    return pa.field(name, {"BIGINT": pa.int64(), "STRING": pa.string()}[sql_type], nullable=not constraints)


#: The columns of change rows.
SCHEMA = pa.schema([_field(declaration) for declaration in CHANGES_SCHEMA.split(", ")])


def to_reader(batches: Iterable[bytes]) -> pa.RecordBatchReader:
    """Returns packed batches as a stream of record batches, which share the memory of the packed ones."""
    return pa.RecordBatchReader.from_batches(SCHEMA, map(_record_batch, batches))


def renamed(reader: pa.RecordBatchReader, columns: Sequence[Tuple[str, str]]) -> pa.RecordBatchReader:
    """Returns some columns of a stream under other names. A ``time`` is milliseconds since 1970."""
    def column(batch: Any, name: str, other: str) -> pa.Array:
        return batch[name].cast(_TIME) if other == "time" else batch[name]

    schema = pa.schema([pa.field(other, _TIME if other == "time" else SCHEMA.field(name).type) for name, other in columns])
    return pa.RecordBatchReader.from_batches(schema, (
        pa.record_batch([column(batch, *each) for each in columns], schema=schema) for batch in reader))


def _record_batch(batch: bytes) -> pa.RecordBatch:
    rows, columns = unpack_columns(batch)
    return pa.record_batch([_array(field.type, rows, column) for field, column in zip(SCHEMA, columns)], schema=SCHEMA)


def _array(arrow_type: pa.DataType, rows: int, column: Column) -> pa.Array:
    if column.nulls == rows:
        return pa.nulls(rows, arrow_type)
    buffers = [pa.py_buffer(column.validity) if column.nulls else None, pa.py_buffer(column.values)]
    if pa.types.is_string(arrow_type):
        buffers.append(pa.py_buffer(column.texts))
    return pa.Array.from_buffers(arrow_type, rows, buffers, column.nulls)


def to_pandas(reader: pa.RecordBatchReader) -> Any:
    """Returns all rows as a DataFrame. The column ``tx`` has the type ``Int64``, since ``int64`` in pandas has no null."""
    pandas = imported_pandas()
    table = reader.read_all()
    tx = table["tx"].to_pandas(types_mapper={pa.int64(): pandas.Int64Dtype()}.get)
    frame = table.to_pandas(split_blocks=True)
    frame["tx"] = tx
    return frame


def pack(rows: Any) -> Iterator[bytes]:
    """Packs columns for writing. Their ``tx`` is dropped, since writing does not need it.

    Raises:
        ValueError: a column is not one of change rows, or has a wrong type or value.
    """
    first = 0
    for batch in _batches(rows):
        for start in range(0, batch.num_rows, _BATCH_ROWS):
            for piece in _halves(_converted(batch.slice(start, _BATCH_ROWS), first)):
                yield pack_columns(piece.num_rows, [_column(values, field) for values, field in zip(piece.columns, SCHEMA)])
                first += piece.num_rows


def _batches(rows: Any) -> Iterator[pa.RecordBatch]:
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(rows, pandas.DataFrame):
        # Converted in slices, so that the rows are not in memory twice.
        for start in range(0, len(rows), _BATCH_ROWS):
            yield _of_frame(rows.iloc[start:start + _BATCH_ROWS], start)
    elif hasattr(rows, "__arrow_c_stream__"):
        yield from pa.RecordBatchReader.from_stream(rows)
    else:
        yield pa.record_batch(rows)


def _of_frame(frame: Any, start: int) -> pa.RecordBatch:
    try:
        return pa.RecordBatch.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as e:
        # pyarrow names the column, and says what is wrong with it.
        raise ValueError(f"rows {start} to {start + len(frame) - 1}: {'; '.join(map(str, e.args))}") from None


def _halves(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    half = batch.num_rows // 2
    if half and batch.nbytes > _BATCH_BYTES:
        yield from _halves(batch.slice(0, half))
        yield from _halves(batch.slice(half))
    else:
        yield batch


def _converted(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    """Returns the columns of change rows. ``first`` is the number of the first row, for messages."""
    names: List[str] = batch.schema.names
    for name in names:
        if name not in SCHEMA.names:
            raise ValueError(f"{name!r} is no column; these are: {', '.join(SCHEMA.names)}")
    columns = [
        pa.nulls(batch.num_rows) if field.name not in names or field.name == "tx" else _cast(batch[field.name], field, first)
        for field in SCHEMA
    ]
    if "patch" in names and columns[0].null_count:
        row = first + columns[0].is_null().index(True).as_py()
        raise ValueError(f"row {row}: patch=None: must be a whole number")
    return pa.record_batch(columns, SCHEMA.names)


def _cast(values: pa.Array, field: pa.Field, first: int) -> pa.Array:
    # A batch is measured in these types, as each slice of a dictionary counts it whole. Long offsets take texts of any size.
    is_text = pa.types.is_string(field.type)
    try:
        if is_text and not _is_text(values.type):
            raise TypeError("no text")
        return values.cast(pa.large_string() if is_text else field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError) as e:
        raise ValueError(
            f"rows {first} to {first + len(values) - 1}: column {field.name!r} is of type {values.type}: "
            f"must be {'text' if is_text else 'whole numbers'} ({e})"
        ) from None


def _is_text(given: pa.DataType) -> bool:
    kind = given.value_type if pa.types.is_dictionary(given) else given
    return any(is_kind(kind) for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null))


def _column(values: pa.Array, field: pa.Field) -> Column:
    # A slice starts in the middle of its buffers; concat_arrays copies it into ones of its own.
    array = pa.concat_arrays([values.cast(field.type)])
    rows, nulls = len(array), array.null_count
    if nulls == rows:
        return Column(nulls, b"", b"")
    validity, numbers, *texts = array.buffers()
    bitmap = memoryview(validity)[:(rows + 7) // 8] if nulls else b""
    if not texts:
        return Column(nulls, bitmap, memoryview(numbers)[:rows * 8])
    offsets = memoryview(numbers)[:(rows + 1) * 4]
    return Column(nulls, bitmap, offsets, memoryview(texts[0])[:offsets.cast("i")[rows]])
