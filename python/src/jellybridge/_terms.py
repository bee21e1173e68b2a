"""Terms as callers give them. Arguments are kinder than rows: an IRI may stand between ``<`` and ``>`` or not."""

from __future__ import annotations

import json
import re
from typing import Any, Optional

_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:"
_ESCAPE = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_BARE = re.compile(rf'{_SCHEME}[^\x00-\x20<>"{{}}|^`\\]*')
_IRI = rf'<{_SCHEME}(?:[^\x00-\x20<>"{{}}|^`\\]|{_ESCAPE})*>'
_IRI_TERM = re.compile(_IRI)
_TERM = re.compile(
    rf'{_IRI}|_:\S+|"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^{_IRI})?|<<\(.*\)>>', re.DOTALL)
_ANY_IRI = "<[^>]*>"
_LITERAL = rf'"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^{_ANY_IRI})?'
#: A line of canonical N-Quads without a triple term. Its groups are the terms, the last one ``None`` in the default graph.
QUAD_LINE = re.compile(rf"({_ANY_IRI}|_:\S+) ({_ANY_IRI}) ({_ANY_IRI}|_:\S+|{_LITERAL}) (?:({_ANY_IRI}|_:\S+) )?\.")
_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
#: A hash in the header ``chain`` of a patch.
_HASH = re.compile(r"[A-Za-z0-9_-]{43}")
_PATCH = re.compile(f"(?:(?:urn:)?uuid:)?({_UUID.pattern})")

_WITH_OR_WITHOUT = "an IRI such as https://example.org/book, with or without < >"


def as_term(name: str, value: Any) -> str:
    """Returns a term of N-Triples. The JVM checks the rest of it, such as the parts of a triple term.

    >>> as_term("subject", "https://example.org/book"), as_term("subject", "<urn:s>"), as_term("object", '"chat"@fr')
    ('<https://example.org/book>', '<urn:s>', '"chat"@fr')
    >>> as_term("subject", "book")
    Traceback (most recent call last):
    ...
    ValueError: subject='book': must be an IRI such as https://example.org/book, with or without < >, or another term such as _:label or "text"

    Args:
        name: the argument's name, for the error.
        value: an IRI, with or without ``< >``, or another term; also a term of rdflib.

    Raises:
        ValueError: it can't be a term.
    """
    text = _text(value)
    if text is not None and _BARE.fullmatch(text):
        return f"<{text}>"
    if text is None or not _TERM.fullmatch(text):
        raise ValueError(f'{name}={value!r}: must be {_WITH_OR_WITHOUT}, or another term such as _:label or "text"')
    return text


def as_literal(text: str) -> str:
    r"""Returns a literal of N-Triples.

    >>> as_literal('say "hi"\n')
    '"say \\"hi\\"\\n"'
    """
    escaped = text.translate({ord("\\"): "\\\\", ord('"'): '\\"', 10: "\\n", 13: "\\r", 9: "\\t", 8: "\\b", 12: "\\f"})
    return '"' + re.sub("[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04X}", escaped) + '"'


def lexical(term: str) -> str:
    r"""Returns the text of a literal in canonical N-Triples; of another term, the term itself.

    >>> lexical('"say \\"hi\\""@en'), lexical("<urn:a>")
    ('say "hi"', '<urn:a>')
    """
    return str(json.loads(term[:term.rindex('"') + 1])) if term.startswith('"') else term


def as_iri(name: str, value: Any) -> str:
    r"""Returns an IRI without ``< >``.

    >>> as_iri("graph", "urn:g"), as_iri("graph", "<urn:g>"), as_iri("graph", r"<urn:\u00e9>")
    ('urn:g', 'urn:g', 'urn:é')
    >>> as_iri("graph", "_:g")
    Traceback (most recent call last):
    ...
    ValueError: graph='_:g': must be an IRI such as https://example.org/book, with or without < >

    Args:
        name: the argument's name, for the error.
        value: the IRI.

    Raises:
        ValueError: it can't be an absolute IRI.
    """
    text = _text(value)
    if text is not None and _IRI_TERM.fullmatch(text):
        text = re.sub(_ESCAPE, lambda escape: chr(int(escape[0][2:], 16)), text[1:-1])
    if text is None or not _BARE.fullmatch(text):
        raise ValueError(f"{name}={value!r}: must be {_WITH_OR_WITHOUT}")
    return text


def as_id(name: str, value: Any) -> str:
    """Returns the id of a patch as its header has it: a term. A UUID stands for ``<urn:uuid:…>``.

    >>> as_id("prev", "0fb1a8ae-5c2f-4d6a-9f5c-3a5d1c1d7c3e")
    '<urn:uuid:0fb1a8ae-5c2f-4d6a-9f5c-3a5d1c1d7c3e>'

    Args:
        name: the argument's name, for the error.
        value: a UUID, or what :func:`as_term` takes.

    Raises:
        ValueError: it can't be a term.
    """
    is_uuid = isinstance(value, str) and _UUID.fullmatch(value)
    return f"<urn:uuid:{value}>" if is_uuid else as_term(name, value)


def as_place(prev: Optional[str]) -> Optional[str]:
    """Returns the patch that another one is to follow: its id, or the hash in its header ``chain``. ``None`` and ``""`` stay.

    >>> as_place("A" * 43) == "A" * 43, as_place("<urn:uuid:0FB1A8AE-5c2f-4d6a-9f5c-3a5d1c1d7c3e>")
    (True, '0fb1a8ae-5c2f-4d6a-9f5c-3a5d1c1d7c3e')
    """
    is_place = prev is None or isinstance(prev, str) and (prev == "" or _HASH.fullmatch(prev))
    return prev if is_place else as_uuid("prev", prev)


def as_uuid(name: str, value: Any) -> str:
    """Returns the id of a patch in a log: a UUID.

    >>> as_uuid("id", "<urn:uuid:0FB1A8AE-5c2f-4d6a-9f5c-3a5d1c1d7c3e>")
    '0fb1a8ae-5c2f-4d6a-9f5c-3a5d1c1d7c3e'

    Args:
        name: the argument's name, for the error.
        value: a UUID, also with ``urn:uuid:`` before it, and then with or without ``< >``.

    Raises:
        ValueError: it is none.
    """
    text = _text(value)
    found = None if text is None else _PATCH.fullmatch(text[1:-1] if text.startswith("<") and text.endswith(">") else text)
    if found is None:
        raise ValueError(f"{name}={value!r}: must be the id of a patch, a UUID, with or without urn:uuid: before it")
    return found[1].lower()


def _text(value: Any) -> Optional[str]:
    """Returns a text; of a term of rdflib, whose literals are texts too, its N-Triples."""
    notation = getattr(value, "n3", None)
    said = notation() if callable(notation) else value
    return str(said) if isinstance(said, str) else None
