"""Lines of events, of N-Triples and N-Quads, and of RDF Patch text, taken apart and compared.

A parser of its own, so that what reads a stream does not judge what it read. It takes terms in any position, and triple
terms as ``<< s p o >>`` and ``<<( s p o )>>``. As a command it compares two files of events, and says where they part::

    python -m jelly_conformance.comparison EXPECTED FOUND
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

#: ("iri", text), ("blank node", label), ("literal", text, language, datatype), ("triple", s, p, o),
#: :data:`DEFAULT_GRAPH` or :data:`ABSENT`
Term = Tuple[Any, ...]
#: The op of an event, its name (of a header or prefix) or ``None``, and its terms.
Event = Tuple[Any, ...]

DEFAULT_GRAPH: Term = ("default graph",)
#: The namespace that a ``PD`` row leaves out.
ABSENT: Term = ("absent",)

END_OF_FRAME: Event = ("end of frame",)
END_OF_PATCH: Event = ("---", None)
_NAMED = ("H", "PA", "PD", "NS")
_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_CONTROLS = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


def event(text: str) -> Event:
    """A line of events.

    >>> event('PD "ex" - DEFAULT')
    ('PD', 'ex', ('absent',), ('default graph',))
    """
    line = Line(text)
    op = line.word()
    return (op, line.quoted() if op in _NAMED else None, *line.rest())


def events(lines: Iterable[str]) -> List[Event]:
    return [event(line) for line in map(_without_spaces, lines) if line]


def _without_spaces(line: str) -> str:
    # Not strip() alone: a literal or a label may end in another kind of space.
    return line.strip(" ")


def statement(text: str, quads: bool) -> Event:
    """A line of N-Triples or N-Quads as the event that a stream of triples or of quads has for it.

    >>> statement('<urn:s> <urn:p> "o"@EN .', quads=True)
    ('Q', None, ('iri', 'urn:s'), ('iri', 'urn:p'), ('literal', 'o', 'en', None), ('default graph',))
    """
    terms = Line(text).until_dot()
    return ("Q" if quads else "T", None, *terms, *([DEFAULT_GRAPH] if quads and len(terms) == 3 else []))


def statements(text: str, quads: bool) -> List[Event]:
    """The statements of a file; lines that are empty or comments are none."""
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    return [statement(line, quads) for line in lines if line and not line.startswith("#")]


def patch_text(text: str, quads: bool) -> List[Event]:
    """The rows of RDF Patch text, as the events of a stream of triples or of quads. Ends of patches are left out."""
    found = []
    for line in (line.strip(" \t\r") for line in text.split("\n")):
        row = Line(line)
        op = row.word() if line and not line.startswith("#") else "Z"
        if op == "Z":
            continue
        name = row.key() if op in _NAMED else None
        terms = row.until_dot()
        if op == "PD" and not terms:
            terms = [ABSENT]
        arity = {"A": 3, "D": 3, "PA": 1, "PD": 1}.get(op)
        if arity is not None:
            terms = [*terms[:arity], *((terms[arity:] or [DEFAULT_GRAPH]) if quads else [])]
        found.append((op, name, *terms))
    return found


def difference(expected: Sequence[Event], actual: Sequence[Event]) -> Optional[str]:
    """Where two streams part; ``None`` where they are equal but for a bijection of their blank nodes' labels.

    >>> difference([event("T _:a <urn:p> _:b")], [event("T _:b <urn:p> _:a")]) is None
    True
    >>> difference([event("T _:a <urn:p> _:b")], [event("T _:a <urn:p> _:a")])
    "event 0: expected ('T', None, ('blank node', 0), ('iri', 'urn:p'), ('blank node', 1)), found \
('T', None, ('blank node', 0), ('iri', 'urn:p'), ('blank node', 0))"
    """
    pairs = zip(with_numbered_blank_nodes(expected), with_numbered_blank_nodes(actual))
    for index, (wanted, found) in enumerate(pairs):
        if wanted != found:
            return f"event {index}: expected {wanted!r}, found {found!r}"
    if len(expected) != len(actual):
        return f"expected {len(expected)} events, found {len(actual)}"
    return None


def with_numbered_blank_nodes(stream: Iterable[Event]) -> List[Event]:
    """A stream with its blank nodes numbered as they come: equal exactly where a bijection of labels is."""
    numbers: Dict[str, int] = {}

    def numbered(part: Any) -> Any:
        if not isinstance(part, tuple):
            return part
        if part[0] == "blank node":
            return (part[0], numbers.setdefault(part[1], len(numbers)))
        return (part[0], *map(numbered, part[1:]))

    return [numbered(found) for found in stream]


def lone_term(text: str) -> Term:
    """A term that stands alone; a blank node's label is then all that follows ``_:``, byte for byte."""
    if text.startswith("_:"):
        return ("blank node", text[2:])
    line = Line(text)
    found = line.term()
    if not line.at_end():
        raise ValueError(f"text after the term: {text!r}")
    return found


class Line:
    """A cursor over words and terms. Every method passes over spaces first.

    Raises:
        ValueError: something else stands there; the message says where.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def at_end(self) -> bool:
        self._skip_spaces()
        return self._at == len(self._text)

    def word(self) -> str:
        """What stands before the next space."""
        self._skip_spaces()
        return self._until_space()

    def _until_space(self) -> str:
        start = self._at
        while self._at < len(self._text) and not self._at_space():
            self._at += 1
        return self._text[start:self._at]

    def quoted(self) -> str:
        self._skip_spaces()
        if not self._takes('"'):
            raise ValueError(f"no quote at {self._at} of {self._text!r}")
        return self._until('"')

    def key(self) -> str:
        """A header's key or a prefix, in quotes or bare."""
        self._skip_spaces()
        return self.quoted() if self._text.startswith('"', self._at) else self.word().removesuffix(":")

    def rest(self) -> List[Term]:
        """The terms up to the end."""
        terms: List[Term] = []
        while not self.at_end():
            terms.append(self.term())
        return terms

    def until_dot(self) -> List[Term]:
        """The terms up to the dot that ends a line."""
        terms: List[Term] = []
        while not self.at_end():
            if self._takes("."):
                if not self.at_end():
                    raise ValueError(f"text after the dot of {self._text!r}")
                return terms
            terms.append(self.term())
        raise ValueError(f"no dot at the end of {self._text!r}")

    def term(self) -> Term:
        self._skip_spaces()
        if self._takes("<<"):
            return self._triple()
        if self._takes("<"):
            return ("iri", self._until(">"))
        if self._takes("_:"):
            return ("blank node", _unescape(self._until_space()))
        if self._text.startswith('"', self._at):
            return self._literal()
        word = self.word()
        if word not in ("DEFAULT", "-"):
            raise ValueError(f"no term: {word!r} in {self._text!r}")
        return DEFAULT_GRAPH if word == "DEFAULT" else ABSENT

    def _triple(self) -> Term:
        end = ")>>" if self._takes("(") else ">>"
        terms = (self.term(), self.term(), self.term())
        self._skip_spaces()
        if not self._takes(end):
            raise ValueError(f"no {end} at {self._at} of {self._text!r}")
        return ("triple", *terms)

    def _literal(self) -> Term:
        text = self.quoted()
        if self._takes("@"):
            return ("literal", text, self.word().lower(), None)
        datatype = self._until(">") if self._takes("^^<") else _XSD_STRING
        return ("literal", text, None, None if datatype == _XSD_STRING else datatype)

    def _until(self, end: str) -> str:
        start = self._at
        while not self._text.startswith(end, self._at):
            if self._at >= len(self._text):
                raise ValueError(f"no {end} after {start} of {self._text!r}")
            self._at += 2 if self._text[self._at] == "\\" else 1
        self._at += 1
        return _unescape(self._text[start:self._at - 1])

    def _takes(self, token: str) -> bool:
        there = self._text.startswith(token, self._at)
        self._at += len(token) if there else 0
        return there

    def _skip_spaces(self) -> None:
        while self._at < len(self._text) and self._at_space():
            self._at += 1

    def _at_space(self) -> bool:
        return self._text[self._at] in " \t"


def _unescape(text: str) -> str:
    parts = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            parts.append(text[at])
            at += 1
            continue
        escape = text[at + 1]
        digits = {"u": 4, "U": 8}.get(escape, 0)
        parts.append(chr(int(text[at + 2:at + 2 + digits], 16)) if digits else _CONTROLS.get(escape, escape))
        at += 2 + digits
    return "".join(parts)


def main(arguments: Sequence[str]) -> int:
    """Compares two files of events: 0 where they are equal, 1 where not, 2 where they can't be compared."""
    if len(arguments) != 2:
        print("usage: python -m jelly_conformance.comparison EXPECTED FOUND", file=sys.stderr)
        return 2
    try:
        expected, found = (events(Path(name).read_text(encoding="utf-8").split("\n")) for name in arguments)
    except (OSError, ValueError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    problem = difference(expected, found)
    print(problem or f"{len(expected)} events, the same in both")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
