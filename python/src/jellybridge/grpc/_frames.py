"""Reads and writes length-delimited frames, without decoding them."""

from __future__ import annotations

import os
import shutil
import stat
import uuid
from contextlib import suppress
from typing import BinaryIO, Iterable, Iterator, Optional, Union

from .._errors import PatchFormatError

PathLike = Union[str, "os.PathLike[str]"]

_CHUNK_BYTES = 1 << 20


def read_frames(path: PathLike) -> Iterator[bytes]:
    """Yields the frames of a delimited Jelly file, without further checks.

    Args:
        path: an uncompressed ``.jellyp`` or ``.jelly`` file, or a pipe.

    Raises:
        PatchFormatError: the file ends inside a frame.
    """
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        yield from frames_of(file, found.st_size if stat.S_ISREG(found.st_mode) else None, os.fspath(path))


def write_frames(path: PathLike, frames: Iterable[bytes]) -> int:
    """Writes frames to a file, each preceded by its length. The file appears complete or not at all. A pipe gets each frame as it
    comes.

    Returns:
        The number of frames.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            return _write(file, frames)
    folder, name = os.path.split(os.path.realpath(path))
    unfinished = os.path.join(folder, f".{uuid.uuid4()}.tmp")
    try:
        with open(unfinished, "xb") as file:
            if os.path.exists(path):
                shutil.copymode(path, unfinished)
            count = _write(file, frames)
        os.replace(unfinished, os.path.join(folder, name))
    finally:
        with suppress(FileNotFoundError):
            os.remove(unfinished)
    return count


def _write(file: BinaryIO, frames: Iterable[bytes]) -> int:
    count = 0
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


def frames_of(file: BinaryIO, size: Optional[int], name: str) -> Iterator[bytes]:
    """Yields the frames in the next bytes of a file.

    Args:
        file: the file, at the first frame.
        size: the number of bytes; ``None`` for all to its end.
        name: the file's name in errors.

    Raises:
        PatchFormatError: the file, or the given number of bytes, ends inside a frame.
    """
    number = read = 0
    while size is None or read < size:
        length, taken = _length(file)
        if size is None and taken == 0:
            return
        read += taken
        frame = _read(file, length) if length is not None and (size is None or read + length <= size) else b""
        read += len(frame)
        if length is None or len(frame) < length or size is not None and read > size:
            raise PatchFormatError("P-125", name, number, 0, read, "the stream ends before the end of a frame",
                                   "the file is damaged or was cut off; get it again from where it was written")
        number += 1
        yield frame


def _read(file: BinaryIO, length: int) -> bytes:
    """Reads the next bytes of a file, up to its end. The length may be any number, since memory is taken for what is there."""
    parts, rest = [], length
    while rest:
        part = file.read(min(rest, _CHUNK_BYTES))
        if not part:
            break
        parts.append(part)
        rest -= len(part)
    return b"".join(parts)


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
