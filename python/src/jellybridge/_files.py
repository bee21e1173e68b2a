"""Files of patches in plain Python, without Spark."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from types import TracebackType
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Type, Union

from ._changes import ChangeRow
from ._doors import Door, find_door
from ._rows import pack, unpack

#: A row to write: a :class:`ChangeRow`, a mapping of column names, or a sequence of the ten columns.
RowLike = Union[ChangeRow, Mapping[str, Any], Sequence[Any]]

_STREAM_TYPES = ("FRAME", "FLAT", "PUNCTUATED")
_STATEMENT_TYPES = ("TRIPLES", "QUADS")
_BATCH_ROWS = 4096
_NUMBERS = ("patch", "tx", "row")


@dataclass(frozen=True)
class WriteReport:
    """What :func:`write_patch` wrote."""

    patches: int
    rows: int


class PatchRows(Iterator[ChangeRow]):
    """The rows of a file of patches, one after the other; made by :func:`read_patch`. A context manager."""

    def __init__(self, door: Door, reader: Any) -> None:
        self._door = door
        self._reader = reader
        self._rows = self._read()

    def _read(self) -> Iterator[ChangeRow]:
        while self._reader is not None:
            with self._door.errors():
                batch = self._reader.next()
            if batch is None:
                return
            yield from unpack(bytes(batch))

    def __iter__(self) -> PatchRows:
        return self

    def __next__(self) -> ChangeRow:
        try:
            return next(self._rows)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the file; no rows come any more. The end of the file, and an error in it, do so by themselves."""
        reader, self._reader = self._reader, None
        self._rows = iter(())
        if reader is not None:
            with self._door.errors():
                reader.close()

    def __enter__(self) -> PatchRows:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def read_patch(path: Union[str, os.PathLike[str]], *, strict: bool = False) -> PatchRows:
    """Reads a file of patches, row by row, in bounded memory.

    The suffix says the format: ``.rdfp`` and ``.rdp`` are RDF Patch text, ``.trp`` is Jena's RDF Thrift, anything else
    is Jelly-Patch; each with ``.gz`` or ``.zst`` after it or not.

    >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"é"@en-GB')])
    >>> with read_patch("one.jellyp") as rows:
    ...     for row in rows:
    ...         print(row.patch, row.row, row.op, row.object)
    0 0 A "é"@en-gb

    Args:
        path: a file of a local disk, or a folder that Spark wrote with one such file in it.
        strict: refuse every broken MUST of the format, also those that other writers are known to break.

    Returns:
        An iterator of :class:`ChangeRow`, and a context manager that closes the file.

    Raises:
        FileNotFoundError: there is no such file.
        PatchFormatError: the file breaks the format; raised while iterating, after the rows before the fault.
        TextFormatError: likewise, in RDF Patch text.
    """
    door = find_door()
    file = patch_file(path)
    with door.errors():
        return PatchRows(door, door.bridge.readPatch(file, strict))


def write_patch(
    path: Union[str, os.PathLike[str]],
    rows: Iterable[RowLike],
    *,
    stream_type: str = "PUNCTUATED",
    statement_type: str = "QUADS",
    rdf_star: bool = False,
    generalized_statements: bool = False,
    max_name_table_size: int = 4000,
    max_prefix_table_size: int = 150,
    max_datatype_table_size: int = 32,
    frame_rows: int = 1024,
    delimited: bool = True,
) -> WriteReport:
    """Writes a file of patches, whole or not at all: an error leaves the file that was there, or none.

    The suffix says the format, as in :func:`read_patch`. The options of streams are for Jelly-Patch.

    >>> report = write_patch("two.jellyp", [
    ...     ChangeRow(op="TX"),
    ...     ChangeRow(op="PA", name="ex", value="<http://example.org/>"),
    ...     ChangeRow(op="A", subject="<http://example.org/s>", predicate="<http://example.org/p>", object='"1"'),
    ...     ChangeRow(op="TC"),
    ... ])
    >>> report
    WriteReport(patches=1, rows=4)

    Args:
        path: where; a file that is there is replaced.
        rows: in the order in which they apply. Only ``op`` and the columns that it needs are required. A new number in
            ``patch`` starts a new patch. Where ``patch`` and ``row`` are given, they must count upwards.
        stream_type: ``FRAME`` (a frame is a patch), ``FLAT`` (the file is one patch), ``PUNCTUATED``.
        statement_type: ``TRIPLES`` or ``QUADS``.
        rdf_star: whether triple terms, ``<<( s p o )>>``, may occur.
        generalized_statements: whether generalized statements may occur.
        max_name_table_size: entries of the name lookup, at least 8.
        max_prefix_table_size: entries of the prefix lookup; 0 = not used.
        max_datatype_table_size: entries of the datatype lookup; 0 = not used, so no typed literals.
        frame_rows: a frame ends when it holds this many rows.
        delimited: ``False`` writes one bare frame, which holds one patch.

    Raises:
        PatchFormatError: the format does not allow such a row there.
        TextFormatError: likewise, in RDF Patch text.
        ValueError: a row or an option has a value of the wrong kind.
        JellybridgeError: a row is none (no such op, a name is missing), the rows are out of order, or a table size is
            out of its range.
        FileNotFoundError: there is no such folder.
    """
    _check_choice("stream_type", stream_type, _STREAM_TYPES)
    _check_choice("statement_type", statement_type, _STATEMENT_TYPES)
    file = absolute(path)
    folder = os.path.dirname(file)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{folder}: there is no such folder")
    door = find_door()
    with door.errors():
        writer = door.bridge.writePatch(
            file, stream_type, statement_type, generalized_statements, rdf_star, max_name_table_size,
            max_prefix_table_size, max_datatype_table_size, frame_rows, delimited,
        )
        try:
            checked = (_checked(row, index) for index, row in enumerate(rows))
            for batch in iter(lambda: list(islice(checked, _BATCH_ROWS)), []):
                writer.write(pack(batch))
            patches, written = (int(number) for number in writer.commit())
            return WriteReport(patches, written)
        finally:
            writer.close()


def absolute(path: Union[str, os.PathLike[str]]) -> str:
    """The path as text, for Java, which would go from the folder that was the current one when the JVM started."""
    return os.path.abspath(path)


def existing_file(path: Union[str, os.PathLike[str]]) -> str:
    """Likewise; an error of Python's own where there is nothing."""
    file = absolute(path)
    if not os.path.exists(file):
        raise FileNotFoundError(f"{file}: there is no such file")
    return file


def patch_file(path: Union[str, os.PathLike[str]]) -> str:
    """Likewise, for a Jelly-Patch file: of a folder that Spark wrote, the one file in it."""
    found = existing_file(path)
    if not os.path.isdir(found):
        return found
    files = [name for name in os.listdir(found) if name.endswith(".jellyp") and not name.startswith((".", "_"))]
    if len(files) != 1:
        raise ValueError(
            f"{found}: {len(files)} files end in .jellyp there; name one of them, or write the folder with "
            f"transform(jellybridge.in_order), which makes one"
        )
    return os.path.join(found, files[0])


def _check_choice(option: str, value: str, choices: Tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{option}={value!r}: must be one of {', '.join(choices)}")


def _change_row(like: RowLike, index: int) -> ChangeRow:
    if isinstance(like, Mapping):
        unknown = [column for column in like if column not in ChangeRow._fields]
        if unknown:
            raise ValueError(f"row {index}: {unknown[0]!r} is no column; these are: {', '.join(ChangeRow._fields)}")
        return ChangeRow(**like)
    if len(like) != len(ChangeRow._fields):
        raise ValueError(f"row {index}: {len(like)} values; a row has these: {', '.join(ChangeRow._fields)}")
    return ChangeRow._make(like)


def _checked(like: RowLike, index: int) -> ChangeRow:
    """The row, with numbers and texts in their places; what they say, the JVM side checks."""
    row = _change_row(like, index)
    for column, value in zip(ChangeRow._fields, row):
        if column in _NUMBERS:
            if not isinstance(value, Integral) and (value is not None or column == "patch"):
                raise ValueError(f"row {index}: {column}={value!r}: must be a whole number")
        elif value is not None and not isinstance(value, str):
            raise ValueError(f"row {index}: {column}={value!r}: must be text or None")
    return row
