"""What a process leaves that does not close its capture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jellybridge import read_patch

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
