"""What ``Dataset.sync`` does: a dataset follows a folder, a patch log or a DataFrame of changes."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, Union

from . import _changes
from ._arguments import ServerOptions, check, settings
from ._doors import Door
from ._errors import JellybridgeError
from ._places import PathLike, absolute
from ._progress import RowsProgress, watched
from ._redaction import hidden

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: The key under which a dataset keeps its position, unless told otherwise.
LOG_KEY = "urn:jellybridge:log"
_SERVERS = ("http://", "https://", "delta:")


@dataclass(frozen=True)
class SyncReport:
    """What :meth:`Dataset.sync` did, or in a dry run would do."""

    #: How many patches were applied.
    patches: int
    #: In how many transactions.
    transactions: int
    #: How many ``A`` rows were applied.
    added: int
    #: Likewise of ``D`` rows.
    deleted: int
    #: How many transactions of the patches were aborted (``TA``); nothing of them arrives.
    aborted: int
    #: How many patches the dataset had applied before.
    skipped: int
    #: The names of the patches that were set aside: ``FILE#NUMBER``.
    quarantined: Tuple[str, ...]
    #: Where the dataset was before: the id of a patch, or its name as a literal; ``None`` = nowhere.
    position_before: Optional[str]
    #: Where it is now.
    position: Optional[str]
    #: How many of the rows changed the dataset: added what was not there, or deleted what was. ``None``: a server does not
    #: tell, nor does a dry run.
    changed: Optional[int] = None


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
) -> SyncReport:
    """See :meth:`Dataset.sync`."""
    if on_error not in ("stop", "quarantine"):
        raise ValueError(f"on_error={on_error!r}: must be 'stop' or 'quarantine'")
    if (on_error == "quarantine") != (quarantine is not None):
        raise ValueError("on_error='quarantine' goes with quarantine=FOLDER, which takes the patches; give both or neither")
    check("text", key=key)
    check("text or None", until=until)
    check("True or False", dry_run=dry_run, net_effect=net_effect)
    check("a whole number of 64 bits", batch_rows=batch_rows, batch_bytes=batch_bytes)
    check("a number", batch_seconds=batch_seconds)
    bridge = door.java_class("io.jellybridge.SyncBridge")
    with door.errors():
        options = bridge.options(
            key, until, dry_run, None if quarantine is None else absolute(quarantine), batch_rows, batch_bytes,
            float(batch_seconds), net_effect,
        )
    is_server = isinstance(source, str) and source.startswith(_SERVERS)
    if source_options and not is_server:
        raise ValueError("source_options are of a patch log on a server, which this source is not")
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        if is_server:
            given = settings(door, source_options)
            return _run(door, lambda *rest: bridge.syncLog(store, text, given, *rest), options, progress)
        path = absolute(text)
        if not os.path.exists(path):
            raise FileNotFoundError(f"{hidden(text)}: there is no such folder or file")
        return _run(door, lambda *rest: bridge.syncFolder(store, path, *rest), options, progress)
    if not hasattr(source, "_jdf"):
        kind = f"{type(source).__module__}.{type(source).__name__}"
        raise TypeError(f"sync takes a folder, a log or a DataFrame of a classic Spark session, not a {kind}")
    if not door.in_spark:
        raise JellybridgeError(
            "this dataset was opened before Spark was started, and lives in another JVM than the DataFrame: "
            "open the dataset after the Spark session was made"
        )
    with door.errors():
        changes = _after(source, _text(store.position(key)))
    if net_effect and changes.take(1):
        changes = changes.transform(_changes.net_effect)
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "changes.jellyp")
        with door.errors():
            door.java_class("io.jellybridge.SparkBridge").writeChanges(changes._jdf, file)
        return _run(door, lambda *rest: bridge.syncRows(store, file, *rest), options, progress)


def _after(changes: DataFrame, position: Optional[str]) -> DataFrame:
    """The changes after the patch with that id, where it is among them."""
    if position is None or "patch" not in changes.columns:
        return changes
    _check_places(changes)
    applied = changes.where("op = 'H' and name = 'id'").where(changes["value"] == position).select("patch").first()
    return changes if applied is None else changes.where(changes["patch"] > applied[0])


def _check_places(changes: DataFrame) -> None:
    """Of rows of several files, whose patches have the same numbers, new ones would be taken for applied ones."""
    numbers = [column for column in ("patch", "row") if column in changes.columns]
    rows = changes if "row" in numbers else changes.where("op = 'H' and name = 'id'")
    twice = rows.groupBy(*numbers).count().where("count > 1").first()
    if twice is not None:
        raise JellybridgeError(
            f"two {'rows' if 'row' in numbers else 'ids'} have {', '.join(f'{name} {twice[name]}' for name in numbers)}; "
            "the patches of several files get numbers of their own by jellybridge.number_patches"
        )


def _run(
    door: Door, work: Callable[..., Any], options: Any, progress: RowsProgress
) -> SyncReport:
    with door.errors():
        report = watched(door, "sync", lambda done: work(options, done), progress)
        return SyncReport(
            patches=int(report.patches()),
            transactions=int(report.transactions()),
            added=int(report.added()),
            deleted=int(report.deleted()),
            aborted=int(report.aborted()),
            skipped=int(report.skipped()),
            quarantined=tuple(str(name) for name in report.quarantined()),
            position_before=_text(report.before()),
            position=_text(report.after()),
            changed=None if report.changed() is None else int(report.changed()),
        )


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)
