"""Implements ``Dataset.sync``, which makes a dataset follow a folder, a patch log or a DataFrame of changes."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _changes
from ._applied import Kept, check_past, find, with_taken_away
from ._arguments import check, java_options
from ._doors import Door
from ._errors import JellybridgeError
from ._order import Listed, behind, by_name, keeps_names, pending, rotated
from ._places import LOG_SERVERS, PathLike, absolute
from ._progress import RowsProgress, watched
from ._redaction import hidden
from ._reports import Report, counted
from ._spark import described
from ._terms import as_id, as_iri
from ._types import ServerOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: The default key under which a dataset stores its position.
LOG_KEY = "urn:jellybridge:log"
#: The default number of change rows per transaction.
BATCH_ROWS = 100_000
_BRIDGE = "io.jellybridge.SyncBridge"
_HDFS = "hdfs://"
#: The largest number of names in a message.
_NAMES = 5


@dataclass(frozen=True)
class SyncReport(Report):
    """The result of :meth:`Dataset.sync`, or the expected result in a dry run."""

    #: The number of patches applied.
    patches: int
    #: The number of transactions.
    transactions: int
    #: The number of ``A`` rows applied.
    added: int
    #: The number of ``D`` rows applied.
    deleted: int
    #: The number of aborted transactions (``TA``) in the patches. Their rows are not applied.
    aborted: int
    #: The number of patches that were applied before.
    skipped: int
    #: The names of the patches that were set aside: ``FILE#NUMBER``.
    quarantined: Tuple[str, ...]
    #: The position before: the id of a patch, or its name as a literal; ``None`` if there was none.
    position_before: Optional[str]
    #: The position after.
    position: Optional[str]
    #: The number of rows that changed the dataset, that is added a missing quad or deleted an existing one. ``None`` for a
    #: server, which does not report it, and in a dry run.
    changed: Optional[int] = None
    #: The version of the checkpoint that was loaded into an empty dataset; ``None`` if none was.
    checkpoint: Optional[int] = None
    #: The files and folders of the source that were ignored, since their names are not those of patches. Folders end with
    #: ``/``. Names that begin with ``.`` or ``_`` are unfinished files, and not listed.
    passed_over: Tuple[str, ...] = ()
    #: A message about the last file if it ends inside a transaction. It may still be growing, so the rest waits for the next
    #: sync. ``None`` if it is complete.
    unfinished: Optional[str] = None
    #: How many quads that checkpoint brought; ``None`` = the dataset began with none.
    checkpoint_quads: Optional[int] = None
    #: Whether this is what a call would do.
    dry_run: bool = field(default=False, repr=False, compare=False)

    def __str__(self) -> str:
        begun = "" if self.checkpoint is None else (
            f"the checkpoint of version {self.checkpoint:,} {'to load' if self.dry_run else 'loaded'}, "
            f"{counted(self.checkpoint_quads or 0, 'quad')}; "
        )
        return (
            f"{begun}{counted(self.patches, 'patch', 'patches')} {'to apply' if self.dry_run else 'applied'} in "
            f"{counted(self.transactions, 'transaction')} (+{self.added:,} -{self.deleted:,}), {self.skipped:,} were there, "
            f"{len(self.quarantined):,} set aside; at {self.position or 'no position'}"
        )


def sync(
    door: Door,
    store: Any,
    source: Union[PathLike, DataFrame],
    *,
    key: str,
    until: Optional[str],
    dry_run: bool,
    on_error: str,
    quarantine: Optional[PathLike],
    batch_rows: int,
    batch_bytes: int,
    batch_seconds: float,
    net_effect: bool,
    progress: RowsProgress,
    source_options: Optional[ServerOptions],
    allow_empty: bool,
) -> SyncReport:
    """See :meth:`Dataset.sync`."""
    if on_error not in ("stop", "quarantine"):
        raise ValueError(f"on_error={on_error!r}: must be 'stop' or 'quarantine'")
    if (on_error == "quarantine") != (quarantine is not None):
        raise ValueError("on_error='quarantine' goes with quarantine=FOLDER, which takes the patches; give both or neither")
    key = as_iri("key", key)
    check("text or None", until=until)
    check("True or False", dry_run=dry_run, net_effect=net_effect, allow_empty=allow_empty)
    check("a whole number of 64 bits", batch_rows=batch_rows, batch_bytes=batch_bytes)
    check("a number", batch_seconds=batch_seconds)
    bridge = door.java_class(_BRIDGE)
    with door.errors():
        options = bridge.options(key, dry_run, batch_rows, batch_bytes, float(batch_seconds), net_effect)
    follower = _Follower(door, store, options, key, until, dry_run, quarantine, progress)
    is_server = isinstance(source, str) and source.startswith(LOG_SERVERS)
    if source_options and not is_server:
        raise ValueError("source_options are of a patch log on a server, which this source is not")
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        if text.startswith((*LOG_SERVERS, _HDFS)):
            return follower.follow_log(text, java_options(door, source_options))
        path = absolute(text)
        if not os.path.exists(path):
            raise FileNotFoundError(f"{hidden(text)}: there is no such folder or file")
        if bridge.isLog(path):
            return follower.follow_log(path, java_options(door, None))
        files, passed_over = _files(door, bridge, path)
        if not files and not allow_empty:
            with door.errors():
                is_new = store.position(key) is None
            if passed_over or is_new:
                raise _nothing(hidden(text), passed_over)
        report = follower.follow(lambda done: _opened(door, bridge, path, store, key, done), _Files())
        return replace(report, passed_over=tuple(passed_over))
    if not hasattr(source, "_jdf"):
        kind = f"{type(source).__module__}.{type(source).__name__}"
        raise TypeError(f"sync takes a folder, a log or a DataFrame of a classic Spark session, not a {kind}")
    if not door.in_spark:
        raise JellybridgeError(
            "this dataset was opened before Spark was started, and lives in another JVM than the DataFrame: "
            "open the dataset after the Spark session was made"
        )
    with door.errors(), described(source.sparkSession, "find new changes"):
        _changes.require_one_file_a_patch(source)
        changes = _after(source, _text(store.position(key)))
    if net_effect and changes.take(1):
        changes = changes.transform(_changes.net_effect)
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "changes.jellyp")
        with door.errors(), described(source.sparkSession, "write changes to sync"):
            door.java_class("io.jellybridge.SparkBridge").writeChanges(changes._jdf, file)
        return follower.follow(lambda done: bridge.files(json.dumps([file]), store, key, done), _Changes())


class _Begun(NamedTuple):
    """The checkpoint of a log that is loaded into an empty dataset."""

    version: int
    #: The number of its quads.
    quads: int
    #: The position of the dataset before.
    before: Optional[str]
    #: The new position, as JSON of the Java side.
    text: str


def _files(door: Door, bridge: Any, path: str) -> Tuple[List[str], List[str]]:
    """Returns the patch files of a folder in the order of their names, and its other entries. For a file, returns the file
    itself.
    """
    if not os.path.isdir(path):
        return [path], []
    with os.scandir(path) as entries:
        shown = [entry for entry in entries if not entry.name.startswith((".", "_"))]
        names = [entry.name for entry in shown if entry.is_file()]
        others = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in shown if not entry.is_file()]
    with door.errors():
        chosen: List[str] = json.loads(str(bridge.patchFiles(json.dumps(names))))
    return [os.path.join(path, name) for name in by_name(chosen)], by_name({*names, *others} - {*chosen})


def _opened(door: Door, bridge: Any, path: str, store: Any, key: str, done: Any) -> Any:
    """Opens the files of a folder as a source. If a log rotates its files meanwhile, opens them again."""
    files, _ = _files(door, bridge, path)
    while True:
        source = bridge.files(json.dumps(files), store, key, done)
        listed, (files, _) = files, _files(door, bridge, path)
        if rotated(files).keys() == rotated(listed).keys():
            return source
        source.close()


def _nothing(folder: str, passed_over: List[str]) -> JellybridgeError:
    there = f"by their names, these are none: {some(passed_over)}" if passed_over else "it is empty"
    return JellybridgeError(
        f"{folder}: nothing in this folder is a patch; {there}; name the folder of the patches (.jellyp, .rdfp, .rdp or .trp), "
        "or say that it may be without any by allow_empty=True (--allow-empty)"
    )


def some(names: Sequence[str]) -> str:
    """Returns the first names and the number of the others, for a message."""
    return ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else "")


def _after(changes: DataFrame, position: Optional[str]) -> DataFrame:
    """Returns the changes after the patch with that id, or all changes if that patch is not among them."""
    if position is None or "patch" not in changes.columns:
        return changes
    _check_places(changes)
    applied = changes.where("op = 'H' and name = 'id'").where(changes["value"] == position).select("patch").first()
    return changes if applied is None else changes.where(changes["patch"] > applied[0])


def _check_places(changes: DataFrame) -> None:
    """Rejects rows of several files whose patches have the same numbers. New patches could not be told from applied ones."""
    numbers = [column for column in ("patch", "row") if column in changes.columns]
    rows = changes if "row" in numbers else changes.where("op = 'H' and name = 'id'")
    twice = rows.groupBy(*numbers).count().where("count > 1").first()
    if twice is not None:
        raise JellybridgeError(
            f"two {'rows' if 'row' in numbers else 'ids'} have {', '.join(f'{name} {twice[name]}' for name in numbers)}; "
            "the patches of several files get numbers of their own by jellybridge.number_patches"
        )


class _Log:
    """A patch log as a source. The Java side finds the new patches and any changes to applied ones."""

    def pending(self, source: Any, listed: List[Listed], kept: Kept, skips_faults: bool) -> List[int]:
        """Returns the patches to apply, see :func:`_order.pending`.

        Raises:
            JellybridgeError: as there, or an applied patch has changed in the source.
        """
        changes = json.loads(str(source.changes()))
        if changes:
            raise JellybridgeError(changes[0])
        return behind(listed, kept.position)


class _Files:
    """Loose files as a source."""

    def pending(self, source: Any, listed: List[Listed], kept: Kept, skips_faults: bool) -> List[int]:
        """Returns the patches to apply, like :meth:`_Log.pending`. A patch that grew after it was applied comes first."""

        def since(index: int, rows: int, hash: str) -> str:
            return str(source.since(index, rows, hash))

        listed = [patch._replace(file=patch.name.rpartition("#")[0]) for patch in listed]
        found = find(listed, kept, since)
        every, gone = with_taken_away(listed, kept)

        def there(index: int) -> int:
            return index if gone is None or index < gone else index - 1

        order = pending(every, found.position, skips_faults=skips_faults)
        if found.rest is not None:
            index, rows = found.rest
            source.goOn(index, rows)
            order = [index, *(other for other in order if other != index)]
        check_past(every, order, found, kept, lambda index, rows, hash: since(there(index), rows, hash))
        if keeps_names(every):
            source.keepNames()
        return [there(index) for index in order]


class _Changes:
    """A DataFrame as a source. The next call may get the same patches in another form."""

    def pending(self, source: Any, listed: List[Listed], kept: Kept, skips_faults: bool) -> List[int]:
        """Returns the patches to apply, like :meth:`_Log.pending`. All of them need an id."""
        if any(patch.id is None and patch.fault is None for patch in listed):
            raise JellybridgeError(
                "a patch has no id, by which it would be known to be applied: give each a header row (op H, name id, value "
                "<urn:uuid:...>) and, from the second on, prev; or use apply"
            )
        source.keepIds()
        return pending(listed, kept.position, skips_faults=skips_faults)


_Kind = Union[_Log, _Files, _Changes]


class _Follower:
    """Makes a dataset apply the new patches of a source."""

    def __init__(
        self, door: Door, store: Any, options: Any, key: str, until: Optional[str], dry_run: bool,
        quarantine: Optional[PathLike], progress: RowsProgress,
    ) -> None:
        self._door = door
        self._store = store
        self._options = options
        self._key = key
        self._until = until
        # A name such as 2.jellyp#0 is none.
        self._until_id: Optional[str] = None
        if until is not None:
            with contextlib.suppress(ValueError):
                self._until_id = as_id("until", until)
        self._dry_run = dry_run
        self._quarantine = None if quarantine is None else absolute(quarantine)
        self._progress = progress

    def follow_log(self, address: str, options: Any) -> SyncReport:
        """Follows a patch log, with options as Java takes them. An empty dataset starts with a checkpoint."""
        bridge = self._door.java_class(_BRIDGE)
        begun = self._begin(address, options)
        start = None if begun is None or not self._dry_run else begun.text
        report = self.follow(lambda _: bridge.log(address, options, self._store, self._key, start), _Log())
        return report if begun is None else replace(
            report, position_before=begun.before, checkpoint=begun.version, checkpoint_quads=begun.quads
        )

    def _begin(self, address: str, options: Any) -> Optional[_Begun]:
        """Loads a checkpoint into an empty dataset, if the log has one."""
        if not address.startswith(LOG_SERVERS) and not os.path.isdir(os.path.join(address, "checkpoints")):
            return None
        bridge = self._door.java_class(_BRIDGE)
        with self._door.errors():
            before = _text(self._store.position(self._key))
            begun = watched(self._door, "load", lambda done: bridge.begin(
                address, options, self._store, self._key, self._until_id or self._until, not self._dry_run, done
            ), self._progress)
        if begun is None:
            return None
        found = json.loads(str(begun))
        return _Begun(found["version"], found["quads"], before, str(begun))

    def follow(self, opened: Callable[[Any], Any], kind: _Kind) -> SyncReport:
        """Follows the source that a function opens. The function gets a Java ``Progress``."""

        def work(done: Any) -> SyncReport:
            source = opened(done)
            try:
                return self._follow(source, done, kind)
            finally:
                source.close()

        with self._door.errors():
            return watched(self._door, "sync", work, self._progress)

    def _follow(self, source: Any, done: Any, kind: _Kind) -> SyncReport:
        listed = [Listed(**patch) for patch in json.loads(str(source.listed()))]
        kept = Kept.of(str(source.kept()))
        before = kept.position
        order = kind.pending(source, listed, kept, self._quarantine is not None)
        skipped = int(source.applied()) + len(listed) - len(order)
        order = self._up_to_until(order, listed, before)
        unfinished = _text(source.unfinished())
        report = SyncReport(0, 0, 0, 0, 0, skipped, (), before, before, changed=0, unfinished=unfinished, dry_run=self._dry_run)
        while True:
            run = source.apply(self._store, json.dumps(order), self._options, done)
            report = _and(report, run)
            faulty = int(run.faulty())
            if faulty < 0:
                return report
            if self._quarantine is None:
                self._door.java_class(_BRIDGE).throwFault(run)
            self._set_aside(source, order[faulty], listed[order[faulty]], str(run.fault().getMessage()))
            report = replace(report, quarantined=(*report.quarantined, listed[order[faulty]].name))
            index, order = order[faulty], order[faulty + 1:]
            source.setAside(index, _missing_before(order, listed, report.position))

    def _up_to_until(self, order: List[int], listed: List[Listed], position: Optional[str]) -> List[int]:
        if self._until is None:
            return order
        for number, index in enumerate(order):
            if listed[index].name == self._until or listed[index].id is not None and listed[index].id == self._until_id:
                return order[:number + 1]
        if position is not None and position in (self._until, self._until_id):
            return []
        raise JellybridgeError(f"until={self._until} is neither the id nor the name of a patch that is to be applied")

    def _set_aside(self, source: Any, index: int, patch: Listed, reason: str) -> None:
        """Copies the stored bytes of a patch into the quarantine, with a text that says the reason. Replaces an earlier copy.
        """
        if self._dry_run or self._quarantine is None:
            return
        os.makedirs(self._quarantine, exist_ok=True)
        file = _text(source.file(index))
        if file is not None:
            shutil.copyfile(file, os.path.join(self._quarantine, os.path.basename(file)))
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        with open(os.path.join(self._quarantine, f"{patch.name}.reason.txt"), "w", encoding="utf-8") as text:
            text.write(f"patch: {patch.name}\nid: {patch.id}\nprev: {patch.prev}\ntime: {now}\nreason: {reason}\n")


def _missing_before(order: List[int], listed: List[Listed], position: Optional[str]) -> Optional[str]:
    """Returns the id of the patch that the next one follows, if no readable patch has it."""
    prev = listed[order[0]].prev if order else None
    return None if prev == position or any(patch.id == prev for patch in listed) else prev


def _and(report: SyncReport, run: Any) -> SyncReport:
    """Returns a report that includes the result of one more run."""
    changed = None if report.changed is None or run.changed() is None else report.changed + int(run.changed())
    return replace(
        report,
        patches=report.patches + int(run.patches()),
        transactions=report.transactions + int(run.transactions()),
        added=report.added + int(run.added()),
        deleted=report.deleted + int(run.deleted()),
        aborted=report.aborted + int(run.aborted()),
        position=_text(run.position()) if run.patches() else report.position,
        changed=changed,
    )


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)
