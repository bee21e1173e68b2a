"""Files from one format to another, without Spark: what the command line does, and its Python face."""

from __future__ import annotations

import contextlib
import os
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar, Union

from ._arguments import check, java_options
from ._doors import Door, find_door, interrupts_later
from ._errors import JellybridgeError
from ._places import PathLike, Place, Readable, Source, Writable, absolute, target_file
from ._redaction import hidden

#: Called now and then with the number of bytes that were read of the input, and of rows that were done.
Progress = Callable[[int, int], None]
T = TypeVar("T")

STANDARD = "-"
_SECONDS_BETWEEN_REPORTS = 0.05
_SECONDS_TO_STOP = 2.0


@dataclass(frozen=True)
class ConvertReport:
    """What :func:`convert` did."""

    #: How many patches there were; 0 for statements.
    patches: int
    #: How many change rows, or statements, there were.
    rows: int
    #: How many statements were set aside, by ``bad_statements``.
    bad: int = 0


def convert(
    source: Union[Readable, Sequence[Readable]],
    target: Writable,
    *,
    from_format: Optional[str] = None,
    to_format: Optional[str] = None,
    strict: bool = False,
    progress: Optional[Progress] = None,
    bad_statements: Optional[PathLike] = None,
    max_bad: Union[str, int, None] = None,
    **options: Union[str, int, bool],
) -> ConvertReport:
    """Converts a file into another format, whole or not at all, in memory that does not grow with it.

    >>> _ = write_patch("log.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"chat"@FR')])
    >>> convert("log.jellyp", "log.rdfp")
    ConvertReport(patches=1, rows=1, bad=0)
    >>> print(open("log.rdfp").read(), end="")
    A <urn:s> <urn:p> "chat"@FR .

    Patches are in ``jelly-patch`` (``.jellyp``), ``rdf-patch`` (``.rdfp``, ``.rdp``) or ``thrift`` (``.trp``),
    statements in ``jelly`` (``.jelly``), ``nquads`` (``.nq``) or ``ntriples`` (``.nt``); each with ``.gz`` or ``.zst``
    after it or not, and to read also with ``.bz2``. Read are also ``turtle`` (``.ttl``), ``trig`` (``.trig``), ``rdfxml`` (``.rdf``, ``.owl``, ``.xml``),
    ``jsonld`` (``.jsonld``), ``n3`` (``.n3``), ``rdfjson`` (``.rj``) and ``trix`` (``.trix``). Either can become ``events``
    (``.events``). The ends of patches, the labels of blank nodes and the
    case of language tags stay as they are (Jena rewrites the tags in ``thrift``).

    Args:
        source: a file, or several that become one: each a path, a ``file:``, ``https:`` or ``http:`` URL, a file that is
            open for reading bytes, or the bytes.
        target: the file to write, where one that is there is replaced; or one that is open for writing bytes.
        from_format: the format of ``source``; ``None`` = by its suffix. Bytes, and what is open and has no name with a
            suffix, need it.
        to_format: likewise for ``target``.
        strict: refuse every broken MUST of a Jelly format, also those that other writers are known to break.
        progress: called now and then with the bytes read and the rows done.
        bad_statements: a file for statements that can't be read: there each stands behind a comment that says where it was and
            what is wrong, and the others are converted. ``None``: the first is an error.
        max_bad: refuse a file with more of them than this, a number or a share such as ``"0.1%"``.
        options: the flags of ``jellybridge convert --help`` that say how files are read and written, in Python's spelling:
            ``dialect``, ``generalized_statements``, ``relative_iris``, ``rdf_star``, ``mend_tags``, ``base``, ``remote_contexts``,
            ``max_frame_bytes``, ``max_table_size``, ``max_term_bytes``, ``max_table_bytes``; ``stream_type``, ``statement_type``,
            ``name_table_size``, ``prefix_table_size``, ``datatype_table_size``, ``frame_rows``, ``restart_bytes``, ``delimited``,
            ``marks``. What is not given stays as ``source`` has it.

    Raises:
        PatchFormatError: ``source`` breaks its format, or ``target`` can't hold what it says.
        TextFormatError: likewise.
        FileNotFoundError: there is no such file.
        JellybridgeError: a format or an option is none, or something can't be read or written; a file has more bad statements
            than ``max_bad``.
        ValueError: a format is no text, or must be told and is not; ``max_bad`` comes without ``bad_statements``.
        TypeError: what was given can't be read or written as bytes.
    """
    check("text or None", from_format=from_format, to_format=to_format)
    several = isinstance(source, Sequence) and not isinstance(source, (str, bytes, bytearray, memoryview))
    sources: Sequence[Any] = source if several else [source]  # type: ignore[assignment]
    job = Job(strict=strict, **options)
    with contextlib.ExitStack() as stack:
        places = [stack.enter_context(Source(one, format=from_format)).place for one in sources]
        file = stack.enter_context(target_file(target, to_format))
        bad = stack.enter_context(BadStatements(bad_statements, max_bad))
        report = job.convert(places, from_format, file, to_format, progress, bad)
    if job.of_place:
        warnings.warn(of_place(job.of_place), stacklevel=2)
    return report


def of_positions(statements: int) -> str:
    """What is to be said of statements that were left out, since they say where the store stands that they come from."""
    return (f"{statements:,} statements of the graph <urn:jellybridge:sync> were left out: they say where the store stands that the "
            "file comes from, and are no data")


def of_place(statements: int) -> str:
    """What is to be said of statements that may have IRIs which came from the place of their file."""
    return (f"{statements:,} statements have `file:` IRIs, which relative ones become that go from the place of the file itself; "
            "elsewhere they are others: name a base, by base (--base) or in the document")


class BadStatements:
    """Where statements go that can't be read. A context manager: the file is there when the work ended well, or had too many.

    Attributes:
        java: the file's Java side; ``None`` where the first bad statement is an error.

    Args:
        file: where; ``None`` = nowhere.
        limit: how many of a file's statements may be bad: a number, or a share such as ``"0.1%"``; ``None`` = all.
    """

    def __init__(self, file: Optional[PathLike], limit: Union[str, int, None]) -> None:
        if file is None and limit is not None:
            raise ValueError("max_bad says how many bad statements are set aside, and bad_statements names no file for them")
        self._door = find_door()
        self.java: Any = None
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
        """How many there are."""
        return 0 if self.java is None else int(self.java.statements().count())

    def __enter__(self) -> BadStatements:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.java is None:
            return
        with self._door.errors():
            if error is None or isinstance(error, JellybridgeError) and error.java == "java.lang.IllegalStateException":
                self.java.commit()
            self.java.close()


class Job:
    """One piece of work on files, in a thread of its own, so that this one can look how far it is, and end it.

    Attributes:
        of_place: how many of the statements that were converted may have IRIs which came from the place of their file.

    Args:
        strict: how Jelly streams are read.
        options: as for :func:`convert`.
    """

    def __init__(self, *, strict: bool = False, **options: Union[str, int, bool, None]) -> None:
        self._door: Door = find_door()
        with self._door.errors():
            self._bridge = self._door.java_class("io.jellybridge.ConvertBridge")
            given = {name: value for name, value in options.items() if value is not None}
            self._options = self._bridge.options(java_options(self._door, {"strict": strict, **given}))
            self._meter = self._bridge.newMeter()
        self.of_place = 0

    def convert(
        self,
        inputs: Sequence[Place],
        from_format: Optional[str],
        output: str,
        to_format: Optional[str],
        progress: Optional[Progress],
        bad: BadStatements,
    ) -> ConvertReport:
        with self._door.errors():
            names = self._door.java_class("java.util.ArrayList")()
            for path, name in inputs:
                names.add(path)
                names.add(name)
        before = bad.count
        counts = self._run(
            lambda: self._bridge.convert(names, from_format, output, to_format, self._options, self._meter, bad.java), progress
        )
        self.of_place = int(self._meter.ofPlace())
        return ConvertReport(int(counts[0]), int(counts[1]), bad.count - before)

    def examine(
        self,
        place: Place,
        from_format: Optional[str],
        strict: bool,
        max_faults: int,
        progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """What is in a file, and what is wrong with it."""
        import json

        text = self._run(
            lambda: self._bridge.examine(*place, from_format, strict, max_faults, self._options, self._meter), progress
        )
        found: Dict[str, Any] = json.loads(str(text))
        return found

    def diff(
        self,
        old: Place,
        new: Place,
        from_format: Optional[str],
        output: str,
        to_format: Optional[str],
        blank_nodes: str,
        allow_empty: bool,
        progress: Optional[Progress],
        bad: BadStatements,
    ) -> List[int]:
        """Writes the patch that makes the one snapshot of the other.

        Returns:
            How many statements it deletes and adds, in how many blank nodes symmetry was too much to search, and how many
            statements were left out; and 1 where blank nodes were compared by structure, else 0.
        """
        counts = self._run(
            lambda: self._bridge.diff(
                *old, *new, from_format, output, to_format, blank_nodes, allow_empty, self._options, self._meter, bad.java
            ), progress
        )
        return [int(count) for count in counts]

    def _run(self, call: Callable[[], T], progress: Optional[Progress]) -> T:
        def tell() -> None:
            if progress is not None:
                progress(int(self._meter.bytes()), int(self._meter.rows()))

        with self._door.errors():
            # The call may wait for input that never comes.
            return in_thread(call, tell, self._meter.cancel, _SECONDS_TO_STOP)

    def abandon(self) -> None:
        """Removes what was written of an output that is not finished."""
        self._bridge.abandonAll()


def in_thread(
    call: Callable[[], T], tell: Callable[[], None], stop: Callable[[], None], patience: Optional[float] = None
) -> T:
    """Makes the call in another thread and waits for it, so that signals arrive here meanwhile.

    Neither door lets Java call back cheaply: this thread looks how far the call is, and tells it.

    Args:
        call: what to do.
        tell: called now and then.
        stop: asks the call to end, when this thread is interrupted.
        patience: for how many seconds it is then waited for; ``None`` = until it has ended, or a second interrupt.
    """
    result: List[T] = []
    error: List[BaseException] = []
    # Not Thread.join: one that a signal interrupts takes the thread for ended, and the next does not wait.
    ended = threading.Event()

    def work() -> None:
        try:
            result.append(call())
        except BaseException as e:
            error.append(e)
        finally:
            ended.set()

    # A daemon: a call that waits for input which never comes does not keep the process.
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
        raise error[0]
    return result[0]


def format_of(name: str) -> str:
    """The format of a file by its suffix.

    Raises:
        JellybridgeError: the suffix is of none.
    """
    door = find_door()
    with door.errors():
        return str(door.java_class("io.jellybridge.ConvertBridge").formatOf(name))


def suffix_of(format_name: str) -> str:
    """The usual suffix of a format's files.

    Raises:
        JellybridgeError: there is no such format.
    """
    door = find_door()
    with door.errors():
        return str(door.java_class("io.jellybridge.ConvertBridge").suffixOf(format_name))


def is_usage_error(error: BaseException) -> bool:
    """Whether the call itself was wrong, not the data; so where it names what is not there."""
    return isinstance(error, JellybridgeError) and error.java in (
        "java.lang.IllegalArgumentException", "java.io.FileNotFoundException"
    )
