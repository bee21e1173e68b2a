"""Packs and unpacks batches of change rows, so that one call between Python and the JVM moves thousands of rows.

The layout is that of ``ColumnarRows.java``: columns in the memory format of Apache Arrow.
"""

from __future__ import annotations

import struct
from array import array
from itertools import accumulate, chain, pairwise, repeat
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._changes import ChangeRow

Bytes = Union[bytes, memoryview]

_PAIR = struct.Struct("=ii")
_ALIGNMENT = 8
_NUMBERS = 3
_COLUMNS = len(ChangeRow._fields)
_HEAD_BYTES = (1 + _COLUMNS) * _PAIR.size
#: The bits of each byte, lowest first.
_BITS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]


class Column(NamedTuple):
    """A column of a batch, in parts."""

    #: The number of null values. If all values are null, the other parts are empty.
    nulls: int
    #: A bit per row, lowest first; 1 = not null. Empty if no value is null.
    validity: Bytes
    #: An int64 per row. For a text column, int32 offsets in ``texts``, one more than there are rows.
    values: Bytes
    #: The UTF-8 of a text column.
    texts: Bytes = b""


def pack_columns(rows: int, columns: Sequence[Column]) -> bytes:
    """Packs the ten columns of a batch."""
    heads = (_PAIR.pack(column.nulls, len(column.texts)) for column in columns)
    parts = chain.from_iterable(column[1:] for column in columns if column.nulls < rows)
    return b"".join([_PAIR.pack(rows, 0), *heads, *chain.from_iterable((part, bytes(_gap(len(part)))) for part in parts)])


def unpack_columns(batch: bytes) -> Tuple[int, List[Column]]:
    """Returns the number of rows of a batch, and its columns as views."""
    view = memoryview(batch)
    (rows, _), *heads = _PAIR.iter_unpack(view[:_HEAD_BYTES])
    at = _HEAD_BYTES

    def part(length: int) -> memoryview:
        nonlocal at
        start, at = at, at + length + _gap(length)
        return view[start:start + length]

    columns = []
    for index, (nulls, text_bytes) in enumerate(heads):
        if nulls == rows:
            columns.append(Column(nulls, b"", b""))
        else:
            values = rows * 8 if index < _NUMBERS else (rows + 1) * 4
            columns.append(Column(nulls, part((rows + 7) // 8 if nulls else 0), part(values), part(text_bytes)))
    return rows, columns


def _gap(length: int) -> int:
    return -length % _ALIGNMENT


def pack(rows: Sequence[ChangeRow]) -> bytes:
    """Packs at least one row for writing. The column ``tx`` is left out, since writing does not need it.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair, which is not Unicode.
        OverflowError: a number does not fit into 64 bits.
    """
    patch, _, row, *texts = zip(*rows)
    unneeded = Column(len(rows), b"", b"")
    return pack_columns(len(rows), [_packed_numbers(patch), unneeded, _packed_numbers(row), *map(_packed_texts, texts)])


def _packed_numbers(values: Sequence[Optional[int]]) -> Column:
    numbers = array("q", [0 if value is None else value for value in values])
    return Column(*_validity(values), numbers.tobytes())


def _packed_texts(values: Sequence[Optional[str]]) -> Column:
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = array("i", accumulate(map(len, encoded), initial=0))
    return Column(*_validity(values), offsets.tobytes(), b"".join(encoded))


def _validity(values: Sequence[Any]) -> Tuple[int, bytes]:
    """Returns the number of ``None`` values, and the bitmap of the other ones."""
    nulls = values.count(None)
    if nulls in (0, len(values)):
        return nulls, b""
    # The last row has the highest bit.
    bits = "".join("0" if value is None else "1" for value in reversed(values))
    return nulls, int(bits, 2).to_bytes((len(values) + 7) // 8, "little")


def unpack(batch: bytes) -> Iterator[ChangeRow]:
    """Returns the rows of a batch."""
    rows, columns = unpack_columns(batch)
    numbers, texts = columns[:_NUMBERS], columns[_NUMBERS:]
    return map(ChangeRow._make, zip(*(_numbers(column, rows) for column in numbers),
                                    *(_texts(column, rows) for column in texts)))


def _numbers(column: Column, rows: int) -> Iterable[Optional[int]]:
    return _with_nulls(column, rows, memoryview(column.values).cast("q").tolist())


def _texts(column: Column, rows: int) -> Iterable[Optional[str]]:
    spans = pairwise(memoryview(column.values).cast("i").tolist())
    text = str(column.texts, "utf-8")
    if len(text) == len(column.texts):  # ASCII: bytes are characters, so texts are decoded together
        return _with_nulls(column, rows, [text[start:end] for start, end in spans])
    return _with_nulls(column, rows, [str(column.texts[start:end], "utf-8") for start, end in spans])


def _with_nulls(column: Column, rows: int, values: List[Any]) -> Iterable[Any]:
    if column.nulls == rows:
        return repeat(None, rows)
    if column.nulls == 0:
        return values
    present = chain.from_iterable(map(_BITS.__getitem__, column.validity))
    return [value if is_present else None for value, is_present in zip(values, present)]
