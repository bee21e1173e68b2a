"""The capture of a dataset's changes."""

from __future__ import annotations

import atexit
import os
import warnings
from typing import Any, Optional

from ._doors import Door
from ._errors import JellybridgeError
from ._locations import Closing

#: The default key under which a dataset keeps the id of the last captured patch.
CAPTURE_KEY = "urn:jellybridge:capture"
#: The default size at which a file of a folder ends: 64 MiB.
MAX_BYTES = 64 << 20
#: The default time in seconds after which a file of a folder ends.
MAX_SECONDS = 10.0


class Capture(Closing):
    """A running capture. It ends when you close it or its dataset. A context manager."""

    def __init__(self, door: Door, capture: Any, log: str) -> None:
        """Called by :meth:`Dataset.capture` only."""
        self._door = door
        self._capture = capture
        self._log = log
        self._process = os.getpid()
        # A program that drops both this object and the dataset would lose a one-file log, which appears only at the end.
        atexit.register(self._close_at_exit)

    @property
    def patches(self) -> int:
        """The number of patches captured so far."""
        with self._door.errors():
            return int(self._capture.patches())

    @property
    def head(self) -> Optional[str]:
        """The id of the log's last patch, an IRI in angle brackets. ``None`` if the log is empty."""
        with self._door.errors():
            head = self._capture.head()
        return None if head is None else str(head)

    @property
    def closed(self) -> bool:
        """Returns whether the capture has ended."""
        with self._door.errors():
            return bool(self._capture.ended())

    def rotate(self) -> None:
        """Ends the file that is being written, so that others can read it. Does nothing if the file has no patch yet.

        Raises:
            JellybridgeError: the capture goes to one file, or the folder can't be written.
        """
        with self._door.errors():
            self._capture.rotate()

    def close(self) -> None:
        """Ends the capture and completes the log. You may close it twice.

        Raises:
            JellybridgeError: the log can't be written, or the dataset failed to commit the captured changes. The message
                describes the state after that.
        """
        atexit.unregister(self._close_at_exit)
        with self._door.errors():
            self._capture.close()

    def _close_at_exit(self) -> None:
        if os.getpid() == self._process and not self.closed:
            warnings.warn(f"{self!r} was not closed before the process ended", ResourceWarning)
            self.close()

    def __enter__(self) -> Capture:
        if self.closed:
            raise JellybridgeError(f"the capture into {self._log} has ended: begin another by Dataset.capture")
        return self

    def __repr__(self) -> str:
        return f"Capture({self._log!r}{', closed' if self.closed else ''})"
