"""A progress bar on a terminal."""

from __future__ import annotations

import shutil
import time
from typing import Optional, TextIO

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

    def update(self, size: int, rows: int) -> None:
        """Draws how far the work is (a size of 0: by rows only), when the last drawing is old enough."""
        now = time.monotonic()
        if not self._shown or now - self._start < _SECONDS_BEFORE_SHOWN or now - self._drawn < _SECONDS_BETWEEN_DRAWS:
            return
        self._drawn = now
        self._visible = True
        line = self._line(size, rows, now - self._start)
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r" + line[:width] + "\x1b[K")
        self._stream.flush()

    def _line(self, size: int, rows: int, seconds: float) -> str:
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
