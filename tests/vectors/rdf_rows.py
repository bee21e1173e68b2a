"""Rows of a Jelly-RDF stream for test vectors; what both formats share is in ``vector_rows``."""

from __future__ import annotations

from typing import Any, Dict, Optional

from jellybridge.proto import rdf_pb2 as rdf
from vector_rows import (
    Position, Raw, Row, arm, blob_field, enum_name, escape, slot, put, put_unless_zero, terms_of,
)
from vector_rows import DT as _patch_datatype
from vector_rows import N as _patch_name
from vector_rows import PX as _patch_prefix

TRIPLES, QUADS, GRAPHS = 1, 2, 3
FLAT_TRIPLES, FLAT_QUADS, GRAPH_STREAM, DATASET_STREAM = 1, 2, 3, 4
SUBJECT_GRAPHS, NAMED_GRAPHS, TIMESTAMPED_NAMED_GRAPHS = 13, 14, 114


class RdfRow(Row):
    """A row of ``RdfStreamRow``."""

    @property
    def arm(self) -> bytes:
        return put(rdf.RdfStreamRow, self.kind, self.body)


def OPT(
    physical: int = TRIPLES,
    names: int = 8,
    prefixes: int = 0,
    datatypes: int = 0,
    star: int = 0,
    generalized: int = 0,
    logical: int = 0,
    version: int = 1,
    name: str = "",
) -> RdfRow:
    values = [
        ("physical_type", physical), ("generalized_statements", generalized), ("rdf_star", star),
        ("max_name_table_size", names), ("max_prefix_table_size", prefixes), ("max_datatype_table_size", datatypes),
        ("logical_type", logical), ("version", version),
    ]
    shown = [f"physical={enum_name(rdf.PhysicalStreamType, 'PHYSICAL_STREAM_TYPE_', physical)}", f"names={names}"]
    extras: Dict[str, Any] = {"prefixes": prefixes, "datatypes": datatypes, "star": star, "generalized": generalized}
    extras["logical"] = enum_name(rdf.LogicalStreamType, "LOGICAL_STREAM_TYPE_", logical) if logical else 0
    shown += [f"{key}={value}" for key, value in extras.items() if value]
    shown += [f"version={version}"] if version != 1 else []
    shown += [f'name="{escape(name)}"'] if name else []
    body = put(rdf.RdfStreamOptions, "stream_name", name) if name else b""
    body += b"".join(put_unless_zero(rdf.RdfStreamOptions, field, value) for field, value in values)
    return RdfRow(f"OPT({','.join(shown)})", "options", body)


def N(value: str, id: int = 0) -> RdfRow:
    return _of_rdf(_patch_name(value, id))


def PX(value: str, id: int = 0) -> RdfRow:
    return _of_rdf(_patch_prefix(value, id))


def DT(value: str, id: int = 0) -> RdfRow:
    return _of_rdf(_patch_datatype(value, id))


def _of_rdf(row: Row) -> RdfRow:
    """The entries of lookups are the same messages in both formats, in other fields."""
    return RdfRow(row.notation, row.kind, row.body)


def T(s: Position, p: Position, o: Position, order: str = "spo") -> RdfRow:
    suffix = "" if order == "spo" else f" [on the wire: {order}]"
    shown = f"T({slot(s)} {slot(p)} {slot(o)}){suffix}"
    return RdfRow(shown, "triple", terms_of(rdf.RdfTriple, order, s=s, p=p, o=o))


def QD(s: Position, p: Position, o: Position, g: Position = None, order: str = "spog") -> RdfRow:
    shown = " ".join(slot(term) for term in (s, p, o, g))
    suffix = "" if order == "spog" else f" [on the wire: {order}]"
    return RdfRow(f"QD({shown}){suffix}", "quad", terms_of(rdf.RdfQuad, order, s=s, p=p, o=o, g=g))


def GS(g: Position) -> RdfRow:
    return RdfRow(f"GS({slot(g) if g else ''})", "graph_start", arm(rdf.RdfGraphStart, "g", g))


GE = RdfRow("GE", "graph_end", b"")


def NS(name: str, iri: Position) -> RdfRow:
    message = rdf.RdfNamespaceDeclaration
    value = put(message, "value", iri.body) if iri else b""
    return RdfRow(f'NS("{escape(name)}" {slot(iri)})', "namespace", put(message, "name", name) + value)


def META(key: Optional[str], value: Optional[bytes]) -> Raw:
    """An entry of a frame's metadata."""
    entry = rdf.RdfStreamFrame.DESCRIPTOR.fields_by_name["metadata"].message_type
    numbers = {field.name: field.number for field in entry.fields}
    body = b""
    if key is not None:
        body += blob_field(numbers["key"], key.encode())
    if value is not None:
        body += blob_field(numbers["value"], value)
    shown = f'{"" if key is None else escape(key)}: {"" if value is None else value.hex(" ")}'
    return Raw(f"META{{{shown}}}", put(rdf.RdfStreamFrame, "metadata", body))
