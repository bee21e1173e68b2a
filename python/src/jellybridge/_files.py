"""Reads and writes files of patches in plain Python, without Spark."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from itertools import chain
from typing import (
    TYPE_CHECKING, Any, Callable, ContextManager, Generic, Iterable, Iterator, List, Mapping, Optional, Protocol, Sequence, Sized, Tuple, TypeVar,
    Union, get_args,
)

from ._arguments import check
from ._changes import ChangeRow
from ._doors import Door, find_door
from ._locations import Closing, PatchReadable, Source, Writable, target_file
from ._printed_reports import Report, counted
from ._rows import pack, unpack
from ._types import ChangeRowDict, PatchFormat, StatementType, StreamType

if TYPE_CHECKING:
    import pandas
    import pyarrow

T = TypeVar("T")

#: A row to write: a :class:`ChangeRow`, a dict by the names of columns, or a sequence of the ten columns.
RowLike = Union[ChangeRow, ChangeRowDict, Sequence[Any]]


class ArrowLike(Protocol):
    """Columns in Arrow's Python protocol: a ``pyarrow.Table`` or ``RecordBatchReader``, a Polars DataFrame, and so on."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns a capsule of a stream."""


#: The name of the temporary file of a :class:`Patch`.
PATCH = "difference.jellyp"
_BATCH_ROWS = 4096
_BATCH_TEXT = 4 << 20
_NUMBERS = ("patch", "tx", "row")


@dataclass(frozen=True)
class WriteReport(Report):
    """The result of :func:`write_patch`."""

    patches: int
    rows: int

    def __str__(self) -> str:
        return f"{counted(self.patches, 'patch', 'patches')}, {counted(self.rows, 'row')}"


class _Batches(Iterator[bytes]):
    """An iterator over the packed batches of a file. It closes the file at its end and on an error."""

    def __init__(self, door: Door, reader: Any, source: ContextManager[Any]) -> None:
        self._door = door
        self._reader = reader
        self._source = source

    def __next__(self) -> bytes:
        if self._reader is None:
            raise StopIteration
        try:
            with self._door.errors():
                batch = self._reader.next()
        except BaseException:
            self.close()
            raise
        if batch is None:
            self.close()
            raise StopIteration
        # Copied, since the JVM reuses this memory for the next batch.
        return self._door.bytes_of(batch)

    @property
    def closed(self) -> bool:
        return self._reader is None

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with self._source, self._door.errors():
                reader.close()


class _Rows(Closing, Iterator[T], Generic[T]):
    """Rows in batches, which are read once: one by one, or as columns."""

    #: The error if rows were read already.
    _TAKEN: str

    def __init__(self, batches: _Batches, unpacked: Callable[[bytes], Iterator[T]], name: str) -> None:
        self._batches = batches
        self._unpacked = unpacked
        self._name = name
        self._rows: Optional[Iterator[T]] = None

    def __next__(self) -> T:
        if self._rows is None:
            self._rows = chain.from_iterable(map(self._unpacked, self._batches))
        return next(self._rows)

    def _columns(self) -> pyarrow.RecordBatchReader:
        from . import _arrow

        if self._rows is not None:
            raise ValueError(self._TAKEN)
        self._rows = iter(())
        return _arrow.to_reader(self._batches)

    def close(self) -> None:
        """Ends the iteration. The rows also close themselves at their end and after an error."""
        self._rows = iter(())
        self._batches.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r}{', closed' if self._batches.closed else ''})"


class PatchRows(_Rows[ChangeRow]):
    """The rows of a file of patches, from :func:`read_patch`: one by one, or as columns.

    A context manager. The file is read once, so choose one of these ways.
    """

    _TAKEN = "rows of this file were taken already; call read_patch again"

    def __init__(self, door: Door, reader: Any, source: Source) -> None:
        """Called by :func:`read_patch` only."""
        super().__init__(_Batches(door, reader, source), unpack, source.place.name)

    def to_arrow(self) -> pyarrow.RecordBatchReader:
        """Returns the rows as a stream of Arrow record batches, in constant memory.

        The columns are those of :data:`CHANGES_SCHEMA`. ``read_all()`` of the stream collects them into a table in memory::

            for batch in jellybridge.read_patch("log.jellyp").to_arrow():
                print(batch.num_rows)

        The stream raises an error in the file after the batches before the fault. In a Spark driver each batch goes through
        py4j, whose sockets are slower than shared memory. ``spark.read`` is faster there.

        Raises:
            ImportError: pyarrow is not installed.
            ValueError: rows were read already.
        """
        return self._columns()

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rows as a pandas DataFrame. ``tx`` has the nullable type ``Int64``; ``patch`` and ``row`` are ``int64``.

        Raises:
            ImportError: pandas or pyarrow is not installed.
            ValueError: rows were read already.
            PatchFormatError: the file breaks the format.
            TextFormatError: likewise, for RDF Patch text.
        """
        from . import _arrow

        return _arrow.to_pandas(self.to_arrow())


class Patch:
    """Patches that were computed. They are in a temporary file, which is deleted together with this object.

    Iteration yields :class:`ChangeRow` objects.
    """

    def __init__(self, folder: Optional[tempfile.TemporaryDirectory[str]], name: str = PATCH) -> None:
        """Called by :mod:`jellybridge.changes` and by methods that compare states only."""
        self._folder = folder
        self._name = name

    def _patch(self) -> str:
        assert self._folder is not None, "the command line alone makes a difference without a patch"
        return os.path.join(self._folder.name, self._name)

    def __iter__(self) -> Iterator[ChangeRow]:
        return self.rows()

    def rows(self) -> PatchRows:
        """Returns the change rows: ``TX``, the ``D`` rows, the ``A`` rows, ``TC``."""
        return read_patch(self._patch())

    def to_arrow(self) -> pyarrow.RecordBatchReader:
        """Returns the change rows as Arrow record batches, see :meth:`PatchRows.to_arrow`."""
        return self.rows().to_arrow()

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the change rows as a pandas DataFrame, see :meth:`PatchRows.to_pandas`."""
        return self.rows().to_pandas()

    def write(self, target: Writable, format: Optional[PatchFormat] = None) -> None:
        """Writes the patches to a file, which appears complete or not at all.

        Args:
            target: a path, or a file open for writing bytes.
            format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix.
        """
        from ._convert import convert

        convert(self._patch(), target, to_format=format)

    def _repr_html_(self) -> str:
        """Returns what a notebook shows."""
        from .changes import show

        return show(self)._repr_html_()


def read_patch(source: PatchReadable, *, format: Optional[PatchFormat] = None, strict: bool = False) -> PatchRows:
    """Reads a file of patches in constant memory, row by row or as columns of Arrow or pandas.

    The suffix says the format: ``.rdfp`` and ``.rdp`` are RDF Patch text, ``.trp`` is Jena's RDF Thrift, and everything else is
    Jelly-Patch. Each may be followed by ``.gz`` or ``.zst``.

    >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"é"@en-GB')])
    >>> with read_patch("one.jellyp") as rows:
    ...     for row in rows:
    ...         print(row.patch, row.row, row.op, row.object)
    0 0 A "é"@en-gb
    >>> read_patch("one.jellyp").to_arrow().read_all().num_rows
    1
    >>> read_patch("one.jellyp").to_pandas()["op"].tolist()
    ['A']

    Args:
        source: a local file, or a folder that Spark wrote with one such file, by path or ``file:`` URL; an ``https:`` or
            ``http:`` URL, which is downloaded first; a file open for reading bytes, or bytes, which are copied to a temporary
            file; or a :class:`Patch`.
        format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix. It is required for bytes, and for an
            open file whose name has no suffix.
        strict: reject every violation of a MUST of the format, even those that other writers are known to commit.

    Returns:
        An iterator of :class:`ChangeRow`, which is a context manager that closes the file. :class:`PatchRows` also has columns.

    Raises:
        FileNotFoundError: there is no such file.
        PatchFormatError: the file breaks the format. Raised during iteration, after the rows before the fault.
        TextFormatError: likewise, for RDF Patch text.
        JellybridgeError: there is no such format, or a URL can't be downloaded completely.
        ValueError: a folder does not have exactly one such file, the format is required and missing, or ``strict`` is not a
            bool.
        TypeError: the source can't be read as bytes.
    """
    check("True or False", strict=strict)
    check("text or None", format=format)
    door = find_door()
    place = Source(source, patches=True, format=format)
    try:
        with door.errors():
            return PatchRows(door, door.bridge.readPatch(*place.place[:2], format, strict), place)
    except BaseException:
        place.close()
        raise


def write_patch(
    target: Writable,
    rows: Union[Iterable[RowLike], ArrowLike, pandas.DataFrame],
    *,
    format: Optional[PatchFormat] = None,
    stream_type: StreamType = "PUNCTUATED",
    statement_type: StatementType = "QUADS",
    rdf_star: bool = False,
    generalized_statements: bool = False,
    relative_iris: bool = False,
    max_name_table_size: int = 4000,
    max_prefix_table_size: int = 150,
    max_datatype_table_size: int = 32,
    frame_rows: int = 1024,
    restart_bytes: int = 4 << 20,
    delimited: bool = True,
) -> WriteReport:
    """Writes a file of patches. The file appears complete or not at all; after an error, an existing file is unchanged.

    The suffix says the format: ``.jellyp``, ``.rdfp``, ``.rdp`` or ``.trp``, optionally with ``.gz`` or ``.zst``. The stream
    options apply to Jelly-Patch only.

    >>> report = write_patch("two.jellyp", [
    ...     ChangeRow(op="TX"),
    ...     ChangeRow(op="PA", name="ex", value="<http://example.org/>"),
    ...     ChangeRow(op="A", subject="<http://example.org/s>", predicate="<http://example.org/p>", object='"1"'),
    ...     ChangeRow(op="TC"),
    ... ])
    >>> report
    WriteReport(patches=1, rows=4)

    Args:
        target: a path or ``file:`` URL, where an existing file is replaced; or a file open for writing bytes, which gets its
            bytes at the end.
        rows: the rows in the order in which they apply. Only ``op`` and the columns that it needs are required. A new number in
            ``patch`` starts a new patch. If ``patch`` and ``row`` are given, they must increase. Columns of these names work
            too: an Arrow table, batch or stream (also from Polars or DuckDB), or a pandas DataFrame. They are written in
            batches, without Python code for each row.
        format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix.
        stream_type: ``FRAME`` (a frame is a patch), ``FLAT`` (the file is one patch), ``PUNCTUATED``.
        statement_type: ``TRIPLES`` or ``QUADS``.
        rdf_star: allow triple terms, ``<<( s p o )>>``.
        generalized_statements: allow generalized statements, such as literals as subjects.
        relative_iris: allow relative IRIs, which no dataset accepts.
        max_name_table_size: entries of the name lookup, at least 8.
        max_prefix_table_size: entries of the prefix lookup; 0 = not used.
        max_datatype_table_size: entries of the datatype lookup; 0 = not used, so that typed literals are not possible.
        frame_rows: rows after which a frame ends.
        restart_bytes: bytes between two restart points, which let Spark read the file in parallel; 0 = none.
        delimited: ``False`` writes one bare frame, which holds one patch.

    Raises:
        PatchFormatError: the format does not allow a row at its place, or a term is not in RDF 1.2.
        TextFormatError: likewise, for RDF Patch text.
        ValueError: a row or an option has a value of the wrong kind, or the format is required and missing.
        TypeError: the target can't be written to.
        JellybridgeError: the format is unknown or can't hold patches, a row is invalid (an unknown op, a missing name), the
            rows are out of order, or a table size is out of range.
        FileNotFoundError: there is no such folder.
    """
    _check_choice("stream_type", stream_type, get_args(StreamType))
    _check_choice("statement_type", statement_type, get_args(StatementType))
    check(
        "True or False", rdf_star=rdf_star, generalized_statements=generalized_statements, relative_iris=relative_iris,
        delimited=delimited,
    )
    check(
        "a whole number of 32 bits", max_name_table_size=max_name_table_size, max_prefix_table_size=max_prefix_table_size,
        max_datatype_table_size=max_datatype_table_size, frame_rows=frame_rows, restart_bytes=restart_bytes,
    )
    check("text or None", format=format)
    with target_file(target, format) as file:
        return _write_file(
            file, rows, format, stream_type, statement_type, generalized_statements, relative_iris, rdf_star,
            max_name_table_size, max_prefix_table_size, max_datatype_table_size, frame_rows, restart_bytes, delimited,
        )


def _write_file(file: str, rows: Any, *options: Union[str, int, None]) -> WriteReport:
    door = find_door()
    with door.errors():
        writer = door.bridge.writePatch(file, *options)
        try:
            for batch in _packed(rows):
                room = writer.room(len(batch))
                door.fill(room, batch)
                writer.write(room)
            patches, written = (int(number) for number in writer.commit())
            return WriteReport(patches, written)
        finally:
            writer.close()


def _check_choice(option: str, value: str, choices: Tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{option}={value!r}: must be one of {', '.join(choices)}")


def _packed(rows: Any) -> Iterator[bytes]:
    if _has_columns(rows):
        from . import _arrow

        yield from _arrow.pack(rows)
    else:
        batch: List[ChangeRow] = []
        size = 0
        for index, row in enumerate(rows):
            batch.append(_checked(row, index))
            size += len(batch[-1].subject or "") + len(batch[-1].object or "") + len(batch[-1].graph or "")
            if len(batch) == _BATCH_ROWS or size > _BATCH_TEXT:
                yield pack(batch)
                batch, size = [], 0
        if batch:
            yield pack(batch)


def _has_columns(rows: object) -> bool:
    pandas = sys.modules.get("pandas")
    is_frame = pandas is not None and isinstance(rows, pandas.DataFrame)
    return is_frame or hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__")


def _change_row(like: RowLike, index: int) -> ChangeRow:
    if isinstance(like, Mapping):
        unknown = [column for column in like if column not in ChangeRow._fields]
        if unknown:
            raise ValueError(f"row {index}: {unknown[0]!r} is no column; these are: {', '.join(ChangeRow._fields)}")
        return ChangeRow(**like)
    if not isinstance(like, Sized):
        raise ValueError(f"row {index}: {like!r} is no row; give a ChangeRow, a mapping or a sequence")
    if len(like) != len(ChangeRow._fields):
        raise ValueError(f"row {index}: {len(like)} values; a row has these: {', '.join(ChangeRow._fields)}")
    return ChangeRow._make(like)


def _checked(like: RowLike, index: int) -> ChangeRow:
    """Returns the row after checking the types of its values. The JVM checks their content."""
    row = _change_row(like, index)
    for column, value in zip(ChangeRow._fields, row):
        if column in _NUMBERS:
            # Most numbers are plain and in range. This test is faster than making the text that names the row.
            plain = type(value) is int and 0 <= value < 1 << 63 or value is None and column != "patch"
            if not plain:
                check("a whole number of 64 bits", **{f"row {index}: {column}": value})
        elif value is not None and not isinstance(value, str):
            raise ValueError(f"row {index}: {column}={value!r}: must be text or None")
    return row
