"""Checkpoints of a patch log, the states of old versions, pruning, and verification."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

from ._arguments import check, java_options
from ._doors import Door
from ._errors import JellybridgeError
from ._locations import FileLocation
from ._printed_reports import Report, counted
from ._progress import RowsProgress, readable, watched
from ._repair import LogFault
from ._terms import as_iri, as_uuid
from ._times import age, millis, time_literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BRIDGE = "io.jellybridge.CheckpointBridge"
#: The number of quads of a difference that a report names.
_SHOWN = 5


@dataclass(frozen=True)
class Checkpoint(Report):
    """A checkpoint: the state of a log at a version, kept beside its patches."""

    version: int
    #: The id of the patch of that version, a UUID.
    id: str
    #: The time of that patch, such as ``2024-05-01T12:00:00Z``; ``None`` if it has none.
    time: Optional[str]
    #: The number of quads.
    quads: int
    #: A hash of the quads: the sum, modulo 2^256, of the SHA-256 of each quad's line in canonical N-Quads, in hexadecimal.
    hash: str
    #: True if this call created it, false if it was there.
    is_new: bool

    def __str__(self) -> str:
        return (f"checkpoint of version {self.version} {'made' if self.is_new else 'is there'}: "
                f"{counted(self.quads, 'quad')}, hash {self.hash}")


@dataclass(frozen=True)
class StateReport(Report):
    """The result of :meth:`PatchLog.state`."""

    version: int
    id: str
    time: Optional[str]
    quads: int

    def __str__(self) -> str:
        return f"version {self.version}, {counted(self.quads, 'quad')}"


@dataclass(frozen=True)
class PruneReport(Report):
    """The result of :meth:`PatchLog.prune`."""

    #: The first version that still has a patch.
    first: int
    #: The number of patches deleted.
    patches: int
    #: The number of files deleted.
    files: int
    #: The size of those files in bytes.
    bytes: int
    #: The number of checkpoints deleted.
    checkpoints: int

    def __str__(self) -> str:
        return (f"{counted(self.patches, 'patch', 'patches')} in {counted(self.files, 'file')} taken away, "
                f"{readable(self.bytes)}; checkpoints {self.checkpoints:,}; begins with version {self.first}")


@dataclass(frozen=True)
class LogVerification(Report):
    """The result of :meth:`PatchLog.verify`."""

    #: The number of patches read.
    patches: int
    #: The number of checkpoints.
    checkpoints: int
    #: The faults, by kind. ``DAMAGED``: the patch can't be read. ``FORK``: it does not follow the patch before it. ``HASH``: it
    #: differs from the patch that was appended. ``REPLAY``: a checkpoint differs from the state that the patches give.
    faults: Tuple[LogFault, ...]

    @property
    def ok(self) -> bool:
        """Returns whether there are no faults."""
        return not self.faults

    def __str__(self) -> str:
        faults = counted(len(self.faults), "fault") if self.faults else "no fault"
        return (f"{counted(self.patches, 'patch', 'patches')} and {counted(self.checkpoints, 'checkpoint')} verified, "
                f"{faults}")


@dataclass(frozen=True)
class DatasetVerification(Report):
    """The result of :meth:`Dataset.verify`."""

    #: The version of the log that the dataset is at; 0 if it has applied no patch.
    version: int
    #: The position that the dataset stores for that version; ``None`` if it has none.
    position: Optional[str]
    #: The number of quads of the log at that version.
    quads: int
    #: The hash of those quads, see :attr:`Checkpoint.hash`.
    hash: str
    #: The number of quads in the dataset.
    dataset_quads: int
    #: The hash of the quads in the dataset.
    dataset_hash: str
    #: The number of quads that the dataset lacks.
    missing: int
    #: The number of quads that the dataset should not have.
    surplus: int
    #: The first missing quads in sort order, as lines of N-Quads.
    missing_quads: Tuple[str, ...]
    #: The first surplus quads, likewise.
    surplus_quads: Tuple[str, ...]
    #: The newest version of the log.
    head: int = 0

    @property
    def ok(self) -> bool:
        """Returns whether the dataset equals the state of the log at its version. A dataset that is at no version of a log that
        has some is not ok: it was never synced, or was emptied together with its position.
        """
        return self.missing == 0 == self.surplus and (self.version > 0 or self.head == 0)

    def __str__(self) -> str:
        quads = counted(self.dataset_quads, "quad")
        if self.version == 0 < self.head:
            return f"at no version of the log, which is at version {self.head}: never synced, or emptied since; {quads}"
        found = "as the log" if self.ok else (
            f"and the log has {self.quads:,}: missing {self.missing:,}, surplus {self.surplus:,}")
        behind = f" of {self.head}" if self.version < self.head else ""
        return f"at version {self.version}{behind}, {quads}, {found}"


def _call(door: Door, name: str, label: str, progress: RowsProgress, *arguments: Any) -> Dict[str, Any]:
    call = getattr(door.java_class(_BRIDGE), name)
    found: Dict[str, Any] = json.loads(str(watched(door, label, lambda done: call(*arguments, done), progress)))
    return found


def checkpoint(door: Door, log: Any, version: Optional[int], progress: RowsProgress) -> Checkpoint:
    """See :meth:`PatchLog.checkpoint`."""
    return Checkpoint._of(_call(door, "checkpoint", "checkpoint", progress, log, _version("version", version)))


def begin(door: Door, address: str, state: FileLocation, base: Optional[str], progress: RowsProgress) -> None:
    """See :meth:`PatchLog.create` with a file as ``state``."""
    options = java_options(door, {} if base is None else {"base": as_iri("base", base)})
    _call(door, "begin", "create", progress, address, *state, options)


def said(state: Checkpoint, quads: DataFrame) -> DataFrame:
    """Returns the state of a checkpoint as the change rows of a patch that adds it."""
    from pyspark.sql import functions as F

    version = F.lit(state.version).cast("bigint").alias("patch")
    rows = quads.select(version, F.lit(1).cast("bigint").alias("row"), F.lit("A").alias("op"), *quads.columns)
    if state.time is None:
        return rows
    time = quads.sparkSession.range(1).select(
        version, F.lit(0).cast("bigint").alias("row"), F.lit("H").alias("op"), F.lit("time").alias("name"),
        F.lit(time_literal(state.time)).alias("value"),
    )
    return rows.unionByName(time, allowMissingColumns=True)


def state(
    door: Door, log: Any, file: str, version: Optional[int], id: Optional[str], time: Union[datetime, str, None],
    progress: RowsProgress,
) -> StateReport:
    """See :meth:`PatchLog.state`."""
    return StateReport._of(_call(door, "state", "state", progress, log, file, version_of(door, log, version, id, time)))


def version_of(door: Door, log: Any, version: Optional[int], id: Optional[str], time: Union[datetime, str, None]) -> int:
    """Returns the version that one of the arguments selects, as Java takes it: 0 for the head."""
    if sum(given is not None for given in (version, id, time)) > 1:
        raise ValueError("version, id and time say the same thing in three ways; give one of them")
    wanted = _version("version", version)
    bridge = door.java_class(_BRIDGE)
    if id is not None:
        wanted = int(bridge.version(log, as_uuid("id", id), 0))
    elif time is not None:
        wanted = int(bridge.version(log, None, millis(time)))
    return wanted


def version_at(door: Door, log: Any, time: Union[datetime, str]) -> int:
    """Returns the last version at a time, or the one before the oldest patch of the log."""
    return int(door.java_class(_BRIDGE).versionAtOrBeforeFirst(log, millis(time)))


def first_since(door: Door, log: Any, millis: int) -> int:
    """Returns the first version at a time or after it."""
    return int(door.java_class(_BRIDGE).firstSince(log, millis))


def _version(name: str, value: Optional[int]) -> int:
    """Checks a version, and returns it as Java takes it: 0 for ``None``."""
    if value is None:
        return 0
    check("a whole number of 64 bits", **{name: value})
    if value < 1:
        raise ValueError(f"{name}={value}: versions begin with 1")
    return value


def prune(door: Door, log: Any, before: Optional[int], keep: Union[timedelta, str, None]) -> PruneReport:
    """See :meth:`PatchLog.prune`."""
    if (before is None) == (keep is None):
        raise ValueError("give before=VERSION or keep=TIME, one of them")
    keep = age(keep) if isinstance(keep, str) else keep
    if keep is not None and (not isinstance(keep, timedelta) or keep < timedelta(0)):
        raise ValueError(f"keep={keep!r}: must be a timedelta that is not negative, or a text such as 30d")
    millis = 0 if keep is None else keep // timedelta(milliseconds=1)
    found = json.loads(str(door.java_class(_BRIDGE).prune(log, _version("before", before), millis)))
    return PruneReport(found["first"], found["versions"], found["files"], found["bytes"], found["checkpoints"])


def wrong_clocks(door: Door, log: Any) -> Optional[str]:
    """Returns a sentence about the patches of a log whose clock was wrong; ``None`` if there are none."""
    found = door.java_class(_BRIDGE).wrongClocks(log)
    return None if found is None else str(found)


def verify(door: Door, log: Any, progress: RowsProgress) -> LogVerification:
    """See :meth:`PatchLog.verify`."""
    found = _call(door, "verify", "verify", progress, log)
    return LogVerification(found["patches"], found["checkpoints"], tuple(LogFault(**fault) for fault in found["faults"]))


def adopt(
    door: Door, log: Any, address: str, store: Any, key: str, version: Optional[int], progress: RowsProgress
) -> DatasetVerification:
    """See :meth:`Dataset.adopt`."""
    found = DatasetVerification._of(
        _call(door, "adopt", "adopt", progress, log, store, key, _version("version", version), _SHOWN)
    )
    if not found.ok:
        first = [f"it lacks {quad}" for quad in found.missing_quads[:1]] + [f"it has {quad}" for quad in found.surplus_quads[:1]]
        raise JellybridgeError(
            f"the dataset does not hold what version {found.version:,} of the log {address} says: it lacks {found.missing:,} quads "
            f"of it, and has {found.surplus:,} others ({'; '.join(first)}); its position was not changed. Make the log of a dump of "
            "this dataset, in N-Quads or Jelly, which keep the labels of blank nodes"
        )
    return found


def compare(door: Door, log: Any, store: Any, key: str, progress: RowsProgress) -> DatasetVerification:
    """See :meth:`Dataset.verify`."""
    return DatasetVerification._of(_call(door, "compare", "verify", progress, log, store, key, _SHOWN))
