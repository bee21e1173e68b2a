"""Jena datasets in Python, here or behind HTTP: apply patches, query, update, load, dump, capture."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Type, Union

from ._arguments import ServerOptions, check, java_options
from ._capture import CAPTURE_KEY, MAX_BYTES, MAX_SECONDS, Capture
from ._changes import QUADS_SCHEMA, require_one_file_a_patch
from ._doors import CONNECT, Door, find_door, only_connect
from ._checkpoints import DatasetVerification, compare
from ._convert import BadStatements, of_place, of_positions
from ._errors import JellybridgeError
from ._log import PatchLog
from ._places import TDB2, PathLike, Place, Readable, Source, Writable, absolute, target_file
from ._progress import RowsProgress, watched
from ._publish import PublishReport, Snapshot, Statements, publish
from ._redaction import hidden
from ._sync import BATCH_ROWS, LOG_KEY, SyncReport, sync

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LOG = logging.getLogger(__name__)
# Longer is for ever, and a number that Java has.
_MAX_SECONDS = 10**9

#: What a query returns: rows of a SELECT, the answer of an ASK, the triples (or quads) of a CONSTRUCT or DESCRIBE.
QueryResult = Union[List[Dict[str, Optional[str]]], bool, List[Tuple[Optional[str], ...]]]


@dataclass(frozen=True)
class LoadReport:
    """What :meth:`Dataset.load` did."""

    #: How many statements were set aside, by ``bad_statements``.
    bad: int


@dataclass(frozen=True)
class ApplyReport:
    """What :meth:`Dataset.apply` did."""

    #: How many patches there were.
    patches: int
    #: How many transactions of the patches were committed.
    transactions: int
    #: How many ``A`` rows of committed transactions, or outside of one, were applied.
    added: int
    #: Likewise of ``D`` rows.
    deleted: int
    #: How many transactions were aborted (``TA``); nothing of them arrives.
    aborted: int
    #: How many of the rows changed the dataset: added what was not there, or deleted what was. ``None``: a server does not tell.
    changed: Optional[int] = None


class Dataset:
    """A Jena dataset: in memory, in a TDB2 folder, or of a Fuseki server. A context manager; one thread at a time.

    >>> with Dataset.open("mem:") as dataset:
    ...     dataset.update('INSERT DATA { <urn:s> <urn:p> "chat"@fr }')
    ...     dataset.query("SELECT ?o { ?s ?p ?o }")
    ...     len(dataset)
    [{'o': '"chat"@fr'}]
    1

    Terms are text in canonical N-Triples, as in change rows.
    """

    def __init__(self, door: Door, store: Any, uri: str) -> None:
        """For :meth:`open` only."""
        self._door = door
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
        """Opens a dataset; one on the local disk is made where there is none.

        Where a Spark session runs in this process the dataset lives in its driver's JVM, else in a JVM of this process.

        A dataset of a Fuseki server differs in this: what changes it is known to have arrived when the call returns,
        also where the server answers that all was well and it was not; prefixes are not dumped; changes can't be
        captured; :meth:`update` is sent once, and raises when no answer came, whether it was done or not; queries and
        updates see the graph of positions.

        Args:
            uri: ``mem:`` (a new one, in memory), ``tdb2:DIR`` (a TDB2 database in a folder of the local disk), or
                ``http://host:3030/name`` (a dataset of a Fuseki server; also https, and with ``user:password@``), or
                ``sparql:http://host/update?query=http://host/query`` (any store that speaks SPARQL, see
                ``docs/sparql-stores.md``).
            spark: the session whose driver is to hold it; ``None`` = the active one, where there is one.
            options: of a dataset of a server: ``user`` and ``password`` or ``password_file``, or ``token`` or ``token_file``
                (bearer), see ``docs/credentials.md`` for where they are looked for; ``authority``, a PEM file of who vouches
                for the server, and ``certificate`` and ``certificate_key``, what is shown to it; ``connect_timeout`` (10) and ``timeout`` (600),
                in seconds, the second for a whole answer; ``attempts`` (5), how often a request is sent at most;
                ``lease_wait`` (45), seconds to wait for another sync, and ``break_lease``, at a server without our module.
            positions: whether the graph ``<urn:jellybridge:sync>`` is read and changed like any other, for who looks at it
                or repairs it. In it a dataset keeps how far it is itself, which is no data: else it is in no query, dump,
                count or DataFrame, and nothing but :meth:`sync` and its like changes it. :meth:`position` reads it anyway;
                captures never have it.

        Raises:
            UnreachableError: the server can't be reached, or is too busy.
            JellybridgeError: the URI is none of these, the database can't be opened, the server refuses, the jar is
                missing or of another version, or the session is of Spark Connect, which has no JVM here.
            ValueError: the URI is no text, or ``positions`` is neither True nor False.
        """
        check("text", uri=uri)
        check("True or False", positions=positions)
        if spark is None and only_connect():
            raise JellybridgeError(CONNECT)
        door = find_door(spark)
        _LOG.info("open dataset %s", hidden(uri))
        location = TDB2 + absolute(uri[len(TDB2):]) if uri.startswith(TDB2) and uri != TDB2 else uri
        with door.errors():
            return Dataset(door, door.bridge.openDataset(location, java_options(door, options), positions), hidden(uri))

    def apply(
        self,
        source: Union[Readable, DataFrame],
        *,
        format: Optional[str] = None,
        strict: bool = False,
        check_effective: bool = False,
        progress: RowsProgress = True,
    ) -> ApplyReport:
        """Applies patches: all of them are checked first, then each is applied in a transaction of its own.

        Where the check fails nothing is applied; where the store fails, the patches before stay and the message says
        how many. Either way no transaction is left open. What an aborted transaction (``TA``) holds does not arrive;
        the rest of its patch does.

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
            source: a file of the driver's disk, in the format of its suffix (``.jellyp``, ``.rdfp``, ``.trp``, with
                ``.gz`` or ``.zst`` after it or not), or a folder that Spark wrote with one ``.jellyp`` file in it; what
                else :func:`read_patch` reads, and a pipe, which are copied first, since they are read twice; or a
                DataFrame of change rows. Its rows are put in the order of ``patch`` and ``row`` (without a column
                ``row`` they are taken as its partitions have them), go through a temporary file on the driver's disk,
                and never through Python.
            format: ``jelly-patch``, ``rdf-patch`` or ``thrift``; ``None`` = by the suffix, see :func:`read_patch`.
            strict: refuse every broken MUST of Jelly-Patch, also those that other writers are known to break.
            check_effective: refuse patches that do not fit the dataset, before anything is applied: one of whose rows deletes
                what is not there, or adds what is. What they name is kept in memory, and where that is more than a hundred
                quads, all of a dataset on a server is read. Others may change that one before the patches arrive.
            progress: ``True`` draws a bar on a terminal; a function is called now and then, and at the end, with the
                number of ``A`` and ``D`` rows that were applied so far: 0 while the patches are checked. An error that
                it raises ends the work, as an interrupt does: the transaction that is under way is rolled back, those
                before it stay.

        Raises:
            PatchFormatError: a patch breaks the format, is cut off, or does not fit.
            TextFormatError: likewise, of RDF Patch text.
            FileNotFoundError: there is no such file.
            JellybridgeError: the rows of a DataFrame have no order (two with the same ``patch`` and ``row``, a null in
                these), a column that their op needs is missing, or the store failed.
        """
        check("True or False", strict=strict, check_effective=check_effective)
        store = self._open_store()
        check("text or None", format=format)
        if not hasattr(source, "_jdf"):
            if type(source).__name__ == "DataFrame":
                kind = f"{type(source).__module__}.DataFrame"
                raise TypeError(f"apply takes a DataFrame of a classic Spark session, and what read_patch reads; not a {kind}")
            with Source(source, patches=True, again=True, format=format) as opened:
                return self._apply_file(store, opened.place, format, strict, check_effective, progress)
        if not self._door.in_spark:
            raise JellybridgeError(
                "this dataset was opened before Spark was started, and lives in another JVM than the DataFrame: "
                "open the dataset after the Spark session was made"
            )
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
            file = os.path.join(folder, "changes.jellyp")
            with self._door.errors():
                changes: Any = source
                require_one_file_a_patch(changes)
                self._door.java_class("io.jellybridge.SparkBridge").writeChanges(changes._jdf, file)
            return self._apply_file(store, Place(file, file), None, strict, check_effective, progress)

    def _apply_file(
        self, store: Any, place: Place, format: Optional[str], strict: bool, fits: bool, progress: RowsProgress
    ) -> ApplyReport:
        with self._door.errors():
            label = f"apply {os.path.basename(place.name)}"
            counts = watched(
                self._door, label, lambda done: self._door.bridge.apply(store, *place, format, strict, fits, done), progress
            )
            patches, transactions, added, deleted, aborted, changed = (int(count) for count in counts)
            return ApplyReport(patches, transactions, added, deleted, aborted, None if changed < 0 else changed)

    def sync(
        self,
        source: Union[PathLike, DataFrame],
        *,
        key: str = LOG_KEY,
        until: Optional[str] = None,
        dry_run: bool = False,
        on_error: str = "stop",
        quarantine: Optional[PathLike] = None,
        batch_rows: int = BATCH_ROWS,
        batch_bytes: int = 64 << 20,
        batch_seconds: float = 10.0,
        net_effect: bool = False,
        progress: RowsProgress = True,
        source_options: Optional[ServerOptions] = None,
        allow_empty: bool = False,
    ) -> SyncReport:
        """Follows a source of patches: applies what is new, in order, each patch exactly once.

        Several patches go into one transaction, and with them the position that the dataset is at then:
        ``<key> <urn:jellybridge:position> id`` in the graph ``<urn:jellybridge:sync>``. So when this process or the
        dataset's dies at any moment, the next call goes on where the dataset is. Of two calls at once, one gets an error.

        Beside the position is what the last patch was. The next call compares it with the source: a patch that got more
        rows has those applied; one that was replaced or rewritten, a file that came late and sorts before the position, or
        a patch that was set aside and mended since, is an error that names it. What was applied may be taken away.

        Where the patches have headers ``id`` and ``prev``, these say in which order they follow each other; else it is
        the natural order of the file names (``log2`` before ``log10``). A gap, a fork, or a dataset that is at none of
        them is an error that names the patches, and nothing is applied.

        A long log (100,000 change rows) goes into an empty TDB2 folder by Jena's bulk loader, in one go: until all of it is
        there, the dataset is empty.

        Args:
            source: a folder of patch files (``.jellyp``, ``.rdfp``, ``.trp``, with ``.gz`` or ``.zst`` after it or not; or as
                Jena names the files of its logs, such as ``.rdfp.0001`` and ``.rdfp-2026-11-25``) or one file; a patch log on a
                server (``http://…`` one that a Fuseki with jellybridge serves, ``delta:http://…`` one of RDF Delta) or, where Spark runs, on HDFS (``hdfs://…``); or a DataFrame of change
                rows, whose patches have ids.
            key: the IRI under which the dataset keeps its position; a dataset may follow several sources.
            until: the id (in N-Triples) or the name (``FILE#NUMBER``) of the last patch to apply.
            dry_run: find out what would be applied, and apply nothing.
            on_error: what to do with a patch that can't be read or that no dataset may hold: ``"stop"`` after the patches
                before it, or ``"quarantine"``: set it aside and go on.
            quarantine: the folder that takes such patches, each with a text that says why.
            batch_rows: change rows of a transaction; a patch is never divided.
            batch_bytes: likewise, bytes as they are stored.
            batch_seconds: transactions get shorter when the dataset takes longer than this for one.
            net_effect: of each quad of a transaction, apply the last operation only. Of a DataFrame, Spark finds these out
                of all of it, which is one transaction then.
            progress: ``True`` draws a bar on a terminal; a function is called now and then, and at the end, with the
                number of change rows so far.
            source_options: of a patch log on a server: as in :meth:`PatchLog.open`.
            allow_empty: let the source be a folder in which nothing is a patch by its name. It may be an empty one in any case
                when the dataset has a position, since what was applied may be taken away.

        Raises:
            UnreachableError: the dataset's server, or that of the log, can't be reached, or is too busy.
            JellybridgeError: the source is a folder in which nothing is a patch, leaves a gap, forks or is not the one that the
                dataset follows; what was applied was replaced since; someone else moved the dataset at the same time; the store failed. What was applied before
                stays.
            PatchFormatError: a patch breaks its format, with ``on_error="stop"``.
            TextFormatError: likewise, of RDF Patch text.
            FileNotFoundError: there is no such folder.
            ValueError: an option has a value of the wrong kind.
        """
        return sync(
            self._door, self._open_store(), source, key=key, until=until, dry_run=dry_run, on_error=on_error,
            quarantine=quarantine, batch_rows=batch_rows, batch_bytes=batch_bytes, batch_seconds=batch_seconds,
            net_effect=net_effect, progress=progress, source_options=source_options, allow_empty=allow_empty,
        )

    def publish(
        self,
        source: Snapshot,
        *,
        graph: Optional[str] = None,
        log: Optional[PathLike] = None,
        blank_nodes: str = "structure",
        max_delete: Union[str, int, None] = None,
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
        **options: Union[str, int, bool],
    ) -> PublishReport:
        """Makes the dataset equal to a snapshot, by the smallest change: what it holds and the snapshot are compared, and the
        difference is one patch, applied in one transaction. Who reads meanwhile reads the old state, and where nothing
        differs, nothing is written. Killed at any moment, the dataset is the old or the new one; a call that failed may be
        made again.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.publish(b'<urn:s> <urn:p> "old" .', format="turtle")
        ...     dataset.publish(b'<urn:s> <urn:p> "new" ; <urn:q> "more" .', format="turtle")
        ...     dataset.publish(b'<urn:s> <urn:p> "new" ; <urn:q> "more" .', format="turtle").changed
        PublishReport(before=0, deleted=0, added=1, quads=1, version=None, unsettled=0, bad=0, positions=0)
        PublishReport(before=1, deleted=1, added=2, quads=2, version=None, unsettled=0, bad=0, positions=0)
        False

        Both sides are compared in temporary files where they do not fit into a part of the heap, so that their size is bounded
        by the disk alone. Prefixes are no part of it, nor is the graph ``<urn:jellybridge:sync>``: what a file has of it, as the
        export of a store may, is left out with a warning.

        Args:
            source: the snapshot: a file, or what else :func:`convert` reads; a DataFrame of quads; a list of these, which are
                one snapshot together; or a mapping of the IRIs of graphs to these, each the content of its graph.
            graph: the snapshot is the content of this graph, an IRI, and the others stay. Without, and without a mapping, the
                snapshot is the whole dataset.
            log: a :class:`PatchLog`, in a folder or on a server, that the dataset follows: the difference is appended to it,
                and reaches the dataset by a :meth:`sync`, as does before it what the log had new. A dataset that was changed
                past its log is refused: it is known by a hash of what it held after the last publication, or where it came to
                its version otherwise, by comparing it with the log, in a folder.
            blank_nodes: ``"structure"``: those of the snapshot are those of the dataset of which the same is said, whatever
                their labels, and each file has its own; what did not change keeps the label that it has in the dataset.
                ``"label"``: those of the same label, also of several files.
            max_delete: refuse to delete more than this, a number of quads or a share such as ``"20%"``. Where the snapshot is one
                file, a limit of all that is there also allows that it is empty.
            allow_empty: the files, each as it was given, or the graphs that may have no statement. Any other one without a
                statement is refused, where its graph, or without a graph the dataset, would lose quads.
            dry_run: find the difference, and change nothing. With ``log`` it is the one to what the dataset holds now, without
                what the log has new.
            patch: where to keep the difference, as a file of patches; where nothing differs, its transaction is empty.
            verify: of a dataset of a server, which others may change meanwhile: read all of it again after a change, and compare
                it with the snapshot. ``False``: compare the numbers of quads alone, which takes no time, and does not notice
                where others put one quad in the place of another.
            format: of files, as in :func:`convert`; ``None`` = by their suffixes.
            strict: as in :func:`convert`.
            progress: ``True`` draws a bar on a terminal; a function is called now and then, and at the end, with the number of
                rows that were applied so far. An error that it raises ends the work, and nothing is changed.
            log_options: of a log on a server: as in :meth:`PatchLog.open`.
            bad_statements: of files, as in :func:`convert`: what they say beside these is published.
            max_bad: likewise.
            options: how files are read, as in :func:`convert`.

        Raises:
            JellybridgeError: more would be deleted than ``max_delete`` allows; a file is empty; another publication came in between; the
                dataset of a server was changed by others meanwhile; it was changed past its log; the store failed.
            UnreachableError: a server can't be reached, or is too busy.
            PatchFormatError: a Jelly file breaks its format; nothing was changed.
            TextFormatError: likewise, N-Quads or N-Triples.
            FileNotFoundError: there is no such file.
            ValueError: an option has a value of the wrong kind.
            TypeError: what was given can't be read.
        """
        report = publish(
            self._door, self._open_store(), source, graph=graph, format=format, blank_nodes=blank_nodes,
            max_delete=max_delete, allow_empty=allow_empty, log=log, log_options=log_options, patch=patch, dry_run=dry_run, verify=verify,
            strict=strict, progress=progress, bad_statements=bad_statements, max_bad=max_bad, options=options, follow=self.sync,
        )
        if report.positions:
            warnings.warn(of_positions(report.positions), stacklevel=2)
        return report

    def verify(self, log: PathLike, *, key: str = LOG_KEY, progress: RowsProgress = True) -> DatasetVerification:
        """Compares the dataset with a log in a folder, at the version that the dataset is at: by the number of quads and a
        hash of them, and where these differ, quad by quad. Changes nothing. Prefixes are not compared.

        >>> with Dataset.open("mem:") as dataset, PatchLog.create("followed") as log:
        ...     _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        ...     _ = log.append("one.jellyp")
        ...     _ = dataset.sync("followed")
        ...     dataset.verify("followed").ok
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> 5 }")
        ...     dataset.verify("followed").surplus_quads
        True
        ('<urn:s> <urn:p> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .',)

        Args:
            log: the folder.
            key: under which the dataset keeps its position, as in :meth:`sync`.
            progress: ``True`` draws a bar on a terminal; a function is called now and then with the number of rows read.

        Raises:
            JellybridgeError: the dataset is at none of the log's versions, or was synced meanwhile; the log has not any more
                what makes the state of that version; or the log or the dataset can't be read.
        """
        check("text", key=key)
        store = self._open_store()
        with PatchLog.open(log) as opened, opened._call() as java:
            return compare(self._door, java, store, key, progress)

    def position(self, key: str = LOG_KEY) -> Optional[str]:
        """Where the dataset is in the source that it follows under a key, see :meth:`sync`: the id of the last patch, or its
        name as a literal; ``None`` = nowhere yet."""
        check("text", key=key)
        store = self._open_store()
        with self._door.errors():
            found = store.position(key)
        return None if found is None else str(found)

    def query(self, sparql: str, *, service: bool = False, timeout: Optional[float] = None) -> QueryResult:
        """Runs a SPARQL query.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:s> <urn:p> 1 }")
        ...     dataset.query("ASK { <urn:s> ?p ?o }")
        ...     dataset.query("CONSTRUCT { ?s <urn:q> ?s } WHERE { ?s ?p ?o }")
        True
        [('<urn:s>', '<urn:q>', '<urn:s>')]

        Args:
            sparql: the query.
            service: whether a dataset of this process may run ``SERVICE``, which asks any address of the network with the
                rights of this process. A server decides about it by itself.
            timeout: how many seconds it may take; ``None`` = as long as it does, of a server as long as its options say.

        Returns:
            For SELECT a list of dicts, by the names of the variables; ``None`` where one is not bound. For ASK a bool.
            For CONSTRUCT and DESCRIBE a list of tuples of three terms; for Jena's CONSTRUCT with GRAPH of four, where
            ``None`` is the default graph.

        Raises:
            JellybridgeError: the query is not SPARQL, and the message says where; it has ``SERVICE`` without ``service=True``;
                or it took too long.
        """
        result = self._answer(sparql, service=service, timeout=timeout)
        if "boolean" in result:
            return bool(result["boolean"])
        if "triples" in result:
            return [tuple(triple) for triple in result["triples"]]
        if "quads" in result:
            return [tuple(quad) for quad in result["quads"]]
        return [dict(zip(result["vars"], row)) for row in result["rows"]]

    def _answer(self, sparql: str, *, service: bool, timeout: Optional[float]) -> Dict[str, Any]:
        """The result of a query as the Java side gives it: also with the names of variables where there is no row."""
        check("text", sparql=sparql)
        store = self._open_store()
        with self._door.errors():
            found: Dict[str, Any] = json.loads(str(store.query(sparql, self._limits(False, service, timeout))))
        return found

    def _limits(self, load: bool, service: bool, timeout: Optional[float]) -> Any:
        """What a query or an update may reach, and how long it may take."""
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
        """Runs a SPARQL update, in one transaction.

        Args:
            sparql: the update, of one or more operations.
            service: as for :meth:`query`.
            timeout: likewise. Waiting for another writer to end does not count.
            load: whether it may have ``LOAD``, which reads what its IRI names, a file or an address of the network, with
                the rights of the process that runs it: this one, or the server. So leave it off for updates that
                others may write. :meth:`load` reads a file without it.

        Raises:
            JellybridgeError: the update is not SPARQL, has ``LOAD`` without ``load=True`` or ``SERVICE`` without
                ``service=True``, took too long, or failed; nothing of it stays in a dataset of this process.
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
        base: Optional[str] = None,
        remote_contexts: bool = False,
        bad_statements: Optional[PathLike] = None,
        max_bad: Union[str, int, None] = None,
    ) -> LoadReport:
        """Adds the triples or quads of an RDF file, in one transaction. The file's name says its format
        (``.nt``, ``.nq``, ``.ttl``, ``.trig``, ``.rdf``, ``.jsonld``, ``.jelly``, …; each also with ``.gz``, ``.zst`` or ``.bz2``).
        Labels of blank nodes are kept in ``.nt``, ``.nq`` and ``.jelly``. Statements of the graph ``<urn:jellybridge:sync>``, which an
        export of a store may have, are left out, with a warning.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.load(b"<urn:s> <urn:p> <urn:o> .", format="ttl")
        ...     len(dataset)
        LoadReport(bad=0)
        1

        Args:
            source: a file, by its path or ``file:`` URL; an ``https:`` or ``http:`` URL, which is downloaded first; a file
                that is open for reading bytes, or the bytes themselves.
            format: the suffix of a format, such as ``"ttl"``; ``None`` = that of the name. Bytes, and what is open and has
                no name with a suffix, need it.
            base: from where relative IRIs go; ``None`` = from the file or the URL itself, and of a file with a warning.
            remote_contexts: let JSON-LD load the contexts that it names, from the network and from files.
            bad_statements: as in :func:`convert`; here also what the dataset can't hold.
            max_bad: likewise.

        Raises:
            FileNotFoundError: there is no such file.
            PatchFormatError: a ``.jelly`` file breaks its format; nothing of it stays.
            TextFormatError: a file breaks another format; nothing of it stays.
            JellybridgeError: the file can't be read as what its name says, or a URL can't be downloaded whole; nothing of
                it stays.
            ValueError: the format must be told and is not.
            TypeError: what was given can't be read as bytes.
        """
        check("text or None", format=format, base=base)
        check("True or False", remote_contexts=remote_contexts)
        store = self._open_store()
        with Source(source, format=format) as opened, BadStatements(bad_statements, max_bad) as bad:
            with self._door.errors():
                here, positions = self._door.bridge.load(
                    store, *opened.place, base or opened.base, format, remote_contexts, bad.java
                )
            if here:
                warnings.warn(of_place(int(here)), stacklevel=2)
            if positions:
                warnings.warn(of_positions(int(positions)), stacklevel=2)
            return LoadReport(bad.count)

    def dump(self, target: Writable, *, format: Optional[str] = None) -> None:
        """Writes the whole dataset to a file, which appears whole or not at all; its name says the format, as in
        :meth:`load`. ``.jelly`` is a flat stream of quads, with the dataset's prefixes.

        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }")
        ...     dataset.dump("all.nq")
        >>> print(open("all.nq").read(), end="")
        <urn:s> <urn:p> <urn:o> <urn:g> .

        Args:
            target: a path or a ``file:`` URL, or a file that is open for writing bytes, which gets them when all is written.
            format: the suffix of a format, such as ``"trig"``; ``None`` = that of the name.

        Raises:
            JellybridgeError: the name says no format that can hold the dataset, or the file can't be written.
            FileNotFoundError: there is no such folder.
            ValueError: the format must be told and is not.
            TypeError: what was given can't be written to.
        """
        check("text or None", format=format)
        store = self._open_store()
        with target_file(target, format) as file, self._door.errors():
            self._door.bridge.dump(store, file, format)

    def capture(
        self,
        log: PathLike,
        *,
        effective_only: bool = False,
        aborted: str = "skip",
        max_bytes: int = MAX_BYTES,
        max_patches: Optional[int] = None,
        max_seconds: float = MAX_SECONDS,
        fsync: bool = True,
        position: Optional[str] = CAPTURE_KEY,
    ) -> Capture:
        """Writes what changes in the dataset from now on to a log of Jelly-Patch: each transaction that changed something
        is a patch, with the headers ``id``, ``prev`` (the id of the patch before) and ``time``.

        >>> with Dataset.open("mem:") as dataset:
        ...     with dataset.capture("captured.jellyp"):
        ...         dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        >>> [row.name or row.op for row in read_patch("captured.jellyp")]
        ['id', 'time', 'TX', 'A', 'TC']

        It runs until the block ends, also by an exception, or without a block until it is closed, or the dataset is; what
        was committed until then is in the log. More in ``docs/capture.md``.

        Args:
            log: one file, when its name ends with ``.jellyp``; it appears when the capture ends. Else the folder of a
                :class:`PatchLog`, made where it is not there and continued where it is. Nobody else appends to it while the
                capture runs. What was committed is in it also after a crash; the next that writes to it completes it.
            effective_only: leave out what changes nothing, such as adding a quad that is there, so that the log can be
                undone. Else every change is written.
            aborted: ``"skip"``: nothing of a transaction that did not commit is written; ``"record"``: it is a patch that
                ends with ``TA``.
            max_bytes: of a folder: a file ends with the patch that makes it so large.
            max_patches: of a folder: a file ends with so many patches; ``None``: with any number.
            max_seconds: of a folder: a file ends so long after its first patch. When a file ends, its patches can be read
                by others.
            fsync: of a folder: a commit waits until its patch is on the disk, and so outlives a power failure. Else it
                outlives a failure of the process.
            position: of a folder: the key, an IRI, under which the dataset keeps the id of its last patch, in the graph
                ``urn:jellybridge:sync``. By it the next capture knows whether the log and the dataset belong together,
                and makes them one after a crash. ``None``: it is not kept.

        Returns:
            The capture, a context manager: how many patches there are, the id of the last, ``rotate()`` and ``close()``.

        Raises:
            JellybridgeError: a capture is running already, of this dataset or into this folder; the folder's log is of
                another dataset; it can't be written; or the dataset is one of a server, which others change too.
            ValueError: an option has a value of the wrong kind.
        """
        if aborted not in ("skip", "record"):
            raise ValueError(f'aborted={aborted!r}: give "skip" or "record"')
        check("True or False", effective_only=effective_only, fsync=fsync)
        check("a whole number of 64 bits", max_bytes=max_bytes)
        check("a whole number of 32 bits", max_patches=1 if max_patches is None else max_patches)
        check("a number", max_seconds=max_seconds)
        check("text or None", position=position)
        if not 0.001 <= max_seconds <= 10**9:
            raise ValueError(f"max_seconds={max_seconds}: must be between 0.001 and 1000000000")
        if max_patches is not None and max_patches < 1:
            raise ValueError(f"max_patches={max_patches}: must be at least 1")
        store = self._open_store()
        file = absolute(log)
        with self._door.errors():
            return Capture(self._door, self._door.bridge.startCapture(
                store, file, effective_only, aborted == "record", max_bytes, max_patches or 0, int(max_seconds * 1000), fsync, position
            ), file)

    def to_dataframe(self, spark: SparkSession) -> DataFrame:
        """All quads as a Spark DataFrame: ``subject``, ``predicate``, ``object``, ``graph`` (null = the default graph).

        The rows are made in the driver's memory, as with ``spark.createDataFrame`` of a list. For a dataset that is too
        large for it, :meth:`dump` it as N-Quads to a disk that the executors see, and read that with ``nquads``.

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
                self._door.bridge.dump(store, file, None)
            quads = spark.read.schema(QUADS_SCHEMA).format("nquads").load(file)
            # The file goes away with this block: keep the rows, not the way to them.
            return quads.localCheckpoint()

    def __len__(self) -> int:
        """How many quads there are, those of the default graph included."""
        store = self._open_store()
        with self._door.errors():
            return int(store.size())

    def __bool__(self) -> bool:
        """True, also where the dataset is empty."""
        return True

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` was called."""
        return self._store is None

    def close(self) -> None:
        """Closes the dataset; one in memory is gone. Closing twice is no error."""
        store, self._store = self._store, None
        if store is not None:
            with self._door.errors():
                store.close()

    def _open_store(self) -> Any:
        if self._store is None:
            raise JellybridgeError(f"the dataset {self._uri} is closed: open it again")
        return self._store

    def __enter__(self) -> Dataset:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Dataset({self._uri!r}{', closed' if self.closed else ''})"
