"""What a check of a patch log's folder finds, and what a repair does about it and leaves alone."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple
from uuid import uuid4

import pytest

from jellybridge import ChangeRow, Dataset, JellybridgeError, LogConflictError, LogFault, LogHead, PatchLog, write_patch
from jellybridge._repair import Checkup


def patch(path: Path, number: int, id: Optional[str] = None, prev: Optional[str] = None) -> Path:
    headers = [ChangeRow(op="H", name=name, value=f"<urn:uuid:{value}>") for name, value in (("id", id), ("prev", prev)) if value]
    write_patch(path, [*headers, ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')])
    return path


class Changes:
    """A log of four versions, the first of which may be a state."""

    def __init__(self, folder: Path, state: Optional[Path] = None) -> None:
        self.folder = folder / "changes"
        self.log = PatchLog.create(self.folder, state=state, progress=None)
        self.ids = [head.id for head in [self.log.head] if head.id is not None]
        while len(self.ids) < 4:
            self.ids.append(self.append(folder / "one.jellyp", len(self.ids) + 1))

    def append(self, file: Path, number: int) -> str:
        [head] = self.log.append(patch(file, number))
        assert head.id is not None
        return head.id

    def append_several(self, first: int, last: int) -> None:
        """Appends patches in one call, which get one file."""
        several = self.folder.parent / "several.jellyp"
        rows = [ChangeRow(n, op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{n}"') for n in range(first, last + 1)]
        write_patch(several, rows)
        self.ids += [str(head.id) for head in self.log.append(several)]

    def file(self, version: int) -> Path:
        return self.folder / f"{version:020}.jellyp"

    def joined(self, first: int, last: int) -> Path:
        return self.folder / f"{first:020}-{last:020}.jellyp"

    def another_history(self, after: int, *ids: str) -> Path:
        """Returns a copy of the log that went on otherwise behind a version, with patches of these ids."""
        copy = self.folder.parent / "another"
        shutil.copytree(self.folder, copy)
        for version in range(after + 1, 5):
            (copy / self.file(version).name).unlink()
        with PatchLog.open(copy) as log:
            for number, id in enumerate(ids):
                log.append(patch(self.folder.parent / "other.jellyp", 90 + number, id))
        return copy

    def kinds(self) -> List[Any]:
        return [(fault.kind, fault.version) for fault in self.log.check()]

    def head(self) -> LogHead:
        with PatchLog.open(self.folder) as log:
            return log.head


@pytest.fixture
def changes(tmp_path: Path) -> Iterator[Changes]:
    changes = Changes(tmp_path)
    with changes.log:
        yield changes


class Later(Changes):
    """A log whose first patch follows a checkpoint, since those before it were pruned, or since it begins with a state."""

    def __init__(self, folder: Path, before: int, state: Optional[Path] = None) -> None:
        super().__init__(folder, state)
        self.log.checkpoint(before)
        self.log.prune(before=before + 1)
        self.before = LogHead(before, self.ids[before - 1])
        self.first = LogHead(before + 1, self.ids[before])
        self.first_file = self.file(self.first.version)

    def sync_to_checkpoint(self, replica: Dataset) -> None:
        replica.sync(self.folder, until=f"<urn:uuid:{self.before.id}>")

    def assert_first_is_lost(self) -> None:
        assert self.kinds() == [("LOST", self.first.version)]
        lost, *_ = self.log.entries()
        assert (lost.id, lost.prev) == (self.first.id, self.before.id)


@pytest.fixture(params=["pruned", "begun with a state"])
def later(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Later]:
    state = tmp_path / "state.nq"
    state.write_text("<urn:s> <urn:p> <urn:o> .\n")
    later = Later(tmp_path, 2) if request.param == "pruned" else Later(tmp_path, 1, state)
    with later.log:
        yield later


def content(folder: Path) -> Dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def old(file: Path) -> Path:
    file.write_bytes(b"half a patch")
    os.utime(file, (time.time() - 7200,) * 2)
    return file


def test_a_sound_log_has_no_faults(changes: Changes) -> None:
    (changes.folder / ".append-x").write_bytes(b"under way")
    before = content(changes.folder)
    assert (changes.log.check(), content(changes.folder)) == ([], before)
    assert changes.log.repair() == []
    assert changes.head() == LogHead(4, changes.ids[3])


def test_a_check_changes_nothing(changes: Changes) -> None:
    changes.file(2).write_bytes(b"\1\2\3")
    changes.file(3).rename(changes.folder / "elsewhere.jellyp")
    old(changes.folder / f".append-{uuid4()}")
    before = content(changes.folder)
    assert ".index" in before
    faults = changes.log.check()
    assert [fault.kind for fault in faults] == ["MISNAMED", "DAMAGED", "UNFINISHED"]
    assert [fault.repaired for fault in faults] == [None] * 3
    assert content(changes.folder) == before


def test_a_repair_forgets_the_index_if_it_mends_something(changes: Changes) -> None:
    assert changes.log.repair() == [] and (changes.folder / ".index").exists()
    (changes.folder / "notes.txt").write_text("x")
    changes.log.repair()
    assert not (changes.folder / ".index").exists()
    assert changes.head() == LogHead(4, changes.ids[3])


def test_a_repair_leaves_an_index_that_it_cant_read(changes: Changes) -> None:
    (changes.folder / ".index").unlink()
    (changes.folder / ".index").mkdir()
    (changes.folder / "notes.txt").write_text("x")
    assert [fault.repaired for fault in changes.log.repair()] == ["moved to quarantine/notes.txt"]


@pytest.mark.parametrize("beside", ("a compaction", "a pruning", "an append"))
def test_a_check_reads_what_others_make_of_the_files_meanwhile(changes: Changes, monkeypatch: pytest.MonkeyPatch, beside: str) -> None:
    changes.log.checkpoint(2)
    read = Checkup._read
    reads: List[str] = []

    def read_late(checkup: Checkup, files: Iterable[Path]) -> Iterator[List[Dict[str, Any]]]:
        names = [file.name for file in files]
        if not reads:
            with PatchLog.open(changes.folder) as other:
                if beside == "a compaction":
                    other.compact()
                elif beside == "a pruning":
                    other.prune(before=3)
                else:
                    other.append(patch(changes.folder.parent / "five.jellyp", 5))
        reads.extend(names)
        return read(checkup, files)

    monkeypatch.setattr(Checkup, "_read", read_late)
    assert changes.kinds() == []
    alone = [changes.file(version).name for version in range(1, 5)]
    assert reads == [*alone, *([changes.joined(1, 4).name] if beside == "a compaction" else [])]


def test_a_repair_beside_another_one_is_refused_and_changes_nothing(changes: Changes) -> None:
    changes.file(3).write_bytes(b"")
    with PatchLog.open(changes.folder) as other, other._call() as log:
        lock = other._bridge.repair(log).lock()
        before = content(changes.folder)
        with pytest.raises(JellybridgeError, match="a compaction, pruning or repair of this log is under way"):
            changes.log.repair()
        assert content(changes.folder) == before
        lock.close()
    assert [fault.version for fault in changes.log.repair()] == [3]


def test_a_damaged_patch_goes_aside_and_a_placeholder_keeps_the_chain(changes: Changes) -> None:
    cut = changes.file(3).read_bytes()[:-7]
    changes.file(3).write_bytes(cut)
    assert changes.kinds() == [("DAMAGED", 3)]
    [mended] = changes.log.repair()
    assert mended.repaired == f"moved to quarantine/{changes.file(3).name}, a placeholder is in its place"
    assert (changes.folder / "quarantine" / changes.file(3).name).read_bytes() == cut
    assert changes.kinds() == [("LOST", 3)]
    [lost] = changes.log.check()
    assert changes.log.repair() == [lost], "nothing is left to be done"
    changes.append(changes.folder.parent / "five.jellyp", 5)
    assert [entry.id for entry in changes.log.entries()][:4] == changes.ids


@pytest.mark.parametrize("damaged", (5, 6, 8))
def test_of_the_file_of_a_call_the_damaged_patch_alone_goes_aside(changes: Changes, damaged: int) -> None:
    changes.append_several(5, 8)
    ids = changes.ids
    assert not changes.file(6).exists() and changes.head() == LogHead(8, ids[7])
    assert changes.kinds() == []
    last = changes.append(changes.folder.parent / "nine.jellyp", 9)
    call = changes.file(5).read_bytes()
    at = call.rindex(f'urn:uuid:{ids[damaged - 2]}'.encode())  # its prev
    changes.file(5).write_bytes(call[:at] + b"\xff" + call[at + 1:])
    [fault] = changes.log.check()
    assert (fault.kind, fault.version, fault.file) == ("DAMAGED", damaged, changes.file(5).name)
    [mended] = changes.log.repair()
    assert mended.repaired == f"moved to quarantine/{changes.file(damaged).name}, a placeholder is in its place"
    assert changes.kinds() == [("LOST", damaged)]
    assert [entry.id for entry in changes.log.entries()] == [*ids, last]
    changes.log.compact()
    assert changes.kinds() == [("LOST", damaged)]


def test_of_a_joined_file_the_damaged_patch_alone_goes_aside(changes: Changes) -> None:
    whole = changes.file(3).read_bytes()
    changes.log.compact()
    joined = changes.joined(1, 4).read_bytes()
    at = joined.index(whole) + len(whole) - 12
    changes.joined(1, 4).write_bytes(joined[:at] + b"\xff" + joined[at + 1:])
    assert changes.kinds() == [("DAMAGED", 3)]
    [mended] = changes.log.repair()
    assert mended.repaired == f"moved to quarantine/{changes.file(3).name}, a placeholder is in its place"
    assert changes.kinds() == [("LOST", 3)]
    assert [entry.id for entry in changes.log.entries()] == changes.ids
    changes.log.compact()
    assert changes.kinds() == [("LOST", 3)]
    assert [file.name for file in changes.folder.glob("*.jellyp")] == [changes.joined(1, 4).name]


@pytest.mark.parametrize("comes_back", ("alone", "joined", "beside a longer file"))
def test_a_lost_patch_that_comes_back_takes_the_place_of_its_placeholder(changes: Changes, comes_back: str) -> None:
    third = changes.file(3).read_bytes()
    alone = {version: changes.file(version).read_bytes() for version in (1, 2, 4)}
    changes.log.compact()
    joined = changes.joined(1, 4)
    whole = joined.read_bytes()
    joined.unlink()
    for version, content_ in alone.items():
        changes.file(version).write_bytes(content_)
    changes.log.repair()
    assert changes.kinds() == [("LOST", 3)]
    if comes_back == "beside a longer file":
        changes.ids.append(changes.append(changes.folder.parent / "five.jellyp", 5))
    if comes_back != "joined":
        changes.log.compact()
    if comes_back == "alone":
        changes.file(3).write_bytes(third)
    else:
        joined.write_bytes(whole)
    assert changes.kinds() == [("LOST", 3)]
    [fault] = changes.log.repair()
    assert fault.repaired == ("another file has it" if comes_back == "alone" else f"moved to quarantine/{changes.file(3).name}")
    assert changes.kinds() == []
    assert [entry.id for entry in changes.log.entries()] == changes.ids and changes.log.verify().ok


@pytest.mark.parametrize("has_sound_copy", (False, True))
def test_the_file_of_a_call_that_comes_back_takes_the_place_of_its_placeholder(changes: Changes, has_sound_copy: bool) -> None:
    changes.append_several(5, 7)
    whole = changes.file(5).read_bytes()
    changes.ids.append(changes.append(changes.folder.parent / "eight.jellyp", 8))
    at = whole.rindex(f"urn:uuid:{changes.ids[5]}".encode())  # the prev of 7
    changes.file(5).write_bytes(whole[:at] + b"\xff" + whole[at + 1:])
    changes.log.repair()
    assert changes.kinds() == [("LOST", 7)]
    if not has_sound_copy:
        changes.file(6).unlink()
        changes.log.repair()
        assert changes.kinds() == [("LOST", 6), ("LOST", 7)]
    changes.file(5).write_bytes(whole)
    changes.log.repair()
    assert changes.kinds() == []
    assert [entry.id for entry in changes.log.entries()] == changes.ids and changes.log.verify().ok


def test_a_damaged_copy_of_a_patch_goes_aside(changes: Changes) -> None:
    second, third = (changes.file(version).read_bytes() for version in (2, 3))
    changes.log.compact()
    joined = changes.joined(1, 4).read_bytes()
    changes.file(3).write_bytes(third[:-7])
    assert changes.kinds() == [("DAMAGED", 3)]
    [fault] = changes.log.repair()
    assert fault.repaired == f"moved to quarantine/{changes.file(3).name}"
    assert changes.kinds() == [] and changes.joined(1, 4).read_bytes() == joined
    at = joined.index(second) + len(second) - 12
    changes.joined(1, 4).write_bytes(joined[:at] + b"\xff" + joined[at + 1:])
    changes.file(3).write_bytes(third[:-7])
    assert [(fault.kind, fault.version) for fault in changes.log.repair()] == [("DAMAGED", 2), ("DAMAGED", 3)]
    assert changes.kinds() == [("LOST", 2)]


def test_a_file_of_a_call_is_split_if_the_next_version_has_a_file_too(changes: Changes) -> None:
    changes.append_several(5, 7)
    call = changes.file(5).read_bytes()
    second = changes.file(2).read_bytes()
    last = changes.append(changes.folder.parent / "eight.jellyp", 8)
    changes.log.compact()
    joined = changes.joined(1, 8).read_bytes()
    at = joined.index(second) + len(second) - 12
    changes.joined(1, 8).write_bytes(joined[:at] + b"\xff" + joined[at + 1:])
    changes.file(5).write_bytes(call)  # the compaction was killed before it deleted it
    changes.log.repair()
    for killed in (False, True):
        if killed:
            changes.file(5).write_bytes(call)  # it was killed before it replaced it by its first patch
            assert changes.kinds() == [("DAMAGED", None), ("LOST", 2)]
            changes.log.repair()
        assert changes.kinds() == [("LOST", 2)]
        assert [entry.id for entry in changes.log.entries()] == [*changes.ids, last]


@pytest.mark.parametrize("damaged", ((3,), (2, 3)))
def test_of_a_joined_file_a_patch_whose_beginning_is_damaged_goes_aside_alone(changes: Changes, damaged: Tuple[int, ...]) -> None:
    third = changes.file(3).read_bytes()
    changes.log.compact()
    joined = bytearray(changes.joined(1, 4).read_bytes())
    at = joined.index(third)
    joined[joined.index(b"\xc2\x3e", at)] ^= 1  # the key of its restart point
    if 2 in damaged:
        joined[at - 12] = 0xFF
    changes.joined(1, 4).write_bytes(joined)
    assert changes.kinds() == [("DAMAGED", version) for version in damaged]
    assert [fault.version for fault in changes.log.repair()] == [*damaged]
    assert changes.kinds() == [("LOST", version) for version in damaged]
    assert [entry.id == id for entry, id in zip(changes.log.entries(), changes.ids)] == [True, damaged == (3,), True, True]


def test_of_a_joined_file_that_is_cut_the_rest_is_named(changes: Changes) -> None:
    changes.log.compact()
    changes.append(changes.folder.parent / "five.jellyp", 5)
    changes.joined(1, 4).write_bytes(changes.joined(1, 4).read_bytes()[:-40])
    assert changes.kinds() == [("DAMAGED", 4)]
    changes.log.repair()
    assert changes.kinds() == [("LOST", 4)]
    changes.file(2).write_bytes(b"")
    changes.file(2).unlink()
    changes.file(3).unlink()
    assert changes.kinds() == [("GAP", 2), ("GAP", 3), ("LOST", 4)]


@pytest.mark.parametrize("has_later", (False, True))
def test_of_a_file_that_is_cut_between_two_patches_a_repair_names_the_rest(changes: Changes, has_later: bool) -> None:
    two = len(changes.file(1).read_bytes() + changes.file(2).read_bytes())
    changes.log.compact()
    if has_later:
        changes.append(changes.folder.parent / "five.jellyp", 5)
    changes.joined(1, 4).write_bytes(changes.joined(1, 4).read_bytes()[:two])
    found = changes.log.check()
    assert [(fault.kind, fault.version) for fault in found] == [("DAMAGED", 3), ("DAMAGED", 4)]
    mended = changes.log.repair()
    assert [replace(fault, repaired=None) for fault in mended] == found
    assert [fault.repaired for fault in mended] == ["a placeholder is in its place" if has_later else None] * 2
    with PatchLog.open(changes.folder) as log:
        assert [(fault.kind, fault.version) for fault in log.check()] == ([("LOST", 3), ("LOST", 4)] if has_later else [])
        assert log.head.version == (5 if has_later else 2)


def test_of_a_file_that_is_cut_in_a_patch_a_repair_names_the_rest_once(changes: Changes) -> None:
    kept = changes.file(4).read_bytes()
    length = len(changes.file(1).read_bytes() + changes.file(2).read_bytes())
    changes.log.compact()
    changes.joined(1, 4).write_bytes(changes.joined(1, 4).read_bytes()[:length - 7])
    changes.file(4).write_bytes(kept)
    assert [(fault.kind, fault.version) for fault in changes.log.repair()] == [("DAMAGED", 2), ("DAMAGED", 3)]
    assert changes.kinds() == [("LOST", 2), ("LOST", 3)]


def test_what_a_compaction_left_that_was_killed_is_no_fault(changes: Changes) -> None:
    kept = {version: changes.file(version).read_bytes() for version in (3, 4)}
    changes.log.compact()
    for version, content_ in kept.items():
        changes.file(version).write_bytes(content_)
    assert changes.kinds() == []
    assert changes.log.compact().after == 1
    assert [entry.id for entry in changes.log.entries()] == changes.ids


def test_a_repair_that_was_killed_when_it_split_a_file_goes_on(changes: Changes) -> None:
    second = changes.file(2).read_bytes()
    changes.log.compact()
    joined = bytearray(changes.joined(1, 4).read_bytes())
    joined[joined.index(second) + len(second) - 12] = 0xFF
    changes.joined(1, 4).write_bytes(joined)
    with changes.log._call() as log:
        changes.log._bridge.repair(log).split(changes.joined(1, 4).name)
    changes.joined(1, 4).write_bytes(joined)
    assert [(fault.kind, fault.version) for fault in changes.log.repair()] == [("DAMAGED", 2)]
    assert not (changes.folder / "quarantine" / changes.joined(1, 4).name).exists()
    assert changes.kinds() == [("LOST", 2)]


def test_a_joined_file_that_is_split_is_kept_if_another_has_another_patch_of_it(changes: Changes) -> None:
    second = changes.file(2).read_bytes()
    other = changes.another_history(2, str(uuid4())) / changes.file(3).name
    changes.log.compact()
    joined = changes.joined(1, 4).read_bytes()
    at = joined.index(second) + len(second) - 12
    damaged = joined[:at] + b"\xff" + joined[at + 1:]
    changes.joined(1, 4).write_bytes(damaged)
    changes.file(3).write_bytes(other.read_bytes())
    forked, *_ = changes.log.repair()
    assert (forked.kind, forked.file) == ("FORK", changes.joined(1, 4).name)
    assert forked.found == f"{changes.file(3).name} has another patch of one of its versions"
    assert forked.repaired == f"moved to quarantine/{changes.joined(1, 4).name}"
    assert (changes.folder / "quarantine" / changes.joined(1, 4).name).read_bytes() == damaged
    assert changes.kinds() == [("LOST", 2), ("FORK", 4)]


def test_patches_that_are_lost_in_a_row_get_placeholders(changes: Changes) -> None:
    changes.append(changes.folder.parent / "five.jellyp", 5)
    changes.file(1).unlink()
    changes.file(3).unlink()
    changes.file(4).write_bytes(b"\1\2\3")
    assert changes.kinds() == [("GAP", 1), ("GAP", 3), ("DAMAGED", 4)]
    changes.log.repair()
    assert changes.kinds() == [("LOST", 1), ("LOST", 3), ("LOST", 4)]
    entries = list(changes.log.entries())
    assert [entry.prev for entry in entries[1:]] == [entry.id for entry in entries[:-1]]


@pytest.mark.parametrize("kind", ("DAMAGED", "GAP"))
def test_what_a_killed_capture_left_behind_a_lost_patch_is_in_the_log(changes: Changes, kind: str) -> None:
    changes.file(4).rename(changes.folder / f".{changes.file(4).name}.part")
    changes.file(3).write_bytes(b"")
    if kind == "GAP":
        changes.file(3).unlink()
    assert changes.kinds() == [(kind, 3)]
    changes.log.repair()
    assert changes.kinds() == [("LOST", 3)]
    assert [entry.id for entry in changes.log.entries()] == changes.ids


@pytest.mark.parametrize("damaged, has_gap", ((3, False), (4, True), (2, False)))
def test_the_sound_patches_of_a_damaged_file_of_a_killed_capture_are_in_the_log(changes: Changes, damaged: int, has_gap: bool) -> None:
    changes.ids.append(changes.append(changes.folder.parent / "five.jellyp", 5))
    left = {version: changes.file(version).read_bytes() for version in range(3 if has_gap else 2, 6)}
    left[damaged] = left[damaged][:-12] + b"\xff" + left[damaged][-11:]
    for version in range(2, 6):
        changes.file(version).unlink()
    (changes.folder / f".{changes.file(min(left)).name}.part").write_bytes(b"".join(left.values()))
    before = content(changes.folder)
    with PatchLog.open(changes.folder) as log:
        assert [(fault.kind, fault.version) for fault in log.check()] == [*([("GAP", 2)] if has_gap else []), ("DAMAGED", damaged)]
        assert content(changes.folder) == before
        log.repair()
    assert changes.kinds() == [*([("LOST", 2)] if has_gap else []), ("LOST", damaged)]
    assert [entry.id for entry in changes.log.entries()] == changes.ids
    changes.append(changes.folder.parent / "six.jellyp", 6)


def test_a_damaged_patch_of_a_killed_capture_does_not_stop_appends_after_a_repair(changes: Changes) -> None:
    whole = changes.file(4).read_bytes()
    changes.file(4).unlink()
    (changes.folder / f".{changes.file(4).name}.part").write_bytes(whole[:-3] + bytes([whole[-3] ^ 0x7F]) + whole[-2:])
    with PatchLog.open(changes.folder) as log:
        assert [(fault.kind, fault.version) for fault in log.check()] == [("DAMAGED", 4)]
        log.repair()
        assert log.check() == [] and log.head == LogHead(3, changes.ids[2])
        log.append(patch(changes.folder.parent / "four.jellyp", 4))


def test_a_placeholder_has_the_id_that_the_next_patch_names(changes: Changes) -> None:
    changes.file(1).unlink()
    [gap] = changes.log.repair()
    assert gap.repaired == "a placeholder is in its place"
    first, second, *_ = changes.log.entries()
    assert (first.id, first.prev, second.prev) == (changes.ids[0], None, changes.ids[0])


def test_a_placeholder_for_the_first_patch_follows_the_checkpoint_before_it(later: Later, tmp_path: Path) -> None:
    with Dataset.open("mem:") as replica:
        later.sync_to_checkpoint(replica)
        later.first_file.write_bytes(later.first_file.read_bytes()[:-7])
        later.log.repair()
        later.assert_first_is_lost()
        for read in (lambda: later.log.state(tmp_path / "state.nq"), lambda: replica.sync(later.folder)):
            with pytest.raises(JellybridgeError, match="the patch was lost"):
                read()


def test_a_first_patch_that_is_missing_behind_a_checkpoint_is_a_gap_of_one(later: Later) -> None:
    later.first_file.unlink()
    assert later.kinds() == [("GAP", later.first.version)]
    later.log.repair()
    later.assert_first_is_lost()


def test_a_misnamed_first_patch_gets_its_place_behind_the_checkpoint_back(later: Later) -> None:
    later.first_file.rename(later.folder / "first.jellyp")
    [fault] = later.log.repair()
    assert fault.repaired == f"renamed to {later.first_file.name}"
    assert later.kinds() == []


def test_a_first_patch_of_another_log_is_named(later: Later) -> None:
    with PatchLog.create(later.folder.parent / "other") as other:
        for number in range(later.first.version):
            other.append(patch(later.folder.parent / "other.jellyp", number))
    shutil.copy(later.folder.parent / "other" / later.first_file.name, later.first_file)
    assert later.kinds() == [("DAMAGED", later.first.version)]
    assert "is not what was appended" in later.log.check()[0].found


def test_a_checkpoint_that_cant_be_read_does_not_stop_a_repair(later: Later) -> None:
    (later.folder / "checkpoints" / f"{later.before.version:020}" / "checkpoint.json").write_text("{")
    later.first_file.write_bytes(b"")
    later.log.repair()
    assert later.kinds() == [("LOST", later.first.version)]


def test_the_patch_that_the_first_one_follows_does_not_come_again_without_the_index(later: Later, tmp_path: Path) -> None:
    (later.folder / ".index").unlink()
    with PatchLog.open(later.folder) as log:
        with pytest.raises(LogConflictError, match=f"version {later.before.version}"):
            log.append(patch(tmp_path / "again.jellyp", 1, later.before.id))


def test_a_log_whose_only_patch_goes_aside_ends_with_the_checkpoint_before_it(later: Later, tmp_path: Path) -> None:
    for version in range(later.first.version + 1, 5):
        later.file(version).unlink()
    later.first_file.write_bytes(b"")
    later.log.repair()
    assert later.head() == later.before
    with PatchLog.open(later.folder) as log:
        assert [made.version for made in log.append(patch(tmp_path / "one.jellyp", 1))] == [later.first.version]
        assert log.check() == [] and log.verify().ok


def test_a_dataset_at_the_checkpoint_passes_over_a_first_patch_that_cant_be_read(later: Later, tmp_path: Path) -> None:
    with Dataset.open("mem:") as replica:
        later.sync_to_checkpoint(replica)
        later.first_file.write_bytes(b"\1\2\3")
        (later.folder / ".index").unlink()
        done = replica.sync(later.folder, on_error="quarantine", quarantine=tmp_path / "aside")
        assert done.position == f"<urn:uuid:{later.ids[3]}>"


def test_a_damaged_head_goes_aside_and_the_log_ends_before_it(changes: Changes) -> None:
    changes.file(4).write_bytes(b"")
    changes.log.repair()
    assert changes.head() == LogHead(3, changes.ids[2])
    with PatchLog.open(changes.folder) as log:
        log.append(patch(changes.folder.parent / "four.jellyp", 4), prev=changes.ids[2])
        assert log.check() == []


def test_a_checkpoint_of_a_patch_that_went_aside_goes_aside_too(changes: Changes, tmp_path: Path) -> None:
    for version in (3, 4):
        changes.log.checkpoint(version)
    checkpoint = changes.folder / "checkpoints" / f"{4:020}"
    kept = tmp_path / "kept"
    shutil.copytree(checkpoint, kept)
    changes.file(4).write_bytes(b"")
    _, fault = changes.log.repair()
    assert (fault.kind, fault.version, fault.repaired) == ("FORK", 4, f"moved to quarantine/{checkpoint.name}")
    with PatchLog.open(changes.folder) as log:
        shutil.copytree(kept, checkpoint)
        assert [(fault.kind, fault.file) for fault in log.check()] == [("FORK", f"checkpoints/{checkpoint.name}")]
        log.append(patch(tmp_path / "four.jellyp", 4))
        assert [(fault.kind, fault.file) for fault in log.check()] == [("FORK", f"checkpoints/{checkpoint.name}")]
        log.repair()
        assert log.check() == [] and log.state(tmp_path / "state.nq").version == 4


def test_a_checkpoint_of_a_patch_with_another_history_and_the_same_id_goes_aside(changes: Changes, tmp_path: Path) -> None:
    changes.log.checkpoint(4)
    with PatchLog.open(changes.another_history(2, str(uuid4()), changes.ids[3])) as log:
        assert [(fault.kind, fault.version) for fault in log.check()] == [("FORK", 4)]
        log.repair()
        assert log.check() == [] and log.state(tmp_path / "state.nq").version == 4


def test_the_only_state_of_a_pruned_log_stays_if_its_patch_is_lost(changes: Changes, tmp_path: Path) -> None:
    changes.append_several(5, 7)
    changes.log.checkpoint(7)
    changes.log.prune(before=7)
    call = changes.file(5).read_bytes()
    at = call.rindex(f"urn:uuid:{changes.ids[5]}".encode())  # the prev of 7
    changes.file(5).write_bytes(call[:at] + b"\xff" + call[at + 1:])
    assert [(fault.kind, fault.version) for fault in changes.log.repair()] == [("DAMAGED", 7)]
    assert changes.kinds() == [("LOST", 7)] and changes.log.repair() == changes.log.check()
    assert changes.head() == LogHead(7, changes.ids[6])
    changes.append(tmp_path / "eight.jellyp", 8)
    assert changes.log.state(tmp_path / "state.nq").version == 8
    for version in (7, 8):
        changes.file(version).unlink()
    with PatchLog.open(changes.folder) as log:
        assert [(fault.kind, fault.version) for fault in log.check()] == [("GAP", 7)]
        log.append(patch(tmp_path / "seven.jellyp", 7))
        faults = log.check()
        assert [(fault.kind, fault.version) for fault in faults] == [("FORK", 7)]
        assert log.repair() == faults == log.check()


def test_a_misnamed_patch_gets_its_place_back_and_a_stranger_goes_aside(changes: Changes) -> None:
    changes.file(2).rename(changes.folder / "2.jellyp")
    (changes.folder / "notes.txt").write_text("x")
    (changes.folder / "folder").mkdir()
    assert changes.kinds() == [("MISNAMED", None)] * 3
    assert [fault.repaired for fault in changes.log.repair()] == [
        f"renamed to {changes.file(2).name}", "moved to quarantine/folder", "moved to quarantine/notes.txt"]
    assert changes.kinds() == []
    assert [entry.id for entry in changes.log.entries()] == changes.ids
    assert (changes.folder / "quarantine" / "notes.txt").read_text() == "x"


def test_a_copy_whose_name_has_versions_beyond_those_of_a_log_goes_aside(changes: Changes) -> None:
    most = 2**31 - 1
    names = [changes.joined(1, 10**20 - 1), changes.joined(1, 10**12), changes.joined(1, most + 1), changes.file(10**20 - 1)]
    for copy in names:
        shutil.copy(changes.file(4), copy)
    assert changes.head().version == 4
    assert changes.kinds() == [("MISNAMED", None)] * 4
    assert {fault.repaired for fault in changes.log.repair()} == {f"moved to quarantine/{copy.name}" for copy in names}
    assert changes.kinds() == []


def test_misnamed_patches_in_a_row_get_their_places_back(changes: Changes) -> None:
    for version in (2, 3):
        changes.file(version).rename(changes.folder / f"{version}.jellyp")
    assert changes.kinds() == [("MISNAMED", None)] * 2
    assert [fault.repaired for fault in changes.log.repair()] == [f"renamed to {changes.file(version).name}" for version in (3, 2)]
    assert changes.kinds() == []


def test_a_copy_under_another_name_is_not_the_patch_of_a_place_that_is_taken(changes: Changes) -> None:
    (changes.folder / "2.jellyp").write_bytes(changes.file(2).read_bytes())
    [fault] = changes.log.repair()
    assert (fault.kind, fault.repaired) == ("MISNAMED", "moved to quarantine/2.jellyp")


def test_what_follows_another_patch_than_the_one_before_is_a_fork(changes: Changes) -> None:
    other = str(uuid4())
    copy = changes.another_history(1, other, changes.ids[2])
    shutil.copy(copy / changes.file(3).name, changes.file(3))
    faults = changes.log.check()
    assert [(fault.kind, fault.version, fault.file) for fault in faults] == [
        ("FORK", 3, changes.file(3).name), ("FORK", 4, changes.file(4).name)]
    assert faults[0].found == f"it follows patch {other}, but the patch before it is {changes.ids[1]}"
    assert faults[1].found.startswith("it was appended behind the hash ")
    before = changes.file(3).read_bytes()
    assert changes.log.repair() == faults and changes.file(3).read_bytes() == before, "a fork is left as it is"


def test_two_patches_of_one_id_are_a_fork(changes: Changes) -> None:
    copy = changes.another_history(1, str(uuid4()), changes.ids[2], changes.ids[1])
    shutil.copy(copy / changes.file(4).name, changes.file(4))
    forked, twice = changes.log.check()
    assert forked.found.startswith("it was appended behind the hash ")
    assert (twice.kind, twice.version, twice.found) == ("FORK", 4, f"it has the id of version 2, {changes.ids[1]}")


def test_two_files_with_different_patches_of_a_version_are_a_fork(changes: Changes) -> None:
    copy = changes.another_history(1, str(uuid4()), str(uuid4()))
    changes.log.checkpoint(3)
    with PatchLog.open(copy) as log:
        log.compact()
    shutil.copy(copy / changes.joined(1, 3).name, changes.folder)
    assert changes.kinds() == [("FORK", 2), ("FORK", 3), ("FORK", 4)]
    assert f"{changes.joined(1, 3).name} has this version, too, and another patch" in changes.log.check()[0].found
    assert [fault.repaired for fault in changes.log.repair()] == [None] * 3, "nor does the checkpoint take a side"
    for call in (lambda: changes.head(), changes.log.compact, changes.log.verify):
        with pytest.raises(JellybridgeError, match="both have version 2, and not the same patch"):
            call()


def test_the_quarantine_keeps_every_file_of_one_name(changes: Changes) -> None:
    name = changes.file(4).name
    for time_ in (b"1", b"2", b"3"):
        changes.file(4).write_bytes(time_)
        changes.log.repair()
    aside = changes.folder / "quarantine"
    assert [(aside / f"{name}{more}").read_bytes() for more in ("", ".1", ".2")] == [b"1", b"2", b"3"]
    assert "damaged" in (aside / f"{name}.2.reason.txt").read_text()


def test_a_young_append_is_left_to_its_writer(changes: Changes, monkeypatch: pytest.MonkeyPatch) -> None:
    young = changes.folder / f".append-{uuid4()}"
    young.write_bytes(b"half")
    assert changes.log.repair() == [] and young.exists()
    now = time.time()
    with monkeypatch.context() as ahead:  # of the clock of the disk
        ahead.setattr(time, "time", lambda: now + 7200)
        assert changes.log.repair() == [] and young.exists()
    old(young)
    [found] = changes.log.check()
    assert (found.kind, found.repaired) == ("UNFINISHED", None) and "was cut off; it was never in the log" in found.found
    [done] = changes.log.repair()
    assert done.repaired == "removed" and not young.exists()


def test_no_cut_goes_unnoticed(changes: Changes) -> None:
    whole = changes.file(4).read_bytes()
    for length in range(len(whole)):
        changes.file(4).write_bytes(whole[:length])
        assert changes.kinds() == [("DAMAGED", 4)], f"{length} bytes"


def test_a_log_that_is_no_folder_is_checked_where_its_files_are() -> None:
    with PatchLog.open("grpc://localhost:9/x") as log:
        with pytest.raises(JellybridgeError, match="is no folder: do this where its files are"):
            log.check()
