"""What a process leaves that does not close its capture; and what Java takes for usual, as Python does."""

from __future__ import annotations

import inspect
import subprocess
import sys
import time
from pathlib import Path

import pytest

import jellybridge
from jellybridge import Dataset, read_patch
from jellybridge._capture import CAPTURE_KEY, MAX_BYTES, MAX_SECONDS
from jellybridge._doors import find_door
from jellybridge._sync import LOG_KEY

FORGETS = """
import sys
from jellybridge import Dataset
Dataset.open("mem:").capture(sys.argv[1])
dataset = Dataset.open(f"tdb2:{sys.argv[2]}")
dataset.capture(sys.argv[3])
dataset.update("INSERT DATA { <urn:a> <urn:p> 1 }")
"""


def test_a_capture_that_nobody_closes_is_complete_when_the_process_ends(tmp_path: Path) -> None:
    log = tmp_path / "log.jellyp"
    done = subprocess.run(
        [sys.executable, "-W", "always::ResourceWarning", "-c", FORGETS, tmp_path / "empty.jellyp", tmp_path / "db", log],
        capture_output=True, text=True, timeout=120, check=True,
    )
    assert [row.subject for row in read_patch(log) if row.op == "A"] == ["<urn:a>"]
    assert f"Capture({str(log)!r}) was not closed before the process ended" in done.stderr


def test_a_capture_is_a_log_that_others_append_to_before_and_after(tmp_path: Path) -> None:
    patch = tmp_path / "patch.jellyp"
    jellybridge.write_patch(patch, [jellybridge.ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"9"')])
    with Dataset.open("mem:") as dataset, Dataset.open("mem:") as replica:
        with dataset.capture(tmp_path / "log", fsync=False) as capture:
            dataset.update('INSERT DATA { <urn:s> <urn:p> "1" }')
            with jellybridge.PatchLog.open(tmp_path / "log") as log:
                assert log.head.version == 0
                capture.rotate()
                assert (log.head.version, f"<urn:uuid:{log.head.id}>") == (1, capture.head)
                with pytest.raises(jellybridge.JellybridgeError, match="a capture writes to this log"):
                    log.append(patch)
            assert replica.sync(tmp_path / "log").patches == 1
            dataset.update('INSERT DATA { <urn:s> <urn:p> "2" }')
        with jellybridge.PatchLog.open(tmp_path / "log") as log:
            assert log.append(patch)[0].version == 3
            assert log.compact().after == 1
            assert log.check() == []
        assert (replica.sync(tmp_path / "log").patches, len(replica)) == (2, 3)
        with dataset.capture(tmp_path / "log") as capture:
            assert (len(dataset), capture.patches) == (3, 0), "what is in the log is in the dataset"


def test_a_quiet_capture_is_read_after_its_seconds(tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset, dataset.capture(tmp_path / "log", max_seconds=0.05):
        dataset.update('INSERT DATA { <urn:s> <urn:p> "1" }')
        with jellybridge.PatchLog.open(tmp_path / "log") as log:
            end = time.monotonic() + 20
            while log.head.version == 0:
                assert time.monotonic() < end
                time.sleep(0.01)
        for wrong in (0, -1, "1", None, 1e300, float("nan")):
            with pytest.raises(ValueError):
                dataset.capture(tmp_path / "other", max_seconds=wrong)  # type: ignore[arg-type]


def test_what_is_usual_in_python_is_so_in_java() -> None:
    capture = find_door().java_class("io.jellybridge.jena.capture.CaptureOptions").DEFAULT
    rotation = capture.rotation()
    assert str(capture.positionKey()) == CAPTURE_KEY
    assert (int(rotation.maxBytes()), int(rotation.maxMillis())) == (MAX_BYTES, MAX_SECONDS * 1000)
    options = find_door().java_class("io.jellybridge.sync.SyncOptions")
    assert str(options.LOG) == LOG_KEY == str(options.DEFAULT.key())
    usual = inspect.signature(Dataset.sync).parameters
    assert int(options.DEFAULT.batchRows()) == usual["batch_rows"].default
    assert int(options.DEFAULT.batchBytes()) == usual["batch_bytes"].default
    assert float(options.DEFAULT.batchSeconds()) == usual["batch_seconds"].default


@pytest.mark.parametrize("address", ["s3a://bucket/shop", "HDFS://host/log", "grpc://host:1/log", "grpcs:host"])
def test_a_log_elsewhere_is_refused(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Dataset.open("mem:") as dataset, pytest.raises(ValueError, match=f"{address} is an address, and this must be on this machine"):
        dataset.capture(address)
    assert not list(tmp_path.iterdir())


def test_a_file_that_exists_is_not_replaced(tmp_path: Path) -> None:
    log = tmp_path / "log.jellyp"
    with Dataset.open("mem:") as dataset:
        with dataset.capture(log):
            dataset.update("INSERT DATA { <urn:a> <urn:p> 1 }")
        size = log.stat().st_size
        with pytest.raises(jellybridge.JellybridgeError, match="log.jellyp: it exists already, and a capture replaces no file"):
            dataset.capture(log)
        dataset.capture(tmp_path / "next.jellyp").close()
    assert log.stat().st_size == size > 0
