"""Patch logs in Python and on the command line, without Spark."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Callable, List

import pytest

import jellybridge
from jellybridge import ChangeRow, Dataset, JellybridgeError, LogConflictError, PatchLog, _times, write_patch
from jellybridge.cli import main


def patch(path: Path, *numbers: int) -> Path:
    """A file with a patch of one row for each number."""
    jellybridge.write_patch(path, [
        ChangeRow(patch=index, op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')
        for index, number in enumerate(numbers)
    ])
    return path


def objects(path: Path) -> List[str]:
    return [row.object for row in jellybridge.read_patch(path) if row.op == "A" and row.object is not None]


def test_patches_are_appended_listed_and_fetched(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        assert log.head == jellybridge.LogHead(0, None)
        first, second = log.append(patch(tmp_path / "two.jellyp", 1, 2))
        [third] = log.append(patch(tmp_path / "one.rdfp", 3), prev=second.id)
        assert [entry.version for entry in log.entries()] == [1, 2, 3]
        assert [entry.prev for entry in log.entries()] == [None, first.id, second.id]
        assert log.head == third
        report = log.fetch(tmp_path / "out.jellyp", 2)
        assert (report.patches, report.quarantined) == (2, ())
        assert objects(tmp_path / "out.jellyp") == ['"2"', '"3"']
        identity = log.id
    with PatchLog.open(tmp_path / "log") as log:
        assert (log.id, log.head) == (identity, third)


def test_a_time_before_1970_is_shown_and_one_of_no_year_of_python_counts_as_none(tmp_path: Path) -> None:
    said = '"+12024-05-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    write_patch(tmp_path / "far.jellyp", [
        ChangeRow(op="H", name="time", value=said), ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"2"'),
    ])
    with PatchLog.create(tmp_path / "log") as log:
        log.append(patch(tmp_path / "past.jellyp", 1), time="1950-06-01T00:00:00Z")
        log.append(tmp_path / "far.jellyp")
        times = [datetime(1950, 6, 1, tzinfo=timezone.utc), None]
        assert [entry.time for entry in log.entries()] == times
        assert [row.time for row in log.history(subject="urn:s")] == times


def test_entries_that_are_still_open_when_the_process_ends_are_no_error(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        log.append(patch(tmp_path / "p.jellyp", 1, 2))
    script = f"import jellybridge; found = jellybridge.PatchLog.open({str(tmp_path / 'log')!r}).entries(); next(found)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_files_are_joined_and_the_log_says_the_same(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        start = datetime.now(timezone.utc) - timedelta(seconds=1)
        heads = [log.append(patch(tmp_path / "one.jellyp", number))[0] for number in range(1, 21)]
        before = list(log.entries())
        assert all(entry.time is not None and start < entry.time for entry in before)
        files = sorted((tmp_path / "log").glob("*.jellyp"))
        report = log.compact()
        [joined] = (tmp_path / "log").glob("*.jellyp")
        assert (len(files), joined.name) == (20, f"{1:020}-{20:020}.jellyp")
        assert (report.before, report.after, report.bytes) == (20, 1, joined.stat().st_size)
        assert list(log.entries()) == before
        assert [row.object for row in jellybridge.read_patch(joined) if row.op == "A"] == [f'"{n}"' for n in range(1, 21)]
        assert log.append(patch(tmp_path / "one.jellyp", 21))[0].version == 21
        assert log.append(patch(tmp_path / "one.jellyp", 22), prev=log.head.id)[0].version == 22
        assert (log.compact(max_bytes=1).bytes, log.check()) == (0, [])
        assert log.compact().after == 1
        assert [entry.id for entry in log.entries(1, 20)] == [head.id for head in heads]
        for wrong in (0, -1, 1.5, "1", None):
            with pytest.raises(ValueError):
                log.compact(wrong)  # type: ignore[arg-type]
    with jellybridge.Dataset.open("mem:") as dataset:
        assert dataset.sync(tmp_path / "log").patches == 22
        assert len(dataset) == 22


def test_an_append_that_is_interrupted_goes_on_when_it_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jellybridge._convert._SECONDS_BETWEEN_REPORTS", 0.001)
    patches = patch(tmp_path / "many.jellyp", *range(2000))
    heard: List[int] = []

    def interrupt(rows: int) -> None:
        heard.append(rows)
        if rows > 3:
            raise KeyboardInterrupt

    with PatchLog.create(tmp_path / "log") as log:
        with pytest.raises(KeyboardInterrupt):
            log.append(patches, progress=interrupt)
        assert 0 < log.head.version < 2000
        assert [made.version for made in log.append(patches)] == list(range(1, 2001))
        assert log.check() == []
    assert heard


def test_one_wrong_clock_is_warned_of_and_changes_no_other_time(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for number, year in enumerate((2021, 2022, 2099, 2023, 2024), 1):
            rows = [ChangeRow(op="H", name="time", value=f'"{year}-05-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'),
                    ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')]
            jellybridge.write_patch(tmp_path / "one.jellyp", rows)
            log.append(tmp_path / "one.jellyp")
        with pytest.warns(UserWarning, match="clock of 1 patch was wrong, first of version 3: its time is 2099-05-01"):
            assert log.check() == []
        states = {year: log.state(tmp_path / "state.nq", time=f"{year}-12-31T00:00:00Z").version for year in range(2021, 2025)}
        assert states == {2021: 1, 2022: 3, 2023: 4, 2024: 5}
        log.checkpoint(4)
        assert log.prune(keep=timedelta(days=7)).first == 5
        assert log.state(tmp_path / "state.nq").quads == 5


@pytest.mark.parametrize("text, fraction", [
    ("2024-05-01T12:00:00Z", 0), ("2024-05-01T12:00:00.5Z", 500_000), ("2024-05-01T12:00:00.123456789Z", 123_456),
    ("2024-05-01T14:00:00.123+02:00", 123_000), ("2024-05-01T12:00:00", 0), ("2024-05-01T12:00", 0),
])
def test_a_time_is_handed_on_as_python_3_10_takes_it(text: str, fraction: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Python310(datetime):
        @classmethod
        def fromisoformat(cls, text: str) -> Python310:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3}(\d{3})?)?)?([+-]\d\d:\d\d)?", text)
            return super().fromisoformat(text)

    monkeypatch.setattr(_times, "datetime", Python310)
    assert _times.moment(text) == datetime(2024, 5, 1, 12, 0, 0, fraction, timezone.utc)


@pytest.mark.parametrize("address", ["hdfs://host/log", "s3a://bucket/log", "gs://bucket/log"])
def test_without_spark_a_log_on_a_file_system_of_hadoop_says_what_is_missing(address: str) -> None:
    for call in (PatchLog.open, PatchLog.create, jellybridge.Dataset.open("mem:").sync):
        with pytest.raises(jellybridge.JellybridgeError, match=f"{address} is on one of Hadoop's.*start a Spark session first"):
            call(address)


def with_ids(path: Path, *numbers: int) -> Path:
    """As :func:`patch`, each with an id of its number."""
    rows = []
    for index, number in enumerate(numbers):
        rows.append(ChangeRow(patch=index, op="H", name="id", value=f"<urn:uuid:00000000-0000-0000-0000-{number:012}>"))
        rows.append(ChangeRow(patch=index, op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"'))
    jellybridge.write_patch(path, rows)
    return path


@pytest.mark.parametrize("make", [patch, with_ids])
def test_what_is_in_a_log_is_not_appended_again(tmp_path: Path, make: Callable[..., Path]) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        a, b = make(tmp_path / "a.jellyp", 1, 2, 3), make(tmp_path / "b.rdfp", 4)
        first = log.append(make(tmp_path / "half.jellyp", 1, 2))
        assert log.append(a)[:2] == first, "the first half is in"
        both = log.append(a, b)
        assert [made.version for made in both] == [1, 2, 3, 4]
        for _ in range(2):
            assert log.append(a, b) == both
        assert log.append(b) == both[3:]
        # A file that has grown goes on behind what is in.
        grown = log.append(a, make(tmp_path / "b.rdfp", 4, 5))
        assert [made.version for made in grown] == [1, 2, 3, 4, 5] and grown[:4] == both
        assert log.head.version == 5


def test_patches_without_ids_that_come_back_later_are_others(tmp_path: Path) -> None:
    one, other = patch(tmp_path / "1.jellyp", 1), patch(tmp_path / "2.jellyp", 2)
    with PatchLog.create(tmp_path / "log") as log:
        versions = [made.version for file in (one, other, one, one, other) for made in log.append(file)]
        assert versions == [1, 2, 3, 3, 4]


def test_an_id_with_other_rows_is_refused(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        log.append(with_ids(tmp_path / "a.jellyp", 1, 2))
        other = with_ids(tmp_path / "b.rdfp", 1)
        other.write_text(other.read_text().replace('"1"', '"9"'))
        with pytest.raises(LogConflictError, match=r"patch 0+-.*1 \(version 1\) already, with other rows"):
            log.append(other)
        assert log.head.version == 2


def test_a_stale_append_is_a_conflict_that_names_both_ids(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        first, second = log.append(patch(tmp_path / "two.jellyp", 1, 2))
        with pytest.raises(LogConflictError) as conflict:
            log.append(patch(tmp_path / "one.jellyp", 3), prev=first.id)
        assert str(first.id) in str(conflict.value) and str(second.id) in str(conflict.value)
        assert log.head == second


def test_a_patch_follows_the_chain_of_the_head_and_that_of_no_other_history(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log, PatchLog.create(tmp_path / "other") as other:
        assert log.head.chain is None
        for each in (log, other):
            each.append(with_ids(tmp_path / "a.jellyp", 1, 2))
        assert log.head == other.head and log.head.chain != other.head.chain
        with pytest.raises(LogConflictError, match=f"the patch follows patch {re.escape(other.head.chain or '')}, but"):
            log.append(patch(tmp_path / "one.jellyp", 3), prev=other.head.chain)
        before = log.head.chain
        [made] = log.append(patch(tmp_path / "one.jellyp", 3), prev=before)
        assert made.version == 3 and log.head == made and log.head.chain != before
        assert other.head.version == 2


def test_a_damaged_patch_stops_or_goes_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for number in (1, 2, 3):
            log.append(patch(tmp_path / "one.jellyp", number))
        damaged = tmp_path / "log" / "00000000000000000002.jellyp"
        damaged.write_bytes(damaged.read_bytes()[:-3])
        with pytest.raises(jellybridge.PatchFormatError, match="00000000000000000002.jellyp"):
            log.fetch(tmp_path / "out.jellyp")
        assert not (tmp_path / "out.jellyp").exists()
        report = log.fetch(tmp_path / "out.jellyp", on_error="quarantine")
        assert [entry.version for entry in report.quarantined] == [2]
        fetch = ["log", "fetch", str(tmp_path / "log"), "-o", str(tmp_path / "out.jellyp"), "--on-error", "quarantine"]
        assert main(fetch) == 1 and "version 2 was left out" in capsys.readouterr().err
        assert objects(tmp_path / "out.jellyp") == ['"1"', '"3"']
        assert [fault.kind for fault in log.check()] == ["DAMAGED"]
        assert [fault.kind for fault in log.repair() if fault.repaired] == ["DAMAGED"]
        assert [(fault.kind, fault.version) for fault in log.check()] == [("LOST", 2)]
        with pytest.raises(ValueError, match="on_error"):
            log.fetch(tmp_path / "out.jellyp", on_error="ignore")


def test_a_range_that_ends_before_it_begins_is_refused_and_one_behind_the_head_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.jellyp"
    with PatchLog.create(tmp_path / "log") as log:
        log.append(patch(tmp_path / "two.jellyp", 1, 2))
        with pytest.raises(ValueError, match="first=3 is after last=1"):
            log.fetch(target, 3, 1)
        assert main(["log", "fetch", str(tmp_path / "log"), "--first", "3", "--last", "1", "-o", str(target)]) == 2
        assert "--first 3 is after --last 1" in capsys.readouterr().err
        assert not target.exists()
        assert log.fetch(target, 3).patches == 0
        assert list(log.entries(3, 1)) == []


def test_arguments_of_the_wrong_kind_are_refused_by_name(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        with pytest.raises(ValueError, match="first='2': must be a whole number of 64 bits"):
            log.fetch(tmp_path / "out.jellyp", "2")
        with pytest.raises(ValueError, match="last=9223372036854775808: must be a whole number of 64 bits"):
            list(log.entries(1, 2**63))
        with pytest.raises(ValueError, match="prev=5: must be the id of a patch, a UUID"):
            log.append(patch(tmp_path / "one.jellyp", 1), prev=5)


@pytest.mark.parametrize("address", ["file:nowhere", "http:", "http:///log", "http://local host/log", "grpc:", "grpc:///log",
                                     "delta:http://localhost:1066/log"])
def test_an_address_that_is_not_whole_is_refused(address: str) -> None:
    for call in (PatchLog.open, PatchLog.create):
        with pytest.raises(jellybridge.JellybridgeError, match=f"'{address}' is no address of a patch log"):
            call(address)


def test_a_log_that_is_closed_or_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(jellybridge.JellybridgeError, match="no patch log"):
        PatchLog.open(tmp_path / "nothing")
    log = PatchLog.create(tmp_path / "log")
    log.close()
    log.close()
    with pytest.raises(jellybridge.JellybridgeError, match="closed"):
        log.head


def test_the_command_line_does_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(tmp_path / "log")

    def run(*arguments: str, status: int = 0) -> List[str]:
        assert main(["log", *arguments]) == status
        captured = capsys.readouterr()
        return (captured.out + captured.err).splitlines()

    assert run("create", log) == [f"{log}: made"]
    run("create", log, status=1)
    appended = run("append", log, str(patch(tmp_path / "two.jellyp", 1, 2)), "--json")
    versions = [json.loads(line) for line in appended]
    assert [made["version"] for made in versions] == [1, 2]
    [conflict] = run("append", log, str(tmp_path / "two.jellyp"), "--prev", versions[0]["id"], status=1)
    assert conflict.startswith("jellybridge: ") and versions[1]["id"] in conflict
    assert run("append", log, str(tmp_path / "two.jellyp"), "--json") == appended, "it is there"
    listed = [line.split("\t") for line in run("list", log)]
    assert [columns[:3] for columns in listed] == [
        ["1", versions[0]["id"], "-"], ["2", versions[1]["id"], versions[0]["id"]]]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", columns[3]) for columns in listed)
    assert [columns[4:] for columns in listed] == [["+1", "-0"], ["+1", "-0"]]
    assert run("check", log) == [f"{log}: no fault"]
    output = str(tmp_path / "out.rdfp")
    assert run("fetch", log, "-o", output, "--first", "2") == [f"{output}: 1 patch, 5 rows, 0 left out"]
    damaged = tmp_path / "log" / "00000000000000000001.jellyp"
    call = damaged.read_bytes()
    damaged.write_bytes(call.replace(versions[0]["id"].encode(), b"x" * 36, 1))
    assert "damaged" in run("check", log, status=1)[0]
    assert "quarantine" in run("repair", log)[0]
    assert "lost" in run("check", log, status=1)[0]
    run("append", log, str(patch(tmp_path / "three.jellyp", 3)))
    assert "now 1; " in run("compact", log)[0]
    [compacted] = run("compact", log, "--max-bytes", "1000", "--json")
    assert json.loads(compacted) == {"before": 1, "after": 1, "bytes": 0}


def test_a_restore_is_one_version_more_and_leaves_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create(tmp_path / "restored") as log:
        for number in range(1, 4):
            name = tmp_path / f"{number}.jellyp"
            write_patch(name, [ChangeRow(op="TX"), ChangeRow(op="A", subject="_:b", predicate="<urn:p>", object=f'"{number}"', graph="<urn:g>"),
                               ChangeRow(op="TC"), ChangeRow(op="TX"), ChangeRow(op="A", subject="_:b", predicate="<urn:p>", object='"no"'),
                               ChangeRow(op="TA")])
            log.append(name)
        done = log.restore(1, author="ada")
        assert (done.changes, done.version, log.diff(1, 4).changed) == (2, 4, False)
        [entry] = log.entries(4, details=True)
        assert (entry.author, entry.message, entry.deleted) == ("ada", "Restore version 1", 2)
        assert log.restore(1).version is None
        assert log.restore(3, message="Back").version == 5  # what lies between stays
        with pytest.raises(JellybridgeError, match="no version 9"):
            log.restore(9)
        with pytest.raises(ValueError):
            log.restore(-1)
    with Dataset.open(f"tdb2:{tmp_path / 'store'}") as dataset:
        dataset.sync(tmp_path / "restored")
        assert len(dataset) == 3
    assert main(["log", "restore", str(tmp_path / "restored"), "2", "--to", f"tdb2:{tmp_path / 'store'}"]) == 0
    assert "1 change; version 6" in capsys.readouterr().out
    with Dataset.open(f"tdb2:{tmp_path / 'store'}") as dataset:
        assert len(dataset) == 2
        assert dataset.verify(tmp_path / "restored").ok
