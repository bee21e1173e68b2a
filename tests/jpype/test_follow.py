"""A sync that goes on, and how far a dataset is behind a log."""

from __future__ import annotations

import dataclasses
import logging
import os
import shutil
import socket
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Iterator, List, Tuple, Union

import pytest

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, SyncReport, UnreachableError, _follow, write_patch

NOTHING = SyncReport(0, 0, 0, 0, 0, 0, (), None, None)
AT_END = dataclasses.replace(NOTHING, version=7, head=7)
ONE = dataclasses.replace(AT_END, patches=1, transactions=1, added=1, position="<urn:uuid:1>")


def append(log: PatchLog, number: int) -> None:
    row = ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')
    write_patch("one.jellyp", [ChangeRow(op="TX"), row, ChangeRow(op="TC")])
    log.append("one.jellyp")


class Waited(threading.Event):
    """An event whose waits take no time, and are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: List[float] = []

    def wait(self, timeout: Union[float, None] = None) -> bool:
        self.pauses.append(timeout or 0.0)
        return self.is_set()


def test_a_follower_reports_what_is_new_and_pauses_longer_while_nothing_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(_follow.random, "uniform", lambda low, high: high)
    answers = [ONE, AT_END, AT_END, AT_END, AT_END, AT_END, AT_END, ONE, AT_END]
    stop = Waited()

    def sync() -> SyncReport:
        if not answers:
            stop.set()
            return AT_END
        return answers.pop(0)

    with caplog.at_level(logging.INFO, "jellybridge.follow"):
        assert list(_follow.follow(sync, "log", poll_seconds=1.0, stop=stop)) == [ONE, ONE]
    assert stop.pauses[:10] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 0.05, 0.1, 0.2]
    assert len(caplog.records) == 2 and "log: 1 patch applied" in caplog.records[0].getMessage()


def test_a_follower_reports_a_patch_that_was_set_aside_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_follow.random, "uniform", lambda low, high: high)
    bad, worse = (dataclasses.replace(AT_END, quarantined=names) for names in (("7",), ("7", "8")))
    answers = [bad, bad, bad, worse, worse, dataclasses.replace(ONE, quarantined=("7", "8")), AT_END, bad]
    stop = Waited()
    waits: List[int] = []

    def sync() -> SyncReport:
        if len(answers) == 1:
            stop.set()
        return answers.pop(0)

    def wait(after: int) -> bool:
        waits.append(after)
        return False

    reports = list(_follow.follow(sync, "log", poll_seconds=1.0, stop=stop, wait=wait))
    assert [(report.patches, report.quarantined) for report in reports] == [
        (0, ("7",)), (0, ("7", "8")), (1, ("7", "8")), (0, ("7",))]
    assert stop.pauses == [0.05, 0.1, 0.2, 0.05, 0.1, 0.05, 0.1, 0.05] and waits == [7]


def test_a_follower_goes_on_when_its_server_is_back(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(_follow.random, "uniform", lambda low, high: high)
    failures = 9
    stop = Waited()

    def sync() -> SyncReport:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise UnreachableError("no connection")
        stop.set()
        return ONE

    with caplog.at_level(logging.INFO, "jellybridge.follow"):
        assert list(_follow.follow(sync, "log", poll_seconds=0.2, stop=stop)) == [ONE]
    assert stop.pauses[:9] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    levels = [record.levelname for record in caplog.records]
    assert levels == ["WARNING"] * 9 + ["INFO"] * 2 and "no connection" in caplog.records[0].getMessage()


def test_another_error_ends_a_follower() -> None:
    def sync() -> SyncReport:
        raise JellybridgeError("a gap")

    for begun in (0, 1):
        answers = [ONE] * begun
        with pytest.raises(JellybridgeError, match="a gap"):
            list(_follow.follow(lambda: answers.pop() if answers else sync(), "log", poll_seconds=0.01, stop=None))
    with Dataset.open("mem:") as dataset:
        for wrong in (0, -1.0, float("nan")):
            with pytest.raises(ValueError, match="poll_seconds"):
                dataset.follow("log", poll_seconds=wrong)


def test_a_dataset_follows_a_log_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stop = threading.Event()
    with PatchLog.create("log") as log, Dataset.open("mem:") as dataset:
        append(log, 1)
        applied = 0
        for report in dataset.follow("log", poll_seconds=0.1, stop=stop):
            applied += report.patches
            assert len(dataset) == applied
            if applied == 3:
                stop.set()
            else:
                append(log, applied + 1)
        assert applied == 3


def test_a_follower_goes_on_when_a_log_that_it_opened_before_opens_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opens = Path("log", "patch-log.properties")
    with PatchLog.create("log") as log, Dataset.open("mem:") as dataset:
        append(log, 1)
        whole = opens.read_bytes()

        class Mended(Waited):
            """Lets the log open again after the third pause."""

            def wait(self, timeout: Union[float, None] = None) -> bool:
                if len(self.pauses) == 2:
                    opens.write_bytes(whole)
                return super().wait(timeout)

        stop = Mended()
        reports = dataset.follow("log", stop=stop)
        assert next(reports).patches == 1
        append(log, 2)
        opens.write_bytes(b"")
        assert next(reports).patches == 1 and len(stop.pauses) == 3
        opens.write_bytes(b"")
        with pytest.raises(JellybridgeError, match="patch-log.properties"):
            next(dataset.follow("log", stop=stop))


@pytest.mark.parametrize("is_emptied", [True, False])
def test_a_follower_waits_for_a_log_that_is_away(is_emptied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    class Back(Waited):
        """Brings the log back after the third pause."""

        def wait(self, timeout: Union[float, None] = None) -> bool:
            if len(self.pauses) == 2:
                shutil.rmtree("log", ignore_errors=True)
                os.rename("away", "log")
            return super().wait(timeout)

    stop = Back()
    with PatchLog.create("log") as log, Dataset.open("mem:") as dataset:
        append(log, 1)
        reports = dataset.follow("log", stop=stop)
        assert next(reports).patches == 1
        append(log, 2)
        os.rename("log", "away")
        if is_emptied:
            os.mkdir("log")
        assert next(reports).patches == 1 and len(stop.pauses) == 3


def test_a_follower_waits_where_the_log_can_and_polls_where_it_can_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_follow.random, "uniform", lambda low, high: high)
    answers = [AT_END, ONE, AT_END, AT_END, AT_END, AT_END, UnreachableError("gone"), AT_END]
    stop = Waited()
    waits: List[int] = []

    def sync() -> SyncReport:
        if not answers:
            stop.set()
            return ONE
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, SyncReport)
        return answer

    def wait(after: int) -> bool:
        waits.append(after)
        if len(waits) == 2:
            error = JellybridgeError("the token file is not there")
            error._is_at_opening = True
            raise error
        return len(waits) == 1

    assert len(list(_follow.follow(sync, "log", poll_seconds=1.0, stop=stop, wait=wait))) == 2
    assert waits == [7, 7, 7], "it asks a log that can't wait once a minute, and when it was unreachable"
    assert stop.pauses == [0.05, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 0.05]


def test_a_wait_ends_with_its_follower(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    begun = time.monotonic()

    def wait(after: int) -> bool:
        threading.Timer(0.1, stop.set).start()
        time.sleep(30)
        return True

    assert list(_follow.follow(lambda: AT_END, "log", poll_seconds=1.0, stop=stop, wait=wait)) == []
    assert time.monotonic() - begun < 10


def get(address: str) -> Tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()


def test_a_follower_serves_its_state_to_prometheus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.chdir(tmp_path)
    with PatchLog.create("log") as log, Dataset.open("tdb2:store") as dataset, caplog.at_level(logging.INFO, "jellybridge.follow"):
        append(log, 1)
        append(log, 2)
        reports = dataset.follow("log", metrics=0)
        next(reports)
        address = caplog.records[0].getMessage().partition(" at ")[2]
        figures = dict(line.rsplit(" ", 1) for line in get(address)[1].splitlines() if line[0] != "#")
        assert {name.partition("{")[0].replace("jellybridge_follower_", ""): float(value) for name, value in figures.items()} == {
            "version": 2, "head": 2, "lag_patches": 0, "lag_seconds": 0, "healthy": 1, "last_error_seconds": 0, "applied_patches_total": 2}
        assert next(iter(figures)).endswith('{dataset="tdb2:store"}') and "# TYPE jellybridge_follower_applied_patches_total counter" in get(address)[1]
        health = address.replace("/metrics", "/health")
        assert [get(health), get(f"{health}?lag=0")] == [(200, '{"healthy": true}\n')] * 2
        assert [get(f"{health}?{wrong}")[0] for wrong in ("lag=x", "log=1", "lag")] == [400] * 3
        assert get(address.replace("/metrics", "/"))[0] == 404
        port = address.rpartition(":")[2].partition("/")[0]
        with pytest.raises(JellybridgeError, match=f"can't be served at 127.0.0.1:{port}: Address already in use; give another port"):
            next(dataset.follow("log", metrics=f"127.0.0.1:{port}"))
        for wrong in ("x", "1:2:3", 70000, "-1", ""):
            with pytest.raises(ValueError, match="must be a port"):
                dataset.follow("log", metrics=wrong)
        assert isinstance(reports, Iterator)
        reports.close()  # type: ignore[attr-defined]
        with pytest.raises(OSError), socket.create_connection(("127.0.0.1", int(port)), timeout=5):
            pass


def test_the_state_of_a_follower_counts_from_when_it_had_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(_follow.time, "monotonic", lambda: now[0])
    state = _follow.FollowerState()
    state.begin()
    now[0] = 103.0
    assert (state.seconds, "follower_version" in state.figures()) == (3.0, False)
    state.end(AT_END, 100.0)
    now[0] = 110.0
    assert (state.seconds, state.figures()["follower_head"]) == (0.0, 7)
    state.begin()
    now[0] = 115.0
    state.fail(UnreachableError("gone"))
    state.begin()
    now[0] = 120.0
    assert (state.seconds, state.figures()["follower_healthy"]) == (10.0, 0)
    state.end(dataclasses.replace(ONE, version=8, head=8), 119.0)
    assert (state.seconds, state.figures()["follower_healthy"], state.figures()["follower_applied_patches_total"]) == (0.0, 1, 1)


def test_a_source_that_does_not_answer_is_not_known_to_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(_follow.time, "monotonic", lambda: now[0])
    state = _follow.FollowerState(45)
    state.begin()
    now[0] = 160.0
    state.end(AT_END, 100.0)
    now[0] = 200.0
    assert state.seconds == 0.0
    now[0] = 206.0
    assert state.seconds == 106.0
    state.begin()
    assert state.seconds == 106.0


def test_a_lag_is_in_patches_and_seconds_and_names_the_error_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with PatchLog.create("log") as log, Dataset.open("tdb2:store") as dataset:
        assert dataset.lag("log") == _follow.Lag(0, 0, 0.0, None)
        append(log, 1)
        append(log, 2)
        lag = dataset.lag("log")
        assert (lag.version, lag.head, lag.patches, lag.position, lag.error) == (0, 2, 2, None, None)
        assert lag.seconds is None or 0 <= lag.seconds < 60
        dataset.sync("log")
        lag = dataset.lag("log")
        assert (lag.version, lag.head, lag.seconds, lag.error) == (2, 2, 0.0, None)
        assert str(lag) == "at version 2 of 2, 0 patches behind"
        append(log, 3)
        append(log, 4)
        [third] = Path("log").glob("*3.jellyp")
        third.write_bytes(third.read_bytes()[:-9])
        lag = dataset.lag("log")
        assert (lag.version, lag.head) == (2, 4) and lag.error is not None and "3.jellyp" in lag.error, lag
        with pytest.raises(JellybridgeError):
            dataset.sync("log")
        assert len(dataset) == 2
    with Dataset.open("mem:") as other, pytest.raises(JellybridgeError):
        other.lag("nowhere")


def test_a_dataset_with_a_part_of_a_checkpoint_is_at_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dry_run = dataclasses.replace(NOTHING, checkpoint=2)
    dataset = SimpleNamespace(position=lambda key: "<urn:jellybridge:loading:2:00>", sync=lambda *source, **options: dry_run)
    with PatchLog.create("log") as log:
        append(log, 1)
        append(log, 2)
        lag = _follow.lag(dataset, "log", key="urn:k", log_options=None)
    assert (lag.version, lag.head, lag.patches) == (0, 2, 2)
