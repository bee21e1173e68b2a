"""Jena datasets in Python, in this process or behind HTTP: apply patches, query, update, load, dump, capture."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import threading
import warnings
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._arguments import check, java_options, java_pairs
from ._capture import CAPTURE_KEY, MAX_BYTES, MAX_SECONDS, Capture
from ._changes import QUADS_SCHEMA, require_one_file_a_patch
from ._checkpoints import DatasetVerification, adopt, compare
from ._convert import BadStatements, file_options, of_place, of_positions
from ._doors import CONNECT, find_door, only_connect, opened, require_spark
from ._errors import JellybridgeError
from ._follow import FollowerState, Lag, follow, lag
from ._locations import (
    TDB2, Closing, FileLocation, PatchReadable, PathLike, Readable, Source, Writable, absolute, require_own_file, target_file, tdb2_folder,
)
from ._log import PatchLog, header_texts, named_log
from ._metrics import parse_address, with_metrics
from ._printed_reports import Report, counted, table
from ._progress import RowsProgress, watched
from ._publish import PublishReport, Snapshot, Statements, graph_name, note_adopted, publish
from ._redaction import hidden
from ._results import Bindings, Quads, QueryResult, Triples, result_of
from ._spark import described
from ._sync import BATCH_ROWS, LOG_KEY, LONGEST_WAIT, SyncReport, sync, waiting
from ._terms import as_iri
from ._types import Aborted, BlankNodes, OnError, PatchFormat, ReadOptions, ServerOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

T = TypeVar("T", bound=object)

_LOG = logging.getLogger(__name__)
# A longer timeout is pointless, and this number fits Java.
_MAX_SECONDS = 10**9


@dataclass(frozen=True)
class LoadReport(Report):
    """The result of :meth:`Dataset.load`."""

    #: The number of statements that were added. Duplicates count, also of statements that were there.
    statements: int
    #: The number of statements that were set aside, see ``bad_statements``.
    bad: int = 0
    #: The number of statements of the graph ``<urn:jellybridge:sync>`` that were left out. They are the positions of another store.
    positions: int = 0

    def __str__(self) -> str:
        aside = f", {self.bad:,} set aside" if self.bad else ""
        return f"{counted(self.statements, 'statement')} loaded{aside}" + (f", {self.positions:,} left out" if self.positions else "")


@dataclass(frozen=True)
class ApplyReport(Report):
    """The result of :meth:`Dataset.apply`."""

    #: The number of patches.
    patches: int
    #: The number of committed transactions in the patches.
    transactions: int
    #: The number of ``A`` rows applied: those of committed transactions and those outside of transactions.
    added: int
    #: The number of ``D`` rows applied, likewise.
    deleted: int
    #: The number of aborted transactions (``TA``). Their rows are not applied.
    aborted: int
    #: The number of rows that changed the dataset, that is added a missing quad or deleted an existing one. ``None`` for a
    #: server, which does not report it.
    changed: Optional[int] = None

    def __str__(self) -> str:
        aborted = f", {self.aborted:,} aborted" if self.aborted else ""
        rows = self.added + self.deleted
        changed = "" if self.changed in (None, rows) else f"; {self.changed:,} of {counted(rows, 'row')} changed the dataset"
        return f"{counted(self.patches, 'patch', 'patches')} applied (+{self.added:,} -{self.deleted:,}){aborted}{changed}"


class Dataset(Closing):
    """A Jena dataset: in memory, in a TDB2 folder, or on a server. A context manager. Use it from one thread at a time.

    >>> with Dataset.open("mem:") as dataset:
    ...     dataset.update('INSERT DATA { <urn:s> <urn:p> "chat"@fr }')
    ...     dataset.select("SELECT ?o { ?s ?p ?o }")
    ...     len(dataset)
    [{'o': '"chat"@fr'}]
    1

    Terms are text in canonical N-Triples, as in change rows.
    """

    def __init__(self, door: object = None, store: Any = None, uri: str = "") -> None:
        self._door = opened(door, self)
        self._store = store
        self._uri = uri

    @staticmethod
    def open(
        uri: str,
        *,
        spark: Optional[SparkSession] = None,
        options: Optional[ServerOptions] = None,
        positions: bool = False,
    ) -> Dataset:
        """Opens a dataset. A dataset on the local disk is created if there is none.

        If a Spark session runs in this process, the dataset lives in the JVM of its driver. Otherwise it lives in a JVM of this
        process.

        A dataset of a Fuseki server differs in some points. When a call returns, its changes are verified to be there, even if
        the server wrongly reports success. :meth:`dump` has no prefixes. Changes can't be captured. :meth:`update` is sent
        once, and raises an error if no answer arrives, whether it was executed or not. Queries and updates see the graph of
        positions.

        Args:
            uri: ``mem:`` (a new dataset in memory), ``tdb2:DIR`` (a TDB2 database in a local folder), ``http://host:3030/name``
                (a dataset of a Fuseki server; also https, and with ``user:password@``), or
                ``sparql:http://host/update?query=http://host/query`` (any SPARQL store, see ``docs/sparql-stores.md``).
            spark: the session whose driver holds the dataset; ``None`` = the active one, if any.
            options: connection options of a server. ``user`` with ``password`` or ``password_file``; or ``token`` or
                ``token_file`` (bearer); see ``docs/credentials.md`` for where they are looked up. ``authority`` is a PEM file
                of certificates that vouch for the server; ``certificate`` and ``certificate_key`` are those of this client.
                ``connect_timeout`` (10) and ``timeout`` (600) are in seconds, the second one for a whole answer. ``attempts``
                (5) is the largest number of times a request is sent. For servers without our module, ``lease_wait`` (45) is the
                number of seconds to wait for another sync, and ``break_lease`` takes over its lease.
            positions: treat the graph ``<urn:jellybridge:sync>`` like any other graph, to inspect or repair it. A dataset
                stores its sync positions there, which are not data. By default, queries, dumps, counts and DataFrames leave
                this graph out, and only calls such as :meth:`sync` change it. :meth:`position` reads it in any case; captures
                never contain it.

        Raises:
            UnreachableError: the server can't be reached, or is too busy.
            JellybridgeError: the URI is not one of these, the database can't be opened, the server rejects the request, the jar
                is missing or of another version, or the session is a Spark Connect session, which has no JVM here.
            ValueError: the URI is not text, or ``positions`` is not a bool.
        """
        check("text", uri=uri)
        check("True or False", positions=positions)
        if spark is None and only_connect():
            raise JellybridgeError(CONNECT)
        door = find_door(spark)
        _LOG.info("open dataset %s", hidden(uri))
        folder = tdb2_folder(uri)
        with door.errors():
            return Dataset(door, door.bridge.openDataset(uri if folder is None else TDB2 + folder, java_options(door, options), positions), hidden(uri))

    def apply(
        self,
        source: Union[PatchReadable, DataFrame],
        *,
        format: Optional[PatchFormat] = None,
        strict: bool = False,
        check_effective: Optional[bool] = None,
        progress: RowsProgress = True,
    ) -> ApplyReport:
        """Applies patches. All patches are checked first, then each is applied in its own transaction.

        If the check fails, nothing is applied. If the store fails, the patches before the failure stay, and the message says
        how many. No transaction is left open in either case. Rows of an aborted transaction (``TA``) are not applied; the rest
        of their patch is.

        >>> _ = write_patch("changes.jellyp", [
        ...     {"op": "TX"},
        ...     {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": "_:b0"},
        ...     {"op": "TC"},
        ...     {"op": "TX"},
        ...     {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": "<urn:o>"},
        ...     {"op": "TA"},
        ... ])
        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.apply("changes.jellyp")
        ...     len(dataset)
        ApplyReport(patches=1, transactions=1, added=1, deleted=0, aborted=1, changed=1)
        1

        Args:
            source: a patch file, a folder, or a DataFrame of change rows. A file is on the driver's disk, and its suffix says
                the format: ``.jellyp``, ``.rdfp`` or ``.trp``, optionally with ``.gz`` or ``.zst``. A folder is one that Spark
                wrote, with one file of patches. Other inputs of :func:`read_patch`, such as the result of :func:`diff`, work
                too. Pipes are copied first, since they are read twice. The rows of a DataFrame are sorted by ``patch`` and ``row``; without a column ``row``, they are
                taken in the order of the partitions. They go through a temporary file on the driver's disk, and never through
                Python.
            format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix, see :func:`read_patch`.
            strict: reject every violation of a MUST of Jelly-Patch, even those that other writers are known to commit.
            check_effective: before applying anything, reject patches with a row that deletes a missing quad or adds an existing
                one. ``None`` looks at deletions with blank nodes alone: if the dataset has other labels, the patch would leave
                its old nodes beside new ones. ``False`` looks at nothing. The quads of the patches are kept in memory. For a server, more than a hundred quads mean that the whole
                dataset is read, and others may change it before the patches arrive.
            progress: ``True`` draws a bar on a terminal or in a notebook. A function is called regularly and at the end with the number of ``A``
                and ``D`` rows applied so far, which is 0 during the check. If it raises an error, the work ends as with an
                interrupt: the running transaction is rolled back, and earlier ones stay.

        Raises:
            PatchFormatError: a patch breaks the format, is truncated, or does not fit the dataset.
            TextFormatError: likewise, for RDF Patch text.
            FileNotFoundError: there is no such file.
            JellybridgeError: the rows of a DataFrame have no order (two rows with the same ``patch`` and ``row``, or a null
                there), an op lacks a column, or the store failed.
        """
        check("True or False", strict=strict)
        check("True, False or None", check_effective=check_effective)
        store = self._open_store()
        check("text or None", format=format)
        if not hasattr(source, "_jdf"):
            if type(source).__name__ == "DataFrame":
                kind = f"{type(source).__module__}.DataFrame"
                raise TypeError(f"apply takes a DataFrame of a classic Spark session, and what read_patch reads; not a {kind}")
            with Source(source, patches=True, again=True, format=format) as opened:
                return self._apply_file(store, opened.place, format, strict, check_effective, progress)
        require_spark(self._door)
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
            file = os.path.join(folder, "changes.jellyp")
            with self._door.errors():
                changes: Any = source
                with described(changes.sparkSession, "write changes to apply"):
                    require_one_file_a_patch(changes)
                    self._door.java_class("io.jellybridge.SparkBridge").writeChanges(changes._jdf, file)
            return self._apply_file(store, FileLocation(file, file), None, strict, check_effective, progress)

    def _apply_file(
        self, store: Any, place: FileLocation, format: Optional[str], strict: bool, fits: Optional[bool], progress: RowsProgress
    ) -> ApplyReport:
        with self._door.errors():
            label = f"apply {os.path.basename(place.name)}"
            rows = {True: "all", False: "none", None: "blank"}[fits]
            counts = watched(
                self._door, label, lambda done: self._door.bridge.apply(store, *place[:2], format, strict, rows, done), progress
            )
            patches, transactions, added, deleted, aborted, changed = (int(count) for count in counts)
            return ApplyReport(patches, transactions, added, deleted, aborted, None if changed < 0 else changed)

    def sync(
        self,
        source: Union[PathLike, PatchLog, DataFrame],
        *,
        key: str = LOG_KEY,
        until: Union[str, int, None] = None,
        dry_run: bool = False,
        on_error: OnError = "stop",
        quarantine: Optional[PathLike] = None,
        batch_rows: int = BATCH_ROWS,
        batch_bytes: int = 64 << 20,
        batch_seconds: float = 10.0,
        net_effect: bool = False,
        progress: RowsProgress = True,
        source_options: Optional[ServerOptions] = None,
        allow_empty: bool = False,
    ) -> SyncReport:
        """Follows a source of patches: applies new patches in order, each exactly once.

        >>> with PatchLog.create("source") as log, Dataset.open("mem:") as dataset:
        ...     _ = write_patch("first.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("first.jellyp")
        ...     report = dataset.sync("source")
        ...     report.patches, report.skipped, dataset.sync("source").skipped, dataset.position() == f"<urn:uuid:{log.head.id}>"
        (1, 0, 1, True)

        Several patches share a transaction. The same transaction stores the dataset's new position: ``<key>
        <urn:jellybridge:position> id`` in the graph ``<urn:jellybridge:sync>``. If a process dies at any moment, the next call
        therefore continues at the right place. If two calls run at once, one gets an error.

        The dataset also stores a fingerprint of the last patch, and the next call compares it with the source. If that patch
        got more rows, the new rows are applied. It is an error, which names the patch, if that patch was replaced or rewritten,
        if a late file sorts before the position, or if a patch that was set aside has been mended. You may delete patches that
        were applied.

        If the patches have headers ``id`` and ``prev``, these define their order. Otherwise the natural order of the file names
        does (``log2`` before ``log10``). A gap, a fork, or a dataset that is at none of the patches is an error that names the
        patches, and nothing is applied.

        A log of 100,000 change rows or more goes into an empty TDB2 folder with Jena's bulk loader, in one step. The dataset
        stays empty until all of it is loaded.

        Args:
            source: a folder of patch files, one file, a patch log, by its address or open, or a DataFrame of change rows whose patches have ids. Patch
                files end with ``.jellyp``, ``.rdfp`` or ``.trp``, optionally with ``.gz`` or ``.zst``, or are named like Jena's
                logs, such as ``.rdfp.0001`` and ``.rdfp-2026-11-25``. A patch log may be on a Fuseki with jellybridge
                (``http://…``), behind ``jellybridge serve`` (``grpc://…``) or, with Spark, on HDFS or S3 (``hdfs://…``, ``s3a://…``).
            key: the IRI, with or without ``< >``, under which the dataset stores its position. A dataset may follow several sources.
            until: the last patch to apply: its id (a UUID, or a term as in its header), its name (``FILE#NUMBER``), or its version in
                a log, such as ``2`` or ``"2"``.
            dry_run: report what would be applied, and apply nothing.
            on_error: the reaction to a patch that can't be read or that no dataset may hold. ``"stop"`` stops after the patches
                before it. ``"quarantine"`` sets it aside and continues.
            quarantine: the folder for such patches, each with a text file that gives the reason.
            batch_rows: change rows per transaction. A patch is never split.
            batch_bytes: bytes of patches per transaction, as stored.
            batch_seconds: transactions become smaller if the dataset needs longer than this for one.
            net_effect: apply only the last operation on each quad of a transaction. For a DataFrame, Spark computes the net
                effect of all rows, which become one transaction.
            progress: ``True`` draws a bar on a terminal or in a notebook. A function is called regularly and at the end with the number of
                change rows so far.
            source_options: connection options of a patch log on a server, as in :meth:`PatchLog.open`.
            allow_empty: accept a folder without any patch file. An empty folder is accepted anyway if the dataset has a
                position, since you may delete applied patches.

        Raises:
            UnreachableError: the server of the dataset or of the log can't be reached, or is too busy.
            JellybridgeError: the source has no patch, has a gap, forks, or is not the one that the dataset follows; an applied
                patch was replaced; another process moved the dataset at the same time; or the store failed. Patches that were
                applied before stay.
            PatchFormatError: a patch breaks its format, with ``on_error="stop"``.
            TextFormatError: likewise, for RDF Patch text.
            FileNotFoundError: there is no such folder.
            ValueError: an option has a value of the wrong kind.
        """
        source, source_options = named_log(source, source_options)
        return sync(
            self._door, self._open_store(), source, key=key, until=until, dry_run=dry_run, on_error=on_error,
            quarantine=quarantine, batch_rows=batch_rows, batch_bytes=batch_bytes, batch_seconds=batch_seconds,
            net_effect=net_effect, progress=progress, source_options=source_options, allow_empty=allow_empty,
        )

    def follow(
        self,
        source: Union[PathLike, PatchLog],
        *,
        poll_seconds: float = 1.0,
        stop: Optional[threading.Event] = None,
        metrics: Union[int, str, None] = None,
        key: str = LOG_KEY,
        on_error: OnError = "stop",
        quarantine: Optional[PathLike] = None,
        batch_rows: int = BATCH_ROWS,
        batch_bytes: int = 64 << 20,
        batch_seconds: float = 10.0,
        net_effect: bool = False,
        progress: RowsProgress = False,
        source_options: Optional[ServerOptions] = None,
        allow_empty: bool = False,
    ) -> Iterator[SyncReport]:
        """Follows a source until you stop it: syncs again and again, and yields a report whenever something was applied.

        >>> with PatchLog.create("followed") as log, Dataset.open("mem:") as dataset:
        ...     _ = write_patch("next.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("next.jellyp")
        ...     for report in dataset.follow("followed"):
        ...         print(report.patches)
        ...         break
        1

        Each report is also a line of the logger ``jellybridge.follow``. A log of a Fuseki answers as soon as it has a new
        version. For other sources, if nothing is new, the pauses grow up to ``poll_seconds``. If a server can't be reached, they
        grow up to a minute, and each failure is a warning of that logger. Pauses vary at random, so that many followers do not ask
        at the same moment.

        To stop between two syncs, leave the loop, or set the event from another thread or a signal handler. Each sync is
        exact, so you may also kill the process.

        Args:
            source: a folder of patch files or a patch log, as in :meth:`sync`.
            poll_seconds: the longest pause between two looks at a source that can't wait for a new version.
            stop: ends the loop once it is set.
            metrics: a port, at which this machine can read the state at ``/metrics``, for Prometheus, and at ``/health``;
                ``HOST:PORT`` for others. The logger names the port that 0 found.
            key: as in :meth:`sync`, like all other arguments.
            on_error: as there.
            quarantine: as there.
            batch_rows: as there.
            batch_bytes: as there.
            batch_seconds: as there.
            net_effect: as there.
            progress: as there.
            source_options: as there.
            allow_empty: as there.

        Raises:
            JellybridgeError: as in :meth:`sync`, except that the loop goes on after an ``UnreachableError``, and where a log that was
                opened before can't be opened, such as for a token file that is missing; the port is in use.
            ValueError: an option has a value of the wrong kind.
        """
        check("a number", poll_seconds=poll_seconds)
        if not poll_seconds > 0:
            raise ValueError(f"poll_seconds={poll_seconds}: must be above 0")
        source, source_options = named_log(source, source_options)
        state = FollowerState(poll_seconds + 2 * LONGEST_WAIT)
        reports = follow(
            lambda: self.sync(
                source, key=key, on_error=on_error, quarantine=quarantine, batch_rows=batch_rows, batch_bytes=batch_bytes,
                batch_seconds=batch_seconds, net_effect=net_effect, progress=progress, source_options=source_options,
                allow_empty=allow_empty,
            ),
            hidden(os.fspath(source)), poll_seconds=poll_seconds, stop=stop, state=state,
            wait=waiting(self._door, source, source_options),
        )
        if metrics is None:
            return reports
        parse_address(metrics)
        return with_metrics(reports, metrics, hidden(self._uri), state)

    def lag(self, log: Union[PathLike, PatchLog], *, key: str = LOG_KEY, log_options: Optional[ServerOptions] = None) -> Lag:
        """Returns how far this dataset is behind a patch log. Changes nothing.

        >>> with PatchLog.create("ahead") as log, Dataset.open("mem:") as dataset:
        ...     _ = write_patch("later.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("later.jellyp")
        ...     dataset.lag("ahead").patches
        1

        It reads the patches that are to be applied, as a dry run does. So it also finds the error at which a sync would stop.

        Args:
            log: a patch log in a folder or on a server, by its address or open.
            key: the IRI under which the dataset stores its position.
            log_options: connection options of a log on a server.

        Raises:
            UnreachableError: the server of the dataset or of the log can't be reached.
            JellybridgeError: there is no such log.
        """
        log, log_options = named_log(log, log_options)
        return lag(self, log, key=key, log_options=log_options)

    def publish(
        self,
        source: Snapshot,
        *,
        graph: Optional[str] = None,
        log: Union[PathLike, PatchLog, None] = None,
        blank_nodes: BlankNodes = "structure",
        max_delete: Union[str, int, None] = None,
        guards: Union[str, Sequence[str]] = (),
        author: Optional[str] = None,
        message: Optional[str] = None,
        time: Union[datetime, str, None] = None,
        headers: Optional[Mapping[str, str]] = None,
        shapes: Optional[Readable] = None,
        shapes_report: Optional[PathLike] = None,
        allow_empty: Union[PathLike, Sequence[Statements]] = (),
        dry_run: bool = False,
        patch: Optional[Writable] = None,
        verify: bool = True,
        format: Optional[str] = None,
        strict: bool = False,
        progress: RowsProgress = True,
        log_options: Optional[ServerOptions] = None,
        bad_statements: Optional[PathLike] = None,
        max_bad: Union[str, int, None] = None,
        **options: Unpack[ReadOptions],
    ) -> PublishReport:
        """Makes the dataset equal to a snapshot with the smallest change.

        The dataset is compared with the snapshot. The difference is one patch, which is applied in one transaction. Concurrent
        readers see the old state until then. If there is no difference, nothing is written. If the process is killed at any
        moment, the dataset has the old or the new state, and you may repeat a failed call.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.publish(b'<urn:s> <urn:p> "old" .', format="turtle")
        ...     dataset.publish(b'<urn:s> <urn:p> "new" ; <urn:q> "more" .', format="turtle")
        ...     dataset.publish(b'<urn:s> <urn:p> "new" ; <urn:q> "more" .', format="turtle").changed
        PublishReport(before=0, deleted=0, added=1, quads=1, version=None, unsettled=0, bad=0, positions=0)
        PublishReport(before=1, deleted=1, added=2, quads=2, version=None, unsettled=0, bad=0, positions=0)
        False

        Both sides are compared in memory if they fit into a part of the heap, and in temporary files otherwise. So only the
        disk limits their size. The prefixes of files are set, and none is deleted. The graph ``<urn:jellybridge:sync>`` is left out, with a warning if a
        file contains it, as the export of a store may.

        Args:
            source: the snapshot: a file or another input of :func:`convert`; a DataFrame of quads; a list of these, which
                together are one snapshot; or a mapping from the IRI of a graph, with or without ``< >``, to its content.
            graph: the IRI, with or without ``< >``, of the graph that the snapshot replaces, or ``"default"`` for the default
                graph; other graphs stay. Without it, and without a mapping, the snapshot replaces the whole dataset; if all its
                files are in a format of triples, such as Turtle, it replaces the default graph.
            log: a :class:`PatchLog`, by its address or open, that the dataset follows. The call first applies new patches
                of the log by :meth:`sync`. It then appends the difference to the log, and applies it by :meth:`sync`. A dataset
                that was changed without its log is rejected. The check compares a hash from the last publication; if there is
                none, it compares the dataset with the log. That is not possible over gRPC, where a dataset whose last publication
                was without a log is rejected.
            blank_nodes: ``"structure"`` matches blank nodes by the statements about them, whatever their labels. Each file has
                blank nodes of its own, and unchanged ones keep their label in the dataset. ``"label"`` matches blank nodes of
                the same label, also across files.
            max_delete: reject a difference that deletes more than this, a number of quads or a share such as ``"20%"``. If the
                snapshot is one file, a limit that allows deleting all quads also allows an empty file.
            guards: limits for statements of some kinds, such as ``"rdf:type skos:Concept -1%"``, ``"skos:prefLabel -10"`` or
                ``"graph <urn:g> +50%"``: a predicate, a predicate and an object, or a graph, and how much of it may be lost or
                come. The numbers before and after are compared, so a replaced label is no loss. Prefixes are those of the files
                and of well-known vocabularies.
            author: with ``log``, the header ``author`` of the difference.
            message: with ``log``, its header ``message``. :meth:`PatchLog.entries` shows both.
            time: with ``log``, its header ``time``, such as the day of the release; ``None`` = now.
            headers: with ``log``, its other headers, as in :meth:`PatchLog.append`.
            shapes: a file of SHACL shapes. A difference is rejected if a focus node violates a shape then, and a statement about
                the node was added or deleted, or about a blank node that belongs to it. Results of a lower severity are in the
                report. Nodes that don't change are not checked. The published graphs are checked together, in memory.
            shapes_report: a file for SHACL's own report of these nodes, in Turtle.
            allow_empty: the files (given as in ``source``) or graphs that may be empty. Any other empty one is rejected if its
                graph, or without a graph the dataset, would lose quads.
            dry_run: compute the difference, and change nothing. With ``log``, the difference is to the present dataset, without
                new patches of the log.
            patch: a file of patches for the difference. If there is none, its transaction is empty.
            verify: for a server, whose data others may change meanwhile: read the whole dataset again after a change, and
                compare it with the snapshot. ``False`` compares only the numbers of quads. That is fast, but does not notice if
                another client replaces one quad by another.
            format: the format of files, as in :func:`convert`; ``None`` = by their suffixes.
            strict: as in :func:`convert`.
            progress: ``True`` draws a bar on a terminal or in a notebook. A function is called regularly and at the end with the number of rows
                applied so far. If it raises an error, the work ends and nothing is changed.
            log_options: connection options of a log on a server, as in :meth:`PatchLog.open`.
            bad_statements: a file for bad statements, as in :func:`convert`. The other statements are published.
            max_bad: as in :func:`convert`.
            options: reading options, as in :func:`convert`.

        Raises:
            JellybridgeError: the difference deletes more than ``max_delete`` or a guard allows, or violates a shape, a file is
                empty, another publication came in between, other clients changed the server's dataset meanwhile, the dataset was
                changed without its log, or the store failed.
            UnreachableError: a server can't be reached, or is too busy.
            PatchFormatError: a Jelly file breaks its format; nothing was changed.
            TextFormatError: likewise, for N-Quads or N-Triples.
            FileNotFoundError: there is no such file.
            ValueError: an option has a value of the wrong kind.
            TypeError: an input can't be read.
        """
        if log is not None:
            log, log_options = named_log(log, log_options)
        report = publish(
            self._door, self._open_store(), source, graph=graph, format=format, blank_nodes=blank_nodes,
            max_delete=max_delete, guards=guards, shapes=shapes, shapes_report=shapes_report, author=author, message=message,
            time=time, headers=headers, allow_empty=allow_empty, log=log,
            log_options=log_options, patch=patch, dry_run=dry_run, verify=verify, strict=strict,
            progress=progress, bad_statements=bad_statements, max_bad=max_bad, options=options, follow=self.sync,
        )
        if report.positions:
            warnings.warn(of_positions(report.positions), stacklevel=2)
        return report

    def verify(
        self, log: Union[PathLike, PatchLog], *, key: str = LOG_KEY, log_options: Optional[ServerOptions] = None,
        progress: RowsProgress = True,
    ) -> DatasetVerification:
        """Compares the dataset with a log, at the version that the dataset is at. Changes nothing.

        The numbers of quads and their hashes are compared first. If they differ, the quads are compared one by one. Prefixes
        are not compared.

        >>> with Dataset.open("mem:") as dataset, PatchLog.create("replicated") as log:
        ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("one.jellyp")
        ...     _ = dataset.sync("replicated")
        ...     dataset.verify("replicated").ok
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> 5 }")
        ...     dataset.verify("replicated").surplus_quads
        True
        ('<urn:s> <urn:p> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .',)

        Args:
            log: the log, by its address, see :class:`PatchLog`, or open.
            key: the key of the dataset's position, as in :meth:`sync`.
            log_options: connection options of a log on a server, as in :meth:`PatchLog.open`.
            progress: ``True`` draws a bar on a terminal or in a notebook. A function is called regularly with the number of rows read.

        Raises:
            JellybridgeError: the dataset is at no version of the log, or was synced meanwhile; the log no longer has the
                patches for that version; or the log or the dataset can't be read.
        """
        key = as_iri("key", key)
        log, log_options = named_log(log, log_options)
        store = self._open_store()
        with PatchLog._get("open", log, log_options, self._door) as opened, opened._call() as java:
            return compare(self._door, java, store, key, progress)

    def adopt(
        self, log: Union[PathLike, PatchLog], *, version: Optional[int] = None, key: str = LOG_KEY, log_options: Optional[ServerOptions] = None,
        progress: RowsProgress = True
    ) -> DatasetVerification:
        """Puts a dataset that has data at a version of a log, if it holds what the log says there.

        Its data stay as they are. From then on, :meth:`publish` and :meth:`sync` go on from that version. A position in another
        log is replaced.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        ...     dataset.dump("state.nq")
        ...     PatchLog.create("begun", state="state.nq").close()
        ...     print(dataset.adopt("begun"))
        ...     print(dataset.publish(b"<urn:s> <urn:p> 5 .", format="turtle", log="begun"))
        at version 1, 1 quad, as the log
        changed (+1 -1 of 1), 1 quad, version 2

        Args:
            log: as in :meth:`verify`. To begin one, use :meth:`PatchLog.create` with a dump of this dataset as ``state``.
            version: the version; ``None`` = the head.
            key: the key of the dataset's position, as in :meth:`sync`.
            log_options: as in :meth:`verify`.
            progress: as in :meth:`verify`.

        Raises:
            JellybridgeError: the dataset holds something else, and the message names the first quads that differ; the log has no
                such version; or the log or the dataset can't be read. The position is unchanged then.
        """
        key = as_iri("key", key)
        log, log_options = named_log(log, log_options)
        store = self._open_store()
        with PatchLog._get("open", log, log_options, self._door) as opened, opened._call() as java:
            found = adopt(self._door, java, opened._address, store, key, version, progress)
        if key == LOG_KEY:
            note_adopted(self._door, store)
        return found

    def position(self, key: str = LOG_KEY) -> Optional[str]:
        """Returns the position of the dataset in the source that it follows under a key, see :meth:`sync`.

        The position is the id of the last patch, or its name as a literal. ``None`` if nothing was applied yet.
        """
        key = as_iri("key", key)
        store = self._open_store()
        with self._door.errors():
            found = store.readPosition(key)
        return None if found is None else str(found)

    def query(self, sparql: str, *, service: bool = False, timeout: Optional[float] = None) -> QueryResult:
        """Runs a SPARQL query of any kind. :meth:`select`, :meth:`ask` and :meth:`construct` are for one kind each, so that a type
        checker knows what they give.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> 1 }")
        ...     dataset.query("ASK { <urn:s> ?p ?o }")
        ...     dataset.query("CONSTRUCT { ?s <urn:q> ?s } WHERE { ?s ?p ?o }")
        True
        [('<urn:s>', '<urn:q>', '<urn:s>')]

        Args:
            sparql: the query.
            service: allow ``SERVICE`` in a dataset of this process. ``SERVICE`` can send requests to any network address with
                the rights of this process. A server decides by itself.
            timeout: the time limit in seconds. ``None`` = no limit, and for a server the one in its options.

        Returns:
            Lists are shown as tables in a notebook. For SELECT, a list of dicts by variable name, with ``None`` for unbound variables. For ASK, a bool. For CONSTRUCT
            and DESCRIBE, a list of tuples of three terms; for Jena's CONSTRUCT with GRAPH, of four, where ``None`` is the
            default graph.

        Raises:
            JellybridgeError: the query has a syntax error, whose place is in the message; it has ``SERVICE`` without
                ``service=True``; or it exceeded the time limit.
        """
        return result_of(self._answer(sparql, service=service, timeout=timeout))

    def select(self, sparql: str, *, service: bool = False, timeout: Optional[float] = None) -> Bindings:
        """Runs a SELECT.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> 1, 2 }")
        ...     for row in dataset.select("SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s"):
        ...         print(row["s"], row["n"])
        <urn:s> "2"^^<http://www.w3.org/2001/XMLSchema#integer>

        Args:
            sparql: the query.
            service: as for :meth:`query`.
            timeout: likewise.

        Returns:
            A list of dicts, by the names of the variables; ``None`` where one is not bound. A notebook shows it as a table.

        Raises:
            ValueError: it is a query of another kind.
            JellybridgeError: as for :meth:`query`.
        """
        return self._of_kind(Bindings, "SELECT", sparql, service, timeout)

    def ask(self, sparql: str, *, service: bool = False, timeout: Optional[float] = None) -> bool:
        """Runs an ASK.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.ask("ASK { ?s ?p ?o }")
        False

        Args:
            sparql: the query.
            service: as for :meth:`query`.
            timeout: likewise.

        Raises:
            ValueError: it is a query of another kind.
            JellybridgeError: as for :meth:`query`.
        """
        return self._of_kind(bool, "ASK", sparql, service, timeout)

    def construct(self, sparql: str, *, service: bool = False, timeout: Optional[float] = None) -> Triples:
        """Runs a CONSTRUCT or DESCRIBE that gives triples.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        ...     for subject, predicate, object in dataset.construct("CONSTRUCT { ?o ?p ?s } { ?s ?p ?o }"):
        ...         print(subject, predicate, object)
        <urn:o> <urn:p> <urn:s>

        Args:
            sparql: the query. :meth:`query` runs Jena's CONSTRUCT with GRAPH, which gives quads.
            service: as for :meth:`query`.
            timeout: likewise.

        Returns:
            A list of tuples of three terms. A notebook shows it as a table.

        Raises:
            ValueError: it is a query of another kind.
            JellybridgeError: as for :meth:`query`.
        """
        return self._of_kind(Triples, "CONSTRUCT or DESCRIBE", sparql, service, timeout)

    def _of_kind(self, kind: Type[T], name: str, sparql: str, service: bool, timeout: Optional[float]) -> T:
        found = result_of(self._answer(sparql, service=service, timeout=timeout))
        if not isinstance(found, kind):
            call = {Bindings: "select", bool: "ask", Triples: "construct", Quads: "query"}[type(found)]
            raise ValueError(f"the query is no {name}: run it by {call}, or one of any kind by query")
        return found

    def _answer(self, sparql: str, *, service: bool, timeout: Optional[float]) -> Dict[str, Any]:
        """Returns the result of a query as JSON of the Java side, which names the variables even if there are no rows."""
        check("text", sparql=sparql)
        store = self._open_store()
        with self._door.errors():
            found: Dict[str, Any] = json.loads(str(store.runQuery(sparql, self._limits(False, service, timeout))))
        return found

    def _limits(self, load: bool, service: bool, timeout: Optional[float]) -> Any:
        """Checks and returns the permissions and the time limit of a query or an update."""
        check("True or False", load=load, service=service)
        if timeout is not None:
            check("a number", timeout=timeout)
            if not 0 < timeout < _MAX_SECONDS:
                raise ValueError(f"timeout={timeout!r}: must be more than 0 and less than {_MAX_SECONDS} seconds")
        limits = self._door.java_class("io.jellybridge.jena.data.SparqlLimits")
        return limits.of(load, service, float(timeout or 0))

    def update(
        self, sparql: str, *, load: bool = False, service: bool = False, timeout: Optional[float] = None
    ) -> None:
        """Runs a SPARQL update in one transaction.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        ...     len(dataset)
        1

        Args:
            sparql: the update, of one or more operations.
            service: as for :meth:`query`.
            timeout: as for :meth:`query`. Waiting for another writer does not count.
            load: allow ``LOAD``, which reads any file or network address with the rights of the executing process, here or on
                the server. Leave it off if others may write the update. :meth:`load` reads a file without it.

        Raises:
            JellybridgeError: the update has a syntax error, has ``LOAD`` without ``load=True`` or ``SERVICE`` without
                ``service=True``, exceeded the time limit, or failed. A dataset of this process is unchanged then.
        """
        check("text", sparql=sparql)
        store = self._open_store()
        with self._door.errors():
            store.update(sparql, self._limits(load, service, timeout))

    def load(
        self,
        source: Readable,
        *,
        format: Optional[str] = None,
        graph: Optional[str] = None,
        base: Optional[str] = None,
        remote_contexts: bool = False,
        bad_statements: Optional[PathLike] = None,
        max_bad: Union[str, int, None] = None,
        max_frame_bytes: Optional[int] = None,
        max_table_size: Optional[int] = None,
        max_term_bytes: Optional[int] = None,
        max_table_bytes: Optional[int] = None,
    ) -> LoadReport:
        """Adds the triples or quads of an RDF file, in one transaction.

        The suffix of the file says its format: ``.nt``, ``.nq``, ``.ttl``, ``.trig``, ``.rdf``, ``.jsonld``, ``.jelly``, …;
        each also with ``.gz``, ``.zst`` or ``.bz2``. Blank node labels are preserved in ``.nt``, ``.nq`` and ``.jelly``.
        Statements of the graph ``<urn:jellybridge:sync>``, which the export of a store may have, are left out with a warning.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.load(b"<urn:s> <urn:p> <urn:o> .", format="ttl")
        ...     len(dataset)
        LoadReport(statements=1, bad=0, positions=0)
        1

        Args:
            source: a path or ``file:`` URL; an ``https:`` or ``http:`` URL, which is downloaded first; a file open for reading
                bytes; or bytes.
            format: the suffix of a format, such as ``"ttl"``; ``None`` = that of the name. It is required for bytes, and for an
                open file whose name has no suffix.
            graph: the IRI, with or without ``< >``, of the graph for triples, or ``"default"`` for the default graph; a statement of
                another graph is an error. ``None`` = the default graph for triples, and all graphs of the file.
            base: the base IRI. ``None`` = the IRI of the file or URL; for a file, with a warning if a relative IRI uses it.
            remote_contexts: let JSON-LD load the contexts that it names, from the network and from files.
            bad_statements: as in :func:`convert`. Statements that the dataset can't hold are bad too.
            max_bad: as in :func:`convert`.
            max_frame_bytes: the limit of a line of N-Quads or N-Triples and of a frame of Jelly; ``None`` = 16 MiB.
            max_table_size: a limit of Jelly, as in :func:`convert`.
            max_term_bytes: likewise.
            max_table_bytes: likewise.

        Raises:
            FileNotFoundError: there is no such file.
            PatchFormatError: a ``.jelly`` file breaks its format. Nothing is added.
            TextFormatError: a file breaks another format. Nothing is added.
            JellybridgeError: the file does not match its suffix, or a URL can't be downloaded completely. Nothing is added.
            ValueError: the format is required and missing.
            TypeError: the source can't be read as bytes.
        """
        require_own_file("bad_statements", bad_statements, [source])
        with BadStatements(bad_statements, max_bad, self._door) as bad:
            return self._load(
                source, bad, format, graph, base=base, remote_contexts=remote_contexts, max_frame_bytes=max_frame_bytes,
                max_table_size=max_table_size, max_term_bytes=max_term_bytes, max_table_bytes=max_table_bytes,
            )

    def _load(
        self, source: Readable, bad: BadStatements, format: Optional[str], graph: Optional[str], remote_contexts: bool = False,
        **options: Any
    ) -> LoadReport:
        check("text or None", format=format)
        graph = None if graph is None else graph_name("graph", graph)
        check("True or False", remote_contexts=remote_contexts)
        given = file_options({"remote_contexts": remote_contexts, **options})
        store = self._open_store()
        before = bad.count
        with Source(source, format=format) as opened:
            with self._door.errors():
                reading = self._door.java_class("io.jellybridge.ConvertBridge").options(java_options(self._door, given))
                here, statements, positions = self._door.bridge.load(
                    store, *opened.place[:2], opened.base, format, graph, reading, bad.java
                )
            bad.is_kept = bad.count > 0
            if here:
                warnings.warn(of_place(int(here)), stacklevel=3)
            if positions:
                warnings.warn(of_positions(int(positions)), stacklevel=3)
            return LoadReport(int(statements), bad.count - before, int(positions))

    def dump(self, target: Writable, *, format: Optional[str] = None, graph: Optional[str] = None) -> None:
        """Writes the whole dataset, or one graph, to a file, which appears complete or not at all.

        The suffix of the file says the format, as in :meth:`load`. ``.jelly`` becomes a flat stream of quads, with the
        dataset's prefixes.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }")
        ...     dataset.dump("all.nq")
        >>> print(open("all.nq").read(), end="")
        <urn:s> <urn:p> <urn:o> <urn:g> .

        Args:
            target: a path, a ``file:`` URL, or a file open for writing bytes, which gets its bytes at the end.
            format: the suffix of a format, such as ``"trig"``; ``None`` = that of the name.
            graph: the IRI, with or without ``< >``, of the graph that is written, as triples, or ``"default"`` for the default
                graph; ``None`` = all graphs.

        Raises:
            JellybridgeError: the format is unknown or can't hold a dataset, or the file can't be written.
            FileNotFoundError: there is no such folder.
            ValueError: the format is required and missing.
            TypeError: the target can't be written to.
        """
        check("text or None", format=format)
        self._open_store()
        with target_file(target, format) as file:
            self._dump(file, format, graph)

    def _dump(self, file: str, format: Optional[str], graph: Optional[str]) -> int:
        """Writes the dataset to a path, or to standard output for ``-``. Returns the number of statements."""
        graph = None if graph is None else graph_name("graph", graph)
        store = self._open_store()
        with self._door.errors():
            return int(self._door.bridge.dump(store, file, format, graph))

    def capture(
        self,
        log: PathLike,
        *,
        effective_only: bool = False,
        aborted: Aborted = "skip",
        max_bytes: int = MAX_BYTES,
        max_patches: Optional[int] = None,
        max_seconds: float = MAX_SECONDS,
        fsync: bool = True,
        position: Optional[str] = CAPTURE_KEY,
        author: Optional[str] = None,
        message: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Capture:
        """Writes all changes of the dataset from now on to a log of Jelly-Patch.

        Each transaction with changes becomes a patch with the headers ``id``, ``prev`` (the id of the patch before) and
        ``time``.

        >>> with Dataset.open("mem:") as dataset:
        ...     with dataset.capture("captured.jellyp"):
        ...         dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        >>> [row.name or row.op for row in read_patch("captured.jellyp")]
        ['id', 'time', 'TX', 'A', 'TC']

        The capture ends with the block, even after an exception. Without a block, it ends when you close it or the dataset. The
        log has every transaction that was committed before. See ``docs/capture.md``.

        Args:
            log: a new file whose name ends with ``.jellyp``, which appears when the capture ends. Otherwise the folder of a
                :class:`PatchLog`, which is created or continued. Nothing else may append to it during the capture. Committed
                transactions are in it even after a crash; the next writer completes it.
            effective_only: leave out operations without effect, such as adding an existing quad, so that the log can be undone.
                By default all operations are written.
            aborted: ``"skip"`` omits transactions that did not commit. ``"record"`` writes them as patches that end with
                ``TA``.
            max_bytes: for a folder: a file ends with the patch that brings it to this size.
            max_patches: for a folder: a file ends after this many patches; ``None`` = no limit.
            max_seconds: for a folder: a file ends this long after its first patch. Others can read its patches once it has
                ended.
            fsync: for a folder: a commit waits until its patch is on the disk, so that it survives a power failure. Otherwise
                it survives a crash of the process only.
            position: for a folder: the IRI under which the dataset stores the id of its last patch, in the graph
                ``urn:jellybridge:sync``. With it, the next capture knows whether log and dataset belong together, and aligns
                them after a crash. ``None`` = not stored.
            author: the header ``author`` of each patch; ``None`` = none.
            message: its header ``message``, likewise.
            headers: its other headers, as in :meth:`PatchLog.append`.

        Returns:
            The capture, a context manager with the number of patches, the id of the last one, ``rotate()`` and ``close()``.

        Raises:
            JellybridgeError: the file exists, a capture of this dataset or into this folder is running, the log belongs to
                another dataset, it can't be written, or the dataset is on a server, which others change too.
            ValueError: an option has a value of the wrong kind, or the log is not on this machine.
        """
        if aborted not in ("skip", "record"):
            raise ValueError(f'aborted={aborted!r}: give "skip" or "record"')
        check("True or False", effective_only=effective_only, fsync=fsync)
        said = header_texts(author, message, headers)
        check("a whole number of 64 bits", max_bytes=max_bytes)
        check("a whole number of 32 bits", max_patches=1 if max_patches is None else max_patches)
        check("a number", max_seconds=max_seconds)
        position = None if position is None else as_iri("position", position)
        if not 0.001 <= max_seconds <= 10**9:
            raise ValueError(f"max_seconds={max_seconds}: must be between 0.001 and 1000000000")
        check("at least 1", max_patches=1 if max_patches is None else max_patches)
        store = self._open_store()
        file = absolute(log)
        with self._door.errors():
            return Capture(self._door, self._door.bridge.startCapture(
                store, file, effective_only, aborted == "record", max_bytes, max_patches or 0, int(max_seconds * 1000), fsync, position,
                java_pairs(self._door, said),
            ), file)

    def compact(self) -> Tuple[int, int]:
        """Rewrites a TDB2 folder, which updates make larger and never smaller. The data and the positions stay.

        No transaction may run, and other code of this process may not have the folder open. It takes the time and the room of a second
        copy. If the process is killed meanwhile, the folder opens as before, and a part of the copy or the old generation, a folder ``Data-NNNN`` with a
        lower number, may be left.

        >>> with Dataset.open("tdb2:compacted") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        ...     before, after = dataset.compact()
        ...     len(dataset)
        1

        Returns:
            The bytes of the folder before and after.

        Raises:
            JellybridgeError: the dataset is no TDB2 folder, is in use, or the disk is full.
        """
        store = self._open_store()
        with self._door.errors():
            before, after = store.compact()
            return int(before), int(after)

    def to_dataframe(self, spark: SparkSession) -> DataFrame:
        """Returns all quads as a Spark DataFrame: ``subject``, ``predicate``, ``object``, ``graph`` (null = the default graph).

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        ...     dataset.to_dataframe(spark).select("subject", "graph").show()
        +-------+-----+
        |subject|graph|
        +-------+-----+
        |<urn:s>| NULL|
        +-------+-----+

        The rows are built in the driver's memory, as with ``spark.createDataFrame`` of a list. If the dataset is too large for
        it, :meth:`dump` N-Quads to a disk that the executors see, and read them with the format ``nquads``.

        Raises:
            JellybridgeError: the dataset lives in a JVM outside of Spark, and the session is not local.
        """
        store = self._open_store()
        if self._door.in_spark and hasattr(spark, "_jsparkSession"):
            from pyspark.sql import DataFrame

            with self._door.errors():
                quads = self._door.java_class("io.jellybridge.SparkBridge").quads(spark._jsparkSession, store)
                return DataFrame(quads, spark)
        return self._quads_by_file(store, spark)

    def _quads_by_file(self, store: Any, spark: SparkSession) -> DataFrame:
        if not (spark.conf.get("spark.master") or "").startswith("local"):
            raise JellybridgeError(
                "this dataset lives in a JVM outside of Spark, and only a session whose master is local can read its "
                "files: open the dataset after the Spark session was made, or dump it to a disk that the cluster sees"
            )
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
            file = os.path.join(folder, "quads.nq")
            with self._door.errors():
                self._door.bridge.dump(store, file, None, None)
            # A term may be as long as the dataset has it.
            quads = spark.read.schema(QUADS_SCHEMA).format("nquads").option("maxFrameBytes", (1 << 31) - 1).load(file)
            # The block deletes the file, so the DataFrame must keep the rows.
            return quads.localCheckpoint()

    def __len__(self) -> int:
        """Returns the number of quads, including those of the default graph."""
        store = self._open_store()
        with self._door.errors():
            return int(store.size())

    def __bool__(self) -> bool:
        """Returns True, even if the dataset is empty."""
        return True

    @property
    def closed(self) -> bool:
        """Returns whether the dataset is closed."""
        return self._store is None

    def close(self) -> None:
        """Closes the dataset. A dataset in memory is lost. You may close it twice."""
        store = self._store
        if store is not None:
            with self._door.errors():
                store.close()
            self._store = None

    def _open_store(self) -> Any:
        if self._store is None:
            raise JellybridgeError(f"the dataset {self._uri} is closed: open it again")
        return self._store

    def __repr__(self) -> str:
        return f"Dataset({self._uri!r}{', closed' if self.closed else ''})"

    def _repr_html_(self) -> str:
        """Returns what a notebook shows. To count quads could take long."""
        rows: List[List[Optional[str]]] = [["dataset", self._uri]]
        if self.closed:
            rows.append(["closed", "open it again"])
        else:
            try:
                rows.append(["position in the log", self.position() or "none"])
            except JellybridgeError as e:
                rows.append(["error", str(e)])
        return table(None, rows)
