"""What work costs that users wait for, as figures that tests/budgets.toml limits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable

import pytest

import jellybridge


def bytes_read() -> int:
    """Returns the bytes that this process has read, by whatever call."""
    return int(Path("/proc/self/io").read_text().split()[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how much is read")
def test_a_folder_of_many_patches_is_synced(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    file = tmp_path / "log" / "1.rdfp"
    file.parent.mkdir()
    patches, rows = 300, 50
    with file.open("w") as out:
        for patch in range(patches):
            out.write(f"H id <urn:patch:{patch}> .\n" + (f"H prev <urn:patch:{patch - 1}> .\n" if patch else "") + "TX .\n")
            out.writelines(f"A <urn:{patch}:{row}> <urn:p> <urn:o> .\n" for row in range(rows))
            out.write("TC .\nZ .\n")
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.query("ASK {}")  # so that classes are there
        before = bytes_read()
        report = dataset.sync(file.parent, batch_rows=1_000)
        ratio = (bytes_read() - before) / file.stat().st_size
        assert (report.patches, len(dataset)) == (patches, patches * rows)
    assert ratio >= 1
    record_property("budget:sync_reads", round(ratio, 1))
