"""Implements ``Dataset.sync``, which makes a dataset follow a folder, a patch log or a DataFrame of changes."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence, Tuple, Union

from . import _changes
from ._arguments import check
from ._convert import in_thread
from ._doors import Door, require_spark
from ._errors import JellybridgeError
from ._locations import LOG_ADDRESS, LOG_SERVERS, PathLike, absolute
from ._log import PatchLog
from ._printed_reports import Report, counted
from ._progress import RowsProgress, watched
from ._redaction import hidden
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
#: The largest number of names in a message.
_NAMES = 5
#: The longest time that a log waits for a new version, in seconds.
LONGEST_WAIT = 20


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
    #: The number of quads of that checkpoint; ``None`` if none was loaded.
    checkpoint_quads: Optional[int] = None
    #: ``True`` for the expected result of a dry run.
    dry_run: bool = field(default=False, repr=False, compare=False)
    #: The version of the log that the dataset is at. ``None`` if it is unknown, or the source is no log.
    version: Optional[int] = field(default=None, repr=False, compare=False)
    #: The newest version of the log at the time; ``None`` like the version.
    head: Optional[int] = field(default=None, repr=False, compare=False)

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
    until: Union[str, int, None],
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
    if isinstance(until, int) and not isinstance(until, bool):
        until = str(until)
    check("text or None", until=until)
    check("True or False", dry_run=dry_run, net_effect=net_effect, allow_empty=allow_empty)
    check("a whole number of 64 bits", batch_rows=batch_rows, batch_bytes=batch_bytes)
    check("a number", batch_seconds=batch_seconds)
    is_server = isinstance(source, str) and source.startswith(LOG_SERVERS)
    if source_options and not is_server:
        raise ValueError("source_options are of a patch log on a server, which this source is not")
    bridge = door.java_class(_BRIDGE)
    until_id = None
    if until is not None:
        with contextlib.suppress(ValueError):  # a name such as 2.jellyp#0 is none
            until_id = as_id("until", until)
    with door.errors():
        options = bridge.options(key, dry_run, batch_rows, batch_bytes, float(batch_seconds), net_effect)
        follower = bridge.follower(store, options, until, until_id, None if quarantine is None else absolute(quarantine))

    def followed(call: Callable[[Any], Any]) -> SyncReport:
        with door.errors():
            return SyncReport._of(json.loads(str(watched(door, "sync", call, progress))))

    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        is_address = LOG_ADDRESS.match(text) is not None
        path = text if is_address else existing(text)
        with door.errors():
            is_log = is_address or bridge.isLog(path)
        if not is_log:
            return followed(lambda done: bridge.files(follower, path, allow_empty, done))
        with _opened(door, path, source_options) as log:
            return followed(lambda done: bridge.log(follower, log, done))
    if not hasattr(source, "_jdf"):
        kind = f"{type(source).__module__}.{type(source).__name__}"
        raise TypeError(f"sync takes a folder, a log or a DataFrame of a classic Spark session, not a {kind}")
    require_spark(door)
    with door.errors(), described(source.sparkSession, "find new changes"):
        _changes.require_one_file_a_patch(source)
        position = store.readPosition(key)
        changes, behind = _after(source, None if position is None else str(position))
    if net_effect and changes.take(1):
        changes = changes.transform(_changes.net_effect)
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "changes.jellyp")
        with door.errors(), described(source.sparkSession, "write changes to sync"):
            door.java_class("io.jellybridge.SparkBridge").writeChanges(changes._jdf, file)
        return followed(lambda done: bridge.changes(follower, file, behind, done))


def existing(source: str) -> str:
    """Returns the absolute path of an existing folder or file of patches.

    Raises:
        FileNotFoundError: there is none.
    """
    path = absolute(source)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{hidden(source)}: there is no such folder or file")
    return path


def waiting(door: Door, source: PathLike, source_options: Optional[ServerOptions]) -> Optional[Callable[[int], bool]]:
    """Returns a function that waits for a version after the given one, for a log behind HTTP; ``None`` for other sources.

    The function returns ``False`` if the log can't wait.
    """
    if not isinstance(source, str) or not source.startswith(("http:", "https:")):
        return None
    bridge = door.java_class(_BRIDGE)

    def wait(after: int) -> bool:
        with _opened(door, source, source_options) as log:
            return bool(bridge.awaitNewer(log, after, LONGEST_WAIT))

    return wait


@contextlib.contextmanager
def _opened(door: Door, address: str, options: Optional[ServerOptions]) -> Iterator[Any]:
    """Opens a log in Java, and marks the error if that fails."""
    try:
        opened = in_thread(lambda: PatchLog._get("open", address, options, door), lambda: None, lambda: None, 0)
    except JellybridgeError as e:
        e._is_at_opening = True
        raise
    with opened, opened._call() as log:
        yield log


def some(names: Sequence[str]) -> str:
    """Returns the first names and the number of the others, for a message."""
    return ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else "")


def _after(changes: DataFrame, position: Optional[str]) -> Tuple[DataFrame, Optional[str]]:
    """Returns the changes after the patch with that id, and the id. If that patch is not among them, it returns all changes and ``None``."""
    spelled = _changes.columns_of(changes)
    changes = changes.withColumnsRenamed({name: column for column, name in spelled.items() if name != column})
    if position is None or "patch" not in spelled:
        return changes, None
    _check_places(changes)
    applied = changes.where("op = 'H' and name = 'id'").where(changes["value"] == position).select("patch").first()
    return (changes, None) if applied is None else (changes.where(changes["patch"] > applied[0]), position)


def _check_places(changes: DataFrame) -> None:
    """Rejects rows without numbers, and rows of several files whose patches have the same ones. New patches could not be told
    from applied ones.
    """
    from pyspark.sql.functions import expr

    numbers = [column for column in ("patch", "row") if column in changes.columns]
    counted = "count(*)" if "row" in numbers else "count_if(op = 'H' and name = 'id')"
    lacking = " or ".join(f"{name} is null" for name in numbers)
    twice = changes.groupBy(*numbers).agg(expr(f"{counted} as count")).where(f"count > 1 or {lacking}").first()
    if twice is not None:
        for name in numbers:
            if twice[name] is None:
                raise JellybridgeError(f"a row has null in {name}, so its place is not known; number all rows, or drop that column")
        raise JellybridgeError(
            f"two {'rows' if 'row' in numbers else 'ids'} have {', '.join(f'{name} {twice[name]}' for name in numbers)}; "
            "the patches of several files get numbers of their own by jellybridge.number_patches"
        )
