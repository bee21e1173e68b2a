"""What a process leaves that does not close its capture; and what Java takes for usual, as Python does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jellybridge import read_patch
from jellybridge._capture import CAPTURE_KEY, MAX_BYTES
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


def test_what_is_usual_in_python_is_so_in_java() -> None:
    capture = find_door().java_class("io.jellybridge.jena.capture.CaptureOptions").DEFAULT
    assert (str(capture.positionKey()), int(capture.maxBytes())) == (CAPTURE_KEY, MAX_BYTES)
    assert str(find_door().java_class("io.jellybridge.sync.SyncOptions").LOG) == LOG_KEY
