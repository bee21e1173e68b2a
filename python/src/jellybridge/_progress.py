"""How far long work is: a progress bar on a terminal, or a function that hears of it."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, Callable, Optional, TextIO, TypeVar, Union

from ._convert import in_thread
from ._doors import Door

#: ``True`` draws a bar on a terminal; a function hears of the number of rows.
RowsProgress = Union[bool, None, Callable[[int], None]]
T = TypeVar("T")

_SECONDS_BEFORE_SHOWN = 0.3
_SECONDS_BETWEEN_DRAWS = 0.1
_BAR_WIDTH = 24
_UNITS = ("B", "kB", "MB", "GB", "TB")


def readable(size: float) -> str:
    """A number of bytes for people.

    >>> readable(999), readable(1_500_000)
    ('999 B', '1.5 MB')
    """
    unit = 0
    while size >= 999.95 and unit < len(_UNITS) - 1:
        size /= 1000
        unit += 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 else f"{size:.1f} {_UNITS[unit]}"


class ProgressBar:
    """One line on a terminal that is drawn over itself; nothing where the stream is no terminal.

    Args:
        stream: where to draw.
        label: what is being done.
        total: how many bytes there are to read; ``None`` = not known.
        shown: ``False`` draws nothing anywhere.
    """

    def __init__(self, stream: TextIO, label: str, total: Optional[int], shown: bool = True) -> None:
        self._stream = stream
        self._label = label
        self._total = total
        self._shown = shown and stream.isatty()
        self._start = time.monotonic()
        self._drawn = 0.0
        self._visible = False

    def update(self, size: int, rows: int, checked: int = 0) -> None:
        """Draws how far the work is, when the last drawing is old enough: with a size of 0 by rows only, with neither by time.

        Args:
            size: bytes read.
            rows: rows done.
            checked: rows that were looked at; drawn while none is done.
        """
        now = time.monotonic()
        if not self._shown or now - self._start < _SECONDS_BEFORE_SHOWN or now - self._drawn < _SECONDS_BETWEEN_DRAWS:
            return
        self._drawn = now
        self._visible = True
        line = self._line(size, rows, checked, now - self._start)
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r" + line[:width] + "\x1b[K")
        self._stream.flush()

    def _line(self, size: int, rows: int, checked: int, seconds: float) -> str:
        if checked and not rows:
            return f"{self._label}  checks, {checked:,} rows"
        if not size and not rows:
            return f"{self._label}  {seconds:.0f} s"
        if not size:
            return f"{self._label}  {rows:,} rows, {rows / seconds:,.0f} rows/s"
        counts = f"{readable(size)}, {rows:,} rows, {readable(size / seconds)}/s"
        if not self._total:
            return f"{self._label}  {counts}"
        part = min(size / self._total, 1.0)
        filled = int(part * _BAR_WIDTH)
        bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
        left = seconds / part - seconds if part > 0 else 0
        return f"{self._label}  {part:4.0%} [{bar}] {counts}, {left:.0f} s left"

    def clear(self) -> None:
        """Takes the line away."""
        if self._visible:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._visible = False


def watched(door: Door, label: str, call: Callable[[Any], T], progress: RowsProgress) -> T:
    """Does work on a dataset in another thread; meanwhile shows how far it is, and ends it when this one is interrupted.

    Args:
        door: the way to the JVM side.
        label: what is being done.
        call: takes the Java side's ``Progress``.
        progress: who hears of it.
    """
    done = door.bridge.newProgress()
    bar = ProgressBar(sys.stderr, label, None, shown=progress is True)

    def tell() -> None:
        if callable(progress):
            progress(int(done.rows()))
        else:
            bar.update(0, int(done.rows()), int(done.rowsRead()))

    try:
        return in_thread(lambda: call(done), tell, done.cancel)
    finally:
        bar.clear()
