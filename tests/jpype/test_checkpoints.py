"""The states that a patch log comes to: checkpoints, any version, pruning, verification, and datasets that begin there."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

import pytest
from checksums import renewed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jellybridge
from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, write_patch
from jellybridge._progress import readable
from jellybridge.cli import main

COUNTER = {"subject": "<urn:counter>", "predicate": "<urn:p>"}


def append(log: PatchLog, folder: Path, rows: List[ChangeRow]) -> None:
    log.append(write(folder / "one.jellyp", rows))


def write(path: Path, rows: List[ChangeRow]) -> Path:
    write_patch(path, rows, rdf_star=True)
    return path


def counted(number: int) -> List[ChangeRow]:
    """A patch that takes back what the one before added, and adds a quad of its own."""
    return [
        ChangeRow(op="TX"),
        ChangeRow(op="D", object=f'"{number - 1}"', **COUNTER),
        ChangeRow(op="A", object=f'"{number}"', **COUNTER),
        ChangeRow(op="A", subject=f"<urn:item:{number:03}>", predicate="<urn:p>", object="_:b", graph="<urn:g>"),
        ChangeRow(op="PA", name=f"p{number}", value=f"<urn:prefix:{number}>"),
        ChangeRow(op="TC"),
    ]


def expected(version: int) -> List[str]:
    return [f'<urn:counter> <urn:p> "{version}" .', *(
        f"<urn:item:{number:03}> <urn:p> _:b <urn:g> ." for number in range(1, version + 1))]


def hash_of(lines: List[str]) -> str:
    total = sum(int.from_bytes(hashlib.sha256(line.encode()).digest(), "big") for line in lines)
    return f"{total % 2**256:064x}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of eight patches."""
    with PatchLog.create(tmp_path / "log") as log:
        for number in range(1, 9):
            append(log, tmp_path, counted(number))
    return tmp_path / "log"


def state(log: PatchLog, tmp_path: Path, **version: Any) -> List[str]:
    log.state(tmp_path / "state.nq", **version)
    return (tmp_path / "state.nq").read_text(encoding="utf-8").splitlines()


def lines_of(dataset: Dataset, tmp_path: Path) -> List[str]:
    dataset.dump(tmp_path / "dump.nq")
    return sorted((tmp_path / "dump.nq").read_text(encoding="utf-8").splitlines())


# --- checkpoints and states


def test_a_checkpoint_is_sorted_jelly_with_its_count_and_hash(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        made = log.checkpoint(3)
        again = log.checkpoint(3)
        ids = [entry.id for entry in log.entries()]
        assert (made.version, made.id, made.quads, made.hash) == (3, ids[2], 4, hash_of(expected(3)))
        assert (made.is_new, again.is_new) == (True, False)
        assert again.hash == made.hash
        checkpoint = folder / "checkpoints" / f"{3:020}"
        said = json.loads((checkpoint / "checkpoint.json").read_text())
        assert {"format": 3, "log": log.id, "version": 3, "id": ids[2], "quads": 4, "hash": made.hash}.items() <= said.items()
        jellybridge.convert(checkpoint / "part-00000.jelly", tmp_path / "part.nq")
        assert (tmp_path / "part.nq").read_text().splitlines() == expected(3)
        jellybridge.convert(checkpoint / "part-00000.jelly", tmp_path / "part.events")
        prefixes = re.findall(r"urn:prefix:\d", (tmp_path / "part.events").read_text())
        assert prefixes == [f"urn:prefix:{number}" for number in (1, 2, 3)]


def test_a_state_is_had_by_version_id_and_time(tmp_path: Path) -> None:
    start = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
    with PatchLog.create(tmp_path / "log") as log:
        for number in range(1, 6):
            time = (start + timedelta(hours=number)).isoformat().replace("+00:00", "Z")
            header = ChangeRow(op="H", name="time", value=f'"{time}"^^<http://www.w3.org/2001/XMLSchema#dateTime>')
            append(log, tmp_path, [header, *counted(number)])
        ids = [entry.id for entry in log.entries()]
        assert log.checkpoint(2).time == "2024-05-01T14:00:00Z"
        for number in range(1, 6):
            moment = start + timedelta(hours=number, minutes=59)
            for which in ({"version": number}, {"id": ids[number - 1]}, {"id": f"<urn:uuid:{ids[number - 1]}>"},
                          {"time": moment}, {"time": moment.isoformat()}, {"time": moment.replace(tzinfo=None)}):
                assert state(log, tmp_path, **which) == expected(number)
        assert state(log, tmp_path) == expected(5)
        with pytest.raises(JellybridgeError, match="nothing is known of .* at 2024-05-01T12"):
            log.state(tmp_path / "no.nq", time=start)
        with pytest.raises(JellybridgeError, match="has no patch 0+-"):
            log.state(tmp_path / "no.nq", id="00000000-0000-0000-0000-000000000000")
        with pytest.raises(JellybridgeError, match="has no version 6; its newest is 5"):
            log.state(tmp_path / "no.nq", version=6)
        for wrong in ({"version": 0}, {"version": "3"}, {"time": "noon"}, {"id": 3}, {"version": 1, "id": ids[0]}):
            with pytest.raises(ValueError):
                log.state(tmp_path / "no.nq", **wrong)
        with pytest.raises(JellybridgeError, match="these are statements"):
            log.state(tmp_path / "no.jellyp")
        assert not (tmp_path / "no.nq").exists()


def test_a_state_in_jelly_has_the_prefixes(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        report = log.state(tmp_path / "state.jelly.gz", version=2)
    assert (report.version, report.quads) == (2, 3)
    jellybridge.convert(tmp_path / "state.jelly.gz", tmp_path / "state.events")
    assert re.findall(r"urn:prefix:\d", (tmp_path / "state.events").read_text()) == ["urn:prefix:1", "urn:prefix:2"]


def test_a_log_over_grpc_has_none_from_here() -> None:
    with PatchLog.open("grpc://localhost:9/none") as log:
        for call in (log.checkpoint, log.verify, lambda: log.prune(before=2), lambda: log.state("none.nq", version=1)):
            with pytest.raises(JellybridgeError, match="is no folder: do this where its files are"):
                call()


# --- random histories


IRIS = ["<urn:a>", "<urn:b>", "<http://example.org/é/\U0001f600>"]
SUBJECTS = [*IRIS, "_:b", "_:b1", "_:B.c"]
OBJECTS = [
    *SUBJECTS, '""', '"a"', '"a\\nb\\"c\\\\"', '"\U0001f600"', '"a"@en', '"a"@en-gb', '"a"@ar--rtl', '"042"^^<urn:d>',
    '"042"^^<http://www.w3.org/2001/XMLSchema#integer>', '"42"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>', "<<( <urn:a> <urn:b> _:b )>>",
    '<<( _:b <urn:b> <<( <urn:a> <urn:b> "a"@en )>> )>>',
]
GRAPHS = [None, "<urn:g>", "<urn:g1>", "_:b"]
QUADS = st.tuples(
    st.sampled_from(SUBJECTS), st.sampled_from(IRIS[:2]), st.sampled_from(OBJECTS), st.sampled_from(GRAPHS))
ROWS = st.one_of(
    st.tuples(st.sampled_from("AAD"), QUADS),
    st.tuples(st.sampled_from(["PA", "PD"]), st.tuples(st.sampled_from("xy"), st.sampled_from(IRIS))),
)
#: A block, and whether it is a transaction that ends with TC or TA, or none.
BLOCKS = st.tuples(st.sampled_from(["TC", "TC", "TA", None]), st.lists(ROWS, max_size=12))
HISTORIES = st.lists(st.lists(BLOCKS, max_size=3), min_size=1, max_size=8)


class Model:
    """What a dataset holds, in Python alone."""

    def __init__(self) -> None:
        self.quads: Set[str] = set()
        self.prefixes: Dict[str, str] = {}

    def apply(self, blocks: List[Tuple[Optional[str], List[Any]]]) -> List[ChangeRow]:
        """Applies a patch; its rows."""
        rows: List[ChangeRow] = []
        for end, changes in blocks:
            rows.extend([ChangeRow(op="TX")] if end else [])
            for op, terms in changes:
                if op in "AD":
                    subject, predicate, obj, graph = terms
                    rows.append(ChangeRow(op=op, subject=subject, predicate=predicate, object=obj, graph=graph))
                    line = " ".join([term for term in terms if term is not None] + ["."])
                    if end != "TA":
                        (self.quads.add if op == "A" else self.quads.discard)(line)
                else:
                    name, namespace = terms
                    rows.append(ChangeRow(op=op, name=name, value=namespace if op == "PA" else None))
                    if end != "TA":
                        self.prefixes.pop(name, None)
                        self.prefixes.update({name: namespace} if op == "PA" else {})
            rows.extend([ChangeRow(op=end)] if end else [])
        return rows

    def lines(self) -> List[str]:
        return sorted(self.quads, key=str.encode)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=HISTORIES, data=st.data())
def test_any_history_comes_to_what_a_plain_model_says(
    tmp_path_factory: pytest.TempPathFactory, history: List[Any], data: st.DataObject
) -> None:
    tmp_path = tmp_path_factory.mktemp("history")
    model = Model()
    states: List[List[str]] = []
    prefixes: List[Dict[str, str]] = []
    with PatchLog.create(tmp_path / "log") as log:
        for number, blocks in enumerate(history):
            header = ChangeRow(op="H", name="number", value=f'"{number}"')
            append(log, tmp_path, [header, *model.apply(blocks)])
            states.append(model.lines())
            prefixes.append(dict(model.prefixes))
            if data.draw(st.integers(0, 2)) == 0:
                made = log.checkpoint(data.draw(st.integers(1, number + 1)))
                assert (made.quads, made.hash) == (len(states[made.version - 1]), hash_of(states[made.version - 1]))
        max_bytes = data.draw(st.sampled_from([None, 1_500, 1 << 20]))
        if max_bytes is not None:
            log.compact(max_bytes)
        for version, lines in enumerate(states, 1):
            assert state(log, tmp_path, version=version) == lines
        log.state(tmp_path / "state.jelly")
        jellybridge.convert(tmp_path / "state.jelly", tmp_path / "state.events")
        found = re.findall(r"(?m)^\S*(?:ns|namespace|prefix)\S*.*$", (tmp_path / "state.events").read_text(encoding="utf-8"), re.I)
        assert len(found) == len(prefixes[-1]), found
        assert log.verify() == jellybridge.LogVerification(len(states), len(list((tmp_path / "log").glob("checkpoints/*"))), ())
        with Dataset.open("mem:") as dataset:
            dataset.sync(tmp_path / "log")
            assert lines_of(dataset, tmp_path) == sorted(states[-1])
            assert dataset.verify(tmp_path / "log").ok
        before = data.draw(st.integers(1, len(states)))
        log.checkpoint(before)
        first = log.prune(before=before).first
        for version in range(before, len(states) + 1):
            assert state(log, tmp_path, version=version) == states[version - 1]
        assert log.verify().ok and log.check() == []
    newest = max(int(made.name) for made in (tmp_path / "log").glob("checkpoints/*"))
    assert first == before if max_bytes is None else 1 <= first <= before
    for uri in ("mem:", f"tdb2:{tmp_path / 'store'}"):
        with Dataset.open(uri) as dataset:
            report = dataset.sync(tmp_path / "log")
            assert (report.checkpoint, report.patches) == (newest, len(states) - newest)
            assert uri != "mem:" or lines_of(dataset, tmp_path) == sorted(states[-1])


# --- datasets that begin with a checkpoint


@pytest.fixture(params=["mem:", "tdb2:"])
def uri(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"tdb2:{tmp_path / 'store'}" if request.param == "tdb2:" else request.param


def test_an_empty_dataset_begins_with_the_newest_checkpoint(folder: Path, tmp_path: Path, uri: str) -> None:
    with PatchLog.open(folder) as log, Dataset.open(uri) as dataset:
        log.checkpoint(2)
        log.checkpoint(6)
        # What is before it is not looked at.
        (folder / f"{4:020}.jellyp").write_bytes(b"damaged")
        dry = dataset.sync(folder, dry_run=True)
        assert (dry.checkpoint, dry.patches, dry.skipped, len(dataset)) == (6, 2, 6, 0)
        report = dataset.sync(folder)
        assert (report.checkpoint, report.patches, report.skipped) == (6, 2, 6)
        assert (report.position_before, report.position) == (None, f"<urn:uuid:{log.head.id}>")
        assert lines_of(dataset, tmp_path) == sorted(expected(8))
        append(log, tmp_path, counted(9))
        more = dataset.sync(folder)
        assert (more.checkpoint, more.patches, more.skipped) == (None, 1, 8)
        assert dataset.verify(folder).ok


def test_a_patch_that_was_rewritten_since_a_dataset_began_with_it_is_noticed(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log, Dataset.open("mem:") as dataset:
        log.checkpoint(8)
        assert dataset.sync(folder).checkpoint == 8
        [entry] = log.entries(8, 8)
        headers = [ChangeRow(op="H", name=name, value=f"<urn:uuid:{value}>") for name, value in (
            ("id", entry.id), ("prev", entry.prev))]
        write(folder / f"{8:020}.jellyp", [*headers, *counted(9)])
        with pytest.raises(JellybridgeError, match="says something else now than its 10 rows did then: it was rewritten|has no header chain"):
            dataset.sync(folder)


def test_until_says_which_checkpoint_is_too_new(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log, Dataset.open("mem:") as dataset:
        ids = [f"<urn:uuid:{entry.id}>" for entry in log.entries()]
        log.checkpoint(2)
        log.checkpoint(6)
        report = dataset.sync(folder, until=ids[3])
        assert (report.checkpoint, report.patches, report.position) == (2, 2, ids[3])
        assert lines_of(dataset, tmp_path) == sorted(expected(4))
        assert dataset.sync(folder).checkpoint is None, "it is not empty"
        assert lines_of(dataset, tmp_path) == sorted(expected(8))


def test_a_dataset_behind_a_pruned_log_goes_on_where_it_can(folder: Path, tmp_path: Path, uri: str) -> None:
    with PatchLog.open(folder) as log, Dataset.open(uri) as dataset:
        ids = [f"<urn:uuid:{entry.id}>" for entry in log.entries()]
        dataset.sync(folder, until=ids[3])
        log.checkpoint(4)
        log.prune(before=5)
        # It is at the patch that the first one follows, of which the checkpoint is.
        report = dataset.sync(folder)
        assert (report.checkpoint, report.patches, report.skipped) == (None, 4, 0)
        assert lines_of(dataset, tmp_path) == sorted(expected(8))
        assert dataset.verify(folder).ok


def test_a_dataset_behind_a_pruned_log_that_is_not_empty_is_refused(folder: Path, tmp_path: Path, uri: str) -> None:
    with PatchLog.open(folder) as log, Dataset.open(uri) as dataset:
        ids = [f"<urn:uuid:{entry.id}>" for entry in log.entries()]
        dataset.sync(folder, until=ids[1])
        before = lines_of(dataset, tmp_path)
        log.checkpoint(5)
        log.prune(before=6)
        for call in (dataset.sync, dataset.verify):
            with pytest.raises(JellybridgeError, match=f"{ids[1]}.* begins with version 6.*sync an empty dataset.*version 5"):
                call(folder)
        assert lines_of(dataset, tmp_path) == before
        dataset.update("DROP ALL")
        assert dataset.sync(folder).checkpoint == 5
        assert lines_of(dataset, tmp_path) == sorted(expected(8))
    with Dataset.open("mem:") as other:
        other.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        with pytest.raises(JellybridgeError, match="is at no patch: the log .* begins with version 6.*sync an empty dataset"):
            other.sync(folder)
        assert len(other) == 1


def test_a_damaged_checkpoint_fills_no_dataset(folder: Path, uri: str) -> None:
    with PatchLog.open(folder) as log, Dataset.open(uri) as dataset:
        made = log.checkpoint(6)
        description = folder / "checkpoints" / f"{6:020}" / "checkpoint.json"
        description.write_text(description.read_text().replace(made.hash, "0" * 64))
        with pytest.raises(JellybridgeError, match="make the checkpoint anew"):
            dataset.sync(folder)
        assert (len(dataset), dataset.position()) == (0, None)


def test_a_large_checkpoint_goes_by_the_bulk_loader(tmp_path: Path) -> None:
    rows = 120_000
    with PatchLog.create(tmp_path / "log") as log:
        (tmp_path / "large.rdfp").write_text("TX .\n" + "".join(
            f"A <urn:{row}> <urn:p> <urn:o> .\n" for row in range(rows)) + "PA x: <urn:x> .\nTC .\n")
        log.append(tmp_path / "large.rdfp")
        log.checkpoint()
        append(log, tmp_path, counted(1))
        with Dataset.open(f"tdb2:{tmp_path / 'store'}") as dataset:
            report = dataset.sync(tmp_path / "log")
            assert (report.checkpoint, report.patches, len(dataset)) == (1, 1, rows + 2)
            assert dataset.verify(tmp_path / "log").ok
        assert (tmp_path / "store" / "Data-0002").is_dir(), "another generation: it was loaded in bulk"


# --- verification


def test_a_sound_log_is_verified(folder: Path) -> None:
    with PatchLog.open(folder) as log:
        for version in (2, 5, 8):
            log.checkpoint(version)
        assert log.verify() == jellybridge.LogVerification(8, 3, ())
        log.prune(before=6)
        assert log.verify() == jellybridge.LogVerification(3, 2, ())


def kinds(log: PatchLog) -> List[Any]:
    return [(fault.kind, fault.version) for fault in log.verify().faults]


def test_each_fault_of_a_log_is_named(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        log.checkpoint(3)
        made = log.checkpoint(6)
        description = folder / "checkpoints" / f"{6:020}" / "checkpoint.json"
        said = description.read_text()
        description.write_text(said.replace('"quads":7', '"quads":8'))
        assert kinds(log) == [("DAMAGED", 6)]
        # A checkpoint that is sound in itself, and not what the patches come to.
        with PatchLog.create(tmp_path / "other") as other:
            for number in (1, 2, 3, 4, 5, 7):
                append(other, tmp_path, counted(number))
            wrong = other.checkpoint(6)
        part = folder / "checkpoints" / f"{6:020}" / "part-00000.jelly"
        whole = part.read_bytes()
        description.write_text(said)
        for damaged in (whole[:-3], b"", whole[:-3] + bytes(3)):
            part.write_bytes(damaged)
            [fault] = log.verify().faults
            assert (fault.kind, fault.version) == ("DAMAGED", 6) and "part-00000.jelly has" in fault.found
        part.write_bytes((tmp_path / "other" / "checkpoints" / f"{6:020}" / "part-00000.jelly").read_bytes())
        assert kinds(log) == [("DAMAGED", 6)]
        others = json.loads((tmp_path / "other" / "checkpoints" / f"{6:020}" / "checkpoint.json").read_text())
        description.write_text(json.dumps({**json.loads(said), **{name: others[name] for name in ("hash", "quads", "parts")}}))
        assert kinds(log) == [("REPLAY", 6)]


def test_a_patch_that_is_not_what_was_appended_is_named(folder: Path) -> None:
    file = folder / f"{5:020}.jellyp"
    status = file.stat()
    whole = file.read_bytes()
    changed = whole.replace(b"item:005", b"item:555")
    file.write_bytes(renewed(changed))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    with PatchLog.open(folder) as log:
        assert kinds(log) == [("HASH", 5)]
        file.write_bytes(changed)
        assert kinds(log) == [("DAMAGED", 5)]
        file.write_bytes(whole[:-3])
        assert kinds(log) == [("DAMAGED", 5)]


def test_a_patch_of_another_id_is_named(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        [entry] = log.entries(5, 5)
        file = folder / f"{5:020}.jellyp"
        status, whole = file.stat(), file.read_bytes()
        assert entry.id is not None
        other = entry.id[:-1] + ("0" if entry.id[-1] != "0" else "1")
        file.write_bytes(renewed(whole.replace(entry.id.encode(), other.encode())))
        assert file.read_bytes() != whole
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert kinds(log) == [("HASH", 5)]


def test_an_interrupted_work_leaves_all_or_nothing(tmp_path: Path) -> None:
    def interrupt(rows: int) -> None:
        signal.raise_signal(signal.SIGINT)

    log_folder, state = tmp_path / "log", tmp_path / "state.nq"
    with PatchLog.create(log_folder) as log:
        (tmp_path / "large.rdfp").write_text("TX .\n" + "".join(
            f"A <urn:{row}> <urn:p> <urn:o> .\n" for row in range(100_000)) + "TC .\n")
        log.append(tmp_path / "large.rdfp")
        for call in (log.checkpoint, log.verify, lambda **how: log.state(state, **how)):
            with pytest.raises(KeyboardInterrupt):
                call(progress=interrupt)
        # The work may have ended before it heard of the interrupt; what it left then is whole.
        assert {path.name for path in tmp_path.iterdir()} <= {"large.rdfp", "log", "state.nq"}
        assert not state.exists() or len(state.read_bytes().splitlines()) == 100_000
        assert [path.name for path in (log_folder / "checkpoints").glob("*")] in ([], [f"{1:020}"])
        made = log.checkpoint()
        assert (made.quads, log.verify().ok) == (100_000, True)
        with Dataset.open("mem:") as dataset:
            with pytest.raises(KeyboardInterrupt):
                dataset.sync(log_folder, progress=interrupt)
            assert (len(dataset), dataset.position()) in ((0, None), (made.quads, f"<urn:uuid:{made.id}>"))
            dataset.sync(log_folder)
            assert dataset.verify(log_folder).ok


def test_differences_of_a_dataset_are_counted_and_named(folder: Path, uri: str) -> None:
    with Dataset.open(uri) as dataset:
        dataset.sync(folder)
        assert dataset.verify(folder).ok
        dataset.update('INSERT DATA { GRAPH <urn:new> { <urn:s> <urn:p> 1, 2, 3, 4, 5, 6, 7 } } ; '
                       'DELETE DATA { <urn:counter> <urn:p> "8" }')
        found = dataset.verify(folder)
        assert (found.ok, found.version, found.missing, found.surplus) == (False, 8, 1, 7)
        assert found.missing_quads == ('<urn:counter> <urn:p> "8" .',)
        assert len(found.surplus_quads) == 5 and all("<urn:new>" in quad for quad in found.surplus_quads)
        assert (found.quads, found.dataset_quads, found.hash) == (9, 15, hash_of(expected(8)))


def test_a_dataset_that_was_never_synced_is_nothing(folder: Path) -> None:
    with Dataset.open("mem:") as dataset:
        assert dataset.verify(folder) == jellybridge.DatasetVerification(
            0, None, 0, "0" * 64, 0, "0" * 64, 0, 0, (), (), 8)
        assert not dataset.verify(folder).ok
        assert str(dataset.verify(folder)) == (
            "at no version of the log, which is at version 8: never synced, or emptied since; 0 quads")
        dataset.sync(folder, key="urn:other")
        assert dataset.verify(folder).surplus == 9
        assert dataset.verify(folder, key="urn:other").ok


def test_numbers_count_as_tdb2_keeps_them(tmp_path: Path) -> None:
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    with PatchLog.create(tmp_path / "log") as log:
        append(log, tmp_path, [ChangeRow(op="A", object=f'"{text}"^^<{integer}>', **COUNTER) for text in ("042", "42", "7")])
    for uri in ("mem:", f"tdb2:{tmp_path / 'store'}"):
        with Dataset.open(uri) as dataset:
            dataset.sync(tmp_path / "log")
            assert dataset.verify(tmp_path / "log").ok
            dataset.update("DELETE DATA { <urn:counter> <urn:p> 7 }")
            assert dataset.verify(tmp_path / "log").missing_quads == (f'<urn:counter> <urn:p> "7"^^<{integer}> .',)


# --- pruning


def test_prune_needs_a_checkpoint_and_names_it(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        with pytest.raises(JellybridgeError, match=f"jellybridge log checkpoint {folder} --version 4"):
            log.prune(before=5)
        log.checkpoint(4)
        done = log.prune(before=5)
        assert (done.first, done.patches, done.files, done.checkpoints) == (5, 4, 4, 0)
        assert done.bytes > 0
        assert [entry.version for entry in log.entries()] == [5, 6, 7, 8]
        assert log.check() == []
        with pytest.raises(JellybridgeError, match="not any more what makes the state of version 3"):
            state(log, tmp_path, version=3)
        assert log.prune(keep=timedelta(days=365)).patches == log.prune(keep="30d").patches == 0
        for wrong in ({}, {"before": 1, "keep": timedelta(1)}, {"before": 0}, {"keep": timedelta(-1)}, {"keep": 30}, {"keep": "30"}):
            with pytest.raises(ValueError):
                log.prune(**wrong)


def test_a_log_is_pruned_during_a_capture_and_still_has_its_states(tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset, dataset.capture(tmp_path / "log", max_patches=1), PatchLog.open(tmp_path / "log") as log:
        for number in range(3):
            dataset.update(f"INSERT DATA {{ <urn:s> <urn:p> {number} }}")
        log.checkpoint()
        assert log.prune(before=3).patches == 2
        dataset.update("INSERT DATA { <urn:s> <urn:p> 3 }")
        assert log.verify().ok and [entry.version for entry in log.entries()] == [3, 4]
    with Dataset.open("mem:") as follower:
        follower.sync(tmp_path / "log")
        assert len(follower) == 4


def test_versions_that_were_pruned_are_not_passed_over(folder: Path, tmp_path: Path) -> None:
    with PatchLog.open(folder) as log:
        log.checkpoint(5)
        log.prune(before=6)
        target = tmp_path / "fetched.jellyp"
        for range in ((1,), (1, 3), (5, 8), (None, 5)):
            with pytest.raises(JellybridgeError, match="any more: its patches begin with version 6; fetch from there on"):
                log.fetch(target, *range)
        assert not target.exists()
        assert log.fetch(target).patches == log.fetch(target, 6).patches == 3
        assert [entry.version for entry in log.entries()] == [6, 7, 8]


def test_what_was_pruned_does_not_come_again(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        files = []
        for number in range(1, 6):
            id = ChangeRow(op="H", name="id", value=f"<urn:uuid:00000000-0000-0000-0000-{number:012}>")
            files.append(write(tmp_path / f"{number}.jellyp", [id, *counted(number)]))
            log.append(files[-1])
        log.checkpoint(3)
        log.prune(before=4)
        assert [made.version for made in log.append(files[1])] == [2]
        assert log.head.version == 5
        for strangers in (0, 1):
            if strangers:
                (tmp_path / "log" / "notes.txt").write_text("x")
            assert len(log.repair()) == strangers
            with PatchLog.open(tmp_path / "log") as again:
                assert [made.version for made in again.append(files[1])] == [2]
                assert again.head.version == 5


def test_what_is_left_of_a_killed_checkpoint_is_named_and_removed(folder: Path) -> None:
    with PatchLog.open(folder) as log:
        log.checkpoint(2)
        left = folder / "checkpoints" / ".making-00000000-0000-0000-0000-000000000000"
        left.mkdir()
        (left / "part-00000.jelly").write_bytes(b"cut")
        assert log.check() == [], "it may be under way"
        for path in (left / "part-00000.jelly", left):
            os.utime(path, (0, 0))
        [fault] = log.check()
        assert (fault.kind, fault.file) == ("UNFINISHED", f"checkpoints/{left.name}")
        [repaired] = log.repair()
        assert repaired.repaired == "removed" and not left.exists()
        assert log.check() == [] and log.verify().ok


# --- the command line


def test_the_command_line_does_the_same(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(folder)
    store = f"tdb2:{tmp_path / 'store'}"

    def run(*arguments: str, status: int = 0) -> str:
        assert main([*arguments]) == status
        captured = capsys.readouterr()
        return str(captured.out + captured.err).strip()

    assert "has no checkpoint from version 1 to 5" in run("log", "prune", log, "--before", "5", status=1)
    assert run("log", "checkpoint", log, "--version", "4") == (
        f"{log}: checkpoint of version 4 made: 5 quads, hash {hash_of(expected(4))}")
    assert "is there" in run("log", "checkpoint", log, "--version", "4")
    made = json.loads(run("log", "checkpoint", log, "--json"))
    assert (made["version"], made["quads"], made["hash"], made["is_new"]) == (8, 9, hash_of(expected(8)), True)
    out = str(tmp_path / "out.nq")
    assert run("log", "state", log, "--version", "6", "-o", out) == f"{out}: version 6, 7 quads"
    assert Path(out).read_text().splitlines() == expected(6)
    assert "version 8" in run("log", "state", log, "-o", out)
    assert json.loads(run("log", "verify", log, "--json")) == {"patches": 8, "checkpoints": 2, "faults": [], "ok": True}
    taken = sum(file.stat().st_size for file in sorted(folder.glob("*.jellyp"))[:4])
    assert run("log", "prune", log, "--before", "5") == (
        f"{log}: 4 patches in 4 files taken away, {readable(taken)}; checkpoints 0; begins with version 5")
    assert json.loads(run("log", "prune", log, "--keep", "30d", "--json")) == {
        "first": 5, "patches": 0, "files": 0, "bytes": 0, "checkpoints": 0}
    assert run("log", "verify", log) == f"{log}: 4 patches and 2 checkpoints verified, no fault"
    assert "the checkpoint of version 8 loaded, 9 quads; 0 patches applied in 0 transactions (+0 -0), 4 were there, 0 set aside" in run(
        "sync", log, "--to", store)
    assert run("log", "verify", log, "--dataset", store) == f"{store}: at version 8, 9 quads, as the log"
    with Dataset.open(store) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
    assert run("log", "verify", log, "--dataset", store, status=1).splitlines() == [
        "surplus: <urn:s> <urn:p> <urn:o> .",
        f"{store}: at version 8, 10 quads, and the log has 9: missing 0, surplus 1",
    ]
    found = json.loads(run("log", "verify", log, "--dataset", store, "--json", status=1))
    assert (found["ok"], found["surplus_quads"]) == (False, ["<urn:s> <urn:p> <urn:o> ."])
    (folder / f"{6:020}.jellyp").write_bytes(b"damaged")
    found = run("log", "verify", log, status=1).splitlines()
    assert [line.split(": ")[:2] for line in found[:2]] == [
        [f"{6:020}.jellyp", "damaged"], [f"checkpoints/{8:020}", "replay"]]
    assert found[2] == f"{log}: 4 patches and 2 checkpoints verified, 2 faults"
    assert "30x is no age" in run("log", "prune", log, "--keep", "30x", status=2)
    assert "in jelly, nquads" in run("log", "state", log, "-o", "out.ttl.jellyp", status=2)
    assert "has no version 99" in run("log", "checkpoint", log, "--version", "99", status=2)


def test_a_log_begins_with_a_file_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, state = str(tmp_path / "log"), tmp_path / "state.nq"
    lines = [f"<urn:s{number}> <urn:p> \"{number}\" ." for number in (3, 1, 2, 1)]
    state.write_text("\n".join(lines) + "\n")
    assert main(["log", "create", log, "--state", str(state)]) == 0
    assert capsys.readouterr().out == f"{log}: made, with 3 quads as version 1\n"
    for arguments in ([], ["--first", "1"]):
        assert main(["log", "list", log, *arguments]) == 0
        listed = capsys.readouterr()
        assert listed.out == ""
        assert "version 1 has no patch, but a checkpoint" in listed.err
    assert main(["log", "list", log, "--first", "2"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["log", "state", log, "-o", str(tmp_path / "out.nq")]) == 0
    assert (tmp_path / "out.nq").read_text().splitlines() == sorted(set(lines))
    capsys.readouterr()
    assert main(["log", "create", log, "--state", str(state)]) == 1
    assert "has versions already, the newest is 1, and only an empty log begins with a state" in capsys.readouterr().err
    assert main(["log", "create", str(tmp_path / "other"), "--state", str(state), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    with PatchLog.open(tmp_path / "other") as other:
        assert made == {"log": str(tmp_path / "other"), "id": other.id, "version": 1, "quads": 3,
                        "hash": hash_of(sorted(set(lines)))}
    assert main(["log", "create", str(tmp_path / "none"), "--state", str(tmp_path / "nothing.nq")]) == 2
    assert not (tmp_path / "none").exists()
