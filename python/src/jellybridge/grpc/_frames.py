"""Reads and writes length-delimited frames, without decoding them."""

from __future__ import annotations

import os
from typing import BinaryIO, Iterable, Iterator, Optional, Union

from .._errors import PatchFormatError

PathLike = Union[str, "os.PathLike[str]"]


def read_frames(path: PathLike) -> Iterator[bytes]:
    """Yields the frames of a delimited Jelly file, without further checks.

    Args:
        path: an uncompressed ``.jellyp`` or ``.jelly`` file.

    Raises:
        PatchFormatError: the file ends inside a frame.
    """
    with open(path, "rb") as file:
        yield from frames_of(file, os.fstat(file.fileno()).st_size, os.fspath(path))


def write_frames(path: PathLike, frames: Iterable[bytes]) -> int:
    """Writes frames to a file, each preceded by its length.

    Returns:
        The number of frames.
    """
    count = 0
    with open(path, "wb") as file:
        for count, frame in enumerate(frames, 1):
            file.write(delimited(frame))
    return count


def delimited(frame: bytes) -> bytes:
    """Returns a frame preceded by its length."""
    length, rest = bytearray(), len(frame)
    while rest > 0x7F:
        length.append(rest & 0x7F | 0x80)
        rest >>= 7
    length.append(rest)
    return bytes(length) + frame


def frames_of(file: BinaryIO, size: int, name: str) -> Iterator[bytes]:
    """Yields the frames in the next bytes of a file.

    Args:
        file: the file, at the first frame.
        size: the number of bytes.
        name: the file's name in errors.

    Raises:
        PatchFormatError: the file, or the given number of bytes, ends inside a frame.
    """
    number = 0
    while size > 0:
        length, taken = _length(file)
        frame = file.read(length) if length is not None and taken + length <= size else b""
        if length is None or len(frame) < length or taken + length > size:
            raise PatchFormatError("P-125", name, number, 0, file.tell(), "the stream ends before the end of a frame",
                                   "the file is damaged or was cut off; get it again from where it was written")
        size -= taken + length
        number += 1
        yield frame


def _length(file: BinaryIO) -> "tuple[Optional[int], int]":
    value = 0
    for taken in range(10):
        byte = file.read(1)
        if not byte:
            return None, taken
        value |= (byte[0] & 0x7F) << 7 * taken
        if byte[0] < 0x80:
            return value, taken + 1
    return None, 10
