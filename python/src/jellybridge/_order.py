"""Finds the order of patches, and the patches that a dataset has not applied yet."""

from __future__ import annotations

import re
from enum import Enum
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

from ._errors import JellybridgeError


class Listed(NamedTuple):
    """A patch of a source, described by its headers."""

    #: The name in messages.
    name: str
    #: The position of a dataset that has applied it: its id, or else its name as a literal.
    position: str
    #: The header ``id``, a term in canonical N-Triples; ``None`` if it is missing or the patch can't be read.
    id: Optional[str] = None
    #: The header ``prev``, likewise.
    prev: Optional[str] = None
    #: The reason that no dataset can store this position; ``None`` if it can.
    refusal: Optional[str] = None
    #: The reason that the patch can't be read; ``None`` if it can.
    fault: Optional[str] = None
    #: The number of rows, as far as the patch can be read.
    rows: int = 0
    #: The path of its file, or a part that distinguishes it from other files; ``""`` if all patches are in one file.
    file: str = ""
    #: The hash of its file's bytes; ``None`` if it is unknown.
    hash: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.id} ({self.name})"


class Trust(Enum):
    """The reason to trust an order of patches."""

    CHAIN = "each patch names the one before it"
    ONE_FILE = "they are in one file"
    NAMES = "the names of their files are numbered"
    ROTATED = "their files are those of a log that is rotated, log before log.001 before log.002"


def trusted(listed: Sequence[Listed]) -> Trust:
    """Returns the reason that the patches have an order: their chain of ids, or the order in which they are listed.

    Names define an order if numbers, times or single letters distinguish each file from the next. Words and random names say
    nothing about the time of writing. Log rotation renames files, so patches in rotated files need ids.

    Args:
        listed: the patches, in the order of :func:`by_name`.

    Raises:
        JellybridgeError: two files have no order; the message names them. Or rotated files have a gap, or patches without ids.
    """
    if is_chained(listed):
        return Trust.CHAIN
    files = list(dict.fromkeys(patch.file for patch in listed))
    if len(files) > 1 and len(rotated(files)) == len(files):
        _check_rotated(listed, files)
        return Trust.ROTATED
    for file, other in zip(files, files[1:]):
        if not _tell_order(file, other):
            raise _without_order(file, other, "no number or time in their names tells it")
    jobs: Dict[str, Tuple[str, str]] = {}
    for file in files:
        folder, _, name = file.rpartition("/")
        job = _OF_SPARK.match(name)
        if job is not None:
            other, first = jobs.setdefault(folder, (file, job[1]))
            if first != job[1]:
                raise _without_order(other, file, "two jobs of Spark wrote them, and each numbers its files from 0")
    return Trust.ONE_FILE if len(files) < 2 else Trust.NAMES


# A file of a Spark job: its number in the job, and the id of the job.
_OF_SPARK = re.compile("part-[0-9]{5,}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
# A step in a sequence of names: a number, perhaps followed by a letter, or a single letter.
_STEP = re.compile("((?:[A-Za-z]+(?=[0-9]))?)([0-9]*)([a-z]?)")


def _without_order(file: str, other: str, why: str) -> JellybridgeError:
    return JellybridgeError(
        f"it is not known whether {file} or {other} comes first: {why}, and the patches have no chain of headers id and prev; "
        "number the files by their names, or write such a chain, or append the patches to a log (format rdf-patch-log)"
    )


def _tell_order(file: str, other: str) -> bool:
    """Returns whether the first difference of two names says which file comes first.

    >>> [_tell_order(*names.split()) for names in ("log2.rdfp log10.rdfp", "3.rdfp 3b.rdfp", "2026-01-31T23Z 2026-02-01T00Z")]
    [True, True, True]
    >>> [_tell_order(*names.split()) for names in ("monday.rdfp tuesday.rdfp", "3f2a9c 41b07e", "log-2.rdfp log.rdfp", "1 01")]
    [False, False, False, False]
    """
    words, others = (re.findall("[0-9A-Za-z]+|.", re.sub("0+(?=[0-9])", "", name), re.DOTALL) for name in (file, other))
    word, different = next(((word, different) for word, different in zip(words, others) if word != different), ("", ""))
    shape = re.sub("[0-9]+", "#", word)
    if "#" in shape and shape == re.sub("[0-9]+", "#", different):
        return True
    step, next_step = _STEP.fullmatch(word), _STEP.fullmatch(different)
    return bool(step and next_step and word and step[1] == next_step[1] and bool(step[2]) == bool(next_step[2]))


def by_name(names: Iterable[str]) -> List[str]:
    """Sorts paths in natural order, folder by folder. The oldest file of a rotated log comes first.

    >>> by_name(["log.rdfp", "log.rdfp.001", "log.rdfp.010", "10.jellyp", "9.jellyp"])
    ['9.jellyp', '10.jellyp', 'log.rdfp.010', 'log.rdfp.001', 'log.rdfp']
    """
    names = list(names)
    places = rotated(names)

    def key(name: str) -> Tuple[object, ...]:
        base, number = places.get(name, (name, 0))
        return [natural(part) for part in base.split("/")], -number

    return sorted(names, key=key)


# A log file of Jena: its name, then a number, a date or a time, then the suffix of the compression.
_ROLLED = re.compile(
    r"(.*?)(?:\.([0-9]+)|-[0-9]{4}-[0-9]{2}-[0-9]{2}(?:_[0-9]{2}-[0-9]{2}-[0-9]{2}(?:\.[0-9]+)?)?)?((?:\.(?:gz|zst|bz2))?)",
    re.DOTALL,
)


def rotated(names: Iterable[str]) -> Dict[str, Tuple[str, int]]:
    """Returns the files of rotated logs, each with its base name and its number. The newest file has the number 0.

    Jena's policy ``rotate`` renames ``log`` to ``log.001`` when it starts another file, and ``log.001`` to ``log.002``. Its
    policy ``index`` writes ``log.0001``, then ``log.0002``, and has no file ``log``. Such files are not rotated.
    """
    found: Dict[str, Tuple[str, int]] = {}
    bases: Set[str] = set()
    for name in names:
        match = _ROLLED.fullmatch(name)
        if match is not None and match[2] is None and match[1] + match[3] == name:
            bases.add(match[1])
        if match is not None and (match[2] is None or match[2] == f"{int(match[2]):03}" or match[2] == str(int(match[2]))):
            found[name] = match[1], int(match[2] or 0)
    several = {base for base, number in found.values() if number > 0 and base in bases}
    return {name: place for name, place in found.items() if place[0] in several}


def _check_rotated(listed: Sequence[Listed], files: Sequence[str]) -> None:
    places = rotated(files)
    for older, newer in zip(files, files[1:]):
        (base, number), (other, next_number) = places[older], places[newer]
        if base != other:
            raise _without_order(older, newer, "they are of two logs")
        if number != next_number + 1:
            raise JellybridgeError(f"a gap: no file of the log {base} is between {older} and {newer}; get the missing file")
    for patch in listed:
        if patch.fault is None and patch.id is None:
            raise JellybridgeError(
                f"{patch.name} has no id, and the files of the log {places[files[0]][0]} are renamed when it goes on, so that "
                "it is not known by its name; give each patch a header id, or number the files by names that stay"
            )


def natural(name: str) -> Tuple[List[Tuple[bytes, int]], bytes]:
    """Returns a sort key for the natural order: numbers by value, so that ``log2`` comes before ``log10``, other characters by
    UTF-16.

    >>> sorted(["log10", "log2", "log02"], key=natural)
    ['log02', 'log2', 'log10']
    """

    def utf16(text: str) -> bytes:
        return text.encode("utf-16-be", "surrogatepass")

    parts = re.findall("[0-9]+|[^0-9]", name)
    return [(utf16("0"), int(part)) if part.isdigit() else (utf16(part), 0) for part in parts], utf16(name)


def pending(listed: Sequence[Listed], position: Optional[str], *, skips_faults: bool) -> List[int]:
    """Returns the patches that a dataset has not applied yet, in order.

    If all readable patches have an id and some have ``prev``, their chain is the order. Otherwise it is the order in which they
    are listed, see :func:`trusted`.

    Args:
        listed: the patches, in the order of :func:`by_name`.
        position: the position of the dataset; ``None`` if it has applied no patch.
        skips_faults: allow a patch to follow a missing one, if an unreadable patch stands before it by name.

    Returns:
        Indices into ``listed``, including those of unreadable patches.

    Raises:
        JellybridgeError: the patches have no order, have a gap, fork, are circular or do not continue from the position; two
            have the same id; or no dataset can store the id of one.
    """
    for patch in _readable(listed):
        if patch.refusal is not None:
            raise JellybridgeError(f"the id of {patch.name} can't be a dataset's position: {patch.refusal}")
    _refuse_twins(listed)
    if trusted(listed) is not Trust.CHAIN:
        return _behind(listed, position)
    return _Chain(listed).pending(position, skips_faults=skips_faults)


def behind(listed: Sequence[Listed], position: Optional[str]) -> List[int]:
    """Returns the same as :func:`pending` for patches of a log, which follow each other, and the first one the position.

    Raises:
        JellybridgeError: a patch does not follow the one before it.
    """
    last = position
    fault_before = False
    for patch in listed:
        if patch.fault is None and patch.prev != last and not fault_before:
            raise JellybridgeError(
                f"a gap: {patch} follows {patch.prev or 'nothing'}, and the patch before it is {last or 'none'}; check the log"
            )
        last, fault_before = patch.id, patch.fault is not None
    return list(range(len(listed)))


def in_order(listed: Sequence[Listed]) -> List[int]:
    """Returns the order of :func:`pending` for patches that are all readable and all new.

    Raises:
        JellybridgeError: the patches have no order, have ``prev`` headers but not one chain, or two have the same id.
    """
    if trusted(listed) is not Trust.CHAIN:
        return list(range(len(listed)))
    _refuse_twins(listed)
    chain = _Chain(listed)
    first, *others = chain.beginnings()
    if others:
        raise JellybridgeError(
            f"a gap: {listed[others[0]]} follows {listed[others[0]].prev}, and the chain begins with {listed[first]}, which "
            f"follows {listed[first].prev or 'nothing'}; get the missing patch"
        )
    return chain.after(listed[first].prev)


def _readable(listed: Iterable[Listed]) -> List[Listed]:
    return [patch for patch in listed if patch.fault is None]


def is_chained(listed: Sequence[Listed]) -> bool:
    """Returns whether the chain of ids defines the order, and not the names."""
    readable = _readable(listed)
    return (
        all(patch.id is not None for patch in readable) and any(patch.prev is not None for patch in readable)
        and not is_of_several_runs(listed)
    )


def keeps_names(listed: Sequence[Listed]) -> bool:
    """Returns whether stable names define the order, so that a dataset can record the files that it has passed."""
    return trusted(listed) in (Trust.NAMES, Trust.ONE_FILE)


def is_of_several_runs(listed: Sequence[Listed]) -> bool:
    """Returns whether the patches are the file log of a Jena that was restarted.

    Each run starts a new chain. The names of the files, or the order in the one file, say the order of the chains.
    """
    if sum(patch.prev is None for patch in _readable(listed)) < 2:
        return False
    matches = [_ROLLED.fullmatch(patch.file) for patch in listed]
    bases = {match[1] for match in matches if match is not None}
    before = zip(listed, listed[1:])
    return "" not in bases and len(bases) == 1 and all(
        patch.fault is not None or patch.prev is None or last.fault is not None or patch.prev == last.id for last, patch in before
    )


def _refuse_twins(listed: Sequence[Listed]) -> None:
    by_position: Dict[str, Listed] = {}
    for patch in _readable(listed):
        other = by_position.setdefault(patch.position, patch)
        if other is not patch:
            raise JellybridgeError(
                f"two patches have the id {patch.position}: {other.name} and {patch.name}; take one of them away"
            )


def _behind(listed: Sequence[Listed], position: Optional[str]) -> List[int]:
    """Returns the indices after the position."""
    every = list(range(len(listed)))
    if position is None or not _readable(listed):
        return every
    for index, patch in enumerate(listed):
        if patch.position == position:
            return every[index + 1:]
    raise _not_known(position)


def _not_known(position: str) -> JellybridgeError:
    return JellybridgeError(
        f"the dataset is at {position}, which is no patch of the source, and no patch of the source follows it; check that "
        "this is the source that the dataset follows, and that nothing is missing; where it was made anew, have an empty "
        "dataset follow it"
    )


class _Chain:
    """A set of patches that are chained by their headers.

    Args:
        listed: the patches. Unreadable ones are in no chain.

    Raises:
        JellybridgeError: two patches follow the same one, or some form a circle.
    """

    def __init__(self, listed: Sequence[Listed]) -> None:
        self._listed = listed
        self._by_id: Dict[Optional[str], int] = {}
        self._by_prev: Dict[Optional[str], int] = {}
        for index, patch in enumerate(listed):
            if patch.fault is not None:
                continue
            self._by_id[patch.id] = index
            other = self._by_prev.setdefault(patch.prev, index)
            if other != index:
                both = f"{listed[other]} and {patch}"
                raise JellybridgeError(
                    f"two patches are the first of their chain: {both}" if patch.prev is None
                    else f"the chain forks after {patch.prev}: {both} both follow it"
                )
        self._check_circles()

    def beginnings(self) -> List[int]:
        """Returns the patches that follow no other patch of the set. Each part of the chain begins with one."""
        return [index for index in self._by_id.values() if self._listed[index].prev not in self._by_id]

    def after(self, position: Optional[str]) -> List[int]:
        """Returns the patches after a position, in the order of the chain."""
        order: List[int] = []
        follower = self._by_prev.get(position)
        while follower is not None:
            order.append(follower)
            follower = self._by_prev.get(self._listed[follower].id)
        return order

    def _check_circles(self) -> None:
        """Raises an error for patches that no beginning leads to. They form a circle."""
        in_parts = {index for first in self.beginnings() for index in self.after(self._listed[first].prev)}
        for index in self._by_id.values():
            if index not in in_parts:
                raise JellybridgeError(
                    "the chain has no beginning: each patch follows another, in a circle; "
                    f"{self._listed[index]} is one of them"
                )

    def pending(self, position: Optional[str], *, skips_faults: bool) -> List[int]:
        """See :func:`pending`."""
        if position is not None and position not in self._by_id and position not in self._by_prev:
            raise _not_known(position)
        applied = self._up_to(position)
        order = self.after(position)
        known = applied | set(order)
        fault_before = False
        # Unreadable patches are set aside at the place of their name. Patches after a missing one may follow such a place.
        for index in range(max(applied, default=-1) + 1, len(self._listed)):
            if self._listed[index].fault is not None:
                fault_before = True
                order.append(index)
            elif index not in known and (skips_faults or not fault_before):
                first = self._beginning(index)
                part = self.after(self._listed[first].prev)
                known.update(part)
                if self._listed[first].prev is None:
                    continue  # complete from the first patch of the log: already applied
                if not fault_before:
                    raise JellybridgeError(
                        f"a gap: {self._listed[first]} follows {self._listed[first].prev}, which is neither in the source nor "
                        "where the dataset is; get the missing patch"
                    )
                order.extend(part)
        return order

    def _up_to(self, position: Optional[str]) -> Set[int]:
        applied: Set[int] = set()
        index = self._by_id.get(position)
        while index is not None:
            applied.add(index)
            prev = self._listed[index].prev
            index = None if prev is None else self._by_id.get(prev)
        return applied

    def _beginning(self, index: int) -> int:
        while self._listed[index].prev in self._by_id:
            index = self._by_id[self._listed[index].prev]
        return index
