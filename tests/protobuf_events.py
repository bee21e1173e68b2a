"""Prints the events of a Jelly-Patch file: protobuf_events.py FILE

An example of an implementation for the runner of conformance suites: a plain decoder over protobuf's own parser and the stubs
of the schemas. It checks that what it needs is there, and no more rules. How it splits a stream into frames is its own too.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from google.protobuf.message import DecodeError

from jellybridge.proto import patch_pb2

FRAME, FLAT, PUNCTUATED = 1, 2, 3
QUADS = 2
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


def frames(data: bytes) -> Iterator[Any]:
    """The frames of a stream: delimited, or one that is not, which begins with a row and not with a length."""
    if data[:1] == b"\n" and (data[1:2] != b"\n" or data[:3] == b"\n\n\n"):
        yield patch_pb2.RdfPatchFrame.FromString(data)
        return
    at = 0
    while at < len(data):
        length = shift = 0
        while data[at] & 128:
            length |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
        length |= data[at] << shift
        at += 1
        if at + length > len(data):
            raise ValueError("P-125: the last frame is cut")
        yield patch_pb2.RdfPatchFrame.FromString(data[at:at + length])
        at += length


class Lookup:
    def __init__(self) -> None:
        self.entries: Dict[int, str] = {}
        self.last = 0

    def put(self, entry: Any) -> None:
        self.last = entry.id or self.last + 1
        self.entries[self.last] = entry.value


class Decoder:
    def __init__(self) -> None:
        self.options: Any = None
        self.names, self.prefixes, self.datatypes = Lookup(), Lookup(), Lookup()
        self.last_name = self.last_prefix = 0
        self.repeated: List[Optional[str]] = [None] * 4

    def iri(self, iri: Any) -> str:
        self.last_name = iri.name_id or self.last_name + 1
        self.last_prefix = iri.prefix_id or self.last_prefix
        prefix = self.prefixes.entries[self.last_prefix] if self.last_prefix else ""
        return f"<{prefix}{self.names.entries[self.last_name]}>"

    def literal(self, literal: Any) -> str:
        kind = literal.WhichOneof("literalKind")
        text = quoted(literal.lex)
        if kind == "langtag":
            return f"{text}@{literal.langtag}"
        return text if kind is None else f"{text}^^<{self.datatypes.entries[literal.datatype]}>"

    def term(self, message: Any, position: str) -> Optional[str]:
        """The term in a position; ``None`` where none is set."""
        field = message.WhichOneof(position)
        if field is None:
            return None
        value = getattr(message, field)
        kind = field.partition("_")[2]
        if kind == "iri":
            return self.iri(value)
        if kind == "bnode":
            return f"_:{value}"
        if kind == "literal":
            return self.literal(value)
        if kind == "default_graph":
            return "DEFAULT"
        terms = [self.term(value, part) for part in ("subject", "predicate", "object")]
        return f"<< {' '.join(self.needed(term) for term in terms)} >>"

    def needed(self, term: Optional[str]) -> str:
        if term is None:
            raise ValueError("a term is missing")
        return term

    def graph(self, message: Any) -> List[str]:
        if self.options.statement_type != QUADS:
            return []
        self.repeated[3] = self.term(message, "graph") or self.repeated[3]
        return [] if self.repeated[3] is None else [self.repeated[3]]

    def statement(self, message: Any) -> str:
        for at, position in enumerate(("subject", "predicate", "object")):
            self.repeated[at] = self.term(message, position) or self.repeated[at]
        if self.options.statement_type == QUADS:
            self.graph(message)
            return " ".join(self.needed(term) for term in self.repeated)
        return " ".join(self.needed(term) for term in self.repeated[:3])

    def prefix(self, op: str, message: Any) -> str:
        namespace = self.iri(message.value) if message.HasField("value") else "-"
        if op == "PA" and namespace == "-":
            raise ValueError("P-87: a prefix without a namespace")
        return " ".join([op, quoted(message.name), namespace, *self.graph(message)])

    def row(self, row: Any) -> Iterator[str]:
        kind = row.WhichOneof("row")
        if kind is None:
            raise ValueError("P-07: a row of no kind")
        message = getattr(row, kind)
        if self.options is None and kind != "options":
            raise ValueError("P-40: the first row is not the options")
        if kind == "options":
            if self.options not in (None, message):
                raise ValueError("P-43: other options")
            if message.stream_type not in (FRAME, FLAT, PUNCTUATED):
                raise ValueError(f"P-{12 if message.stream_type else 11}: stream type {message.stream_type}")
            self.options = message
        elif kind in ("name", "prefix", "datatype"):
            {"name": self.names, "prefix": self.prefixes, "datatype": self.datatypes}[kind].put(message)
        elif kind == "punctuation":
            if self.options.stream_type != PUNCTUATED:
                raise ValueError(f"P-{14 if self.options.stream_type == FRAME else 18}: a mark")
            yield "---"
        elif kind == "header":
            yield f"H {quoted(message.key)} {self.needed(self.term(message, 'value'))}"
        elif kind.startswith("transaction"):
            yield {"start": "TX", "commit": "TC", "abort": "TA"}[kind.partition("_")[2]]
        elif kind.startswith("statement"):
            yield f"{'A' if kind == 'statement_add' else 'D'} {self.statement(message)}"
        else:
            yield self.prefix("PA" if kind == "namespace_add" else "PD", message)


def events(data: bytes) -> Iterator[str]:
    decoder = Decoder()
    line = "---"
    early = 0  # empty frames before the options, which say whether they are patches
    for frame in frames(data):
        for row in frame.rows:
            first = decoder.options is None
            for line in decoder.row(row):
                yield line
            if first and decoder.options.stream_type == FRAME:
                yield from ["---"] * early
        if decoder.options is None:
            early += 1
        elif decoder.options.stream_type == FRAME:
            yield "---"
    if decoder.options is None:
        raise ValueError("P-40: no options")
    if decoder.options.stream_type == FLAT:
        yield "---"
    if decoder.options.stream_type == PUNCTUATED and line != "---":
        raise ValueError("P-24: rows after the last mark")


def main(arguments: List[str]) -> int:
    try:
        lines: Tuple[str, ...] = tuple(events(Path(arguments[0]).read_bytes()))
    except (DecodeError, ValueError, LookupError) as e:
        print(f"{type(e).__name__}: {e}", file=sys.stderr)
        return 1
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(*lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
