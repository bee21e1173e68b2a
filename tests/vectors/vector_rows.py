"""Rows of a Jelly-Patch stream for test vectors, and the terms and streams of both formats. Each knows its bytes, and
how the table of cases writes it.

Field numbers come from the schemas in ``proto/``. The bytes are put together here and not by protobuf, so that a vector
can also hold what protobuf would not write: unknown fields, another order, two members of a oneof.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, List, Optional, Sequence, Union

from jellybridge.proto import patch_pb2 as patch
from jellybridge.proto import rdf_pb2 as rdf

FRAME, FLAT, PUNCTUATED = 1, 2, 3
TRIPLES, QUADS = 1, 2

_VARINT, _FIXED64, _BLOB, _GROUP, _END_GROUP, _FIXED32 = range(6)


@dataclass(frozen=True)
class Raw:
    """Bytes of a frame, or of a message."""

    notation: str
    data: bytes


@dataclass(frozen=True)
class Term:
    """A term: its arm in the oneof of a position, and its bytes."""

    notation: str
    arm: str
    body: bytes


@dataclass(frozen=True)
class Row:
    """A row: which kind, and the bytes of its message."""

    notation: str
    kind: str
    body: bytes

    @property
    def arm(self) -> bytes:
        """The field of ``RdfPatchRow`` that holds the message."""
        return put(patch.RdfPatchRow, self.kind, self.body)

    @property
    def data(self) -> bytes:
        # Rows are the same field of a frame in both formats.
        return put(patch.RdfPatchFrame, "rows", self.arm)


Part = Union[Row, Raw]
Position = Optional[Term]


# --- protobuf's wire format


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def key(number: int, wire_type: int) -> bytes:
    return varint(number << 3 | wire_type)


def number_field(number: int, value: int) -> bytes:
    return key(number, _VARINT) + varint(value)


def blob_field(number: int, value: bytes) -> bytes:
    return key(number, _BLOB) + varint(len(value)) + value


def field_number(message: Any, name: str) -> int:
    return int(message.DESCRIPTOR.fields_by_name[name].number)


def put(message: Any, name: str, value: Union[int, str, bytes]) -> bytes:
    """A field of a message, by its name in the schema; also when it holds its default."""
    number = field_number(message, name)
    if isinstance(value, int):
        return number_field(number, value)
    return blob_field(number, value.encode() if isinstance(value, str) else value)


def put_unless_zero(message: Any, name: str, value: int) -> bytes:
    """Likewise; nothing for zero, as protobuf would have it."""
    return put(message, name, value) if value else b""


#: A field of every wire type, with numbers that no message of the schemas has.
UNKNOWN = Raw(
    "UNKNOWN",
    number_field(101, 1 << 40)
    + key(102, _FIXED64) + b"8 bytes!"
    + blob_field(103, b"\xff\x00")
    + key(104, _GROUP) + number_field(1, 9) + blob_field(2, b"in a group") + key(104, _END_GROUP)
    + key(105, _FIXED32) + b"four",
)


# --- rows


def OPT(
    stream: int = FLAT,
    statement: int = TRIPLES,
    names: int = 8,
    prefixes: int = 0,
    datatypes: int = 0,
    star: int = 0,
    generalized: int = 0,
    version: int = 1,
) -> Row:
    values = [
        ("statement_type", statement), ("stream_type", stream), ("generalized_statements", generalized),
        ("rdf_star", star), ("max_name_table_size", names), ("max_prefix_table_size", prefixes),
        ("max_datatype_table_size", datatypes), ("version", version),
    ]
    shown = [
        f"stream={enum_name(patch.PatchStreamType, 'PATCH_STREAM_TYPE_', stream)}",
        f"statement={enum_name(patch.PatchStatementType, 'PATCH_STATEMENT_TYPE_', statement)}",
        f"names={names}",
    ]
    extras = {"prefixes": prefixes, "datatypes": datatypes, "star": star, "generalized": generalized}
    shown += [f"{name}={value}" for name, value in extras.items() if value]
    shown += [f"version={version}"] if version != 1 else []
    body = b"".join(put_unless_zero(patch.RdfPatchOptions, name, value) for name, value in values)
    return Row(f"OPT({','.join(shown)})", "options", body)


def enum_name(enum: Any, prefix: str, value: int) -> str:
    """How the table writes the value of an enum: without the prefix; a number where it has no name."""
    return str(enum.Name(value)[len(prefix):]) if value in enum.values() and value else str(value)


def N(value: str, id: int = 0) -> Row:
    return _entry("N", "name", rdf.RdfNameEntry, value, id)


def PX(value: str, id: int = 0) -> Row:
    return _entry("PX", "prefix", rdf.RdfPrefixEntry, value, id)


def DT(value: str, id: int = 0) -> Row:
    return _entry("DT", "datatype", rdf.RdfDatatypeEntry, value, id)


def _entry(letters: str, kind: str, message: Any, value: str, id: int) -> Row:
    body = put_unless_zero(message, "id", id) + put(message, "value", value)
    return Row(f'{letters}[{id}]="{escape(value)}"', kind, body)


def A(s: Position, p: Position, o: Position, g: Position = None, order: str = "spog") -> Row:
    return Row(_statement("A", s, p, o, g, order), "statement_add", terms_of(rdf.RdfQuad, order, s=s, p=p, o=o, g=g))


def D(s: Position, p: Position, o: Position, g: Position = None) -> Row:
    body = terms_of(rdf.RdfQuad, "spog", s=s, p=p, o=o, g=g)
    return Row(_statement("D", s, p, o, g, "spog"), "statement_delete", body)


def _statement(op: str, s: Position, p: Position, o: Position, g: Position, order: str) -> str:
    positions = [slot(term) for term in (s, p, o)] + ([g.notation] if g else [])
    return f"{op}({' '.join(positions)})" + ("" if order == "spog" else f" [on the wire: {order}]")


def slot(term: Position) -> str:
    """How the table writes a position: a dot for a repeated term."""
    return term.notation if term else "·"


def terms_of(message: Any, order: str, **positions: Position) -> bytes:
    """The positions of a statement, in the order that they have on the wire."""
    return b"".join(arm(message, letter, positions[letter]) for letter in order if letter in positions)


def arm(message: Any, position: str, term: Position) -> bytes:
    """The field that sets a position (``s`` ``p`` ``o`` ``g`` ``h``) of a message; nothing where it stays unset."""
    return put(message, f"{position}_{term.arm}", term.body) if term else b""


def PA(name: str, iri: Position, g: Position = None) -> Row:
    return _prefix("PA", "namespace_add", name, iri, g)


def PD(name: str, iri: Position = None, g: Position = None) -> Row:
    return _prefix("PD", "namespace_delete", name, iri, g)


def _prefix(op: str, kind: str, name: str, iri: Position, g: Position) -> Row:
    message = patch.RdfPatchNamespace
    value = put(message, "value", iri.body) if iri else b""
    graph = f" {g.notation}" if g else ""
    body = put(message, "name", name) + value + arm(message, "g", g)
    return Row(f'{op}("{escape(name)}" {slot(iri)}{graph})', kind, body)


def H(name: str, value: Position) -> Row:
    message = patch.RdfPatchHeader
    return Row(f'H("{escape(name)}" {slot(value)})', "header", put(message, "key", name) + arm(message, "h", value))


TX = Row("TX", "transaction_start", b"")
TC = Row("TC", "transaction_commit", b"")
TA = Row("TA", "transaction_abort", b"")
MARK = Row("PUNCT", "punctuation", b"")


def raw_row(notation: str, data: bytes) -> Raw:
    """A row from the bytes of its ``RdfPatchRow``."""
    return Raw(notation, put(patch.RdfPatchFrame, "rows", data))


# --- terms


def I(prefix: int = 0, name: int = 0) -> Term:
    body = put_unless_zero(rdf.RdfIri, "prefix_id", prefix) + put_unless_zero(rdf.RdfIri, "name_id", name)
    return Term(f"I({prefix},{name})", "iri", body)


def B(label: str) -> Term:
    return Term(f"_:{label}", "bnode", label.encode())


def L(lex: str, lang: Optional[str] = None, datatype: Optional[int] = None) -> Term:
    body = put(rdf.RdfLiteral, "lex", lex)
    notation = f'"{escape(lex)}"'
    if lang is not None:
        body, notation = body + put(rdf.RdfLiteral, "langtag", lang), f"{notation}@{lang}"
    if datatype is not None:
        body, notation = body + put(rdf.RdfLiteral, "datatype", datatype), f"{notation}^^#{datatype}"
    return Term(notation, "literal", body)


def Q(s: Position, p: Position, o: Position, order: str = "spo") -> Term:
    suffix = "" if order == "spo" else f" [on the wire: {order}]"
    return Term(
        f"<<{slot(s)} {slot(p)} {slot(o)}>>{suffix}", "triple_term", terms_of(rdf.RdfTriple, order, s=s, p=p, o=o)
    )


DG = Term("DG", "default_graph", b"")


def loaded(part: Any) -> Any:
    """A row or term whose message also holds fields that nobody knows, before and after its own."""
    return replace(part, notation=f"{part.notation}+UNKNOWN", body=UNKNOWN.data + part.body + UNKNOWN.data)


# --- streams


def frame(parts: Sequence[Part]) -> bytes:
    return b"".join(part.data for part in parts)


def delimited(frames: Sequence[Sequence[Part]]) -> bytes:
    return delimited_bytes([frame(parts) for parts in frames])


def delimited_bytes(frames: Sequence[bytes]) -> bytes:
    return b"".join(varint(len(data)) + data for data in frames)


def notation(frames: Sequence[Sequence[Part]]) -> str:
    return " ‖ ".join(" ".join(part.notation for part in parts) or "(empty frame)" for parts in frames)


_SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape(text: str) -> str:
    """Text for one cell of the table: what would break the line or the quotes is escaped."""
    return "".join(_SHORT_ESCAPES.get(c) or (f"\\u{ord(c):04X}" if _breaks_lines(c) else c) for c in text)


def _breaks_lines(c: str) -> bool:
    return ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u2028\u2029⏎"


def split_delimited(data: bytes) -> List[bytes]:
    """The frames of a delimited stream; raises ValueError where it is cut off."""
    frames = []
    at = 0
    while at < len(data):
        length = shift = 0
        while True:
            if at == len(data):
                raise ValueError("cut off within a length")
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if length > len(data) - at:
            raise ValueError("cut off within a frame")
        frames.append(data[at:at + length])
        at += length
    return frames
