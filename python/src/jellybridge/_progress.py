"""Reports progress, as a bar on a terminal or in a notebook, or to a function."""

from __future__ import annotations

import re
import shutil
import sys
import time
from typing import Any, Callable, Optional, TextIO, TypeVar, Union

from ._color import is_terminal
from ._convert import in_thread
from ._doors import Door

#: ``True`` draws a bar on a terminal or in a notebook. A function gets the number of rows.
RowsProgress = Union[bool, None, Callable[[int], None]]
T = TypeVar("T")

_SECONDS_BEFORE_SHOWN = 0.3
_SECONDS_BETWEEN_DRAWS = 0.1
_BAR_WIDTH = 24
_UNITS = ("B", "kB", "MB", "GB", "TB")


def readable(size: float) -> str:
    """Formats a number of bytes for people.

    >>> readable(999), readable(1_500_000)
    ('999 B', '1.5 MB')
    """
    unit = 0
    while size >= 999.95 and unit < len(_UNITS) - 1:
        size /= 1000
        unit += 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 else f"{size:.1f} {_UNITS[unit]}"


class ProgressBar:
    """A progress bar: one line on a terminal or in a notebook that is redrawn. Draws nothing elsewhere.

    Args:
        stream: the terminal.
        label: the name of the work.
        total: the number of bytes to read; ``None`` if unknown.
        shown: ``False`` never draws anything.
    """

    def __init__(self, stream: TextIO, label: str, total: Optional[int], shown: bool = True) -> None:
        self._stream = stream
        self._label = label
        self._total = total
        self._notebook: Any = _notebook() if shown else None
        self._shown = shown and (self._notebook is not None or is_terminal(stream))
        self._start = time.monotonic()
        self._drawn = 0.0
        self._visible = False
        self._handle: Any = None
        self._phase = ""
        self._phase_start = 0.0
        self._rows_before = 0

    def update(self, size: int, rows: int, checked: int = 0, phase: str = "", of: int = 0) -> None:
        """Redraws the bar if the last drawing is old enough.

        With a size of 0, it shows the rows only. Without rows too, it shows the elapsed time.

        Args:
            size: bytes read.
            rows: rows done.
            checked: rows that were checked, shown while no row is done.
            phase: the name of the phase.
            of: the number of rows that the phase will do; 0 if unknown.
        """
        now = time.monotonic()
        if not self._shown or now - self._start < _SECONDS_BEFORE_SHOWN or now - self._drawn < _SECONDS_BETWEEN_DRAWS:
            return
        self._drawn = now
        line = self._line(size, rows, checked, now - self._start, phase, of)
        if self._notebook is not None:
            self._display(line)
            return
        self._visible = True
        self._stream.write("\r" + _fitting(line, shutil.get_terminal_size().columns - 1) + "\x1b[K")
        self._stream.flush()

    def _line(self, size: int, rows: int, checked: int, seconds: float, phase: str, of: int) -> str:
        label = f"{self._label}: {phase}" if phase else self._label
        if phase != self._phase:
            self._phase, self._phase_start, self._rows_before = phase, seconds, rows
        rows -= self._rows_before
        if checked and not rows:
            return f"{label}  {checked:,} rows" if phase else f"{label}  checks, {checked:,} rows"
        if not size and not rows:
            return f"{label}  {seconds:.0f} s"
        if size:
            counts = f"{readable(size)}, {rows:,} rows, {readable(size / seconds)}/s"
            return _with_part(label, counts, size, self._total or 0, seconds)
        taken = max(seconds - self._phase_start, _SECONDS_BETWEEN_DRAWS)
        counts = f"{rows:,} rows, {rows / taken:,.0f} rows/s"
        return _with_part(label, counts, rows, of, taken)

    def _display(self, line: str) -> None:
        """Displays the line in the notebook, in place of the one before it."""
        data = {"text/plain": line}
        if self._handle is None:
            self._handle = self._notebook.display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def clear(self) -> None:
        """Clears the line."""
        if self._handle is not None:
            self._display("")
        if self._visible:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._visible = False


def _notebook() -> Any:
    """Returns the module of IPython that displays in a notebook; None if no notebook runs this program."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return sys.modules["IPython"].display if hasattr(shell, "kernel") else None


def timed(label: str, shown: bool, call: Callable[[], T]) -> T:
    """Runs work in another thread, and draws for how long it has run. Waits for its end after an interrupt, too.

    Args:
        label: the name of the work.
        shown: ``False`` draws nothing.
        call: the work.
    """
    bar = ProgressBar(sys.stderr, label, None, shown)
    try:
        return in_thread(call, lambda: bar.update(0, 0), lambda: None)
    finally:
        bar.clear()


def _fitting(line: str, width: int) -> str:
    """Returns a line that is no wider. The bar becomes shorter and goes before any figure does.

    >>> _fitting("diff a.nt   25% [######------------------] 1.2 MB, 9,000 rows, 4.1 MB/s, 3 s left", 71)
    'diff a.nt   25% [###---------] 1.2 MB, 9,000 rows, 4.1 MB/s, 3 s left'
    >>> _fitting("diff a.nt   25% [######------------------] 1.2 MB, 9,000 rows, 4.1 MB/s, 3 s left", 60)
    'diff a.nt   25% 1.2 MB, 9,000 rows, 4.1 MB/s, 3 s left'
    """
    if len(line) > width:
        shrink = next((by for by in (2, 4) if len(line) - _BAR_WIDTH + _BAR_WIDTH // by <= width), 0)
        line = re.sub(r" \[(#*)(-*)\]", lambda bar: f" [{bar[1][::shrink]}{bar[2][::shrink]}]" if shrink else "", line)
    return line[:width]


def _with_part(label: str, counts: str, done: int, total: int, seconds: float) -> str:
    """Returns a line with the part that is done and the time that is left, if the total is known."""
    if not total:
        return f"{label}  {counts}"
    part = min(done / total, 1.0)
    filled = int(part * _BAR_WIDTH)
    bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
    left = seconds / part - seconds if part > 0 else 0
    return f"{label}  {part:4.0%} [{bar}] {counts}, {left:.0f} s left"


def watched(door: Door, label: str, call: Callable[[Any], T], progress: RowsProgress) -> T:
    """Runs work on a dataset in another thread and reports its progress. An interrupt of this thread cancels it.

    Args:
        door: the way into the JVM.
        label: the name of the work.
        call: the work. It gets a Java ``Progress``.
        progress: the receiver of the progress.
    """
    done = door.bridge.newProgress()
    bar = ProgressBar(sys.stderr, label, None, shown=progress is True)

    def tell() -> None:
        if callable(progress):
            progress(int(done.rows()))
        else:
            bar.update(0, int(done.rows()), int(done.rowsRead()), str(done.phase()), int(done.total()))

    try:
        return in_thread(lambda: call(done), tell, done.cancel)
    finally:
        bar.clear()
