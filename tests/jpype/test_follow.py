"""A sync that goes on, and how far a dataset is behind a log."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import List, Union

import pytest

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, SyncReport, UnreachableError, _follow, write_patch

NOTHING = SyncReport(0, 0, 0, 0, 0, 0, (), None, None)
ONE = SyncReport(1, 1, 1, 0, 0, 0, (), None, "<urn:uuid:1>")


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
    answers = [ONE, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, ONE, NOTHING]
    stop = Waited()

    def sync() -> SyncReport:
        if not answers:
            stop.set()
            return NOTHING
        return answers.pop(0)

    with caplog.at_level(logging.INFO, "jellybridge.follow"):
        assert list(_follow.follow(sync, "log", poll_seconds=1.0, stop=stop)) == [ONE, ONE]
    assert stop.pauses[:10] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 0.05, 0.1, 0.2]
    assert len(caplog.records) == 2 and "log: 1 patch applied" in caplog.records[0].getMessage()


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

    with pytest.raises(JellybridgeError, match="a gap"):
        next(_follow.follow(sync, "log", poll_seconds=1.0, stop=None))
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
