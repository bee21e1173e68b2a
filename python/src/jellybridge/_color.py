"""Colours on a terminal. Nothing is coloured in a pipe, with ``NO_COLOR``, or on a terminal that has no colours."""

from __future__ import annotations

import os
import re
from typing import Optional, TextIO

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def is_terminal(stream: Optional[TextIO]) -> bool:
    """Returns whether a stream is shown on a terminal. It is ``None`` if the process was started with it closed."""
    return stream is not None and stream.isatty()


def is_wanted(stream: Optional[TextIO]) -> bool:
    """Returns whether a stream shows colours: a terminal, unless ``NO_COLOR`` is set or ``TERM`` is ``dumb``."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def is_wanted_in_git(stream: Optional[TextIO]) -> bool:
    """Returns whether a stream shows colours, also if git runs this command and sends its output to a pager."""
    in_pager = bool(os.environ.get("GIT_PAGER_IN_USE")) and not os.environ.get("NO_COLOR")
    return in_pager or is_wanted(stream)


def painted(text: str, style: str, stream: Optional[TextIO]) -> str:
    """Returns a text in a style, if the stream shows colours."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if text and is_wanted(stream) else text


def help_page(text: str, stream: Optional[TextIO]) -> str:
    """Returns a help page with bold headings and names, and dim comments of examples."""
    if not is_wanted(stream):
        return text
    for pattern, style in ((r"(?m)^[a-z ]+:$", "bold"), (r"(?m)^usage:", "bold"), (r"(?m)^  # .*$", "dim"),
                           (r"(?m)^(?:  |    )(?:-\w, )?--?[a-z-]+\b", "green")):
        text = re.sub(pattern, lambda found: painted(found[0], style, stream), text)
    return text


def change(line: str, stream: Optional[TextIO]) -> str:
    """Returns a line of RDF Patch text, with additions in green and deletions in red."""
    style = {"A ": "green", "D ": "red"}.get(line[:2])
    return line if style is None else painted(line.rstrip("\n"), style, stream) + "\n"
