"""Types of arguments whose values are known: words, and options. Type checkers read them; nothing here runs."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Literal, Optional, TypedDict, Union

#: The formats of patches.
PatchFormat = Literal["jelly-patch", "rdf-patch", "thrift"]
#: The formats that :func:`jellybridge.convert` reads; it writes all but ``n3``, and ``events``.
ReadFormat = Literal[
    "jelly-patch", "rdf-patch", "thrift", "jelly", "nquads", "ntriples", "turtle", "trig", "rdfxml", "jsonld", "n3", "rdfjson", "trix"
]
WriteFormat = Literal[
    "jelly-patch", "rdf-patch", "thrift", "jelly", "nquads", "ntriples", "turtle", "trig", "rdfxml", "jsonld", "rdfjson", "trix",
    "events"
]
#: When two blank nodes are the same.
BlankNodes = Literal["label", "structure"]
#: What to do with a patch that can't be read.
OnError = Literal["stop", "quarantine"]
#: What a capture does with a transaction that did not commit.
Aborted = Literal["skip", "record"]
#: How frames and patches relate.
StreamType = Literal["FRAME", "FLAT", "PUNCTUATED"]
#: What statements a stream of patches has.
StatementType = Literal["TRIPLES", "QUADS"]
#: The operations of change rows.
Op = Literal["H", "TX", "TC", "TA", "PA", "PD", "A", "D"]

#: A version of a log, by its number or by a time, for the last version then.
VersionOrTime = Union[int, datetime, str]

_Path = Union[str, "os.PathLike[str]"]


class ServerOptions(TypedDict, total=False):
    """Options of a dataset, or of a patch log, on a server, see ``docs/credentials.md``."""

    user: str
    password: str
    password_file: _Path
    token: str
    token_file: _Path
    #: PEM files: who vouches for the server, and what is shown to it.
    authority: _Path
    certificate: _Path
    certificate_key: _Path
    #: Send a password or a token to another machine also without TLS.
    insecure: bool
    #: Seconds.
    connect_timeout: float
    timeout: float
    #: How often a request is sent at most.
    attempts: int
    #: Seconds to wait for another sync, at a server without our module.
    lease_wait: float
    break_lease: bool


class ReadOptions(TypedDict, total=False):
    """How files are read, see ``jellybridge convert --help``."""

    dialect: Literal["JENA", "RDF_DELTA", "SPECIFICATION", "AUTO"]
    generalized_statements: bool
    relative_iris: bool
    rdf_star: bool
    base: str
    remote_contexts: bool
    max_frame_bytes: int
    max_table_size: int
    max_term_bytes: int
    max_table_bytes: int
    mend_tags: bool


class ConvertOptions(ReadOptions, total=False):
    """How files are read and written, likewise."""

    stream_type: StreamType
    statement_type: Literal["TRIPLES", "QUADS", "GRAPHS"]
    name_table_size: int
    prefix_table_size: int
    datatype_table_size: int
    frame_rows: int
    restart_bytes: int
    delimited: bool
    marks: bool


class ChangeRowDict(TypedDict, total=False):
    """A :class:`jellybridge.ChangeRow` as a dict. Only ``op`` and the columns that it needs are required."""

    patch: int
    tx: Optional[int]
    row: Optional[int]
    op: Op
    subject: Optional[str]
    predicate: Optional[str]
    object: Optional[str]
    graph: Optional[str]
    name: Optional[str]
    value: Optional[str]
