"""Programs on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from typing import Sequence, Tuple


def shown_on_a_terminal(command: Sequence[str], stream: str) -> Tuple[int, bytes]:
    """Runs a command, one of whose streams is a terminal.

    Args:
        command: the program and its arguments.
        stream: ``stdout`` or ``stderr``.

    Returns:
        the exit status, and what the terminal got.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, **{stream: theirs})  # type: ignore[call-overload]
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    os.close(ours)
    return process.wait(60), shown
