"""Checks that the loose patches that a dataset has applied are still there, unchanged."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

from ._errors import JellybridgeError
from ._order import Listed, Trust, by_name, is_chained, is_of_several_runs, keeps_names, trusted

#: Compares the patch at an index with its recorded row count and hash. Returns ``same``, ``longer``, ``other`` or ``broken``.
Since = Callable[[int, int, str], str]

_ANEW = "or have an empty dataset follow the source"


class File(NamedTuple):
    """A file of patches: its name, the number of its patches, the sum of their rows, and a hash of its bytes."""

    name: str
    patches: int
    rows: int
    #: The hash of its bytes. ``None`` if it is not known, as in notes of older versions.
    hash: Optional[str] = None

    def is_still(self, other: File) -> bool:
        """Returns whether the two are the same file, as far as is known: a missing hash equals any."""
        return self[:3] == other[:3] and (self.hash == other.hash or self.hash is None or other.hash is None)


class Kept(NamedTuple):
    """The state that a dataset keeps about its source."""

    #: The id of the last patch; ``None`` if no patch was applied.
    position: Optional[str]
    #: The last patch as it was when it was applied: ``name``, ``rows``, ``hash`` and, if names are the order, ``order``.
    #: ``None`` if the dataset keeps its position only.
    applied: Optional[Dict[str, Any]]
    #: The files that a sync in the order of names has passed.
    files: Set[File]
    #: The patches that were set aside: ``aside`` is the name; ``id``, ``rows`` and ``hash`` are there if they are known.
    aside: List[Dict[str, Any]]

    @classmethod
    def of(cls, text: str) -> Kept:
        """Parses the JSON that the Java method ``kept`` returns."""
        kept = json.loads(text)
        applied = _object(kept.get("applied", ""))
        notes = [_object(note) for note in kept["notes"]]
        position = kept.get("position")
        return cls(
            position,
            # A writer that stores a position only leaves the note of an earlier position in place.
            applied if applied.get("patch") == position and "hash" in applied else None,
            {File(note["file"], note["patches"], note["rows"], note.get("hash")) for note in notes if "file" in note},
            [note for note in notes if "aside" in note],
        )


def _object(text: str) -> Dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class Found(NamedTuple):
    """The place of a dataset among the listed patches."""

    #: The position to continue from. It differs from that of the dataset if its last patch has another id now.
    position: Optional[str]
    #: The index of a patch that grew after it was applied, and the number of its rows that were applied.
    rest: Optional[Tuple[int, int]] = None
    #: The index of the patch that took the place of the last applied one, if that one is nowhere else.
    instead: Optional[int] = None


def find(listed: Sequence[Listed], kept: Kept, since: Since) -> Found:
    """Finds the last applied patch by its id, else by its name. Reads only that patch.

    Raises:
        JellybridgeError: the patch differs from the one that was applied.
    """
    if kept.applied is None:
        return Found(kept.position)
    by_id = (index for index, patch in enumerate(listed) if patch.fault is None and patch.position == kept.position)
    index = next(by_id, None)
    has_id = index is not None
    if index is None:
        index = next((number for number, patch in enumerate(listed) if patch.name == kept.applied["name"]), None)
    if index is None:
        return Found(kept.position)  # it was deleted
    patch = listed[index]
    became = "broken" if patch.fault is not None else since(index, kept.applied["rows"], kept.applied["hash"])
    if became == "longer":
        return Found(patch.position, (index, kept.applied["rows"]))
    if became == "broken":
        raise JellybridgeError(
            f"{patch.name}, the last patch that the dataset has applied, can't be read any more: {patch.fault or 'it is damaged'}; "
            f"put back what was applied, or sync again when it is whole"
        )
    if not has_id:
        return Found(kept.position, None, index)
    if became == "other":
        raise _replaced(patch, kept)
    return Found(kept.position)


def _replaced(patch: Listed, kept: Kept) -> JellybridgeError:
    rows = 0 if kept.applied is None else kept.applied["rows"]
    return JellybridgeError(
        f"{patch.name}, the last patch that the dataset has applied, says something else now than its {rows} rows did then: it "
        f"was replaced or rewritten; put back what was applied, {_ANEW}"
    )


def with_taken_away(listed: Sequence[Listed], kept: Kept) -> Tuple[List[Listed], Optional[int]]:
    """Returns the patches, and puts the last applied one back in its place if it was deleted.

    You may delete loose files that were applied. If the order is that of names, the deleted name still has a place in it, and
    the files after that place are new.

    Returns:
        All patches, and the index of the one that was put back; ``None`` if none was.
    """
    patches = list(listed)
    position, applied = kept.position, kept.applied
    if position is None or applied is None or not any(patch.fault is None for patch in listed):
        return patches, None
    if any(position in (patch.position, patch.prev) and patch.fault is None for patch in listed):
        return patches, None
    file = _file(applied["name"])
    if any(patch.file == file for patch in listed):
        return patches, None  # a file of that name exists, with other content
    gone = Listed(applied["name"], position, None if position.startswith('"') else position, rows=applied["rows"], file=file)
    turns = {name: turn for turn, name in enumerate(by_name({file, *(patch.file for patch in listed)}))}
    place = sum(turns[patch.file] < turns[file] for patch in listed)
    with_it = [*patches[:place], gone, *patches[place:]]
    is_named = applied.get("order") == "names" or is_of_several_runs(with_it)
    if not is_named or is_chained(with_it) or trusted(with_it) is not Trust.NAMES:
        return patches, None
    return with_it, place


def check_past(listed: Sequence[Listed], order: Sequence[int], found: Found, kept: Kept, since: Since) -> None:
    """Rejects a source in which a sync would skip patches that the dataset has not applied unchanged.

    Args:
        listed: all patches of the source.
        order: the indices of the patches to apply now.
        found: the place of the dataset.
        kept: the state that the dataset keeps.
        since: compares a patch with a record. It is called only for patches that were set aside.

    Raises:
        JellybridgeError: there is such a patch; the message says how to continue.
    """
    if found.instead is not None and found.instead not in order:
        raise _replaced(listed[found.instead], kept)
    _check_aside(listed, set(order), kept, since)
    if kept.applied is not None and keeps_names(listed):
        if kept.applied.get("order") == "names":
            _check_files(listed, found.position, kept)
        else:
            _check_chain_was_left(listed, kept)


def _check_aside(listed: Sequence[Listed], order: Set[int], kept: Kept, since: Since) -> None:
    for index, patch in enumerate(listed):
        if index in order or patch.fault is not None:
            continue
        notes = [note for note in kept.aside if note["aside"] == patch.name or patch.id is not None and note.get("id") == patch.id]
        if notes and all(since(index, note.get("rows", -1), note.get("hash", "")) not in ("same", "broken") for note in notes):
            raise JellybridgeError(
                f"{patch.name} was set aside, the dataset went on behind it, and now it can be read: its changes are not in "
                f"the dataset; apply it by itself (Dataset.apply) where they still fit and take it out of the source, {_ANEW}"
            )


def _check_files(listed: Sequence[Listed], position: Optional[str], kept: Kept) -> None:
    at = next((patch for patch in listed if patch.position == position), None)
    if at is None:
        return
    known = {file.name: file for file in kept.files}
    aside = {_file(note["aside"]) for note in kept.aside}
    for file in _files(listed):
        if file.name == _file(at.name):
            return
        if file.name not in known:
            raise JellybridgeError(
                f"{file.name} sorts before {at.name}, where the dataset is, and was never applied; give it a name that sorts "
                "behind, or apply it by itself (Dataset.apply) and take it out of the source"
            )
        if not any(file.is_still(was) for was in kept.files) and file.name not in aside:
            was = known[file.name]
            changed = (
                f"has {file.patches} patches of {file.rows} rows, and had {was.patches} of {was.rows}" if file[:3] != was[:3]
                else "has as many rows, but is not the same file as"
            )
            raise JellybridgeError(
                f"{file.name} {changed} when the dataset went on behind it, to {at.name}: it grew or was replaced; put back what "
                f"was applied, and what is new into a file that sorts behind, {_ANEW}"
            )


def _check_chain_was_left(listed: Sequence[Listed], kept: Kept) -> None:
    readable = [patch for patch in listed if patch.fault is None]
    loose = next((patch for patch in readable if patch.id is None), None)
    if loose is not None and len(readable) > 1:
        raise JellybridgeError(
            f"{loose.name} has no id, and the dataset came to {kept.position} by a chain of ids, in which that patch has no "
            "place; give it headers id and prev, or apply it by itself (Dataset.apply) and take it out of the source"
        )


def _file(name: str) -> str:
    """Returns the file of a patch, given the patch's name."""
    return name.rpartition("#")[0]


def _files(listed: Iterable[Listed]) -> List[File]:
    """Returns the files in the order in which they are listed."""
    files: Dict[str, File] = {}
    for patch in listed:
        name = _file(patch.name)
        file = files.get(name, File(name, 0, 0))
        files[name] = File(name, file.patches + 1, file.rows + patch.rows, patch.hash)
    return list(files.values())
