"""Implements ``Dataset.follow`` and ``Dataset.lag``: a sync that goes on, and how far it is behind."""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from ._convert import in_thread
from ._errors import JellybridgeError, UnreachableError
from ._locations import PathLike
from ._log import PatchLog
from ._printed_reports import Report, counted
from ._sync import SyncReport
from ._types import ServerOptions

_LOG = logging.getLogger("jellybridge.follow")
#: The shortest pause between two looks at a source, in seconds.
_SHORTEST = 0.05
#: The longest pause after a failure, in seconds.
_LONGEST_AFTER_FAILURE = 60.0


@dataclass(frozen=True)
class Lag(Report):
    """The result of :meth:`Dataset.lag`: how far a dataset is behind a patch log."""

    #: The version of the log that the dataset is at; 0 if it has applied nothing.
    version: int
    #: The newest version of the log.
    head: int
    #: The age in seconds of the oldest patch that is to be applied; 0 if there is none, ``None`` if it has no time.
    seconds: Optional[float]
    #: The position of the dataset; ``None`` if it has none.
    position: Optional[str]
    #: The error at which the next sync will stop; ``None`` if it will apply everything.
    error: Optional[str] = None

    @property
    def patches(self) -> int:
        """The number of patches to apply."""
        return self.head - self.version

    def figures(self) -> Dict[str, float]:
        """Returns the figures by the names of their metrics."""
        found: Dict[str, float] = {"follower_version": self.version, "follower_head": self.head, "follower_lag_patches": self.patches}
        return found if self.seconds is None else {**found, "follower_lag_seconds": self.seconds}

    def __str__(self) -> str:
        error = "" if self.error is None else f"; the next sync stops: {self.error}"
        behind = counted(self.patches, "patch", "patches")
        return f"at version {self.version:,} of {self.head:,}, {behind} behind{age_of_oldest(self.seconds)}{error}"


def age_of_oldest(seconds: Optional[float]) -> str:
    """Returns how old the oldest patch to apply is, in words; nothing if there is none, or if it has no time."""
    return f", the oldest from {seconds:,.1f} s ago" if seconds else ""


def lag(dataset: Any, log: PathLike, *, key: str, log_options: Optional[ServerOptions]) -> Lag:
    """See :meth:`Dataset.lag`."""
    with PatchLog.open(log, options=log_options) as opened:
        position = dataset.position(key)
        head = opened.head
        if head.version == 0:
            return Lag(0, 0, 0.0, position)
        error = None
        try:
            # Up to that head, since the log may grow meanwhile.
            report = dataset.sync(
                log, key=key, until=head.id, dry_run=True, progress=False, source_options=log_options
            )
            is_at_version = position is not None and report.checkpoint is None
            version = head.version - report.patches if is_at_version else 0
        except UnreachableError:
            raise
        except JellybridgeError as e:
            # Another sync may have taken the dataset beyond that head.
            position = dataset.position(key)
            with opened._call() as java:
                version = 0 if position is None else int(opened._bridge.versionWith(java, position))
            error = str(e) if version < head.version else None
        if version >= head.version:
            return Lag(head.version, head.version, 0.0, position, error)
        oldest = next(iter(opened.entries(version + 1, head.version)), None)
        now = datetime.now(timezone.utc)
        seconds = None if oldest is None or oldest.time is None else max((now - oldest.time).total_seconds(), 0.0)
        return Lag(version, head.version, seconds, position, error)


class FollowerState:
    """The progress of a follower, for other threads to look at.

    Args:
        silence: the seconds after the last look at the source for which the dataset counts as having all of it.
    """

    def __init__(self, silence: float = math.inf) -> None:
        self._silence = silence
        self._report: Optional[SyncReport] = None
        self._patches = 0
        self._error: Optional[str] = None
        self._error_time = 0.0
        self._has_all = False
        self._had_all = self._looked = time.monotonic()

    def begin(self) -> None:
        """Notes the beginning of a sync, which may find something new."""
        if self._has_all and not self.seconds:
            self._had_all = time.monotonic()
        self._has_all = False

    def end(self, report: SyncReport, begun: float) -> None:
        """Notes a sync that began at that moment, and has applied what was new then."""
        self._report, self._patches, self._error = report, self._patches + report.patches, None
        self._had_all, self._has_all, self._looked = begun, True, time.monotonic()

    def fail(self, error: Exception) -> None:
        """Notes an error."""
        self._error, self._error_time = str(error), time.time()

    @property
    def seconds(self) -> float:
        """The seconds since the dataset last had all of the source; 0 if it has all, as far as a recent look tells."""
        now = time.monotonic()
        return 0.0 if self._has_all and now - self._looked <= self._silence else now - self._had_all

    def figures(self) -> Dict[str, float]:
        """Returns the figures by the names of their metrics. Versions are those of a log, and missing before the first sync."""
        found: Dict[str, float] = {}
        if self._report is not None and self._report.version is not None and self._report.head is not None:
            found.update(Lag(self._report.version, self._report.head, None, None).figures())
        return {**found, "follower_lag_seconds": self.seconds, "follower_healthy": int(self._error is None),
                "follower_last_error_seconds": self._error_time, "follower_applied_patches_total": self._patches}


def follow(
    sync: Callable[[], SyncReport],
    source: str,
    *,
    poll_seconds: float,
    stop: Optional[threading.Event],
    wait: Optional[Callable[[int], bool]] = None,
    state: Optional[FollowerState] = None,
) -> Iterator[SyncReport]:
    """See :meth:`Dataset.follow`.

    Args:
        sync: applies what is new.
        source: the name of the source in messages.
        poll_seconds: the longest pause between two looks at a source that can be reached.
        stop: ends the loop once it is set.
        wait: waits for a version after the given one; returns ``False`` if the source can't. ``None``: it never can.
        state: gets the progress.
    """
    ended = threading.Event() if stop is None else stop
    state = FollowerState() if state is None else state
    pause = _SHORTEST
    failures = 0
    is_log = False
    waits_from = 0.0
    # A patch that was set aside is so again until a later one is applied.
    aside: Tuple[str, ...] = ()
    while not ended.is_set():
        begun = time.monotonic()
        state.begin()
        try:
            report = sync()
            if is_log and report.head is None:
                raise FileNotFoundError(f"{source}: is no patch log any more")
        except (JellybridgeError, FileNotFoundError) as e:
            # A log that was open before may be gone for a moment, such as while its token file or its folder is replaced.
            if not (isinstance(e, UnreachableError) or is_log and getattr(e, "_is_at_opening", True)):
                raise
            failures += 1
            state.fail(e)
            waits_from = 0.0
            pause = min(max(poll_seconds, 1.0) * 2 ** min(failures - 1, 16), _LONGEST_AFTER_FAILURE)
            _LOG.warning("%s: attempt %d failed, the next is in about %.0f s: %s", source, failures, pause, e)
        else:
            if failures:
                _LOG.info("%s: reached again after %s", source, counted(failures, "failure"))
            failures = 0
            is_log = report.head is not None
            state.end(report, begun)
            pause = min(pause * 2, poll_seconds)
            is_new = report.patches or report.checkpoint is not None or not set(report.quarantined) <= set(aside)
            aside = report.quarantined
            if is_new:
                pause = min(_SHORTEST, poll_seconds)
                _LOG.info("%s: %s, in %.2f s", source, report, time.monotonic() - begun)
                yield report
            elif wait is not None and report.head is not None and time.monotonic() >= waits_from:
                if _has_waited(wait, report.head, ended):
                    pause = min(_SHORTEST, poll_seconds)
                else:
                    waits_from = time.monotonic() + _LONGEST_AFTER_FAILURE
        # Followers that began at one moment, or lost their server at one moment, spread out.
        ended.wait(pause * random.uniform(0.5, 1.0))


class _Ended(Exception):
    """Ends a wait."""


def _has_waited(wait: Callable[[int], bool], after: int, ended: threading.Event) -> bool:
    """Waits in another thread, which is left behind when the loop ends."""
    def look() -> None:
        if ended.is_set():
            raise _Ended

    try:
        return in_thread(lambda: wait(after), look, lambda: None, 0)
    except (_Ended, UnreachableError):
        return False
    except JellybridgeError as e:
        if e._is_at_opening:
            return False
        raise
