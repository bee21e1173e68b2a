"""Compares the options of a stream with those that a subscriber requests."""

from __future__ import annotations

from typing import Any, Dict, Optional

from google.protobuf.message import DecodeError

from ..proto import patch_pb2, rdf_pb2

_DEFAULTS = {"name": 4000, "prefix": 150, "datatype": 32}
_PHYSICAL = {rdf_pb2.PHYSICAL_STREAM_TYPE_TRIPLES: "TRIPLES", rdf_pb2.PHYSICAL_STREAM_TYPE_QUADS: "QUADS",
             rdf_pb2.PHYSICAL_STREAM_TYPE_GRAPHS: "GRAPHS"}
_FLAT = {rdf_pb2.LOGICAL_STREAM_TYPE_UNSPECIFIED, rdf_pb2.LOGICAL_STREAM_TYPE_FLAT_TRIPLES,
         rdf_pb2.LOGICAL_STREAM_TYPE_FLAT_QUADS}
_NEWEST = 2


def rdf_options(frame: bytes) -> Any:
    """Returns the options of an RDF stream from its first frame.

    Raises:
        ValueError: the first row is not options.
    """
    return _first(rdf_pb2.RdfStreamFrame, frame)


def patch_options(frame: bytes) -> Any:
    """Returns the options of a patch stream from its first frame. Raises ValueError as :func:`rdf_options` does."""
    return _first(patch_pb2.RdfPatchFrame, frame)


def _first(kind: Any, frame: bytes) -> Any:
    try:
        rows = kind.FromString(frame).rows
    except DecodeError:
        raise ValueError(f"the first message is no {kind.DESCRIPTOR.name}") from None
    found = rows[0].WhichOneof("row") if rows else "nothing"
    if found != "options":
        raise ValueError(f"the first row of the stream is {found}, and must be options")
    return rows[0].options


def writing(requested: Optional[Any]) -> Dict[str, Any]:
    """Returns the options of :func:`jellybridge.convert` for the snapshot that a subscriber requests.

    Raises:
        ValueError: no snapshot can have these options; the message says why.
    """
    if requested is None:
        return {}
    if requested.version > _NEWEST:
        raise ValueError(f"version {requested.version} of Jelly-RDF is requested; there are 1 and {_NEWEST}")
    if requested.logical_type not in _FLAT:
        name = rdf_pb2.LogicalStreamType.Name(requested.logical_type)
        raise ValueError(f"a snapshot is a flat stream; {name} is requested")
    options: Dict[str, Any] = {}
    if requested.physical_type:
        options["statement_type"] = _PHYSICAL[requested.physical_type]
        triples = requested.physical_type == rdf_pb2.PHYSICAL_STREAM_TYPE_TRIPLES
        if requested.logical_type and triples != (
                requested.logical_type == rdf_pb2.LOGICAL_STREAM_TYPE_FLAT_TRIPLES):
            raise ValueError("the requested logical type is none of the requested physical type")
    elif requested.logical_type == rdf_pb2.LOGICAL_STREAM_TYPE_FLAT_TRIPLES:
        options["statement_type"] = "TRIPLES"
    if requested.max_name_table_size:  # without it, the request has no table sizes
        if requested.max_name_table_size < 8:
            raise ValueError("max_name_table_size must be at least 8")
        for table, largest in _DEFAULTS.items():
            options[f"{table}_table_size"] = min(getattr(requested, f"max_{table}_table_size"), largest)
    return options


def keep(made: Any, requested: Optional[Any]) -> None:
    """Rejects a stream that needs more than was requested.

    Raises:
        ValueError: the message names the first such need.
    """
    if requested is None:
        return
    for name in ("rdf_star", "generalized_statements"):
        if getattr(made, name) and not getattr(requested, name):
            raise ValueError(f"the stream has {name}=true; request it")
    if requested.version and made.version > requested.version:
        raise ValueError(f"the stream has version {made.version}, and {requested.version} is requested")
    for name in ("physical_type", "statement_type", "stream_type"):
        wish = getattr(requested, name, 0)
        if wish and wish != getattr(made, name):
            raise ValueError(f"{name} {wish} is requested, and the stream has {getattr(made, name)}")
    if requested.max_name_table_size:
        for name in ("max_name_table_size", "max_prefix_table_size", "max_datatype_table_size"):
            if getattr(made, name) > getattr(requested, name):
                raise ValueError(f"{name} {getattr(requested, name)} is requested, and the stream has {getattr(made, name)}")
