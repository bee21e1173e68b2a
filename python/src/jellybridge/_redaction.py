"""Removes user names, passwords and terminal control characters from messages. The Java twin is
``io.jellybridge.http.Redaction``.
"""

from __future__ import annotations

import re

# Matches the URL in a normalized path too, where two slashes have become one.
_START = r"(//|(?:https?|ftp|file|grpcs?):/?(?!/))"
# Up to the last @, encoded or not. A password may contain an @ or a /, and no part of it may be shown.
_IN_ADDRESS = re.compile(_START + ".*(?:@|%40)", re.DOTALL | re.IGNORECASE)
# Text in the place of a port that is not a number may be a password without its host.
_NO_PORT = re.compile(r"((?://|(?:https?|ftp|grpcs?):/?)[^/:\[]*:)(?![0-9]*(?:/|\Z))[^/]*", re.IGNORECASE)
# RDF terms stay as they are: an IRI ends at its bracket, a literal at its quote.
_IN_TEXT = re.compile(_START + r"[^\s\"<>]*@", re.IGNORECASE)

# Control characters, and marks that change the text direction. Tabs and line ends stay.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def hidden(address: str) -> str:
    """Removes the part before the ``@`` from an address that a user gave, valid or not.

    >>> hidden("sparql:http://me:secret@host:7878/update")
    'sparql:http://host:7878/update'
    """
    return _NO_PORT.sub(r"\1…", _IN_ADDRESS.sub(r"\1", address))


def hidden_in(text: str) -> str:
    """Removes the part before the ``@`` from each URL in a text."""
    return _IN_TEXT.sub(r"\1", text)


def printable(text: str) -> str:
    r"""Replaces terminal control characters by escapes, as in N-Triples.

    >>> print(printable("\x1b[2J all is well"))
    \u001B[2J all is well
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04X}", text)
