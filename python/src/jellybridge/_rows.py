"""Change rows packed into bytes, so that one call between Python and the JVM moves thousands of them.

The layout is that of ``PackedRows.java``, which is the other end: the number of rows, then for each row a record of its
numbers and of the lengths of its texts, then the texts.
"""

from __future__ import annotations

import struct
from typing import Iterator, List, Optional, Sequence

from ._changes import ChangeRow

_COUNT = struct.Struct("<i")
_RECORD = struct.Struct("<qqq7i")


def pack(rows: Sequence[ChangeRow]) -> bytes:
    """Packs rows for writing: their ``tx`` is not needed there.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair, which is not Unicode.
    """
    records: List[bytes] = [_COUNT.pack(len(rows))]
    texts: List[bytes] = []
    for row in rows:
        encoded: List[Optional[bytes]] = [None if text is None else text.encode() for text in row[3:]]
        number = -1 if row.row is None else row.row
        records.append(_RECORD.pack(row.patch, -1, number, *(-1 if text is None else len(text) for text in encoded)))
        texts.extend(text for text in encoded if text is not None)
    return b"".join(records + texts)


def unpack(batch: bytes) -> Iterator[ChangeRow]:
    """The rows of a batch."""
    (count,) = _COUNT.unpack_from(batch)
    end = _COUNT.size + count * _RECORD.size
    texts = memoryview(batch)[end:]
    at = 0
    for patch, tx, number, *lengths in _RECORD.iter_unpack(memoryview(batch)[_COUNT.size:end]):
        columns: List[Optional[str]] = []
        for length in lengths:
            if length < 0:
                columns.append(None)
            else:
                columns.append(str(texts[at:at + length], "utf-8"))
                at += length
        yield ChangeRow._make((patch, None if tx < 0 else tx, number, *columns))
