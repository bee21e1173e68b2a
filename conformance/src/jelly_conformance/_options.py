"""The options row of a Jelly-RDF stream, read from its bytes by the few rules of protobuf that this takes."""

from __future__ import annotations

from typing import Dict, Iterator, Tuple, Union

PHYSICAL_TYPE = 2
TRIPLES = 1

#: Of each field that is not at its default, by number, the value.
Options = Dict[int, Union[int, bytes]]


def options_of(stream: bytes) -> Options:
    """The options of a stream, delimited or one bare frame.

    >>> options_of(bytes([6, 10, 4, 10, 2, 16, 1]))
    {2: 1}

    Raises:
        ValueError: the stream does not begin with them.
    """
    try:
        for frame in _frames(stream):
            for field, row in _fields(frame):
                if field == 1 and isinstance(row, bytes):
                    kind, options = next(_fields(row))
                    if kind != 1 or not isinstance(options, bytes):
                        raise ValueError("the first row is not the options")
                    return {field: value for field, value in _fields(options) if value}
    except (IndexError, StopIteration):
        pass
    raise ValueError("there is no options row")


def _frames(stream: bytes) -> Iterator[bytes]:
    # A bare frame begins with its first row, field 1; a delimited one with its length, which may look the same.
    if stream[:1] == b"\n" and (stream[1:2] != b"\n" or stream[:3] == b"\n\n\n"):
        yield stream
        return
    at = 0
    while at < len(stream):
        length, at = _varint(stream, at)
        yield stream[at:at + length]
        at += length


def _fields(message: bytes) -> Iterator[Tuple[int, Union[int, bytes]]]:
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        length, at = _varint(message, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, len(message)), at)
        yield tag >> 3, message[at:at + length]
        at += length


def _varint(data: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            return value, at
