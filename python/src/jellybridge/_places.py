"""Where bytes come from and where they go: paths, ``file:`` and ``https:`` URLs, open files, bytes. The JVM takes files."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import stat
import tempfile
from pathlib import Path, PurePath
from typing import Iterator, List, NamedTuple, Optional, Protocol, Sequence, Union
from urllib.parse import unquote, urlsplit, urlunsplit

from ._doors import find_door
from ._redaction import hidden

PathLike = Union[str, "os.PathLike[str]"]


class ByteReader(Protocol):
    """A file that is open for reading bytes."""

    def read(self, size: int = ..., /) -> bytes:
        """The next bytes, at most so many; none at the end."""


class ByteWriter(Protocol):
    """A file that is open for writing bytes."""

    def write(self, data: bytes, /) -> Optional[int]:
        """Writes bytes."""


#: What is read: a path, a ``file:``, ``https:`` or ``http:`` URL, a file that is open for reading bytes, or the bytes.
Readable = Union[PathLike, bytes, ByteReader]
#: What is written: a path, a ``file:`` URL, or a file that is open for writing bytes.
Writable = Union[PathLike, ByteWriter]

#: How the addresses of patch logs on servers begin.
LOG_SERVERS = ("http:", "https:", "delta:", "grpc:", "grpcs:")

#: How the addresses of databases in a folder of the local disk begin.
TDB2 = "tdb2:"

_FILE = re.compile("file:", re.IGNORECASE)
_REMOTE = re.compile("https?:", re.IGNORECASE)
_PATCHES = (".jellyp", ".jellyp.gz", ".jellyp.zst")
_CHUNK = 1 << 20
_LONGEST_NAME = 200


def absolute(path: PathLike) -> str:
    """A path, or a ``file:`` URL, as an absolute path: Java would go from the folder in which the JVM was started.

    >>> absolute("file:///data/a%20b.jellyp")
    '/data/a b.jellyp'

    Raises:
        ValueError: a URL is of another kind, or its file is on another computer.
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is a path in bytes; give it as text, by os.fsdecode")
    if is_remote(text):
        raise ValueError(f"{without_secrets(text)} is a URL, and a file is to be there; give a path")
    found = _FILE.match(text)
    if found is None:
        return os.path.abspath(text)
    rest = text[found.end():]
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        if host.lower() not in ("", "localhost"):
            raise ValueError(f"{hidden(text)}: the file is on another computer; give file:/// and its path on this one")
        rest = slash + rest
    return os.path.abspath(unquote(rest))


def existing_file(path: PathLike) -> str:
    """Likewise; an error of Python's own where there is nothing."""
    file = absolute(path)
    if not os.path.exists(file):
        raise FileNotFoundError(f"{hidden(file)}: there is no such file")
    return file


def patch_file(path: PathLike) -> str:
    """Likewise, for a file of patches: of a folder that Spark wrote, the one Jelly-Patch file in it."""
    found = existing_file(path)
    if not os.path.isdir(found):
        return found
    if find_door().java_class("io.jellybridge.SyncBridge").isLog(found):
        raise ValueError(f"{hidden(found)} is a patch log: a dataset follows it by sync, and log fetch writes its patches to one file")
    files = [name for name in os.listdir(found) if name.endswith(_PATCHES) and not name.startswith((".", "_"))]
    if len(files) != 1:
        raise ValueError(
            f"{hidden(found)}: {len(files)} files end in {', '.join(_PATCHES)} there; name one of them, or write the folder with "
            f"transform(jellybridge.in_order), which makes one"
        )
    return os.path.join(found, files[0])


def is_remote(name: str) -> bool:
    """Whether it is the URL of something to download."""
    return _REMOTE.match(name) is not None


def without_secrets(url: str) -> str:
    """A URL as messages show it: without user and password, and without its query."""
    return re.sub(r"[?#].*", "", hidden(url))


class Place(NamedTuple):
    """A file for the JVM: its path, and what errors call it."""

    path: str
    name: str


class Source:
    """Something to read, as a file that the JVM can open. A context manager: a temporary copy goes away with it.

    Attributes:
        place: the file.
        base: from where relative IRIs in it go, where that is not the file's own place; ``None`` = nothing says it.

    Args:
        source: what to read.
        patches: whether it holds patches, so that a folder of Spark's stands for the one file in it.
        again: whether it is read more than once, which a pipe can't be.
        format: whether its format is told; else something without a name is refused.
    """

    def __init__(self, source: Readable, *, patches: bool = False, again: bool = False, format: Optional[str] = None) -> None:
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            self.base: Optional[str] = None
            self.place = self._file(source, patches, again, format)
            undo.pop_all()

    def _file(self, source: Readable, patches: bool, again: bool, format: Optional[str]) -> Place:
        if isinstance(source, (str, os.PathLike)):
            text = os.fspath(source)
            if isinstance(text, str) and is_remote(text):
                return self._download(text, format)
            file = patch_file(source) if patches else existing_file(source)
            # A pipe that is named by its number is another one in the JVM of a Spark driver.
            read_here = not os.path.isfile(file) and not os.path.isdir(file) and (again or find_door().in_spark)
            if not read_here:
                return Place(file, file)
            with open(file, "rb") as pipe:
                return self._copy(_chunks(pipe, file), file)
        if isinstance(source, (bytes, bytearray, memoryview)):
            name = "bytes"
            chunks = iter([bytes(source)])
        elif callable(getattr(source, "read", None)):
            name = _name(source)
            self.base = Path(name).as_uri() if os.path.isabs(name) else None
            chunks = _chunks(source, name)
        else:
            kind = f"{type(source).__module__}.{type(source).__name__}"
            raise TypeError(f"{kind} can't be read; give a path, a URL, a file that is open for reading bytes, or bytes")
        if format is None and not PurePath(name).suffix:
            raise ValueError(f"{name}: there is no name that ends in a format's suffix; name the format by format=")
        return self._copy(chunks, name)

    def _download(self, url: str, format: Optional[str]) -> Place:
        from ._download import download

        parts = urlsplit(url)
        name = without_secrets(url)
        self.base = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))
        file = self._temporary(unquote(parts.path))
        with open(file, "wb") as target:
            download(url, name, target, format)
        return Place(file, name)

    def _copy(self, chunks: Iterator[bytes], name: str) -> Place:
        file = self._temporary(name)
        with open(file, "wb") as target:
            for chunk in chunks:
                target.write(chunk)
        return Place(file, name)

    def _temporary(self, name: str) -> str:
        """A place for a copy, whose name has the suffixes of what it is a copy of."""
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
        return os.path.join(folder, "copy" + os.path.basename(name).replace("\0", "")[-_LONGEST_NAME:])

    def close(self) -> None:
        """Removes the copy, where there is one."""
        self._stack.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _name(opened: object) -> str:
    name = getattr(opened, "name", None)
    if not isinstance(name, str):
        return "open file"
    # It hands out what is decompressed.
    return name.removesuffix(".gz") if isinstance(opened, gzip.GzipFile) else name


def _chunks(opened: ByteReader, name: str) -> Iterator[bytes]:
    while True:
        chunk = opened.read(_CHUNK)
        if not isinstance(chunk, (bytes, bytearray, memoryview)):
            kind = "text" if isinstance(chunk, str) else type(chunk).__name__
            raise TypeError(f"{name} reads {kind}, and bytes are due; open the file with mode 'rb'")
        if not chunk:
            return
        yield bytes(chunk)


@contextlib.contextmanager
def target_file(target: Writable, format: Optional[str] = None) -> Iterator[str]:
    """Something to write, as the path of a file. What is open gets the bytes at the end, when all went well.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: something without a name has no format.
    """
    if isinstance(target, (str, os.PathLike)):
        file = absolute(target)
        folder = os.path.dirname(file)
        if not os.path.isdir(folder):
            raise FileNotFoundError(f"{hidden(folder)}: there is no such folder")
        yield file
        return
    if not callable(getattr(target, "write", None)):
        kind = f"{type(target).__module__}.{type(target).__name__}"
        raise TypeError(f"{kind} can't be written; give a path, or a file that is open for writing bytes")
    target.write(b"")  # one that takes text says so now, and not when all is done
    name = _name(target)
    if format is None and not PurePath(name).suffix:
        raise ValueError(f"{name}: there is no name that ends in a format's suffix; name the format by format=, "
                         "or give a file that is called so")
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "copy" + os.path.basename(name)[-_LONGEST_NAME:])
        yield file
        with open(file, "rb") as made:
            for chunk in _chunks(made, file):
                _write_all(target, chunk)


def _write_all(target: ByteWriter, data: bytes) -> None:
    """Writes all of it, also where a write takes a part only, as that of an unbuffered file does."""
    left = memoryview(data)
    while left:
        count = target.write(bytes(left))
        left = left[len(left) if count is None else count:]


def read_once(names: Sequence[str]) -> List[str]:
    """Those of the names that are pipes which another name before it stands for too: they would be found empty."""
    seen = set()
    again = []
    for name in names:
        try:
            status = os.fstat(0) if name == "-" else os.stat(name)
        except OSError:
            continue
        pipe = (status.st_dev, status.st_ino)
        if stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode) or name == "-":
            if pipe in seen:
                again.append(name)
            seen.add(pipe)
    return again
