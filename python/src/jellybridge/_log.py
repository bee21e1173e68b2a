"""Patch logs: ordered sequences of patches, each with its own id and the id of the patch before it."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import warnings
from collections import deque
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Pattern, Sequence, Tuple, Union, cast, overload

from . import _checkpoints, _times
from ._arguments import check, java_list, java_options, java_pairs, texts
from ._capture import MAX_BYTES
from ._changes import _rows, told
from ._checkpoints import Checkpoint, LogVerification, PruneReport, StateReport
from ._difference import Difference
from ._doors import Door, find_door, opened
from ._errors import JellybridgeError
from ._files import PATCH
from ._locations import LOG_SERVERS, Closing, PatchReadable, PathLike, Readable, Source, Writable, absolute, target_file
from ._log_rows import HistoryRow, LogRows, QuadRow, operations, quads, wanted_terms
from ._printed_reports import SHOWN, Report, counted, table
from ._progress import RowsProgress, readable, watched
from ._redaction import hidden
from ._repair import Checkup, LogFault
from ._terms import as_literal, as_place, as_uuid, lexical
from ._types import OnError, PatchFormat, ServerOptions, VersionOrTime

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BRIDGE = "io.jellybridge.LogBridge"
_CONFLICT = "io.jellybridge.log.LogConflictException"
_LAST = (1 << 63) - 1
#: The options of a login, of which some exclude each other.
_LOGIN = {"user", "password", "password_file", "passwordFile", "token", "token_file", "tokenFile"}
_HEADER = re.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
#: Headers that nobody gives a patch as an own one, and why.
_OTHERS_HEADERS = {
    **dict.fromkeys(("id", "prev", "chain", "lost", "primary"), "the log itself writes it; give yours another name"),
    **{name: f"give it as {name}" for name in ("author", "message", "time")},
}


class LogConflictError(JellybridgeError):
    """Raised if a patch was to follow a patch that is not the head of the log. The message names both, and nothing was
    appended.
    """


@dataclass(frozen=True)
class LogHead(Report):
    """The head of a log, or a patch that was appended."""

    #: The version; 0 if the log is empty. Versions begin with 1 and have no gaps.
    version: int
    #: The patch's id, a UUID; ``None`` if the log is empty.
    id: Optional[str]
    #: The hash of the patch in its header ``chain``, which stands for all patches up to it; ``None`` unless it is the head.
    chain: Optional[str] = field(default=None, compare=False)

    def __str__(self) -> str:
        return "no patch yet" if self.version == 0 else f"version {self.version}, id {self.id}"


@dataclass(frozen=True)
class LogEntry(Report):
    """A patch in a log."""

    version: int
    #: The patch's id, a UUID; ``None`` if the patch can't be read.
    id: Optional[str]
    #: The id of the patch before it; ``None`` for the first patch, and if the patch can't be read.
    prev: Optional[str]
    #: The header ``time``, to the millisecond, in UTC; ``None`` if there is none, or if the patch can't be read.
    time: Optional[datetime] = None
    #: The reason that the patch can't be read; ``None`` if it can.
    fault: Optional[str] = None
    #: The header ``author``. It and the fields below are only set with ``details``.
    author: Optional[str] = None
    #: The header ``message``.
    message: Optional[str] = None
    #: The number of rows that add a quad. Aborted transactions do not count.
    added: Optional[int] = None
    #: The number of rows that delete a quad, likewise.
    deleted: Optional[int] = None
    #: Its other headers, texts by their names.
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    #: The hash of the patch in its header ``chain``, as of :class:`LogHead`; ``None`` if the patch can't be read.
    chain: Optional[str] = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.fault is not None:
            return f"version {self.version}, {self.fault}"
        time = "" if self.time is None else f", {self.time.isoformat(' ', 'milliseconds')}"
        counts = "" if self.added is None else f", +{self.added:,} -{self.deleted:,}"
        own = (f"{name}={text}" for name, text in self.headers.items())
        said = "".join(f", {text}" for text in (self.author, self.message, *own) if text)
        return f"version {self.version}, id {self.id}{time}{counts}{said}"


class LogEntries(Iterator[LogEntry]):
    """The patches of a log, from :meth:`PatchLog.entries`: an iterator, whose first ones a notebook shows as a table."""

    def __init__(self, find: Callable[[], Iterator[LogEntry]]) -> None:
        """Called by methods of a log only."""
        self._find = find
        self._left = find()

    def __next__(self) -> LogEntry:
        return next(self._left)

    def _repr_html_(self) -> str:
        """Returns what a notebook shows. It asks the log anew, so that the iteration goes on where it was."""
        try:
            found = list(islice(self._find(), SHOWN + 1))
        except JellybridgeError as e:
            return table(None, [["error", str(e)]])
        return _table_of(found) + ("<p>… and more</p>" if len(found) > SHOWN else "")


def _table_of(entries: Sequence[LogEntry]) -> str:
    heads = ["version", "time", "id", "added", "deleted", "author", "message"]
    cells = [[str(each.version), None if each.time is None else f"{each.time:%Y-%m-%d %H:%M}", each.id,
              "" if each.added is None else f"+{each.added:,}", "" if each.deleted is None else f"-{each.deleted:,}",
              each.author, each.fault or each.message] for each in entries]
    filled = [at for at in range(len(heads)) if at == 0 or any(row[at] for row in cells)]
    return table([heads[at] for at in filled], [[row[at] for at in filled] for row in cells])


@dataclass(frozen=True)
class CompactionReport(Report):
    """The result of :meth:`PatchLog.compact`."""

    #: The number of patch files before.
    before: int
    #: The number of patch files after.
    after: int
    #: The number of bytes copied.
    bytes: int

    def __str__(self) -> str:
        return f"{counted(self.before, 'file')}, now {self.after:,}; {readable(self.bytes)} copied"


@dataclass(frozen=True)
class RevertReport(Report):
    """The result of :meth:`PatchLog.revert`."""

    #: The number of changes of the reverted version.
    changes: int
    #: The number of changes that were undone. Later versions had undone the others already.
    undone: int
    #: The version of the patch that undoes them; ``None`` if there was nothing left to undo.
    version: Optional[int]
    #: The id of that patch.
    id: Optional[str]

    def __str__(self) -> str:
        done = "nothing was appended" if self.version is None else f"version {self.version}, id {self.id}"
        return f"{self.undone:,} of {counted(self.changes, 'change')} undone; {done}"


@dataclass(frozen=True)
class RestoreReport(Report):
    """The result of :meth:`PatchLog.restore`."""

    #: The number of changes from the head to the restored version, of statements and of prefixes.
    changes: int
    #: The version of the patch that makes them; ``None`` if the head was the same already.
    version: Optional[int]
    #: The id of that patch.
    id: Optional[str]

    def __str__(self) -> str:
        done = "nothing was appended" if self.version is None else f"version {self.version}, id {self.id}"
        return f"{counted(self.changes, 'change')}; {done}"


@dataclass(frozen=True)
class FetchReport(Report):
    """The result of :meth:`PatchLog.fetch`."""

    patches: int
    rows: int
    #: The patches that were left out, with the reason in ``fault``.
    quarantined: Tuple[LogEntry, ...]

    def __str__(self) -> str:
        return f"{counted(self.patches, 'patch', 'patches')}, {counted(self.rows, 'row')}, {len(self.quarantined):,} left out"


class PatchLog(Closing):
    """A patch log. Any number of processes may read and append at once. If several append after the same patch, one succeeds.

    The address says where the log is:

    - a folder of Jelly-Patch files, without a server: its path, or a ``file:`` URL;
    - such a folder on HDFS or S3, if a Spark session runs: ``hdfs://host/FOLDER``, ``s3a://bucket/FOLDER``. All calls work there
      but ``check`` and ``repair``;
    - such a folder on a Fuseki with jellybridge: ``http://host:3030/$/patch-logs/NAME``. All calls work there but those that
      delete or join files, make checkpoints, capture, check or repair;
    - such a folder on any web server, to be read: ``https://host/FOLDER``. It needs a list of its files, see
      :meth:`list_objects`;
    - such a folder on ``jellybridge serve``: ``grpc://host:7878/NAME``, or ``grpcs:`` with TLS. Its patches can be read, and others
      appended. The calls that need its files or a state are refused.

    >>> with PatchLog.create("changes") as log:
    ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    ...     [one] = log.append("one.jellyp")
    ...     print(one.version, log.head == one)
    1 True

    A context manager. Use it from one thread at a time.
    """

    def __init__(self, door: object = None, log: Any = None, where: str = "", options: Optional[ServerOptions] = None) -> None:
        self._door = opened(door, self)
        self._log = log
        self._where = where
        #: Whether the files of the log can be read, which a log over gRPC hides.
        self._has_files = not where.startswith(("grpc:", "grpcs:"))
        self._options = options
        self._address = hidden(where)

    @classmethod
    def open(cls, address: PathLike, *, options: Optional[ServerOptions] = None) -> PatchLog:
        """Opens an existing log.

        Args:
            address: the address, see :class:`PatchLog`.
            options: connection options of a server, as in :meth:`Dataset.open`: ``user`` and ``password`` or ``password_file``,
                or ``token`` or ``token_file``; ``authority``, ``certificate`` and ``certificate_key``; ``connect_timeout``,
                ``timeout`` and ``attempts``.

        Raises:
            UnreachableError: the server can't be reached, or is too busy. May be raised on first use only.
            JellybridgeError: there is no such log. For a server, may be raised on first use only.
        """
        return cls._get("open", address, options)

    @classmethod
    def create(
        cls, address: PathLike, *, options: Optional[ServerOptions] = None, state: Union[Readable, DataFrame, None] = None,
        base: Optional[str] = None, progress: RowsProgress = True,
    ) -> PatchLog:
        """Creates a log and opens it.

        Args:
            address: the address, see :class:`PatchLog`.
            options: as in :meth:`open`.
            state: the initial content, for a log that is not on a server. It becomes version 1, which is a checkpoint without a patch; the
                first patch is version 2. Give a file of statements in the format of its suffix, which is sorted on disk, or a
                DataFrame with the columns of :data:`QUADS_SCHEMA`. Spark writes a DataFrame in parallel, like
                ``write.format("rdf-dataset")``, so no single task holds it all. Repeated statements count once. The log may
                exist if it has no version yet; an error leaves it without one.
            base: the base of relative IRIs of that file, as in :func:`convert`.
            progress: for a file, as in :meth:`checkpoint`.

        Raises:
            UnreachableError: the server can't be reached, or is too busy.
            JellybridgeError: the log exists (with ``state``: and has versions), or it can't be created there.
            PatchFormatError: the state has a statement that is not in RDF, or a DataFrame has a term that is not canonical.
            TextFormatError: likewise.
        """
        if base is not None and (state is None or hasattr(state, "_jdf")):
            raise ValueError("base is of the file of a state, and state names none")
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
                    _checkpoints.begin(door, text, file.place, base, progress)
        return cls._get("open", address, None)

    @classmethod
    def _get(cls, call: str, address: PathLike, options: Optional[ServerOptions], door: Optional[Door] = None) -> PatchLog:
        text = _address(address)
        door = door or find_door()
        with _errors(door):
            log = getattr(door.java_class(_BRIDGE), call)(text, java_options(door, options))
            return cls(door, log, text, options)

    @property
    def id(self) -> str:
        """The id of the log, a UUID."""
        with self._call() as log:
            return str(log.id())

    @property
    def head(self) -> LogHead:
        """The newest patch."""
        with self._call() as log:
            head = _head(log.head())
            return replace(head, chain=str(log.headHash())) if head.version else head

    @property
    def _first(self) -> int:
        """The version of the oldest patch, or the one that the first patch will get."""
        with self._call() as log:
            return int(log.first())

    def _hash_at(self, version: int) -> Optional[str]:
        """Returns the hash of a version, also of the one before the oldest patch; ``None`` if it is not known."""
        with self._call() as log:
            found = self._bridge.hashAt(log, version)
            return None if found is None else str(found)

    def append(
        self, *sources: PatchReadable, prev: Optional[str] = None, format: Optional[PatchFormat] = None, strict: bool = False,
        author: Optional[str] = None, message: Optional[str] = None, time: Union[datetime, str, None] = None,
        headers: Optional[Mapping[str, str]] = None, progress: RowsProgress = None,
    ) -> List[LogHead]:
        """Appends the patches of files. Each patch is checked completely before it is in the log.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("appended") as log:
        ...     [made] = log.append("one.jellyp")
        ...     made.version, log.append("one.jellyp") == [made]
        (1, True)

        The headers ``id`` and ``prev`` of a patch are used; a missing id is generated. Appending is safe to retry. If a patch
        with that id is already in the log, it is not appended again, whatever came after it, and the call continues with the
        next. Patches without ids are recognized by their rows: the first patches of the files are skipped if they equal the
        last patches of the log, since appending them again would change nothing.

        Args:
            sources: files of patches in the format of their suffixes, folders with one such file each, or other inputs of
                :func:`read_patch`, such as the result of :func:`diff`.
            format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix.
            prev: the id or the ``chain`` of the patch that the first one follows; ``""`` = the first one is the first of the log;
                ``None`` = the id in its header ``prev``, else the head. With ``chain``, a log with another history is refused.
            strict: reject every violation of a MUST of Jelly-Patch.
            author: the header ``author`` of each patch, which replaces its own; ``None`` leaves it as it is.
            message: the header ``message``, likewise. :meth:`entries` shows both.
            time: the header ``time``, likewise, such as the day of a release. A patch without one gets the time of the call.
            headers: other headers of each patch, texts by their names, such as ``{"ticket": "ABC-12"}``. They replace those of
                the same names. The names of headers that the log writes are refused.
            progress: ``True`` shows the number of rows read of a file on a terminal. A function gets that number. ``None``
                shows nothing. An interrupt ends the call after the current patch.

        Returns:
            The versions and ids of all patches, including those that were in the log already. Patches that were appended before
            an error stay.

        Raises:
            LogConflictError: the log has another head, or another patch with that id.
            PatchFormatError: a patch breaks its format, or can't be applied to any dataset.
            TextFormatError: likewise.
            FileNotFoundError: there is no such file.
            ValueError: an option has a value of the wrong kind.
        """
        prev = as_place(prev)
        check("text or None", format=format)
        check("True or False", strict=strict)
        said = headers_of(author, message, time, headers)
        return [made for of_one in self._append_each(sources, prev, format, strict, said, progress) for made in of_one]

    def _append_each(
        self, sources: Sequence[PatchReadable], prev: Optional[str], format: Optional[str], strict: bool,
        headers: Mapping[str, str], progress: RowsProgress
    ) -> Iterator[List[LogHead]]:
        """Appends like :meth:`append`, with headers as terms by their names, and yields the patches of each file."""
        with _errors(self._door):
            said = java_pairs(self._door, headers)
        with ExitStack() as stack:
            places = [
                stack.enter_context(Source(source, patches=True, again=True, format=format)).place for source in sources
            ]
            known: List[List[LogHead]] = []
            if prev is None:
                with self._call() as log:
                    there = self._bridge.known(log, java_list(self._door, chain.from_iterable(places)), format, strict, said)
                    known = [[_head(patch) for patch in patches] for patches in there]
            for place, of_one in zip_longest(places, known, fillvalue=()):
                with self._call() as log:
                    call = partial(self._bridge.append, log, *place[:2], format, strict, prev, len(of_one), said)
                    made = watched(self._door, "append", call, progress)
                yield [*of_one, *map(_head, made)]
                prev = None

    def entries(
        self, first: Optional[int] = None, last: Optional[int] = None, *, since: Union[datetime, str, None] = None,
        newest: Optional[int] = None, details: bool = False, grep: Optional[str] = None,
    ) -> LogEntries:
        """Returns the patches of a range of versions, in order, as an iterator. A notebook shows the first ones as a table.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("listed") as log:
        ...     [made] = log.append("one.jellyp")
        ...     for entry in log.entries():
        ...         entry.version, entry.id == made.id, entry.prev
        (1, True, None)

        Args:
            first: the first version; ``None`` = the oldest patch in the log.
            last: the last version; ``None`` = the head.
            since: a moment; leaves out patches with an earlier time, as :meth:`as_of` counts times.
            newest: yield at most this many patches, the newest of all that the other arguments select.
            details: read each patch whole, for its author, its message, its other headers and the numbers of its rows.
            grep: a regular expression; yields only patches with an author, a message or a ``NAME=TEXT`` of another header that
                it matches, with their details.

        Raises:
            ValueError: ``grep`` is no regular expression.
        """
        first = 1 if first is None else first
        last = _LAST if last is None else last
        check("a whole number of 64 bits", first=first, last=last)
        check("True or False", details=details)
        if newest is not None:
            check("a whole number of 32 bits", newest=newest)
            check("at least 1", newest=newest)
        begin = None if since is None else _times.millis(since)
        wanted = None if grep is None else _pattern(grep)
        return LogEntries(partial(self._select, first, last, begin, newest, details or grep is not None, wanted))

    def _select(
        self, first: int, last: int, millis: Optional[int], newest: Optional[int], details: bool, wanted: Optional[Pattern[str]]
    ) -> Iterator[LogEntry]:
        with self._call() as log:
            if millis is not None:
                first = max(first, _checkpoints.first_since(self._door, log, millis))
            if newest is not None and wanted is None:
                first = max(first, min(last, self.head.version) - newest + 1)
        found = self._entries(first, last, details, wanted)
        return found if newest is None or wanted is None else iter(deque(found, maxlen=newest))

    def _entries(self, first: int, last: int, details: bool, wanted: Optional[Pattern[str]]) -> Iterator[LogEntry]:
        with self._call() as log:
            entries = self._bridge.entries(log, first, last, details)
        try:
            while True:
                with _errors(self._door):
                    entry = entries.next()
                if entry is None:
                    return
                found = _entry(entry)
                own = (f"{name}={text}" for name, text in found.headers.items())
                if wanted is None or wanted.search("\n".join((found.author or "", found.message or "", *own))):
                    yield found
        finally:
            if not sys.is_finalizing():  # otherwise the JVM is down, with everything that was open
                with _errors(self._door):
                    entries.close()

    def fetch(
        self, target: Writable, first: Optional[int] = None, last: Optional[int] = None, *, on_error: OnError = "stop"
    ) -> FetchReport:
        """Writes the patches of a range of versions to one file, in the format of its suffix. The file appears complete or not
        at all.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("fetched") as log:
        ...     [made] = log.append("one.jellyp")
        ...     print(log.fetch("all.rdfp"))
        1 patch, 4 rows, 0 left out

        Args:
            target: a path or a ``file:`` URL, where an existing file is replaced; or a named file open for writing bytes.
            first: the first version; ``None`` = the oldest patch in the log. A version after the head is allowed; the file has
                no patch then.
            last: the last version; ``None`` = the head.
            on_error: the reaction to a patch that can't be read. ``stop`` raises an error. ``quarantine`` leaves the patch out,
                and names it in the report.

        Raises:
            PatchFormatError: a patch breaks its format, or can't be applied to any dataset. The file name in the message says
                which patch.
            JellybridgeError: a patch does not follow the one before it, a version was pruned, or the log can't be read.
            ValueError: ``on_error`` is unknown, a version is not a whole number, or ``first`` is after ``last``.
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
        """Joins the files of a log by copying bytes. The content of the log stays the same.

        Other processes may read, append and capture meanwhile. If the process is killed at any moment, the log is intact, and
        the next compaction continues.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("compacted") as log:
        ...     [made] = log.append("one.jellyp")
        ...     report = log.compact()
        ...     report.before, report.after
        (1, 1)

        Args:
            max_bytes: the size up to which files are joined. Larger files are left as they are.

        Raises:
            JellybridgeError: another compaction is running, the log is on a server, or a file can't be read or written.
            ValueError: ``max_bytes`` is not a whole number of at least 1.
        """
        check("a whole number of 64 bits", max_bytes=max_bytes)
        check("at least 1", max_bytes=max_bytes)
        with self._call() as log:
            done = self._bridge.compact(log, max_bytes)
            return CompactionReport(int(done.before()), int(done.after()), int(done.bytes()))

    def list_objects(self) -> int:
        """Writes ``objects.json``, the list of the files of the log, so that a plain web server can serve it.

        The list is of now. Call this again after you have changed the log.

        >>> with PatchLog.create("hosted") as log:
        ...     log.list_objects()
        1

        Returns:
            The number of files in the list.

        Raises:
            JellybridgeError: a version is missing, the log is on a server, or the file can't be written.
        """
        with self._call() as log:
            return int(self._bridge.listObjects(log))

    def show(self, version: VersionOrTime, *, prefixes: Optional[Mapping[str, str]] = None, progress: RowsProgress = None) -> Difference:
        """Returns what a version changed. ``print`` shows it by subject.

        It is the difference between the states before and after the version. For a log over gRPC, and where older patches were pruned, it is the net effect of the patch.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("shown") as log:
        ...     [made] = log.append("one.jellyp")
        ...     print(log.show(1))
        --- version 0
        +++ version 1
        <BLANKLINE>
        + <urn:s>
        +     <urn:p>  <urn:o>
        <BLANKLINE>
        1 statement added, 0 deleted. Subjects: 1 new, 0 deleted, 0 changed.

        Args:
            version: the version, or a time for the last version then, as in :meth:`diff`.
            prefixes: namespaces by their prefixes, which come before those of the log.
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: the log has no such version, or a patch can't be read.
            ValueError: the version is not valid.
        """
        shown = self._version_at("version", version, 1)
        return self._difference("show", (shown,), (shown - 1, shown), prefixes, progress)

    def diff(
        self, old: VersionOrTime, new: Optional[VersionOrTime] = None, *, prefixes: Optional[Mapping[str, str]] = None,
        progress: RowsProgress = None,
    ) -> Difference:
        """Returns what changed between two versions. Not for logs over gRPC.

        >>> with PatchLog.create("compared") as log:
        ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("one.jellyp")
        ...     log.diff(0, 1).added
        1

        Args:
            old: the old version; 0 = before the first patch. A time, as a text such as ``2024-05-01T12:00:00Z`` or a datetime,
                stands for the last version at that time. A time without a zone is in UTC.
            new: the new version, likewise; ``None`` = the head.
            prefixes: as in :meth:`show`.
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: the log has no such version, no longer has the patches for a state, or is over gRPC.
            ValueError: a version is not valid.
        """
        versions = [self.head.version if each is None else self._version_at(name, each, 0, or_before_first=True)
                    for name, each in (("old", old), ("new", new))]
        return self._difference("diff", versions, versions, prefixes, progress)

    def _version_at(self, name: str, given: VersionOrTime, least: int, or_before_first: bool = False) -> int:
        """Returns a version that an argument names, by its number or by a time.

        Args:
            name: the name of the argument, for the error.
            given: the version, or a time for the last version then.
            least: the lowest version that may be given by its number.
            or_before_first: whether a time before the oldest patch of the log means the version before that; else it is an error.

        Raises:
            ValueError: it is neither, or the version is too low.
        """
        if isinstance(given, str):
            try:
                given = _times.moment(given)
            except ValueError:
                raise ValueError(f"{name}={given!r}: must be a version, a whole number, or a time such as 2024-05-01T12:00:00Z; "
                                 "entries() lists versions with their times") from None
        if not isinstance(given, datetime):
            _check_versions(least, **{name: given})
            return given
        with self._call() as log:
            return _checkpoints.version_at(self._door, log, given) if or_before_first else \
                _checkpoints.version_of(self._door, log, None, None, given)

    def _difference(
        self, call: str, arguments: Sequence[int], versions: Sequence[int], prefixes: Optional[Mapping[str, str]],
        progress: RowsProgress,
    ) -> Difference:
        folder = tempfile.TemporaryDirectory(prefix="jellybridge-")
        with self._call() as log:
            given = java_pairs(self._door, prefixes)
            find = partial(getattr(self._bridge, call), log, *arguments, given, os.path.join(folder.name, PATCH))
            made = watched(self._door, call, find, progress)
        old, new = (f"version {version}" for version in versions)
        return Difference(self._door, made, old, new, folder)

    def revert(
        self, version: int, *, author: Optional[str] = None, message: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None, progress: RowsProgress = None,
    ) -> RevertReport:
        """Appends a patch that undoes a version. Not for logs over gRPC.

        The patch deletes what the version added, and adds what it deleted. Changes that later versions have undone already are
        left out. Prefixes are not reverted.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("reverted") as log:
        ...     _ = log.append("one.jellyp")
        ...     report = log.revert(1)
        ...     report.undone, report.version, log.state("empty.nq").quads
        (1, 2, 0)

        Args:
            version: the version.
            author: the header ``author`` of the patch; ``None`` = none.
            message: the header ``message``; ``None`` = one that names the version.
            headers: other headers, as in :meth:`append`.
            progress: as in :meth:`checkpoint`.

        Raises:
            LogConflictError: another process appended meanwhile; nothing was appended.
            JellybridgeError: the log has no such version, or no longer has the patches for its state; or it is over gRPC.
            ValueError: the version is not valid.
        """
        _check_versions(1, version=version)
        header_texts(author, message, headers)  # before any work
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder, self._call() as log:
            file = os.path.join(folder, PATCH)
            head = self.head
            changes, undone = map(int, watched(self._door, "revert", partial(self._bridge.revert, log, version, file), progress))
            if not undone:
                return RevertReport(changes, 0, None, None)
            made = self._append_behind(head, file, author, f"Revert version {version}" if message is None else message, headers)
            return RevertReport(changes, undone, made.version, made.id)

    def restore(
        self, version: VersionOrTime, *, author: Optional[str] = None, message: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None, progress: RowsProgress = None,
    ) -> RestoreReport:
        """Appends a patch that makes the head equal to an earlier version. Not for logs over gRPC.

        The versions in between stay in the log, so you can restore them too. Prefixes are restored, too.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("restored") as log:
        ...     _ = log.append("one.jellyp")
        ...     report = log.restore(0)
        ...     report.changes, report.version, log.diff(0, 2).changed
        (1, 2, False)

        Args:
            version: the version, or a time for the last version then, as in :meth:`diff`; 0 = before the first patch.
            author: the header ``author`` of the patch; ``None`` = none.
            message: the header ``message``; ``None`` = one that names the version.
            headers: other headers, as in :meth:`append`.
            progress: as in :meth:`checkpoint`.

        Raises:
            LogConflictError: another process appended meanwhile; nothing was appended.
            JellybridgeError: the log has no such version, or no longer has the patches for its state; or it is over gRPC.
            ValueError: the version is not valid.
        """
        header_texts(author, message, headers)  # before any work
        restored = self._version_at("version", version, 0)
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder, self._call() as log:
            file = os.path.join(folder, PATCH)
            head = self.head
            find = partial(self._bridge.restore, log, head.version, restored, file)
            changes = int(watched(self._door, "restore", find, progress))
            if not changes:
                return RestoreReport(0, None, None)
            made = self._append_behind(head, file, author, f"Restore version {restored}" if message is None else message, headers)
            return RestoreReport(changes, made.version, made.id)

    def _append_behind(
        self, head: LogHead, file: str, author: Optional[str], message: str, headers: Optional[Mapping[str, str]]
    ) -> LogHead:
        """Appends a patch that was computed for a head, if the log still has that head and its history."""
        [made] = self.append(file, prev=head.chain, author=author, message=message, headers=headers)
        return made

    @overload
    def as_of(
        self, spark: None = None, *, version: Optional[int] = None, id: Optional[str] = None, time: Union[datetime, str, None] = None
    ) -> LogRows[QuadRow]: ...

    @overload
    def as_of(
        self, spark: SparkSession, *, version: Optional[int] = None, id: Optional[str] = None,
        time: Union[datetime, str, None] = None,
    ) -> DataFrame: ...

    def as_of(
        self,
        spark: Optional[SparkSession] = None,
        *,
        version: Optional[int] = None,
        id: Optional[str] = None,
        time: Union[datetime, str, None] = None,
    ) -> Any:
        """Returns the quads at a version of the log, by default at the head.

        Without a session, the quads come one by one or as Arrow columns. That is not for logs over gRPC:

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("read") as log:
        ...     [made] = log.append("one.jellyp")
        ...     list(log.as_of(version=1))
        [QuadRow(subject='<urn:s>', predicate='<urn:p>', object='<urn:o>', graph=None)]

        With a session, Spark reads them in parallel:

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("travelled") as log:
        ...     [made] = log.append("one.jellyp")
        ...     log.as_of(spark, version=1).select("subject").show()
        +-------+
        |subject|
        +-------+
        |<urn:s>|
        +-------+

        Spark starts from the nearest checkpoint before the version. One shuffle then finds the last operation on each quad
        since. ``spark.read.format("rdf-dataset")`` does the same without this object.

        Args:
            spark: the session; ``None`` = without Spark.
            version: the version; 0 = before the first patch, with Spark.
            id: the id of the version's patch.
            time: a moment; selects the last version up to then, by the headers ``time``. Times never decrease along a log: a
                patch with an earlier time than one before it counts with that later time. A text looks like
                ``2024-05-01T12:00:00Z``; without a zone it is UTC.

        Returns:
            A DataFrame or :class:`LogRows` with the columns of :data:`QUADS_SCHEMA`, each quad once, unordered.

        Raises:
            ValueError: more than one of the three is given, or ``time`` is not a time.
            IllegalArgumentException: the log has no such version. Raised by Spark.
        """
        moment = None if time is None else _times.moment(time).isoformat()
        if sum(each is not None for each in (version, id, moment)) > 1:
            raise ValueError("give one of version, id and time")
        if spark is None:
            with self._call() as log:
                wanted = _checkpoints.version_of(self._door, log, version, id, time)
                return quads(self._door, self._bridge.quads(log, wanted), self._address)
        given = {"versionAsOf": version, "idAsOf": None if id is None else as_uuid("id", id), "timestampAsOf": moment}
        said = {name: str(value) for name, value in given.items() if value is not None}
        return self._read(spark, "rdf-dataset", said)

    @overload
    def history(
        self, spark: None = None, *, subject: Optional[str] = None, predicate: Optional[str] = None,
        quad: Optional[Sequence[Optional[str]]] = None, since: Union[datetime, str, None] = None,
    ) -> LogRows[HistoryRow]: ...

    @overload
    def history(
        self, spark: SparkSession, *, subject: Optional[str] = None, predicate: Optional[str] = None,
        quad: Optional[Sequence[Optional[str]]] = None, since: Union[datetime, str, None] = None,
    ) -> DataFrame: ...

    def history(
        self,
        spark: Optional[SparkSession] = None,
        *,
        subject: Optional[str] = None,
        predicate: Optional[str] = None,
        quad: Optional[Sequence[Optional[str]]] = None,
        since: Union[datetime, str, None] = None,
    ) -> Any:
        """Lists the operations of the log on a subject, a predicate or a quad, like :func:`jellybridge.history`.

        Without a session, the rows come one by one or as Arrow columns:

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("history") as log:
        ...     [made] = log.append("one.jellyp")
        ...     [row] = log.history(subject="urn:s")
        ...     row.version, row.op, row.object
        (1, 'A', '<urn:o>')

        With a session, Spark reads the log in parallel.

        If version 1 of a log is a checkpoint without a patch, its quads count as additions of version 1. A pruned log has no
        operations before its first patch.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("told") as log:
        ...     [made] = log.append("one.jellyp")
        ...     log.history(spark, subject="urn:s").select("version", "op", "object").show()
        +-------+---+-------+
        |version| op| object|
        +-------+---+-------+
        |      1|  A|<urn:o>|
        +-------+---+-------+

        Args:
            spark: the session; ``None`` = without Spark.
            subject: as in :func:`jellybridge.history`.
            predicate: an IRI or another term, alone or with ``subject``. Without Spark only.
            quad: as in :func:`jellybridge.history`.
            since: a moment; leaves out patches with an earlier time, as :meth:`as_of` counts times. Without Spark only.

        Returns:
            :class:`LogRows` with the fields of :class:`HistoryRow`; or a DataFrame, as :func:`jellybridge.history` returns it.

        Raises:
            JellybridgeError: the log can't be read.
            ValueError: an argument has a value of the wrong kind, or nothing or too much is given.
        """
        if spark is None:
            terms = wanted_terms(subject, predicate, quad)
            millis = -1 << 63 if since is None else _times.millis(since)
            with self._call() as log:
                return operations(self._door, self._bridge.history(log, *terms, millis), self._address)
        if predicate is not None or since is not None:
            raise ValueError("predicate and since are for a history without Spark; filter the columns of the DataFrame instead")
        rows = self._read(spark, "rdf-patch-log", {"startingVersion": "earliest"})
        if self._has_files:
            with self._call() as log:
                begins = int(log.first()) == 2 and log.findCheckpoint(1) is not None
                state = _checkpoints.checkpoint(self._door, log, 1, None) if begins else None
            if state is not None:
                rows = rows.unionByName(_checkpoints.said(state, self.as_of(spark, version=1)), allowMissingColumns=True)
        # No check of the order is needed, since rows of a log have unique places.
        return told(_rows(rows, "a history"), None, subject=subject, quad=quad)

    def _terms(self, prefixes: Mapping[str, str]) -> Any:
        """Returns a Java object that writes and reads terms for people, with the prefixes of the log."""
        with self._call() as log:
            return self._bridge.terms(log, java_pairs(self._door, prefixes))

    def _read(self, spark: SparkSession, format: str, options: Dict[str, str]) -> DataFrame:
        reader = spark.read.format(format).options(**texts(self._options), **options)
        return reader.load(self._where)

    def check(self) -> List[LogFault]:
        """Reads every patch of a log in a folder, and returns its faults. Changes nothing.

        Warns of patches whose clock was wrong. Their times count for nothing, so these are no faults.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("checked") as log:
        ...     [made] = log.append("one.jellyp")
        ...     log.check()
        []

        Raises:
            JellybridgeError: the log is on a server, or can't be read at all.
        """
        return self._check(repair=False)

    def repair(self) -> List[LogFault]:
        """Repairs the faults that :meth:`check` finds, without losing a readable patch. Nobody else can append or compact meanwhile.

        Damaged files move to the folder ``quarantine``. A placeholder takes the place of a lost patch. Readers stop at it,
        unless they quarantine it. A fork is left as it is.

        Returns:
            The faults that were found. Those that are left have no ``repaired``.

        Raises:
            JellybridgeError: the log is on a server, can't be read at all, or can't be written.
        """
        return self._check(repair=True)

    def _check(self, *, repair: bool) -> List[LogFault]:
        with self._call() as log:
            faults = Checkup(self._bridge, log, repairs=repair).run()
            wrong = None if faults else _checkpoints.wrong_clocks(self._door, log)
        if wrong is not None:
            warnings.warn(wrong, stacklevel=3)
        return faults

    def checkpoint(self, version: Optional[VersionOrTime] = None, *, progress: RowsProgress = True) -> Checkpoint:
        """Stores the state at a version beside the patches, as sorted Jelly-RDF. An existing checkpoint is left as it is.

        Later states are computed faster from a checkpoint, and empty datasets start with it. For logs that are not on a server.

        >>> with PatchLog.create("versions") as log:
        ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("one.jellyp")
        ...     made = log.checkpoint()
        ...     made.version, made.quads, log.state("state.nq", version=1).quads
        (1, 1, 1)

        Args:
            version: the version, or a time for the last version then, as in :meth:`diff`; ``None`` = the head.
            progress: ``True`` draws a bar on a terminal or in a notebook. A function is called regularly with the number of rows read.

        Raises:
            JellybridgeError: the log has no such version, or no longer has the patches for its state; or a patch does not
                follow the one before it.
            PatchFormatError: a patch can't be read.
            ValueError: the version is not valid.
        """
        kept = None if version is None else self._version_at("version", version, 1)
        with self._call() as log:
            return _checkpoints.checkpoint(self._door, log, kept, progress)

    def state(
        self,
        target: Writable,
        *,
        version: Optional[int] = None,
        id: Optional[str] = None,
        time: Union[datetime, str, None] = None,
        progress: RowsProgress = True,
    ) -> StateReport:
        """Writes the state of the log at a version: its quads, sorted, and its prefixes if the format has them.

        Not for logs over gRPC.

        The state is that of a dataset that applied all patches up to the version. It is computed from the nearest checkpoint
        and the patches after it.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("stated") as log:
        ...     [made] = log.append("one.jellyp")
        ...     print(log.state("now.nq"))
        version 1, 1 quad

        Args:
            target: a path, a ``file:`` URL, or a named file open for writing bytes. The suffix is ``.nq``, ``.jelly``,
                ``.ttl`` or another that :func:`convert` writes, optionally with ``.gz`` or ``.zst``. An existing file is replaced. The file appears complete or not at all.
            version: the version. Without ``version``, ``id`` and ``time``, the head.
            id: the id of the version's patch.
            time: a moment; selects the last version up to then, by the headers ``time``. A text looks like
                ``2024-05-01T12:00:00Z``; without a zone it is UTC.
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: there is no such version, the log no longer has the patches for its state, a patch does not follow
                the one before it, or the checkpoint is damaged.
            PatchFormatError: a patch can't be read.
            ValueError: an argument has a value of the wrong kind, or more than one selects a version.
        """
        with target_file(target) as file, self._call() as log:
            return _checkpoints.state(self._door, log, file, version, id, time, progress)

    def prune(self, *, before: Optional[int] = None, keep: Union[timedelta, str, None] = None) -> PruneReport:
        """Deletes the oldest patches that a checkpoint covers. Not for logs on a server.

        All states from that checkpoint on are still available. It is the newest one up to ``before``. The file with the head
        stays, and so does a file of several patches if one of them must stay. If the process is killed at any moment, the log
        is intact, with fewer patches pruned.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("pruned") as log:
        ...     [made] = log.append("one.jellyp")
        ...     _ = log.checkpoint()
        ...     log.prune(before=2).first
        1

        Args:
            before: delete patches of lower versions than this.
            keep: delete patches that are older than this, a text such as ``30d`` or ``12h``, or a timedelta.

        Raises:
            JellybridgeError: the required checkpoint, which the message names, is missing (create it by :meth:`checkpoint`) or
                damaged, or another process is pruning.
            ValueError: an argument has a value of the wrong kind, or not exactly one is given.
        """
        with self._call() as log:
            return _checkpoints.prune(self._door, log, before, keep)

    def verify(self, *, progress: RowsProgress = True) -> LogVerification:
        """Verifies the whole log: all patches and all checkpoints. Changes nothing. Not for logs over gRPC.

        Each patch must follow the one before it, and be unchanged since it was appended. Each checkpoint must be complete, and
        equal the state of the checkpoint before it plus the patches between.

        >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        >>> with PatchLog.create("verified") as log:
        ...     [made] = log.append("one.jellyp")
        ...     print(log.verify())
        1 patch and 0 checkpoints verified, no fault

        Args:
            progress: as in :meth:`checkpoint`.

        Raises:
            JellybridgeError: the log can't be read at all. Faults in it are in the report.
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
        """Closes the log. You may close it twice."""
        log, self._log = self._log, None
        if log is not None:
            with _errors(self._door):
                log.close()

    def __repr__(self) -> str:
        return f"PatchLog({self._address!r}{', closed' if self._log is None else ''})"

    def _repr_html_(self) -> str:
        """Returns what a notebook shows."""
        rows: List[List[Optional[str]]] = [["patch log", self._address]]
        try:
            head = self.head
            rows += [["id", self.id], ["head", str(head)]]
            last = list(self.entries(newest=10, details=True))
        except JellybridgeError as e:
            return table(None, [*rows, ["error", str(e)]])
        return table(None, rows) + (_table_of(last[::-1]) if last else "")


@contextmanager
def _errors(door: Door) -> Iterator[None]:
    """Converts Java exceptions to errors. A conflict becomes :class:`LogConflictError`."""
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


def named_log(log: Union[PathLike, PatchLog], options: Optional[ServerOptions]) -> Tuple[PathLike, Optional[ServerOptions]]:
    """Returns the address of a log that is named or open, and its connection options: its own, and those given. A login that is
    given replaces its own.

    Raises:
        JellybridgeError: it was open, and is closed.
    """
    if not isinstance(log, PatchLog):
        return log, options
    with log._call():
        given = options or {}
        left = set() if _LOGIN.isdisjoint(given) else _LOGIN
        merged: Dict[str, Any] = {**{name: value for name, value in (log._options or {}).items() if name not in left}, **given}
        return log._where, cast(ServerOptions, merged) if merged else None


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _head(java: Any) -> LogHead:
    return LogHead(int(java.version()), _text(java.id()))


def _check_versions(least: int, **versions: int) -> None:
    for name, value in versions.items():
        if isinstance(value, str):
            raise ValueError(f"{name}={value!r}: must be a version, a whole number; entries() lists versions with their times")
        check("a whole number of 64 bits", **{name: value})
        if value < least:
            raise ValueError(f"{name}={value}: must be at least {least}")


def _pattern(text: str) -> Pattern[str]:
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as e:
        raise ValueError(f"grep={text!r}: must be a regular expression: {e}") from None


def header_texts(
    author: Optional[str], message: Optional[str], headers: Optional[Mapping[str, str]]
) -> Dict[str, str]:
    """Returns the texts of the headers that a user gives to patches, by their names. Leaves out what is ``None``.

    Raises:
        ValueError: a header has a bad name, or one that the log or another argument uses.
    """
    check("text or None", author=author, message=message)
    own = dict(headers or {})
    for name, text in own.items():
        if not isinstance(name, str) or not _HEADER.fullmatch(name):
            raise ValueError(f"header {name!r}: a name is letters and digits, and between them hyphens, dots and underscores")
        if name.lower() in _OTHERS_HEADERS:
            raise ValueError(f"header {name}: {_OTHERS_HEADERS[name.lower()]}")
        if not isinstance(text, str):
            raise ValueError(f"header {name}={text!r}: must be text")
    said = {"author": author, "message": message, **own}
    return {name: text for name, text in said.items() if text is not None}


def headers_of(
    author: Optional[str], message: Optional[str], time: Union[datetime, str, None], headers: Optional[Mapping[str, str]] = None
) -> Dict[str, str]:
    """Returns the headers of patches, as terms by their names. Leaves out what is ``None``."""
    said = {name: as_literal(text) for name, text in header_texts(author, message, headers).items()}
    return said if time is None else {**said, "time": _times.time_literal(_times.moment(time).isoformat())}


def _entry(java: Any) -> LogEntry:
    time = _text(java.time())
    found = {name: lexical(term) for name, term in json.loads(str(java.headers() or "{}")).items()}
    own = {name: text for name, text in found.items() if name.lower() not in _OTHERS_HEADERS or name == "primary"}
    added, deleted = (None if value is None else int(value) for value in (java.added(), java.deleted()))
    return LogEntry(
        int(java.version()), _text(java.id()), _text(java.prev()),
        None if time is None else _times.moment(time), _text(java.fault()),
        found.get("author"), found.get("message"), added, deleted, own, _text(java.hash()),
    )
