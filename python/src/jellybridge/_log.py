"""Patch logs: one order of patches, each with an id and that of the patch before it."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import zip_longest
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union, cast

from . import _checkpoints
from ._arguments import ServerOptions, check, java_options, texts
from ._capture import MAX_BYTES
from ._changes import _rows
from ._checkpoints import Checkpoint, LogVerification, PruneReport, StateReport
from ._doors import Door, find_door
from ._errors import JellybridgeError
from ._history import told
from ._places import LOG_SERVERS, PathLike, Readable, Source, Writable, absolute, target_file
from ._progress import RowsProgress, watched
from ._redaction import hidden
from ._repair import Checkup, LogFault

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BRIDGE = "io.jellybridge.LogBridge"
_CONFLICT = "io.jellybridge.log.LogConflictException"
_LAST = (1 << 63) - 1


class LogConflictError(JellybridgeError):
    """A patch was to follow another one than the head of the log; the message names both. Nothing was appended."""


@dataclass(frozen=True)
class LogHead:
    """A patch of a log: its newest, or one that was appended."""

    #: Its number; 0 = the log is empty. Numbers grow, and may jump.
    version: int
    #: Its id, a UUID; ``None`` = the log is empty.
    id: Optional[str]


@dataclass(frozen=True)
class LogEntry:
    """A patch in a log."""

    version: int
    #: Its id, a UUID; ``None`` where the patch can't be read.
    id: Optional[str]
    #: The id of the patch before it; ``None`` in the first, and where the patch can't be read.
    prev: Optional[str]
    #: Its header ``time``, to the millisecond, in UTC; ``None`` where it does not say, or can't be read.
    time: Optional[datetime] = None
    #: Why the patch can't be read; ``None`` = it can be.
    fault: Optional[str] = None


@dataclass(frozen=True)
class CompactionReport:
    """What :meth:`PatchLog.compact` did."""

    #: How many files of patches there were.
    before: int
    #: How many there are.
    after: int
    #: How many bytes were copied.
    bytes: int


@dataclass(frozen=True)
class FetchReport:
    """What :meth:`PatchLog.fetch` wrote."""

    patches: int
    rows: int
    #: The patches that were passed over, with the reason in ``fault``.
    quarantined: Tuple[LogEntry, ...]


class PatchLog:
    """A patch log. Any number of processes read and append at once: of those that append after the same patch, one wins.

    The address says what it is:

    - a folder of Jelly-Patch files, without a server: its path, or a ``file:`` URL;
    - such a folder on HDFS, where a Spark session runs: ``hdfs://host/FOLDER``;
    - such a folder that a Fuseki with jellybridge serves: ``http://host:3030/$/patch-logs/NAME``;
    - such a folder that ``jellybridge serve`` serves: ``grpc://host:7878/NAME``, or ``grpcs:`` for one with TLS;
    - a log of an RDF Delta server: ``delta:http://host:1066/NAME``.

    >>> with PatchLog.create("changes") as log:
    ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    ...     [one] = log.append("one.jellyp")
    ...     print(one.version, log.head == one)
    1 True

    A context manager; one thread at a time.
    """

    def __init__(self, door: Door, log: Any, where: str, options: Optional[ServerOptions]) -> None:
        self._door = door
        self._log = log
        self._where = where
        self._options = options
        self._address = hidden(where)

    @classmethod
    def open(cls, address: PathLike, *, options: Optional[ServerOptions] = None) -> PatchLog:
        """Opens a log that is there.

        Args:
            address: as above.
            options: of a log on a server, as in :meth:`Dataset.open`: ``user`` and ``password`` or ``password_file``, or
                ``token`` or ``token_file``; ``authority``, ``certificate`` and ``certificate_key``; ``connect_timeout``,
                ``timeout`` and ``attempts``.

        Raises:
            UnreachableError: the server can't be reached, or is too busy; this shows in the first use.
            JellybridgeError: there is none; of a server this may only show in the first use.
        """
        return cls._get("open", address, options)

    @classmethod
    def create(
        cls, address: PathLike, *, options: Optional[ServerOptions] = None, state: Union[Readable, DataFrame, None] = None,
        progress: RowsProgress = True,
    ) -> PatchLog:
        """Makes a new log, and opens it.

        Args:
            address: as above.
            options: as in :meth:`open`.
            state: what the log begins with: version 1 is that, as a checkpoint without a patch, and the first patch will be
                version 2. A file of statements in the format of its suffix, sorted on the disk; or a DataFrame with the
                columns of :data:`QUADS_SCHEMA`, which as many tasks write as Spark finds right, so that none has it all:
                ``write.format("rdf-dataset")`` is the same. What comes twice counts once. Of a log in a folder, which may be
                there if it has no version; after an error it is there without one.
            progress: of a file; as in :meth:`checkpoint`.

        Raises:
            UnreachableError: the server can't be reached, or is too busy.
            JellybridgeError: there is one already, and with ``state`` one that has versions; or it can't be made there.
            PatchFormatError: the state has what is no statement of RDF, or of a DataFrame a term that is not canonical.
            TextFormatError: likewise.
        """
        if state is None:
            return cls._get("create", address, options)
        if options:
            raise ValueError("options are of a log on a server; one that begins with a state is made where its folder is")
        door, text = find_door(), _address(address)
        with _errors(door):
            if hasattr(state, "_jdf"):
                cast("DataFrame", state).write.format("rdf-dataset").mode("append").save(text)
            else:
                with Source(state) as file:
                    _checkpoints.begin(door, text, file.place, progress)
        return cls._get("open", address, None)

    @classmethod
    def _get(cls, call: str, address: PathLike, options: Optional[ServerOptions]) -> PatchLog:
        text = _address(address)
        door = find_door()
        with _errors(door):
            log = getattr(door.java_class(_BRIDGE), call)(text, java_options(door, options))
            return cls(door, log, text, options)

    @property
    def id(self) -> str:
        """The id of the log itself, a UUID."""
        with self._call() as log:
            return str(log.id())

    @property
    def head(self) -> LogHead:
        """The newest patch."""
        with self._call() as log:
            return _head(log.head())

    def append(
        self, *sources: Readable, prev: Optional[str] = None, format: Optional[str] = None, strict: bool = False,
        progress: RowsProgress = None,
    ) -> List[LogHead]:
        """Appends the patches of files, each by itself, checked whole before it is in the log.

        A patch's headers ``id`` and ``prev`` count; an id that is missing is made. An id is in a log once: a patch that is
        there is not appended again, whatever came after it, so that a call that failed, or whose answer was lost, can be made
        again, and goes on behind what is in. Patches without ids are known by their rows, where the last ones of the log
        are the first ones of the files: to append these once more would change nothing.

        Args:
            sources: files of patches, in the format of their suffixes, or folders with one such file each; or what else
                :func:`read_patch` reads.
            format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix.
            prev: the id of the patch that the first one follows; ``""`` = it is the log's first; ``None`` = the one that
                its header ``prev`` names, else the head.
            strict: refuse every broken MUST of Jelly-Patch.
            progress: ``True`` shows on a terminal how many rows of a file were read, a function hears it; ``None``: nothing.
                An interrupt ends the call behind a patch.

        Returns:
            The patches with their versions and ids, also of those that were there. Those that were appended before an error
            stay.

        Raises:
            LogConflictError: the head is another, or the log has another patch of that id.
            PatchFormatError: a patch breaks its format, or nobody could apply it.
            TextFormatError: likewise.
            FileNotFoundError: there is no such file.
            ValueError: an option has a value of the wrong kind.
        """
        check("text or None", prev=prev)
        check("text or None", format=format)
        check("True or False", strict=strict)
        return [made for of_one in self._append_each(sources, prev, format, strict, progress) for made in of_one]

    def _append_each(
        self, sources: Sequence[Readable], prev: Optional[str], format: Optional[str], strict: bool, progress: RowsProgress
    ) -> Iterator[List[LogHead]]:
        """As :meth:`append`, file by file."""
        with ExitStack() as stack:
            places = [
                stack.enter_context(Source(source, patches=True, again=True, format=format)).place for source in sources
            ]
            known: List[List[LogHead]] = []
            if prev is None:
                with self._call() as log:
                    there = self._bridge.known(log, json.dumps(places), format, strict)
                    known = [[_head(patch) for patch in patches] for patches in there]
            for place, of_one in zip_longest(places, known, fillvalue=()):
                with self._call() as log:
                    call = partial(self._bridge.append, log, *place, format, strict, prev, len(of_one))
                    made = watched(self._door, "append", call, progress)
                yield [*of_one, *map(_head, made)]
                prev = None

    def entries(self, first: Optional[int] = None, last: Optional[int] = None) -> Iterator[LogEntry]:
        """The patches of a range of versions, in their order.

        Args:
            first: the first version; ``None`` = the oldest patch that is there.
            last: the last version; ``None`` = up to the head.
        """
        first = 1 if first is None else first
        last = _LAST if last is None else last
        check("a whole number of 64 bits", first=first, last=last)
        with self._call() as log:
            entries = self._bridge.entries(log, first, last)
        try:
            while True:
                with _errors(self._door):
                    entry = entries.next()
                if entry is None:
                    return
                yield _entry(entry)
        finally:
            if not sys.is_finalizing():  # then the JVM is down, and what it had open went with it
                with _errors(self._door):
                    entries.close()

    def fetch(
        self, target: Writable, first: Optional[int] = None, last: Optional[int] = None, *, on_error: str = "stop"
    ) -> FetchReport:
        """Writes the patches of a range of versions to one file, in the format of its suffix. It appears whole or not
        at all.

        Args:
            target: the file, a path or a ``file:`` URL; one that is there is replaced. Or a file that is open for writing
                bytes, which has a name.
            first: the first version; ``None`` = the oldest patch that is there. One behind the head is no error: there is
                nothing new, and the file has no patch.
            last: the last version; ``None`` = up to the head.
            on_error: what to do with a patch that can't be read: ``stop``, or ``quarantine`` = leave it out and name it in
                the report.

        Raises:
            PatchFormatError: a patch breaks its format, or nobody could apply it; the file's name says which one.
            TextFormatError: likewise, of RDF Delta.
            JellybridgeError: a patch does not follow the one before it, a version was pruned, or the log can't be read.
            ValueError: ``on_error`` is neither, a version is no whole number, or ``first`` is after ``last``.
        """
        if on_error not in ("stop", "quarantine"):
            raise ValueError(f"on_error is {on_error!r}; it must be 'stop' or 'quarantine'")
        last = _LAST if last is None else last
        check("a whole number of 64 bits", first=1 if first is None else first, last=last)
        if first is not None and first > last:
            raise ValueError(f"first={first} is after last={last}")
        with target_file(target) as file, self._call() as log:
            oldest = int(log.first())
            first = min(oldest, max(last, 1)) if first is None else max(first, 1)
            if first < oldest:
                raise JellybridgeError(f"{self._address} has no patch of the versions {first} to {min(last, oldest - 1)} any "
                                       f"more: its patches begin with version {oldest}; fetch from there on")
            done = self._bridge.fetch(log, first, last, file, on_error == "quarantine")
            return FetchReport(int(done.patches()), int(done.rows()), tuple(map(_entry, done.quarantined())))

    def compact(self, max_bytes: int = MAX_BYTES) -> CompactionReport:
        """Joins the files of a log in a folder, byte by byte; what the log says stays the same. Others may read and append
        meanwhile, and a capture may run. Killed at any moment, the log is whole, and the next compaction goes on.

        Args:
            max_bytes: files are joined until they have so many bytes; larger ones are left as they are.

        Raises:
            JellybridgeError: another compaction is under way, the log is no folder, or a file can't be read or written.
            ValueError: ``max_bytes`` is no whole number of at least 1.
        """
        check("a whole number of 64 bits", max_bytes=max_bytes)
        if max_bytes < 1:
            raise ValueError(f"max_bytes={max_bytes}: must be at least 1")
        with self._call() as log:
            done = self._bridge.compact(log, max_bytes)
            return CompactionReport(int(done.before()), int(done.after()), int(done.bytes()))

    def as_of(
        self,
        spark: SparkSession,
        *,
        version: Optional[int] = None,
        id: Optional[str] = None,
        time: Union[datetime, str, None] = None,
    ) -> DataFrame:
        """The quads at a version of the log; without one, at the head.

        The state of the nearest checkpoint before it and the last operation on each quad since, which Spark finds by one
        shuffle. ``spark.read.format("rdf-dataset")`` is the same without this object.

        Args:
            spark: the session.
            version: the number of the version; 0 = before the first patch.
            id: else the id of its patch.
            time: else a moment: the last version by then, by the headers ``time``, which do not go back along a log: a
                patch that says an earlier one than those before it has theirs. Text as in ``2024-05-01T12:00:00Z``; without
                a zone it is UTC.

        Returns:
            The columns of :data:`QUADS_SCHEMA`, each quad once, in no order.

        Raises:
            ValueError: more than one of them is given, or ``time`` is none.
            IllegalArgumentException: the log has no such version; of Spark.
        """
        moment = None if time is None else _checkpoints.moment(time).isoformat()
        given = {"versionAsOf": version, "idAsOf": id, "timestampAsOf": moment}
        said = {name: str(value) for name, value in given.items() if value is not None}
        if len(said) > 1:
            raise ValueError("give one of version, id and time")
        return self._read(spark, "rdf-dataset", said)

    def history(
        self,
        spark: SparkSession,
        *,
        subject: Optional[str] = None,
        quad: Optional[Sequence[Optional[str]]] = None,
    ) -> DataFrame:
        """What the log says of a subject or of a quad, as :func:`jellybridge.history`. Of a log in a folder whose version 1 is
        a checkpoint without a patch, what is in that is what version 1 adds.

        Args:
            spark: the session.
            subject: as there.
            quad: as there.
        """
        rows = self._read(spark, "rdf-patch-log", {"startingVersion": "earliest"})
        if not self._where.startswith(LOG_SERVERS):
            with self._call() as log:
                begins = int(log.first()) == 2 and log.checkpoint(1) is not None
                state = _checkpoints.checkpoint(self._door, log, 1, None) if begins else None
            if state is not None:
                rows = rows.unionByName(_checkpoints.said(state, self.as_of(spark, version=1)), allowMissingColumns=True)
        # Each row of a log has a place of its own.
        return told(_rows(rows, "a history"), None, subject=subject, quad=quad)

    def _read(self, spark: SparkSession, format: str, options: Dict[str, str]) -> DataFrame:
        reader = spark.read.format(format).options(**texts(self._options), **options)
        return reader.load(self._where)

    def check(self) -> List[LogFault]:
        """Reads every patch of a folder, and says what is wrong; nothing is changed."""
        return self._check(repair=False)

    def repair(self) -> List[LogFault]:
        """Mends what :meth:`check` finds, where no patch that can be read is lost by it; nobody is to append meanwhile.

        What is damaged goes into the folder ``quarantine``. In the place of a patch that is lost is then one that says so:
        readers stop there, unless they quarantine it. A fork is left as it is.
        """
        return self._check(repair=True)

    def _check(self, *, repair: bool) -> List[LogFault]:
        with self._call() as log:
            return Checkup(self._bridge, log, repairs=repair).run()

    def checkpoint(self, version: Optional[int] = None, *, progress: RowsProgress = True) -> Checkpoint:
        """Keeps the state at a version in the log's folder, as sorted Jelly-RDF: from there, later states are had sooner, and
        datasets that are empty begin. One that is there is left as it is. Of a log in a folder.

        >>> with PatchLog.create("versions") as log:
        ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("one.jellyp")
        ...     made = log.checkpoint()
        ...     made.version, made.quads, log.state("state.nq", version=1).quads
        (1, 1, 1)

        Args:
            version: ``None`` = the head.
            progress: ``True`` draws a bar on a terminal; a function is called now and then with the number of rows read.

        Raises:
            JellybridgeError: the log has no such version, or not any more what makes its state; or a patch does not follow
                the one before it.
            PatchFormatError: a patch can't be read.
            ValueError: the version can't be one.
        """
        with self._call() as log:
            return _checkpoints.checkpoint(self._door, log, version, progress)

    def state(
        self,
        target: Writable,
        *,
        version: Optional[int] = None,
        id: Optional[str] = None,
        time: Union[datetime, str, None] = None,
        progress: RowsProgress = True,
    ) -> StateReport:
        """Writes what a dataset holds that has applied the patches up to a version: its quads, sorted, and in Jelly its
        prefixes. Made of the nearest checkpoint and the patches behind it. Of a log in a folder.

        Args:
            target: the file, in the format of its suffix: ``.nq`` or ``.jelly``, with ``.gz`` or ``.zst`` after it or not; one
                that is there is replaced. It appears whole or not at all. A path, a ``file:`` URL, or a file that is open for
                writing bytes, which has a name.
            version: which version; without, as with ``id`` and ``time``, the head.
            id: the id of the patch.
            time: the last version that was there by then, by the headers ``time`` of the patches. Text as in
                ``2024-05-01T12:00:00Z``; without a zone it is UTC.
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: there is no such version, or not any more what makes its state; a patch does not follow the one
                before it; or the checkpoint is damaged.
            PatchFormatError: a patch can't be read.
            ValueError: an argument has a value of the wrong kind, or two of them say which version.
        """
        with target_file(target) as file, self._call() as log:
            return _checkpoints.state(self._door, log, file, version, id, time, progress)

    def prune(self, *, before: Optional[int] = None, keep: Optional[timedelta] = None) -> PruneReport:
        """Takes the oldest patches away, where a checkpoint says what they come to. Of a log in a folder.

        All states from the newest checkpoint up to ``before`` on can be had as before. The file with the head stays, and so
        does a file of several patches of which one is to stay. Killed at any moment, the log is one that was pruned less
        far.

        Args:
            before: takes away patches of lower versions than this.
            keep: takes away patches that are older than this.

        Raises:
            JellybridgeError: there is no checkpoint for it, which is named; make it by :meth:`checkpoint`. Or the checkpoint
                is damaged, or another process is at it.
            ValueError: an argument has a value of the wrong kind, or none or both are given.
        """
        with self._call() as log:
            return _checkpoints.prune(self._door, log, before, keep)

    def verify(self, *, progress: RowsProgress = True) -> LogVerification:
        """Reads all of the log: each patch, whether it follows the one before it and is what was appended; each checkpoint,
        whether it is whole and what the one before it comes to with the patches between. Nothing is changed. Of a log in a
        folder.

        Args:
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: the log can't be read at all. What is wrong in it is in the report.
        """
        with self._call() as log:
            return _checkpoints.verify(self._door, log, progress)

    @property
    def _bridge(self) -> Any:
        return self._door.java_class(_BRIDGE)

    @contextmanager
    def _call(self) -> Iterator[Any]:
        if self._log is None:
            raise JellybridgeError(f"the patch log {self._address} is closed: open it again")
        with _errors(self._door):
            yield self._log

    def close(self) -> None:
        """Closes the log. Closing twice is no error."""
        log, self._log = self._log, None
        if log is not None:
            with _errors(self._door):
                log.close()

    def __enter__(self) -> PatchLog:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"PatchLog({self._address!r}{', closed' if self._log is None else ''})"


@contextmanager
def _errors(door: Door) -> Iterator[None]:
    """Errors of logs: who came too late gets one of its own class."""
    try:
        with door.errors():
            yield
    except JellybridgeError as e:
        if e.java != _CONFLICT:
            raise
        error = LogConflictError(str(e))
        error.java = e.java
        raise error from None


def _address(address: PathLike) -> str:
    text = os.fspath(address)
    named = "://" in text or text.startswith((*LOG_SERVERS, "file:"))
    return text if named else absolute(text)


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _head(java: Any) -> LogHead:
    return LogHead(int(java.version()), _text(java.id()))


def _entry(java: Any) -> LogEntry:
    time = _text(java.time())
    return LogEntry(
        int(java.version()), _text(java.id()), _text(java.prev()),
        None if time is None else datetime.fromisoformat(time.replace("Z", "+00:00")), _text(java.fault()),
    )
