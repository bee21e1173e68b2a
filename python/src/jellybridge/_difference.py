"""Differences between files, datasets and versions of a log, without Spark: for people as text, for programs as change rows."""

from __future__ import annotations

import contextlib
import html
import os
import re
import tempfile
from itertools import chain
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

from ._arguments import check, java_pairs
from ._convert import Job, convert, format_of
from ._doors import Door, find_door
from ._errors import JellybridgeError
from ._files import PATCH, Patch
from ._locations import FileLocation, Readable, Source, Writable, is_graph, target_file

if TYPE_CHECKING:
    from ._dataset import Dataset

#: The formats in which people read a difference, by the suffixes of files.
TEXTS = {"text": (".txt", ".diff"), "markdown": (".md",), "json": (".json",)}
#: Formats whose blank node labels mean nothing in another file.
DOCUMENTS = ("turtle", "trig", "rdfxml", "jsonld", "n3", "rdfjson", "trix")
_BRIDGE = "io.jellybridge.ConvertBridge"
#: The number of lines that a notebook shows.
_SHOWN = 500


class Difference(Patch):
    """The changes from one state of a dataset to another, from :func:`diff` or :meth:`PatchLog.diff`.

    ``print(difference)`` shows what changed, by subject. Iteration yields :class:`ChangeRow` objects, those of a patch that makes
    the new state of the old one.

    Attributes:
        old: the name of the old state.
        new: the name of the new state.
    """

    def __init__(self, door: Door, java: Any, old: str, new: str, folder: Optional[tempfile.TemporaryDirectory[str]]) -> None:
        """Called by :func:`diff` and by methods of a log only."""
        super().__init__(folder)
        self._door = door
        self._java = java
        self.old = old
        self.new = new

    @property
    def added(self) -> int:
        """Returns the number of added statements."""
        return int(self._java.added())

    @property
    def deleted(self) -> int:
        """Returns the number of deleted statements."""
        return int(self._java.deleted())

    @property
    def unsettled(self) -> int:
        """Returns the number of blank nodes that were too symmetric to match in time. The difference may be larger than necessary."""
        return int(self._java.unsettled())

    @property
    def changed(self) -> bool:
        """Returns whether a statement was added or deleted. Prefixes do not count."""
        return self.added + self.deleted > 0

    def to_text(self, format: str = "text", *, stat: bool = False, color: bool = False) -> str:
        """Returns the difference for people.

        Args:
            format: ``text``, ``markdown`` or ``json``.
            stat: count by graph, class and predicate, and leave the statements out.
            color: color the text for a terminal.

        Raises:
            JellybridgeError: there are more changes than fit into memory to be grouped by subject.
            ValueError: there is no such format.
        """
        check("True or False", stat=stat, color=color)
        _check_format(format)
        with self._door.errors():
            return str(self._door.java_class(_BRIDGE).text(self._java, self.old, self.new, format, stat, color))

    def write(self, target: Writable, format: Optional[str] = None, *, stat: bool = False) -> None:  # type: ignore[override]
        """Writes the difference to a file, which appears complete or not at all.

        Args:
            target: a path, or a file open for writing bytes. The suffix says the format: ``.txt``, ``.diff``, ``.md`` or
                ``.json`` for people, and a suffix of patches for programs.
            format: ``text``, ``markdown``, ``json``, or a format of patches; ``None`` = by the suffix.
            stat: as in :meth:`to_text`.
        """
        name = os.fspath(target) if isinstance(target, (str, os.PathLike)) else getattr(target, "name", None)
        known = format or (text_format_of(name) if isinstance(name, str) and os.path.splitext(name)[1] else None)
        if known not in TEXTS:
            convert(self._patch(), target, to_format=format)  # type: ignore[arg-type]
            return
        with target_file(target, known) as file:
            self._write(file, known, stat, False)

    def _write(self, output: str, format: str, stat: bool, color: bool) -> None:
        with self._door.errors():
            self._door.java_class(_BRIDGE).writeText(self._java, self.old, self.new, format, stat, color, output)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"Difference({self.old!r}, {self.new!r}, added={self.added}, deleted={self.deleted})"

    def _repr_html_(self) -> str:
        """Returns what a notebook shows: the first lines of the difference."""
        colors = {"+": "#1a7f37", "-": "#cf222e"}
        text = str(self).splitlines()
        lines = [(colors.get(line[:1]), html.escape(line)) for line in text[:_SHOWN]]
        shown = "\n".join(line if color is None else f'<span style="color:{color}">{line}</span>' for color, line in lines)
        more = f"<p>{len(text) - _SHOWN:,} more lines: print() shows them.</p>" if len(text) > _SHOWN else ""
        return f'<pre class="jellybridge" style="font-family:monospace">{shown}</pre>{more}'


def text_format_of(name: str, *, or_any: bool = False) -> Optional[str]:
    """Returns the format for people that a file's suffix says; ``None`` for a file of a patch.

    Args:
        name: the file.
        or_any: also return ``None`` for a suffix that says nothing.

    Raises:
        JellybridgeError: no format has this suffix.
    """
    found = next((each for each, suffixes in TEXTS.items() if name.endswith(suffixes)), None)
    if found is None and not or_any:
        try:
            format_of(name)
        except JellybridgeError as e:
            suffixes = ", ".join(chain.from_iterable(TEXTS.values()))
            e.args = (f"{e}; for people, {suffixes}; to_pandas() in Python has the rows for other tables",)
            raise
    return found


def _check_format(format: str) -> None:
    if format not in TEXTS:
        raise ValueError(f"format={format!r}: must be one of {', '.join(TEXTS)}")


def compare(
    old: Union[Readable, Dataset],
    new: Union[Readable, Dataset],
    blank_nodes: Optional[str],
    format: Optional[str],
    prefixes: Optional[Mapping[str, str]],
    structure: str = "structure",
    base: Optional[str] = None,
    allow_empty: bool = True,
) -> Difference:
    """Compares two files or datasets, see :func:`jellybridge.diff`. ``structure`` is the way to compare blank nodes of documents.
    ``allow_empty`` accepts an empty new side if the old one is not empty.
    """
    with contextlib.ExitStack() as stack:
        job = Job(next((side._door for side in (old, new) if hasattr(side, "_store")), None), base=base)
        sides = [snapshot(stack, job, each, format) for each in (old, new)]
        how = blank_nodes or (structure if any(side.is_document for side in sides) else "label")
        folder = tempfile.TemporaryDirectory(prefix="jellybridge-")
        patch = os.path.join(folder.name, PATCH)
        names = {name: iri for side in (old, new) if is_graph(side) for name, iri in side.namespaces()}  # type: ignore[union-attr]
        made = job.compare(sides[0].java, sides[1].java, how, allow_empty, {**names, **(prefixes or {})}, patch, None)
        return Difference(job._door, made, sides[0].name, sides[1].name, folder)


class Snapshot(NamedTuple):
    """A file or a dataset, to be compared."""

    java: Any
    name: str
    is_document: bool


def snapshot(
    stack: contextlib.ExitStack, job: Job, each: Union[Readable, FileLocation, Dataset], format: Optional[str]
) -> Snapshot:
    """Returns a side of a comparison. The stack closes what it needs."""
    if hasattr(each, "_store"):
        return Snapshot(job.dataset(each._open_store()), repr(each), False)  # type: ignore[union-attr]
    place = each if isinstance(each, FileLocation) else stack.enter_context(Source(each, format=format)).place
    name = os.path.relpath(place.name) if os.path.isabs(place.name) else place.name
    is_document = (format or format_of(place.path)) in DOCUMENTS or is_graph(each)
    return Snapshot(job.snapshot(place, format, None), min(name, place.name, key=len), is_document)


def terms(prefixes: Mapping[str, str]) -> Any:
    """Returns a Java object that writes terms for people."""
    door = find_door()
    with door.errors():
        return door.java_class(_BRIDGE).terms(java_pairs(door, prefixes))


def expanded(names: Any, text: str) -> str:
    """Returns the IRI of a prefixed name in ``< >``. Other text stays, also a name whose prefix is unknown.

    Args:
        names: what :func:`terms` returns.
        text: a prefixed name, an IRI, or another term.
    """
    iri = None if text.startswith(("<", "_:", '"')) else names.expandIri(text)
    return text if iri is None else f"<{iri}>"


def prefixes_of(texts: Sequence[str]) -> Mapping[str, str]:
    """Parses prefixes such as ``ex=https://example.org/``.

    Raises:
        ValueError: a text is no such prefix.
    """
    found = {}
    for text in texts:
        name, equals, iri = text.partition("=")
        if not equals or ":" not in iri or not re.fullmatch(r"[\w.-]*:?", name):
            raise ValueError(f"--prefix {text}: must be NAME=IRI, such as ex=https://example.org/")
        found[name.removesuffix(":")] = iri.strip("<>")
    return found
