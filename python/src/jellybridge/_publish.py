"""Implements ``Dataset.publish``, which makes a dataset equal to a snapshot with the smallest change."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, cast

from ._arguments import check, java_list, java_options
from ._checkpoints import compare
from ._convert import BadStatements, file_options
from ._doors import Door, require_spark
from ._errors import JellybridgeError
from ._locations import PathLike, Readable, Source, Writable, absolute, require_own_file, target_file, unpacked_name
from ._log import LogConflictError, LogHead, PatchLog, headers_of
from ._printed_reports import Report, counted
from ._progress import RowsProgress, watched
from ._sync import LOG_KEY, SyncReport
from ._terms import as_iri
from ._types import ServerOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: A source of statements: a file, a URL, bytes, or a DataFrame of quads.
Statements = Union[Readable, "DataFrame"]
#: A snapshot: one source, several that together are one snapshot, or a mapping by graph.
Snapshot = Union[Statements, Sequence[Statements], Mapping[str, Statements]]

_BRIDGE = "io.jellybridge.SyncBridge"
_PUBLICATION = "io.jellybridge.sync.Publication"
#: The key of the last publication, beside the positions of a dataset.
_PUBLISHED = "urn:jellybridge:publish"
#: The state of a dataset that was compared with its log. It has no hash, so it says only that the log is known to hold it.
_ADOPTED = "adopted"
#: The name of the default graph in place of an IRI.
DEFAULT_GRAPH = "default"
#: The number of attempts to find a difference while others append to the log.
_ATTEMPTS = 5


@dataclass(frozen=True)
class PublishReport(Report):
    """The result of :meth:`Dataset.publish`, or the expected result in a dry run. It counts quads of the published graphs only.
    """

    #: The number of quads before.
    before: int
    #: The number of quads deleted.
    deleted: int
    #: The number of quads added.
    added: int
    #: The number of quads after.
    quads: int
    #: The version of the difference in the log; ``None`` without ``log``, and if nothing was appended.
    version: Optional[int] = None
    #: The number of blank nodes that were too symmetric to match in time. The difference may be larger than necessary.
    unsettled: int = 0
    #: The number of statements that were set aside, see ``bad_statements``.
    bad: int = 0
    #: The number of statements left out because they are in the graph ``<urn:jellybridge:sync>``, which holds the position of
    #: the store that exported them.
    positions: int = 0
    #: The number of patches of ``log`` that the dataset lacked. They were applied first. A publication that was killed leaves
    #: such a patch, and calling it again completes it.
    followed: int = field(default=0, repr=False)
    #: The number of prefixes that get a namespace. A server does not tell its prefixes, so this is 0 there.
    prefixes: int = field(default=0, repr=False)
    #: What ``shapes`` found that is no violation: a focus node, a path and a message each.
    warnings: Tuple[str, ...] = field(default=(), repr=False)
    #: Whether this is what a call would do.
    dry_run: bool = field(default=False, repr=False, compare=False)

    @property
    def changed(self) -> bool:
        """Returns whether there was a difference."""
        return self.deleted + self.added + self.prefixes > 0

    def __str__(self) -> str:
        did = "is the same" if not self.changed else "would change" if self.dry_run else "changed"
        version = f", {counted(self.prefixes, 'prefix', 'prefixes')}" if self.prefixes else ""
        version += "" if self.version is None else f", version {self.version}"
        first = f"{counted(self.followed, 'patch', 'patches')} of the log applied first, then " if self.followed else ""
        return f"{first}{did} (+{self.added:,} -{self.deleted:,} of {self.before:,}), {counted(self.quads, 'quad')}{version}"


class _Part(NamedTuple):
    """A snapshot, or a part of one."""

    source: Statements
    #: The IRI of its graph; empty if the statements name their graphs.
    graph: str
    #: True if it may be empty although the dataset would lose quads.
    may_be_empty: bool


class _Job(NamedTuple):
    """The arguments of one call."""

    door: Door
    store: Any
    parts: Sequence[_Part]
    format: Optional[str]
    options: Any
    blank_nodes: str
    max_delete: Optional[str]
    guards: Sequence[str]
    shapes: Optional[Readable]
    shapes_report: Optional[str]
    verify: bool
    progress: RowsProgress
    #: The file for bad statements, and the limit of their number.
    bad: Tuple[Optional[PathLike], Union[str, int, None]]


class _Found(NamedTuple):
    """The result of a comparison: the report, the state of the dataset before and after as texts, and the Java object."""

    report: PublishReport
    state_before: Optional[str]
    state_after: Optional[str]
    publication: Any


def publish(
    door: Door,
    store: Any,
    source: Snapshot,
    *,
    graph: Optional[str],
    format: Optional[str],
    blank_nodes: str,
    max_delete: Union[str, int, None],
    guards: Union[str, Sequence[str]],
    shapes: Optional[Readable],
    shapes_report: Optional[PathLike],
    author: Optional[str],
    message: Optional[str],
    time: Union[datetime, str, None],
    headers: Optional[Mapping[str, str]],
    allow_empty: Union[PathLike, Sequence[Statements]],
    log: Union[PathLike, None],
    log_options: Optional[ServerOptions],
    patch: Optional[Writable],
    dry_run: bool,
    verify: bool,
    strict: bool,
    progress: RowsProgress,
    bad_statements: Optional[PathLike],
    max_bad: Union[str, int, None],
    options: Mapping[str, Any],
    follow: Callable[..., SyncReport],
) -> PublishReport:
    """See :meth:`Dataset.publish`; ``follow`` is the dataset's :meth:`Dataset.sync`."""
    check("text or None", format=format)
    check("text", blank_nodes=blank_nodes)
    if blank_nodes not in ("label", "structure"):
        raise ValueError(f"blank_nodes={blank_nodes!r}: must be label or structure")
    check("True or False", dry_run=dry_run, verify=verify, strict=strict)
    if log is None and log_options:
        raise ValueError("log_options are of a patch log, and log names none")
    if log is None and (author or message or time or headers):
        raise ValueError("author, message, time and headers go into a patch log, and log names none")
    if shapes is None and shapes_report is not None:
        raise ValueError("shapes_report is of shapes, and shapes names none")
    headers_of(author, message, time, headers)  # before any work
    parts = _allowed(_parts(source, graph), allow_empty)
    files = {"bad_statements": bad_statements, "patch": patch, "shapes_report": shapes_report}
    for role, file in files.items():
        others = (each for other, each in files.items() if other != role)
        require_own_file(role, file, [*(part.source for part in parts), shapes, *others])
    with door.errors():
        job = _Job(door, store, parts, format, java_options(door, {"strict": strict, **file_options(options)}), blank_nodes,
                   None if max_delete is None else str(max_delete),
                   [guards] if isinstance(guards, str) else list(guards), shapes,
                   None if shapes_report is None else absolute(shapes_report), verify, progress, (bad_statements, max_bad))
    with contextlib.ExitStack() as stack:
        if patch is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
            file = os.path.join(folder, "difference.jellyp")
        else:
            file = stack.enter_context(target_file(patch))
            if unpacked_name(file).lower().endswith(".events") and not dry_run:
                raise ValueError("patch is in a format that can't be read again, to apply it; end its name in .jellyp, .rdfp or .trp")
        if log is not None:
            opened = stack.enter_context(PatchLog._get("open", log, log_options, door))

            def behind() -> SyncReport:
                return follow(log, dry_run=dry_run, progress=progress, source_options=log_options)

            def append(prev: str) -> LogHead:
                return opened.append(file, prev=prev, author=author, message=message, time=time, headers=headers)[-1]

            return _publish_by(opened, behind, append, job, stack, file, dry_run)
        with _publication(job) as publication:
            if dry_run:
                return replace(_difference(job, publication, None if patch is None else file).report, dry_run=True)
            name = file if patch is not None else "the difference"
            return _run(job, publication, lambda made: job.door.java_class(_BRIDGE).publish(made, file, name)).report


def _parts(source: Snapshot, graph: Optional[str]) -> List[Tuple[Statements, str]]:
    iri = "" if graph is None else graph_name("graph", graph)
    if isinstance(source, Mapping):
        if graph is not None:
            raise ValueError(f"graph={graph!r} names the graph of all that is published, and the source names one for each")
        if None in source:
            raise TypeError(f"a graph is named by an IRI, and one is None; the default graph is named {DEFAULT_GRAPH!r}")
        pairs = [(each, graph_name("a graph of source", name)) for name, each in source.items()]
        for number, (_, name) in enumerate(pairs):
            if any(other == name for _, other in pairs[:number]):
                raise ValueError(f"source names the graph {name} twice, with < > and without")
    elif isinstance(source, Sequence) and not isinstance(source, (str, bytes, bytearray, memoryview)):
        pairs = [(each, iri) for each in source]
    else:
        pairs = [(cast(Statements, source), iri)]
    if not pairs:
        raise ValueError("there is nothing to publish: name at least one file")
    return pairs


def graph_name(name: str, graph: str) -> str:
    """Returns the IRI of a graph, or :data:`DEFAULT_GRAPH`."""
    return graph if graph == DEFAULT_GRAPH else as_iri(name, graph)


def _allowed(
    pairs: Sequence[Tuple[Statements, str]], names: Union[PathLike, Sequence[Statements]]
) -> List[_Part]:
    """Returns the parts. Those that ``names`` contains, by source or by graph, may be empty."""
    given: List[Any] = [names] if isinstance(names, (str, os.PathLike)) else list(names)
    for name in given:
        if not any(_is_named(name, *pair) for pair in pairs):
            raise ValueError(f"allow_empty={name!r}: no file and no graph is published that is written so")
    return [_Part(each, graph, any(_is_named(name, each, graph) for name in given)) for each, graph in pairs]


def _is_named(name: Any, each: Statements, graph: str) -> bool:
    with contextlib.suppress(ValueError):
        if graph and graph_name("allow_empty", name) == graph:
            return True
    if isinstance(name, (str, os.PathLike)) and isinstance(each, (str, os.PathLike)):
        return os.fspath(name) == os.fspath(each)
    return name is each


@contextlib.contextmanager
def _publication(job: _Job) -> Iterator[Any]:
    """Opens the sources, and yields a function that creates the Java publication from a ``Progress`` and a file of bad
    statements.
    """
    door = job.door
    with contextlib.ExitStack() as stack:
        opened: List[Tuple[Any, _Part]] = []
        for part in job.parts:
            each = part.source
            if hasattr(each, "_jdf"):
                require_spark(door)
                opened.append((each, part))
            else:
                if type(each).__name__ == "DataFrame":
                    raise TypeError("publish takes a DataFrame of a classic Spark session, and files; not a "
                                    f"{type(each).__module__}.DataFrame")
                opened.append((stack.enter_context(Source(each, again=True, format=job.format)).place, part))

        shapes = None if job.shapes is None else stack.enter_context(Source(job.shapes, again=True)).place

        def made(done: Any, bad: Any) -> Any:
            bridge = door.java_class(_BRIDGE)
            convert = door.java_class("io.jellybridge.ConvertBridge")
            checks = None if shapes is None or done is None else convert.snapshot(
                *shapes, None, convert.options(job.options), convert.newMeter(), None)
            files = door.java_class("java.util.ArrayList")()
            for each, part in opened:
                if hasattr(each, "_jdf"):
                    snapshot = door.java_class("io.jellybridge.SparkBridge").snapshot(each._jdf)
                else:
                    snapshot = convert.snapshot(*each, job.format, convert.options(job.options), convert.newMeter(), bad)
                files.add(bridge.ofGraph(snapshot, part.graph, part.may_be_empty))
            return bridge.publication(job.store, files, job.blank_nodes, job.max_delete,
                                      java_list(door, job.guards), checks, job.shapes_report, job.verify, done)

        yield made


def _run(job: _Job, publication: Callable[..., Any], work: Callable[[Any], Any]) -> _Found:
    """Creates a publication and runs work with it that returns JSON."""

    with BadStatements(*job.bad, job.door) as bad:

        def run(done: Any) -> Tuple[Any, str]:
            made = publication(done, bad.java)
            return made, str(work(made))

        with job.door.errors():
            made, answer = watched(job.door, "publish", run, job.progress)
    found = json.loads(answer)
    before, deleted, added = found["before"], found["deleted"], found["added"]
    report = PublishReport(before, deleted, added, before - deleted + added, unsettled=found["unsettled"], bad=bad.count,
                           positions=found["positions"], prefixes=found["prefixes"], warnings=tuple(found["warnings"]))
    return _Found(report, found["state_before"], found["state_after"], made)


def _difference(job: _Job, publication: Any, file: Optional[str], states: bool = False) -> _Found:
    return _run(job, publication, lambda made: job.door.java_class(_BRIDGE).difference(made, file, states))


def _publish_by(
    log: PatchLog, follow: Callable[[], SyncReport], append: Callable[[str], LogHead], job: _Job, stack: contextlib.ExitStack,
    file: str, dry_run: bool
) -> PublishReport:
    """Appends the difference to a log, and makes the dataset follow it. If any process dies, the dataset is still at a version
    of the log.
    """
    publication = stack.enter_context(_publication(job))
    followed = 0
    for attempt in range(1, _ATTEMPTS + 1):
        _check_follows(log, job)
        new = _beside_others(follow)
        followed += new.patches
        if dry_run and (new.patches or new.checkpoint is not None):
            raise JellybridgeError(
                f"the log {log._address} has versions that the dataset has not, and a publication applies them before it compares: "
                "what it would change then is not known by a dry run; sync the dataset with the log first"
            )
        position = _position(job)
        found = _difference(job, publication, file, states=True)
        report = replace(found.report, dry_run=dry_run, followed=followed)
        if attempt < _ATTEMPTS and _position(job) != position:
            continue  # another publication moved it, so the comparison mixed two versions
        if position is not None:
            try:
                _check_holds(log, job, position, found, dry_run)
            except JellybridgeError:
                if attempt < _ATTEMPTS and _position(job) != position:
                    continue  # another publication moved it during the check
                raise
        if dry_run or not report.changed:
            return report
        try:
            head = append(_id(position))
        except LogConflictError:
            if attempt == _ATTEMPTS:
                raise
            continue
        _beside_others(follow)
        _check_after(job, f"<urn:uuid:{head.id}>", found)
        return replace(report, version=head.version)
    raise AssertionError("the loop returns or raises")


def _beside_others(follow: Callable[[], SyncReport]) -> SyncReport:
    """Follows the log, and retries if another publication of this dataset moves it at the same time."""
    for _ in range(1, _ATTEMPTS):
        try:
            return follow()
        except JellybridgeError as e:
            if not _is_of_others(e):
                raise
    return follow()


def _check_after(job: _Job, position: str, found: _Found) -> None:
    """Checks that the dataset holds the published snapshot, unless it has moved to another version."""
    try:
        with job.door.errors():
            if _position(job) == position:
                found.publication.checkAfter()
                _note(job, position, found.state_after)
    except JellybridgeError:
        if _position(job) == position:
            raise


def _position(job: _Job) -> Optional[str]:
    """Returns the id of the version of the log that the dataset is at; ``None`` if it is at none."""
    with job.door.errors():
        position = job.store.readPosition(LOG_KEY)
    return None if position is None else str(position)


def _check_follows(log: PatchLog, job: _Job) -> None:
    """Rejects a dataset that is not empty and at no version of the log. Called before anything of the log is applied."""
    if _position(job) is not None:
        return
    with job.door.errors():
        quads = int(job.store.size())
    if quads:
        raise JellybridgeError(
            f"the dataset is at no version of the log {log._address}, and has {quads:,} quads, which nobody who follows the log "
            "would have; nothing was changed. To begin a log with these quads, make it of a dump and put the dataset there: "
            "jellybridge dump DATASET -o state.nq; jellybridge log create LOG --state state.nq; jellybridge log adopt LOG --dataset "
            "DATASET. If the log is that of another dataset, publish into an empty dataset, or without the log; if the dataset "
            "follows it by another key (`sync --key`), a publication can't use that"
        )


def _check_holds(log: PatchLog, job: _Job, position: str, found: _Found, dry_run: bool) -> None:
    """Rejects a dataset that was changed without its log, since the log's versions would differ from the published data.

    The publication that moved the dataset to its position has stored its state. If there is no such record, the dataset is
    compared with the log, if that is not over gRPC.
    """
    with job.door.errors():
        noted = job.door.java_class(_PUBLICATION).notedState(job.store, position)
    state, before = _State.of(noted), _State.of(found.state_before)
    if state is not None and before is not None and state.graphs == before.graphs:
        if state == before:
            return
        differs = f"it had {state.quads} quads of what is published there, and has {before.quads}, or others"
    elif not log._has_files:
        _check_last_publication(log, job, position)
        return
    else:
        with log._call() as java:
            compared = compare(job.door, java, job.store, LOG_KEY, job.progress)
        if compared.ok:
            if not dry_run:
                _note(job, position, found.state_before)
            return
        differs = f"it lacks {compared.missing:,} quads of that version, and has {compared.surplus:,} others"
    where, adoption = ("", "") if log._has_files else (" where the log's folder is", "; then jellybridge log adopt LOG --dataset DATASET")
    raise JellybridgeError(
        f"the dataset is at {position} of the log {log._address}, but does not hold what the log says: {differs}; it was changed "
        "past the log, and who follows the log would not get what is published. Nothing of it was applied. Bring the dataset to the state of the "
        f"log first{where}: jellybridge log state LOG -o state.nq, and publish state.nq with --blank-nodes label and without --log{adoption}"
    )


def _check_last_publication(log: PatchLog, job: _Job, position: str) -> None:
    """Rejects a dataset whose last publication was without a log: it stored an id of its own, and no state."""
    with job.door.errors():
        noted = job.store.readPosition(_PUBLISHED)
        had_log = noted is None or str(noted) == position or job.door.java_class(_PUBLICATION).notedState(job.store, noted) is not None
    if not had_log:
        raise JellybridgeError(
            f"the dataset is at {position} of the log {log._address}, but its last publication was without the log, so it may hold "
            "something else, and who follows the log would not get what is published. Nothing of it was applied. Where the log's "
            "folder is, `jellybridge log adopt LOG --dataset DATASET` compares the two: it names what differs, or else you can publish again"
        )


def note_adopted(door: Door, store: Any) -> None:
    """Replaces the record of the last publication, now that the dataset was compared with the log that it follows."""
    with door.errors():
        position, publication = store.readPosition(LOG_KEY), door.java_class(_PUBLICATION)
        if store.readPosition(_PUBLISHED) is not None and publication.notedState(store, position) is None:
            publication.noteState(store, position, _ADOPTED)


class _State(NamedTuple):
    """A state of a dataset: the number of quads, their hash, and the graphs, which are empty if the state is of all graphs."""

    quads: str
    hash: str
    graphs: str

    @classmethod
    def of(cls, text: Any) -> Optional[_State]:
        """Parses a state. Returns ``None`` if there is no state or it can't be parsed."""
        parts = str(text or "").split(" ", 2)
        return cls(*parts, *[""] * (3 - len(parts))) if len(parts) > 1 else None


def _note(job: _Job, position: str, state: Optional[str]) -> None:
    """Stores a state for the next publication, which otherwise compares with the log. Another publication may store its own
    first.
    """
    try:
        with job.door.errors():
            job.door.java_class(_PUBLICATION).noteState(job.store, position, state)
    except JellybridgeError as e:
        if not _is_of_others(e):
            raise


def _is_of_others(error: JellybridgeError) -> bool:
    """Returns whether the error means that another process moved the dataset."""
    return error.java is not None and error.java.endswith(".PositionConflictException")


def _id(position: Optional[str]) -> str:
    """Converts the position of a dataset to the id of a patch in the log."""
    return "" if position is None else position[1:-1]
