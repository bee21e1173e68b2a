"""Rows that a log gives without Spark: the history of quads, and the quads at a version."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Tuple

from ._changes import _QUAD, ChangeRow, quad_terms
from ._doors import Door
from ._files import T, _Batches, _Rows
from ._rows import unpack
from ._terms import as_term

if TYPE_CHECKING:
    import pandas
    import pyarrow

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class HistoryRow(NamedTuple):
    """An operation of a log on a quad, from :meth:`PatchLog.history`."""

    version: int
    #: The header ``time`` of the patch, in UTC; ``None`` if there is none.
    time: Optional[datetime]
    #: ``A`` or ``D``
    op: str
    subject: str
    predicate: str
    object: str
    #: ``None`` = the default graph.
    graph: Optional[str]


class QuadRow(NamedTuple):
    """A quad at a version of a log, from :meth:`PatchLog.as_of`."""

    subject: str
    predicate: str
    object: str
    #: ``None`` = the default graph.
    graph: Optional[str]


class LogRows(_Rows[T]):
    """Rows from a log: one by one, or as columns. A context manager. The rows are read once, so choose one of these ways."""

    _TAKEN = "rows of this log were taken already; ask the log again"

    def __init__(self, batches: _Batches, row: Callable[[ChangeRow], T], columns: Sequence[Tuple[str, str]], where: str) -> None:
        """Called by methods of a log only."""
        super().__init__(batches, lambda batch: map(row, unpack(batch)), where)
        self._names = columns

    def to_arrow(self) -> pyarrow.RecordBatchReader:
        """Returns the rows as a stream of Arrow record batches, in constant memory. Polars and DuckDB take it as it is.

        The columns are the fields of the rows: those of :class:`HistoryRow` or :class:`QuadRow`. ``time`` is a timestamp in
        milliseconds and UTC.

        Raises:
            ImportError: pyarrow is not installed.
            ValueError: rows were read already.
        """
        from . import _arrow

        return _arrow.renamed(self._columns(), self._names)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rows as a pandas DataFrame, with the columns of :meth:`to_arrow`.

        Raises:
            ImportError: pandas or pyarrow is not installed.
            ValueError: rows were read already.
        """
        return self.to_arrow().read_pandas()


def operations(door: Door, reader: Any, where: str) -> LogRows[HistoryRow]:
    """Returns the rows of a history. Java passes the version as ``patch``, and the milliseconds of the time as ``tx``."""
    columns = [("patch", "version"), ("tx", "time"), ("op", "op"), *((name, name) for name in _QUAD)]
    return LogRows(_batches(door, reader), _operation, columns, where)


def _operation(row: ChangeRow) -> HistoryRow:
    time = None if row.tx is None else _EPOCH + timedelta(milliseconds=row.tx)
    return HistoryRow(row.patch, time, row.op, *row[4:8])  # type: ignore[arg-type]


def quads(door: Door, reader: Any, where: str) -> LogRows[QuadRow]:
    """Returns the quads of a state."""
    return LogRows(_batches(door, reader), lambda row: QuadRow(*row[4:8]), [(name, name) for name in _QUAD], where)  # type: ignore[arg-type]


def _batches(door: Door, reader: Any) -> _Batches:
    return _Batches(door, reader, contextlib.nullcontext())


def wanted_terms(
    subject: Optional[str], predicate: Optional[str], quad: Optional[Sequence[Optional[str]]]
) -> Tuple[Optional[str], ...]:
    """Returns the terms of the wanted quads for Java. ``None`` = any; the graph is empty for the default graph.

    Raises:
        ValueError: a text is not a term, or nothing or too much is given.
    """
    if (subject is None and predicate is None) == (quad is None):
        raise ValueError("give a subject, a predicate, both, or a quad")
    if quad is None:
        given = (("subject", subject), ("predicate", predicate))
        return (*(None if term is None else as_term(name, term) for name, term in given), None, None)
    return tuple("" if term is None else term for term in quad_terms(quad))
