"""A capture of the changes of a dataset, while it runs."""

from __future__ import annotations

import atexit
import os
import warnings
from types import TracebackType
from typing import Any, Optional, Type

from ._doors import Door
from ._errors import JellybridgeError

#: The key under which a dataset keeps the id of the last patch that was captured, unless told otherwise.
CAPTURE_KEY = "urn:jellybridge:capture"
#: The size at which a file of a folder ends, unless told otherwise: 64 MiB.
MAX_BYTES = 64 << 20
#: The time after which it ends, unless told otherwise.
MAX_SECONDS = 10.0


class Capture:
    """A capture, which runs from :meth:`Dataset.capture` until it is closed, or the dataset is. A context manager."""

    def __init__(self, door: Door, capture: Any, log: str) -> None:
        """For :meth:`Dataset.capture` only."""
        self._door = door
        self._capture = capture
        self._log = log
        self._process = os.getpid()
        # Whoever keeps neither this nor a block would lose the log of one file, which appears at its end.
        atexit.register(self._close_at_exit)

    @property
    def patches(self) -> int:
        """How many patches were captured so far."""
        with self._door.errors():
            return int(self._capture.patches())

    @property
    def head(self) -> Optional[str]:
        """The id of the log's last patch, an IRI in angle brackets; ``None`` when it has none."""
        with self._door.errors():
            head = self._capture.head()
        return None if head is None else str(head)

    @property
    def closed(self) -> bool:
        """Whether the capture has ended."""
        with self._door.errors():
            return bool(self._capture.ended())

    def rotate(self) -> None:
        """Ends the file of the folder that is being written, so that others can read it; nothing when it has no patch.

        Raises:
            JellybridgeError: the capture goes to one file, or the folder can't be written.
        """
        with self._door.errors():
            self._capture.rotate()

    def close(self) -> None:
        """Ends the capture: the log is complete then. Closing twice is no error.

        Raises:
            JellybridgeError: the log can't be written, or the dataset failed to commit what it has; the message says
                what that leaves.
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

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Capture({self._log!r}{', closed' if self.closed else ''})"
