"""Converts, examines and compares files without Spark, for the command line and for Python."""

from __future__ import annotations

import contextlib
import os
import threading
import warnings
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, TypeVar, Union

from ._arguments import check, java_list, java_options, java_pairs
from ._doors import Door, find_door, interrupts_later
from ._errors import JellybridgeError
from ._locations import PathLike, FileLocation, Readable, Source, Writable, absolute, require_own_file, target_file
from ._printed_reports import Report, counted
from ._redaction import hidden
from ._terms import as_iri
from ._types import ConvertOptions, ReadFormat, WriteFormat

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A callback that regularly gets the number of input bytes read and of rows done; ``False`` is none, as for other calls.
Progress = Union[Callable[[int, int], None], Literal[False]]
T = TypeVar("T")

STANDARD = "-"
_SECONDS_BETWEEN_REPORTS = 0.05
_SECONDS_TO_STOP = 2.0


@dataclass(frozen=True)
class ConvertReport(Report):
    """The result of :func:`convert`."""

    #: The number of patches; 0 for statements.
    patches: int
    #: The number of change rows or statements.
    rows: int
    #: The number of statements that were set aside, see ``bad_statements``.
    bad: int = 0

    def __str__(self) -> str:
        what = f"{counted(self.patches, 'patch', 'patches')}, {counted(self.rows, 'row')}" if self.patches else (
            counted(self.rows, "statement"))
        return what + (f", {self.bad:,} set aside" if self.bad else "")


def convert(
    source: Union[Readable, Sequence[Readable]],
    target: Writable,
    *,
    from_format: Optional[ReadFormat] = None,
    to_format: Optional[WriteFormat] = None,
    strict: bool = False,
    progress: Optional[Progress] = None,
    bad_statements: Optional[PathLike] = None,
    max_bad: Union[str, int, None] = None,
    **options: Unpack[ConvertOptions],
) -> ConvertReport:
    """Converts files to another format, in constant memory except for documents such as Turtle. The output appears complete or not at all.

    >>> _ = write_patch("log.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"chat"@FR')])
    >>> convert("log.jellyp", "log.rdfp")
    ConvertReport(patches=1, rows=1, bad=0)
    >>> print(open("log.rdfp").read(), end="")
    A <urn:s> <urn:p> "chat"@FR .

    Patch formats are ``jelly-patch`` (``.jellyp``), ``rdf-patch`` (``.rdfp``, ``.rdp``) and ``thrift`` (``.trp``). Statement
    formats are ``jelly`` (``.jelly``), ``nquads`` (``.nq``) and ``ntriples`` (``.nt``). Documents are
    ``turtle`` (``.ttl``), ``trig`` (``.trig``), ``rdfxml`` (``.rdf``, ``.owl``, ``.xml``), ``jsonld`` (``.jsonld``), ``n3``
    (``.n3``, which can only be read), ``rdfjson`` (``.rj``) and ``trix`` (``.trix``). Patches and statements can also become ``events`` (``.events``),
    which can only be written. Each suffix may be followed by ``.gz`` or ``.zst``, and for inputs also by ``.bz2``.

    The ends of patches, the labels of blank nodes and the case of language tags are preserved. In ``thrift`` and documents, Jena
    rewrites the tags. Documents have the prefixes of ``source``, and labels of their own.

    Args:
        source: a file, or several whose contents are joined. Each is a path, a ``file:``, ``https:`` or ``http:`` URL, a file
            open for reading bytes, or bytes.
        target: the file to write, or a file open for writing bytes. An existing file is replaced.
        from_format: the format of ``source``; ``None`` = by its suffix. It is required for bytes, and for an open file whose
            name has no suffix.
        to_format: the format of ``target``, likewise.
        strict: reject every violation of a MUST of a Jelly format, even those that other writers are known to commit.
        progress: a callback that regularly gets the bytes read and the rows done.
        bad_statements: a file for statements that can't be read. Each follows a comment with its place and the error; the other
            statements are converted. ``None``: the first bad statement is an error.
        max_bad: reject a file with more bad statements than this, a number or a share such as ``"0.1%"``.
        options: the flags of ``jellybridge convert --help`` about reading and writing, spelled for Python: ``dialect``,
            ``generalized_statements``, ``relative_iris``, ``rdf_star``, ``mend_tags``, ``base``, ``remote_contexts``,
            ``max_frame_bytes``, ``max_table_size``, ``max_term_bytes``, ``max_table_bytes``; ``stream_type``,
            ``statement_type``, ``name_table_size``, ``prefix_table_size``, ``datatype_table_size``, ``frame_rows``,
            ``restart_bytes``, ``delimited``, ``marks``. Options that you leave out keep the value that ``source`` has.

    Raises:
        PatchFormatError: ``source`` breaks its format, or ``target`` can't hold its content.
        TextFormatError: likewise, for text formats.
        FileNotFoundError: there is no such file.
        JellybridgeError: a format or an option is unknown, a file can't be read or written, or a file has more bad statements
            than ``max_bad``.
        ValueError: a format is not text, or is required and missing; or ``max_bad`` comes without ``bad_statements``.
        TypeError: an argument can't be read or written as bytes.
    """
    check("text or None", from_format=from_format, to_format=to_format)
    several = isinstance(source, Sequence) and not isinstance(source, (str, bytes, bytearray, memoryview))
    sources: Sequence[Any] = source if several else [source]  # type: ignore[assignment]
    require_own_file("bad_statements", bad_statements, [*sources, target])
    job = Job(strict=strict, **options)
    with contextlib.ExitStack() as stack:
        places = [stack.enter_context(Source(one, format=from_format)).place for one in sources]
        file = stack.enter_context(target_file(target, to_format))
        bad = stack.enter_context(BadStatements(bad_statements, max_bad))
        report = job.convert(places, from_format, file, to_format, progress, bad)
    if job.of_place:
        warnings.warn(of_place(job.of_place), stacklevel=2)
    return report


def input_path(name: str) -> str:
    """Returns the path of an input of a command, for calls that take paths and not :data:`STANDARD`."""
    return "/dev/stdin" if name == STANDARD else name


def file_options(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the options of files that were given, with a base as Java takes it."""
    given = {name: value for name, value in options.items() if value is not None}
    return {**given, "base": as_iri("base", given["base"])} if "base" in given else given


def of_positions(statements: int) -> str:
    """Returns the warning about statements that were left out because they hold the position of the store that exported them.
    """
    return (f"{statements:,} statements of the graph <urn:jellybridge:sync> were left out: they say where the store stands that the "
            "file comes from, and are no data")


def of_place(statements: int) -> str:
    """Returns the warning about statements whose relative IRIs may have been resolved against the location of their file."""
    return (f"{statements:,} statements have `file:` IRIs, which relative ones become that go from the place of the file itself; "
            "elsewhere they are others: name a base, by base (--base) or in the document")


class BadStatements:
    """A file for statements that can't be read. A context manager.

    The file appears if the work succeeds, or if it fails because of too many bad statements.

    Attributes:
        java: the Java object of the file; ``None`` if the first bad statement is an error.
        is_kept: the file appears even if the work fails, since a part of it is done.

    Args:
        file: the path; ``None`` = no file.
        limit: the largest number of bad statements per file, or a share such as ``"0.1%"``; ``None`` = no limit.
        door: the JVM; ``None`` = the one of now.
    """

    def __init__(self, file: Optional[PathLike], limit: Union[str, int, None], door: Optional[Door] = None) -> None:
        if file is None and limit is not None:
            raise ValueError("max_bad says how many bad statements are set aside, and bad_statements names no file for them")
        self._door = door or find_door()
        self.java: Any = None
        self.is_kept = False
        if file is not None:
            path = absolute(file)
            if not os.path.isdir(os.path.dirname(path)):
                raise FileNotFoundError(f"{hidden(os.path.dirname(path))}: there is no such folder")
            with self._door.errors():
                self.java = self._door.java_class("io.jellybridge.ConvertBridge").badStatements(
                    path, None if limit is None else str(limit)
                )

    @property
    def count(self) -> int:
        """The number of bad statements."""
        return 0 if self.java is None else int(self.java.statements().count())

    def __enter__(self) -> BadStatements:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.java is None:
            return
        with self._door.errors():
            if error is None or self.is_kept or isinstance(error, JellybridgeError) and error.java == "java.lang.IllegalStateException":
                self.java.commit()
            self.java.close()


class Job:
    """A job on files. It runs in another thread, so that the calling thread can show its progress and cancel it.

    Attributes:
        of_place: the number of converted statements whose relative IRIs may have been resolved against the file's location.

    Args:
        door: the JVM; ``None`` = the one of now.
        strict: reject every violation of a MUST of a Jelly format.
        options: as for :func:`convert`.
    """

    def __init__(self, door: Optional[Door] = None, *, strict: bool = False, **options: Union[str, int, bool, None]) -> None:
        self._door: Door = door or find_door()
        with self._door.errors():
            self._bridge = self._door.java_class("io.jellybridge.ConvertBridge")
            given = file_options(options)
            self._options = self._bridge.options(java_options(self._door, {"strict": strict, **given}))
            self._meter = self._bridge.newMeter()
        self.of_place = 0

    def convert(
        self,
        inputs: Sequence[FileLocation],
        from_format: Optional[str],
        output: str,
        to_format: Optional[str],
        progress: Optional[Progress],
        bad: BadStatements,
    ) -> ConvertReport:
        with self._door.errors():
            names = java_list(self._door, chain.from_iterable(inputs))
        before = bad.count
        counts = self._run(
            lambda: self._bridge.convert(names, from_format, output, to_format, self._options, self._meter, bad.java), progress
        )
        self.of_place = int(self._meter.relative())
        return ConvertReport(int(counts[0]), int(counts[1]), bad.count - before)

    def examine(
        self,
        place: FileLocation,
        from_format: Optional[str],
        strict: bool,
        max_faults: int,
        progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Returns the statistics and the faults of a file."""
        import json

        text = self._run(
            lambda: self._bridge.examine(*place, from_format, strict, max_faults, self._options, self._meter), progress
        )
        found: Dict[str, Any] = json.loads(str(text))
        return found

    def diff(
        self,
        old: FileLocation,
        new: FileLocation,
        from_format: Optional[str],
        output: str,
        to_format: Optional[str],
        blank_nodes: str,
        allow_empty: bool,
        progress: Optional[Progress],
        bad: BadStatements,
    ) -> List[int]:
        """Writes the patch from an old snapshot to a new one.

        Returns:
            The number of deleted statements, of added ones, of blank nodes that were too symmetric to match, and of statements
            left out; then 1 if blank nodes were compared by structure, else 0.
        """
        counts = self._run(
            lambda: self._bridge.diff(
                java_list(self._door, (*old, *new)), from_format, output, to_format, blank_nodes, allow_empty, self._options,
                self._meter, bad.java
            ), progress
        )
        return [int(count) for count in counts]

    def snapshot(self, place: FileLocation, from_format: Optional[str], bad: Optional[BadStatements]) -> Any:
        """Returns a file of statements as a side of :meth:`compare`."""
        with self._door.errors():
            return self._bridge.snapshot(*place, from_format, self._options, self._meter, None if bad is None else bad.java)

    def dataset(self, store: Any) -> Any:
        """Returns an open dataset as a side of :meth:`compare`."""
        with self._door.errors():
            return self._door.java_class("io.jellybridge.SyncBridge").dataset(store)

    def compare(
        self, old: Any, new: Any, blank_nodes: str, allow_empty: bool, prefixes: Mapping[str, str], patch: Optional[str],
        progress: Optional[Progress],
    ) -> Any:
        """Compares two snapshots. Returns the changes by subject, as a Java object, and writes the patch to a file."""
        with self._door.errors():
            given = java_pairs(self._door, prefixes)
        return self._run(
            lambda: self._bridge.compare(old, new, blank_nodes, allow_empty, given, patch, self._meter), progress
        )

    def _run(self, call: Callable[[], T], progress: Optional[Progress]) -> T:
        def tell() -> None:
            if callable(progress):
                progress(int(self._meter.bytes()), int(self._meter.rows()))

        with self._door.errors():
            # The call may be blocked on input that never comes.
            return in_thread(call, tell, self._meter.cancel, _SECONDS_TO_STOP)

    def abandon(self) -> None:
        """Deletes the temporary files of an unfinished output."""
        self._bridge.abandonAll()


def in_thread(
    call: Callable[[], T], tell: Callable[[], None], stop: Callable[[], None], patience: Optional[float] = None
) -> T:
    """Runs a call in another thread and waits for it, so that this thread still gets signals.

    Callbacks from Java are expensive through either door. So this thread polls the progress, and reports it.

    Args:
        call: the work.
        tell: called regularly to report progress.
        stop: asks the call to end. Called if this thread is interrupted.
        patience: the seconds to wait for the call after that; ``None`` = until it ends, or until a second interrupt.
    """
    result: List[T] = []
    error: List[BaseException] = []
    # Not Thread.join: after a signal interrupts it, it considers the thread ended, and a second join does not wait.
    ended = threading.Event()

    def work() -> None:
        try:
            result.append(call())
        except BaseException as e:
            error.append(e)
        finally:
            ended.set()

    # A daemon thread: a call that is blocked on input does not keep the process alive.
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
        while not ended.wait(_SECONDS_BETWEEN_REPORTS):
            with interrupts_later():
                tell()
        with interrupts_later():
            tell()
    except BaseException:
        with interrupts_later():
            stop()
        if thread.ident is not None:
            ended.wait(patience)
        raise
    if error:
        raise error.pop()  # not kept here too, which would be a cycle
    return result[0]


def format_of(name: str) -> str:
    """Returns the format of a file by its suffix.

    Raises:
        JellybridgeError: no format has this suffix.
    """
    door = find_door()
    with door.errors():
        return str(door.java_class("io.jellybridge.ConvertBridge").formatOf(name))


def suffix_of(format_name: str) -> str:
    """Returns the usual suffix of a format.

    Raises:
        JellybridgeError: there is no such format.
    """
    door = find_door()
    with door.errors():
        return str(door.java_class("io.jellybridge.ConvertBridge").suffixOf(format_name))


def is_usage_error(error: BaseException) -> bool:
    """Returns whether the call was wrong and not the data. A missing file counts as a wrong call."""
    return isinstance(error, JellybridgeError) and error.java in (
        "java.lang.IllegalArgumentException", "java.io.FileNotFoundException"
    )
