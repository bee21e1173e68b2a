"""Inputs and outputs: paths, ``file:`` and ``https:`` URLs, open files, and bytes. All of them become files for the JVM."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import stat
import sys
import tempfile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Iterable, Iterator, List, NamedTuple, Optional, Protocol, Sequence, TypeVar, Union
from urllib.parse import unquote, urlsplit, urlunsplit

from ._doors import find_door
from ._errors import JellybridgeError
from ._redaction import hidden

if TYPE_CHECKING:
    from ._files import Patch

PathLike = Union[str, "os.PathLike[str]"]


class ByteReader(Protocol):
    """A file open for reading bytes."""

    def read(self, size: int = ..., /) -> bytes:
        """Reads up to so many bytes; returns no bytes at the end."""


class ByteWriter(Protocol):
    """A file open for writing bytes."""

    def write(self, data: bytes, /) -> Optional[int]:
        """Writes bytes."""


#: An input: a path, a ``file:``, ``https:`` or ``http:`` URL, a file open for reading bytes, or bytes.
Readable = Union[PathLike, bytes, ByteReader]
#: An input of patches: a :class:`Patch` too, which was computed.
PatchReadable = Union[Readable, "Patch"]
#: An output: a path, a ``file:`` URL, or a file open for writing bytes.
Writable = Union[PathLike, ByteWriter]

#: The schemes of patch logs on servers.
LOG_SERVERS = ("http:", "https:", "grpc:", "grpcs:")

#: The beginning of the address of a patch log that is not in a local folder: on a server, or on one of Hadoop's file systems.
LOG_ADDRESS = re.compile("https?:|grpcs?:|(?!file:)[a-z][a-z0-9+.-]+://")

#: The scheme of TDB2 databases in a local folder.
TDB2 = "tdb2:"

_FILE = re.compile("file:", re.IGNORECASE)
_REMOTE = re.compile("https?:", re.IGNORECASE)
_PACKED = re.compile(r"\.(gz|zst|bz2)$", re.IGNORECASE)
_PATCHES = (".rdfp", ".rdp", ".trp")
_STATEMENTS = (".nq", ".nt", ".jelly", ".ttl", ".trig", ".rdf", ".owl", ".xml", ".jsonld", ".n3", ".rj", ".trix")
_CHUNK = 1 << 20
_LONGEST_NAME = 200


def absolute(path: PathLike) -> str:
    """Returns the absolute path of a path or a ``file:`` URL. Java would resolve it against the folder where the JVM was
    started.

    The shell leaves ``~`` as it is in words such as ``tdb2:~/store``, so it stands for the home folder here too.

    >>> absolute("file:///data/a%20b.jellyp")
    '/data/a b.jellyp'

    Raises:
        ValueError: the URL has another scheme, or its file is on another computer.
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is a path in bytes; give it as text, by os.fsdecode")
    if is_remote(text):
        raise ValueError(f"{without_secrets(text)} is a URL, and a file is to be there; give a path")
    if is_address(text):
        raise ValueError(f"{without_secrets(text)} is an address, and this must be on this machine; give a path")
    found = _FILE.match(text)
    if found is None:
        return os.path.abspath(os.path.expanduser(text) if text.startswith("~/") else text)
    rest = text[found.end():]
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        if host.lower() not in ("", "localhost"):
            raise ValueError(f"{hidden(text)}: the file is on another computer; give file:/// and its path on this one")
        rest = slash + rest
    return os.path.abspath(unquote(rest))


def require_own_file(role: str, file: object, others: Iterable[object]) -> None:
    """Checks that a file to write is none of the other files of a call. Only paths are compared.

    Args:
        role: the argument that names the file, for the error.

    Raises:
        ValueError: it is one of them.
    """
    paths = [os.fspath(each) if isinstance(each, (str, os.PathLike)) else None for each in (file, *others)]
    found, *rest = [os.path.realpath(absolute(path)) if isinstance(path, str) and not is_address(path) else None for path in paths]
    if found is not None and found in rest and (os.path.isfile(found) or not os.path.exists(found)):
        raise ValueError(f"{role}={hidden(found)} is another file of this call, which it would replace; give it a file of its own")


def unpacked_name(name: str) -> str:
    """Returns a file's name without the suffix of its compression: ``x.jellyp.gz`` becomes ``x.jellyp``."""
    return _PACKED.sub("", name)


def patch_file(path: PathLike) -> str:
    """Returns the absolute path of an existing file. For a folder from Spark, it is the one file of patches in it.

    If it is there in several formats, it is the one of Jelly-Patch.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is a folder without one such file.
    """
    found = absolute(path)
    if not os.path.exists(found):
        raise FileNotFoundError(f"{hidden(found)}: there is no such file")
    if not os.path.isdir(found):
        return found
    if find_door().java_class("io.jellybridge.SyncBridge").isLog(found):
        raise ValueError(f"{hidden(found)} is a patch log: a dataset follows it by sync, and log fetch writes its patches to one file")
    names = sorted(name for name in os.listdir(found) if not name.startswith((".", "_")))
    files, others, statements = (
        [name for name in names if unpacked_name(name).endswith(suffixes)] for suffixes in (".jellyp", _PATCHES, _STATEMENTS)
    )
    if len({os.path.splitext(unpacked_name(name))[0] for name in (*files, *others)}) > 1 or not files:
        files += others
    if statements and not files:
        suffix = os.path.splitext(unpacked_name(statements[0]))[1]
        all_files = f"{hidden(found)}/*{suffix}*"
        raise ValueError(f"{hidden(found)} is a folder of statements: name its files, such as {all_files}; for publish, which takes their "
                         f"blank nodes apart, join them first: `jellybridge cat {all_files} -o x.nq`")
    if len(files) != 1:
        raise ValueError(
            f"{hidden(found)}: {len(files)} files of patches are there; name one of them, or write the folder with "
            f"transform(jellybridge.in_order), which makes one"
        )
    return os.path.join(found, files[0])


def is_remote(name: str) -> bool:
    """Returns whether the name is a URL to download."""
    return _REMOTE.match(name) is not None


def is_address(name: str) -> bool:
    """Returns whether the name is that of something on a server or in a file system of Hadoop."""
    return LOG_ADDRESS.match(name.lower()) is not None


def is_served_log(address: str) -> bool:
    """Returns whether the address is that of a log on a Fuseki with our module."""
    return "/$/patch-logs/" in address


def tdb2_folder(uri: str) -> Optional[str]:
    """Returns the absolute path of the folder of a TDB2 database; ``None`` for another dataset."""
    return absolute(uri[len(TDB2):]) if uri.startswith(TDB2) and uri != TDB2 else None


def without_secrets(url: str) -> str:
    """Returns a URL for messages, without user, password and query."""
    return re.sub(r"[?#].*", "", hidden(url))


def is_graph(value: object) -> bool:
    """Returns whether the value is a graph or a dataset of RDFLib."""
    rdflib = sys.modules.get("rdflib")
    return rdflib is not None and isinstance(value, rdflib.Graph)


class FileLocation(NamedTuple):
    """A file for the JVM: its path, its name in errors, and the IRI of a download with its query, which the name lacks."""

    path: str
    name: str
    base: Optional[str] = None


C = TypeVar("C", bound="Closing")


class Closing:
    """A context manager that is closed when its block ends."""

    def close(self) -> None:
        """Closes it. A subclass says what that does."""
        raise NotImplementedError

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Source(Closing):
    """An input as a file that the JVM can open. A context manager that deletes a temporary copy at its end.

    Attributes:
        place: the file.
        base: the base IRI for relative IRIs, if it is not that of the file; ``None`` if it is unknown.

    Args:
        source: the input.
        patches: the input has patches, which may be computed ones.
        again: the input is read more than once, which is not possible with a pipe.
        format: the format, if it is given. Without it, an input without a name is rejected.
    """

    def __init__(self, source: PatchReadable, *, patches: bool = False, again: bool = False, format: Optional[str] = None) -> None:
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            self.base: Optional[str] = None
            self.place = self._file(source, patches, again, format)
            undo.pop_all()

    def _file(self, source: PatchReadable, patches: bool, again: bool, format: Optional[str]) -> FileLocation:
        if patches and hasattr(source, "_patch"):
            return FileLocation(source._patch(), "the patch")
        if isinstance(source, (str, os.PathLike)):
            text = os.fspath(source)
            if isinstance(text, str) and is_remote(text):
                return self._download(text, format)
            file = patch_file(source)
            # A path such as /dev/fd/3 means another pipe in the JVM of a Spark driver.
            read_here = not os.path.isfile(file) and not os.path.isdir(file) and (again or find_door().in_spark)
            if not read_here:
                return FileLocation(file, file)
            with open(file, "rb") as pipe:
                return self._copy(_chunks(pipe, file), file)
        if is_graph(source):
            from .rdflib import lines

            return self._copy(lines(source), "graph.nq")  # type: ignore[arg-type]
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

    def _download(self, url: str, format: Optional[str]) -> FileLocation:
        from ._download import NO_URL, download

        name = without_secrets(url)
        try:
            parts = urlsplit(url)
            parts.port
        except ValueError:  # whose text can have a part of a password
            raise JellybridgeError(f"{name}{NO_URL}") from None
        self.base = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))
        file = self._temporary(unquote(parts.path))
        with open(file, "wb") as target:
            download(url, name, target, format)
        return FileLocation(file, name, self.base)

    def _copy(self, chunks: Iterator[bytes], name: str) -> FileLocation:
        file = self._temporary(name)
        with open(file, "wb") as target:
            for chunk in chunks:
                target.write(chunk)
        return FileLocation(file, name)

    def _temporary(self, name: str) -> str:
        """Returns a path for a temporary copy, whose name keeps the suffixes of the original."""
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
        return os.path.join(folder, "copy" + os.path.basename(name).replace("\0", "")[-_LONGEST_NAME:])

    def close(self) -> None:
        """Deletes the temporary copy, if there is one."""
        self._stack.close()


def _name(opened: object) -> str:
    name = getattr(opened, "name", None)
    if not isinstance(name, str):
        return "open file"
    # A GzipFile returns decompressed bytes.
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
    """Provides a path to write to. For an open file, the bytes are copied at the end, if there was no error.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: the output has no name and no format.
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
    target.write(b"")  # a text file fails now, and not after all the work
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


def write_text(file: str, text: str) -> None:
    """Writes a text file, which appears complete or not at all."""
    door = find_door()
    with door.errors():
        door.java_class("io.jellybridge.ConvertBridge").writeText(file, text)


def _write_all(target: ByteWriter, data: bytes) -> None:
    """Writes all the bytes, even if one write accepts only a part, as with unbuffered files."""
    left = memoryview(data)
    while left:
        count = target.write(bytes(left))
        left = left[len(left) if count is None else count:]


def read_once(names: Sequence[str]) -> List[str]:
    """Returns the names of pipes that an earlier name stands for too. A pipe can be read only once."""
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
