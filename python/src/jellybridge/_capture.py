"""A capture of the changes of a dataset, while it runs."""

from __future__ import annotations

from typing import Any, Optional

from ._doors import Door

#: The key under which a dataset keeps the id of the last patch that was captured, unless told otherwise.
CAPTURE_KEY = "urn:jellybridge:capture"
#: The size at which a file of a folder ends, unless told otherwise: 64 MiB.
MAX_BYTES = 64 << 20


class Capture:
    """A capture that runs; :meth:`Dataset.capture` makes it and ends it."""

    def __init__(self, door: Door, capture: Any) -> None:
        """For :meth:`Dataset.capture` only."""
        self._door = door
        self._capture = capture

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

    def rotate(self) -> None:
        """Ends the file of the folder that is being written, so that it appears; nothing when it has no patch.

        Raises:
            JellybridgeError: the capture goes to one file, or the folder can't be written.
        """
        with self._door.errors():
            self._capture.rotate()
