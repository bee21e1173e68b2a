"""Takes user names and passwords out of what is shown, and what steers a terminal; ``io.jellybridge.http.Redaction`` is the same
in Java."""

from __future__ import annotations

import re

# A path keeps one slash of two.
_START = r"(//|(?:https?|ftp|file):/?(?!/))"
# Up to the last @, encoded or not: a password in which someone left an @ or a / must not be shown in part.
_IN_ADDRESS = re.compile(_START + ".*(?:@|%40)", re.DOTALL | re.IGNORECASE)
# What stands where a port does, and is none, may be a password without its host.
_NO_PORT = re.compile(r"((?://|(?:https?|ftp):/?)[^/:\[]*:)(?![0-9]*(?:/|\Z))[^/]*", re.IGNORECASE)
# Terms of RDF keep what they have: an IRI ends at its bracket, a literal at its quote.
_IN_TEXT = re.compile(_START + r"[^\s\"<>]*@", re.IGNORECASE)

# Controls, and marks that turn the direction of what is shown; tabs and line ends stay.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def hidden(address: str) -> str:
    """An address that a user gave, right or wrong, without what stands before its ``@``.

    >>> hidden("delta:http://me:secret@host:1066/log")
    'delta:http://host:1066/log'
    """
    return _NO_PORT.sub(r"\1…", _IN_ADDRESS.sub(r"\1", address))


def hidden_in(text: str) -> str:
    """A text without what stands before the ``@`` of each URL in it."""
    return _IN_TEXT.sub(r"\1", text)


def printable(text: str) -> str:
    r"""A text with escapes, as of N-Triples, in place of characters that steer a terminal.

    >>> print(printable("\x1b[2J all is well"))
    \u001B[2J all is well
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04X}", text)
