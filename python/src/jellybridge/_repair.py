"""Finds and repairs faults in the folder of a patch log. The folder is described in docs/log-folder.md."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, NamedTuple, Optional, Set, Tuple
from uuid import uuid4

from ._printed_reports import Report

#: What is wrong. ``GAP``, ``FORK``, ``DAMAGED``, ``MISNAMED``, ``UNFINISHED`` and ``LOST`` are of a checkup, ``HASH`` and
#: ``REPLAY`` of a verification.
FaultKind = Literal["GAP", "FORK", "DAMAGED", "MISNAMED", "UNFINISHED", "LOST", "HASH", "REPLAY"]

_PROPERTIES = "patch-log.properties"
_OBJECTS = "objects.json"
_QUARANTINE = "quarantine"
_CHECKPOINTS = "checkpoints"
_INDEX = ".index"
_APPEND_PREFIX = ".append-"
_PATCH = re.compile(r"([0-9]{20})(?:-([0-9]{20}))?\.jellyp")
#: The last version that a log can have, and the number of versions that a file can have.
_LAST_VERSION = (1 << 63) - 1
_MOST_VERSIONS = (1 << 31) - 1
#: No append takes this many seconds, so an older unfinished one belongs to a dead process.
_UNFINISHED_AGE = 3600


@dataclass(frozen=True)
class LogFault(Report):
    """A fault in a log."""

    kind: FaultKind
    #: The version of the patch; ``None`` if the fault is not about one.
    version: Optional[int]
    #: The file's name in the log's folder.
    file: str
    #: The fault.
    found: str
    #: The repair; ``None`` if there was none.
    repaired: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.file}: {self.kind.lower()}: {self.found}" + ("" if self.repaired is None else f"; {self.repaired}")


class _Header(NamedTuple):
    """The headers of a patch."""

    id: str
    prev: Optional[str]
    #: The hash of the patch before it, and its own; ``None``: not known.
    before: Optional[str] = None
    hash: Optional[str] = None

    def __str__(self) -> str:
        return f"patch {self.id} of the hash {self.hash}"

    @classmethod
    def of(cls, read: Dict[str, Any]) -> _Header:
        return cls(read.get("id", ""), read.get("prev"), read.get("before"), read.get("hash"))


class Checkup:
    """A check of a log's folder that reads every patch to its end. It may repair the faults.

    The name of a file, and its first frame, say which versions it has. After an interrupted compaction, a version may be in two
    files with the same patch. The file with more versions counts.

    A check may run at any time. A repair keeps others from writing to the log and from deleting its files. It does this:

    - If a file has an unreadable patch, it splits the file into one file for each patch.
    - It moves unreadable patches and foreign files to the folder ``quarantine``, with the reason beside each.
    - It renames a misnamed file if it is the missing patch of a version.
    - It fills the place of a lost patch with a placeholder, if patches follow, or if only the state after it is left. The
      placeholder has the id and prev that the neighbours, or the checkpoint, require. So the chain is complete again. Readers
      stop at a placeholder or quarantine it, so nobody takes the log for complete.
    - If two files have a version, and one patch of it is lost or unreadable, the other one counts.
    - It leaves a fork as it is. A human must decide which side is right.

    Args:
        bridge: the Java class ``LogBridge``.
        log: a Java log in a folder.
        repairs: repair the faults that can be repaired without losing a readable patch.
    """

    def __init__(self, bridge: Any, log: Any, *, repairs: bool) -> None:
        self._bridge = bridge
        self._log = log
        self._java_repair = bridge.repair(log)
        self._repairs = repairs
        self._folder = Path(str(bridge.folder(log)))
        self._faults: List[LogFault] = []
        #: The readable patches by version, and the last pruned one, if a checkpoint knows its id.
        self._sound: Dict[int, _Header] = {}
        #: The patches of the checkpoints by version. The id is empty if it can't be read.
        self._states: Dict[int, _Header] = {}
        #: The last pruned version.
        self._pruned = 0
        #: The versions that have a patch, readable or not.
        self._present: Set[int] = set()
        #: The versions of which a file has the patch without a fault.
        self._intact: Set[int] = set()
        #: The files of the versions that have a patch.
        self._files: Dict[int, Path] = {}
        #: The faults of the patches of split files, which may be left without a file.
        self._lacking: Dict[int, LogFault] = {}

    def run(self) -> List[LogFault]:
        """Returns the faults in the order of the versions, with their repairs."""
        if not self._repairs:
            return self._run()
        lock = self._java_repair.lock()
        try:
            return self._run()
        finally:
            lock.close()

    def _run(self) -> List[LogFault]:
        if self._repairs:
            self._split()
        files, patches, all_found = self._read_settled()
        self._intact = _intact(patches, all_found)
        self._check_beginning(patches)
        self._faults += _taken_for_one(patches)
        for file, versions in patches.items():
            self._look_at_file(file, versions, all_found[file])
        self._look_at_captures()
        self._look_at_strangers([file for file in files if file not in patches and self._is_stranger(file)])
        named = {fault.version for fault in self._faults}
        self._faults += [fault for version, fault in self._lacking.items() if version not in self._present | named]
        self._look_for_gaps()
        self._look_for_forks()
        for file in files:
            if file.name.startswith(_APPEND_PREFIX):
                self._look_at_append(file)
        self._look_at_checkpoints()
        if any(fault.repaired for fault in self._faults):
            self._forget_index()
            _force(self._folder)
        return self._faults

    def _forget_index(self) -> None:
        """Forgets the index, except for pruned patches, whose ids nothing else knows."""
        index = self._folder / _INDEX
        try:
            title, *lines = index.read_bytes().split(b"\n")
        except OSError:
            return  # there is none, or it is of another user; its rows count for the files that they describe only
        pruned = [line for line in lines if (version := re.match(b"[0-9]{1,18}(?= )", line)) and int(version[0]) <= self._pruned]
        if pruned:
            made = self._folder / f"{_APPEND_PREFIX}{uuid4()}"
            made.write_bytes(b"\n".join([title, *pruned]))
            made.replace(index)
        else:
            index.unlink()

    @staticmethod
    def _is_stranger(file: Path) -> bool:
        return not file.name.startswith(".") and file.name not in (_PROPERTIES, _OBJECTS, _QUARANTINE, _CHECKPOINTS)

    def _read_settled(self) -> Tuple[List[Path], Dict[Path, range], Dict[Path, List[Dict[str, Any]]]]:
        """Lists the folder, and reads its patches, until the list has all that was read and no more: others may join or delete
        files meanwhile. Leaves out patches that are appended meanwhile.

        Returns the files, those of patches with their versions, and what was read.
        """
        all_found: Dict[Path, List[Dict[str, Any]]] = {}
        head = None
        while True:
            listed = sorted(self._folder.iterdir())
            patches = self._patches(listed)
            if head is None:
                head = max((versions[-1] for versions in patches.values()), default=0)
            appended = {file for file, versions in patches.items() if versions[0] > head}
            files = [file for file in listed if file not in appended]
            patches = {file: versions for file, versions in patches.items() if file not in appended}
            if all_found.keys() == patches.keys():
                return files, patches, all_found
            new = [file for file in patches if file not in all_found]
            all_found = {file: found for file, found in all_found.items() if file in patches}
            all_found.update(zip(new, self._read(new)))

    def _patches(self, files: Iterable[Path]) -> Dict[Path, range]:
        """Returns the files of patches with their versions. Those with the most versions come first."""
        counts: Dict[str, int] = json.loads(str(self._bridge.counts(self._log)))
        named = {
            file: versions if len(versions) > 1 else range(versions[0], versions[0] + counts.get(file.name, 1))
            for file in files if (versions := _versions_in(file.name))
        }
        return dict(sorted(named.items(), key=lambda one: (-len(one[1]), one[1][0])))

    def _split(self) -> None:
        """Splits files with an unreadable patch into one file per patch, so that it can be quarantined alone. Quarantines
        patches with a fault that another file has without it.
        """
        files = self._patches(self._folder.iterdir())
        all_found = dict(zip(files, self._read(files)))
        firsts = {file.name: found[0] for file, found in all_found.items()}
        intact = _intact(files, all_found)

        def find_others(file: Path) -> List[str]:
            names = [_name(files[file][0] + number) for number in range(len(all_found[file]))]
            return [
                name for name, patch in zip(names, all_found[file])
                if not patch["lost"] and not _are_same(patch, firsts.setdefault(name, patch))
            ]

        for file, versions in files.items():
            [first, *more] = _expected(all_found[file], len(versions))
            if not more and "fault" in first and versions[0] in intact:
                self._faults.append(self._aside(_fault(versions[0], file, first), file))
                del firsts[file.name]
        for file, versions in files.items():
            faulty = [
                (version, read) for version, read in zip(versions, _expected(all_found[file], len(versions)))
                if "fault" in read and (not read["lost"] or version in intact)
            ]
            if len(versions) > 1 and faulty:
                others = find_others(file)
                if others:
                    fault = LogFault("FORK", None, file.name, f"{others[0]} has another patch of one of its versions")
                    self._faults.append(self._aside(fault, file, os.link))
                self._java_repair.split(file.name)
                for version, read in faulty:
                    fault = _fault(version, file, read)
                    alone = self._folder / _name(version)
                    if version not in intact:
                        self._lacking.setdefault(version, fault)
                    elif alone.exists() and "fault" in firsts.get(alone.name, read):
                        self._faults.append(self._aside(fault, alone))
                        firsts.pop(alone.name, None)
                    elif read["lost"]:
                        self._faults.append(replace(fault, repaired="another file has it"))
        for fault in _taken_for_one(self._patches(self._folder.iterdir())):
            if not find_others(self._folder / fault.file):
                self._java_repair.split(fault.file)
                self._faults.append(replace(fault, repaired="split into one file for each patch"))

    def _check_beginning(self, patches: Dict[Path, range]) -> None:
        """Finds the last pruned version: the log has no patches before its first file, and a checkpoint covers them.

        The checkpoint also knows the id of the last pruned patch.
        """
        first = min((versions[0] for versions in patches.values()), default=1)
        self._states = {said["version"]: _Header.of(said) for said in json.loads(str(self._bridge.checkpoints(self._log)))}
        self._pruned = min(first - 1, max(self._states, default=0))
        if self._id_of_state(self._pruned):
            self._sound[self._pruned] = self._states[self._pruned]

    def _id_of_state(self, version: int) -> Optional[str]:
        return self._states[version].id if version in self._states else None

    def _head(self) -> int:
        return max((versions[-1] for versions in self._patches(self._folder.iterdir()).values()), default=0)

    def _only_state(self, head: int) -> int:
        """Returns the newest version with a state, if the log was pruned and has no other state up to its head; 0 otherwise."""
        states = [version for version, patch in self._states.items() if patch.id and version >= self._pruned]
        return max(states) if self._pruned and states and 0 < head < min(states) else 0

    def _read(self, files: Iterable[Path]) -> Iterator[List[Dict[str, Any]]]:
        """Yields the patches of each file: the headers ``id`` and ``prev``, ``fault`` and ``bytes`` for an unsound patch,
        ``lost`` for a placeholder.
        """
        yield from json.loads(str(self._bridge.headers(self._log, json.dumps([file.name for file in files]))))

    def _look_at_file(self, file: Path, versions: range, found: List[Dict[str, Any]]) -> None:
        for version, read in zip(versions, _expected(found, len(versions))):
            if "fault" in read and version in self._intact:
                self._faults.append(_fault(version, file, read))
            elif version not in self._present:
                self._present.add(version)
                self._files[version] = file
                self._look_at(version, file, read)
            elif self._sound.get(version) != _Header.of(read) or ("fault" in read and not read["lost"]):
                self._faults.append(LogFault("FORK", version, file.name, (
                    f"{self._files[version].name} has this version, too, and another patch: they are of two histories of "
                    "the log, or one is damaged; find out which is right, and move the other away"
                )))

    def _look_at_captures(self) -> None:
        """Looks for what killed captures left behind missing versions, or damaged. A repair puts it into the log."""
        named = [self._folder / str(name) for name in self._java_repair.nameCaptures(self._repairs)]
        for file, versions in sorted(self._patches(named).items()):
            if self._repairs:
                self._look_at_file(file, versions, next(self._read([file])))
            else:
                self._faults += [
                    LogFault("GAP", version, _name(version), "there is no patch of this version, and a killed capture left later ones")
                    for version in range(max(self._present, default=self._pruned) + 1, versions[0])
                ]
                self._present.update(versions)
        for hidden in (file for file in named if file.name.startswith(".")):
            [found] = self._read([hidden])
            first = int(hidden.name[1:21])
            self._look_at_file(hidden, range(first, first + len(found)), found)

    def _look_at(self, version: int, file: Path, read: Dict[str, Any]) -> None:
        fault = read.get("fault")
        if fault is None or read["lost"]:
            self._sound[version] = _Header.of(read)
        if fault is not None:
            found = _fault(version, file, read)
            self._faults.append(found if read["lost"] else self._aside(found, file))

    def _look_at_strangers(self, files: List[Path]) -> None:
        """Handles files with unknown names: misnamed patches whose versions are missing, and foreign files."""
        single = {file: _Header.of(read) for file, [read, *others] in zip(files, self._read(files)) if not others and "fault" not in read}
        while places := {file: version for file, header in single.items() if (version := self._place_of(header)) is not None}:
            for file, version in places.items():
                self._rename(file, version)
                del single[file]
                files.remove(file)
        self._faults += [self._aside(_misnamed(file), file) for file in files]

    def _rename(self, file: Path, version: int) -> None:
        """Gives a misnamed patch its name, if this is a repair."""
        fault = _misnamed(file)
        if self._repairs:
            os.link(file, self._folder / _name(version))
            file.unlink()
            fault = replace(fault, repaired=f"renamed to {_name(version)}")
        self._faults.append(fault)

    def _place_of(self, header: _Header) -> Optional[int]:
        """Returns the version whose missing patch this is."""
        for after, next_header in self._sound.items():
            version = after - 1
            missing = version > self._pruned and version not in self._present
            before = self._sound.get(version - 1)
            if before is None:
                follows = version > 1 or header.prev is None
            else:
                follows = header.prev == before.id and (before.hash is None or header.before in (None, before.hash))
            leads = header.id == next_header.prev and (next_header.before is None or header.hash == next_header.before)
            if missing and follows and leads:
                self._sound[version] = header
                self._present.add(version)
                return version
        return None

    def _id_of(self, version: int) -> Optional[str]:
        return self._sound[version].id if version in self._sound else None

    def _look_for_gaps(self) -> None:
        aside = {fault.version for fault in self._faults}
        last = max(self._sound, default=0)
        only = self._only_state(self._head())
        for version in range(max(last - 1, only), self._pruned, -1):
            if version in self._sound:
                continue
            file = self._folder / _name(version)
            gap = version not in self._present
            if gap and version not in aside:
                why = "there are later ones" if version < last else f"the only state is that of version {only}"
                found = f"there is no patch of this version, and {why}"
                self._faults.append(LogFault("GAP", version, file.name, found))
            if self._repairs and gap:
                self._insert_placeholder(version)
        self._faults.sort(key=lambda fault: fault.version or 0)

    def _insert_placeholder(self, version: int) -> None:
        """Fills the place of a lost patch with a placeholder, whose id is the one that the next patch or its checkpoint names."""
        after = self._sound.get(version + 1)
        id = (after.prev if after else self._id_of_state(version)) or str(uuid4())
        # If the patch before is lost too, its placeholder gets this id. If it was pruned and no readable checkpoint has its id,
        # that id is lost.
        prev = None if version == 1 else self._id_of(version - 1) or str(uuid4())
        [reason] = [fault.found for fault in self._faults if fault.version == version]
        self._java_repair.insertPlaceholder(version, id, prev, reason)
        self._sound[version] = _Header(id, prev)
        done = "a placeholder is in its place"
        self._faults = [
            fault if fault.version != version
            else replace(fault, repaired=done if fault.repaired is None else f"{fault.repaired}, {done}")
            for fault in self._faults
        ]

    def _look_for_forks(self) -> None:
        versions: Dict[str, int] = {}
        for version, patch in sorted(self._sound.items()):
            before = self._id_of(version - 1)
            if (version == 1 or before is not None) and patch.prev != before:
                found = (
                    f"it follows {'no patch' if patch.prev is None else f'patch {patch.prev}'}, but the patch before it is "
                    f"{before or 'none'}"
                )
                self._faults.append(LogFault("FORK", version, _name(version), found))
            elif self._is_forked(version, patch):
                found = (
                    f"it was appended behind the hash {patch.before}, but the patch before it has the hash "
                    f"{self._hash_of(version - 1)}"
                )
                self._faults.append(LogFault("FORK", version, _name(version), found))
            same = versions.setdefault(patch.id, version)
            if same != version:
                found = f"it has the id of version {same}, {patch.id}"
                self._faults.append(LogFault("FORK", version, _name(version), found))

    def _is_forked(self, version: int, patch: _Header) -> bool:
        before = self._hash_of(version - 1)
        return before is not None and patch.before is not None and patch.before != before

    def _hash_of(self, version: int) -> Optional[str]:
        return self._sound[version].hash if version in self._sound else None

    def _look_at_append(self, file: Path) -> None:
        when = self._left_since(file)
        if when is not None:
            fault = LogFault(
                "UNFINISHED", None, file.name, f"an append of {when} was cut off; it was never in the log"
            )
            if self._repairs:
                file.unlink(missing_ok=True)
                fault = replace(fault, repaired="removed")
            self._faults.append(fault)

    def _look_at_checkpoints(self) -> None:
        """Looks for checkpoints of other patches, and for remains of one that was being created or deleted."""
        self._look_at_whole_checkpoints()
        for made in sorted((self._folder / _CHECKPOINTS).glob(".*")):
            when = self._left_since(made, *made.glob("*"))
            if when is not None:
                fault = LogFault(
                    "UNFINISHED", None, f"{_CHECKPOINTS}/{made.name}",
                    f"the work on a checkpoint was cut off, on {when}; nobody reads what is left of it"
                )
                if self._repairs:
                    shutil.rmtree(made, ignore_errors=True)
                    fault = replace(fault, repaired="removed")
                self._faults.append(fault)

    def _look_at_whole_checkpoints(self) -> None:
        head = self._head()
        if head == 0:
            return  # the log ends with its newest checkpoint
        head = max(head, self._only_state(head))
        states = {version for version in self._states if version >= self._pruned}
        is_forked = any(fault.kind == "FORK" for fault in self._faults)
        faulty = {fault.version for fault in self._faults}
        for version, patch in sorted(self._states.items()):
            known = None if is_forked or version in faulty else self._sound.get(version)
            found = (
                "it is the state of a version that the log does not have" if version > head
                else f"it is the state after {patch}, and this version is {known}" if known and not _may_be_same(patch, known)
                else None
            )
            if found is not None:
                folder = self._folder / _CHECKPOINTS / f"{version:020}"
                fault = LogFault("FORK", version, f"{_CHECKPOINTS}/{folder.name}", found)
                if not self._pruned or states != {version}:  # without a state, pruned patches would count as lost
                    states.discard(version)
                    fault = self._aside(fault, folder)
                self._faults.append(fault)

    def _left_since(self, *files: Path) -> Optional[str]:
        """Returns the last write time of abandoned files. ``None`` if a process may still work on them, or if they are gone."""
        try:
            written = max(file.stat().st_mtime for file in files)
        except FileNotFoundError:
            return None
        if written > self._now() - _UNFINISHED_AGE:
            return None
        return datetime.fromtimestamp(written, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _now(self) -> float:
        """Returns the time by the clock of the disk, which may be that of a file server."""
        made = self._folder / f"{_APPEND_PREFIX}{uuid4()}"
        try:
            made.touch()
        except OSError:
            return time.time()  # it is a copy that can't be written
        try:
            return made.stat().st_mtime
        finally:
            made.unlink()

    def _aside(self, fault: LogFault, file: Path, move: Callable[[Path, Path], None] = os.rename) -> LogFault:
        """Moves a file to the quarantine, or links it there, if this is a repair."""
        if not self._repairs:
            return fault
        if fault.version is not None:
            self._present.discard(fault.version)
        quarantine = self._folder / _QUARANTINE
        quarantine.mkdir(exist_ok=True)
        place = quarantine / file.name
        again = 0
        while place.exists():
            again += 1
            place = quarantine / f"{file.name}.{again}"
        move(file, place)
        (quarantine / f"{place.name}.reason.txt").write_text(f"{fault.found}\n", encoding="utf-8")
        _force(quarantine)
        return replace(fault, repaired=f"moved to {_QUARANTINE}/{place.name}")


def _expected(found: List[Dict[str, Any]], count: int) -> List[Dict[str, Any]]:
    """Returns as many patches as their file should have. If it has more or fewer, the last one has a fault."""
    if len(found) == count:
        return found
    fault = f"the file has {len(found)} patches, and should have {count}"
    return [*found[:count - 1], *[{"fault": fault, "lost": False}] * (count - len(found[:count - 1]))]


def _intact(patches: Dict[Path, range], all_found: Dict[Path, List[Dict[str, Any]]]) -> Set[int]:
    """Returns the versions of which a file has the patch without a fault."""
    return {
        version for file, versions in patches.items() for version, read in zip(versions, _expected(all_found[file], len(versions)))
        if "fault" not in read
    }


def _fault(version: int, file: Path, read: Dict[str, Any]) -> LogFault:
    return LogFault("LOST" if read["lost"] else "DAMAGED", version, file.name, read["fault"])


def _are_same(one: Dict[str, Any], other: Dict[str, Any]) -> bool:
    """Returns true if two files have the same patch. The texts of faults name their files, so the bytes count."""
    if one is not other and "fault" in one and "fault" in other:
        return "bytes" in one and one["bytes"] == other.get("bytes")
    return one == other


def _may_be_same(state: _Header, patch: _Header) -> bool:
    """Returns true if a checkpoint is that of a patch, as far as both are known."""
    return state.id in ("", patch.id) and (state.hash is None or patch.hash in (None, state.hash))


def _misnamed(file: Path) -> LogFault:
    return LogFault("MISNAMED", None, file.name, f"a log has no file of this name; its patches are named like {_name(1)}")


def _taken_for_one(patches: Dict[Path, range]) -> List[LogFault]:
    """Returns the faults of files with several patches that readers take for one patch, as the next version has a file, too."""
    return [
        LogFault("DAMAGED", None, file.name, f"it has {len(versions)} patches, and readers take it for one, as there is "
                 f"{_name(versions[1])}")
        for file, versions in patches.items()
        if len(versions) > 1 and file.name == _name(versions[0]) and file.with_name(_name(versions[1])) in patches
    ]


def _versions_in(name: str) -> Optional[range]:
    """Returns the versions in the name of a file of patches; ``None`` if no such file has that name."""
    match = _PATCH.fullmatch(name)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    is_range = 0 < last - first < _MOST_VERSIONS
    return range(first, last + 1) if 0 < first and last <= _LAST_VERSION and (is_range or not match[2]) else None


def _name(version: int) -> str:
    return f"{version:020}.jellyp"


def _force(folder: Path) -> None:
    """Forces the entries of a folder to the disk."""
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    finally:
        os.close(names)
