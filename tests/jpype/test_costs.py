"""What work costs that users wait for, as figures that tests/budgets.toml limits."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Callable, Optional

import pytest

import jellybridge

PATCHES, ROWS = 300, 50
ID = "urn:uuid:00000000-0000-0000-0000-"


def bytes_read() -> int:
    """Returns the bytes that this process has read, by whatever call."""
    return int(Path("/proc/self/io").read_text().split()[1])


def size_of(source: Path) -> int:
    """Returns the bytes of a file, or of the files of a folder without those that a log keeps about them."""
    files = [source] if source.is_file() else [file for file in source.iterdir() if not file.name.startswith(".")]
    return sum(file.stat().st_size for file in files if file.is_file())


def written(tmp_path: Path, kind: str) -> Path:
    """Writes a source of many patches: a folder of one file, a file, a compressed file or a log."""
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "1.rdfp"
    with file.open("w") as out:
        for patch in range(PATCHES):
            out.write(f"H id <{ID}{patch:012}> .\n" + (f"H prev <{ID}{patch - 1:012}> .\n" if patch else "") + "TX .\n")
            out.writelines(f"A <urn:{patch}:{row}> <urn:p> <urn:o> .\n" for row in range(ROWS))
            out.write("TC .\nZ .\n")
    if kind == "gzip":
        (tmp_path / "1.rdfp.gz").write_bytes(gzip.compress(file.read_bytes()))
        return tmp_path / "1.rdfp.gz"
    if kind == "log":
        with jellybridge.PatchLog.create(tmp_path / "log") as log:
            log.append(file)
        return tmp_path / "log"
    return file if kind == "file" else file.parent


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how much is read")
@pytest.mark.parametrize("kind", ["folder", "file", "gzip", "log"])
@pytest.mark.parametrize("batch_rows", [100_000, 1_600, 150])
def test_each_byte_is_read_as_often_however_many_batches_there_are(
    tmp_path: Path, kind: str, batch_rows: int, record_property: Callable[[str, object], None]
) -> None:
    source = written(tmp_path, kind)
    size = size_of(source)
    for _ in range(2):  # the first time brings classes
        with jellybridge.Dataset.open("mem:") as dataset:
            before = bytes_read()
            report = dataset.sync(source, batch_rows=batch_rows)
            ratio = (bytes_read() - before) / size
            assert (report.patches, len(dataset)) == (PATCHES, PATCHES * ROWS)
    # A log is read to list what is pending, to check it and to apply it, and the first frame of each patch once more.
    assert 1 <= ratio <= (3.3 if kind == "log" else 2.4), f"{ratio:.2f} in {report.transactions} transactions"
    record_property("budget:sync_reads", round(ratio, 1))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how much is read")
@pytest.mark.parametrize("last, check_effective, readings", [
    ("A <urn:a> <urn:p> _:b .", None, 3), ("D _:b <urn:p> <urn:o> .", None, 4), ("A <urn:a> <urn:p> _:b .", True, 4),
    ("A <urn:a> <urn:p> _:b .", False, 2)])
def test_a_patch_is_read_to_check_what_it_does_and_to_apply_it(
    tmp_path: Path, last: str, check_effective: Optional[bool], readings: int
) -> None:
    file = written(tmp_path, "file")
    with file.open("a") as out:
        out.write(f"H id <{ID}{PATCHES:012}> .\nTX .\n{last}\nTC .\n")
    for _ in range(2):  # the first time brings classes
        with jellybridge.Dataset.open("mem:") as dataset:
            (tmp_path / "blank.nq").write_text("_:b <urn:p> <urn:o> .\n")
            dataset.load(tmp_path / "blank.nq")
            before = bytes_read()
            dataset.apply(file, check_effective=check_effective)
            ratio = (bytes_read() - before) / file.stat().st_size
    assert round(ratio, 1) == readings, f"{ratio:.2f}"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how much is read")
def test_a_history_reads_each_patch_once(tmp_path: Path) -> None:
    source = written(tmp_path, "log")
    with jellybridge.PatchLog.open(source) as log:
        size = size_of(source)
        for _ in range(2):  # the first time brings classes
            before = bytes_read()
            [row] = log.history(subject="urn:7:7")
            ratio = (bytes_read() - before) / size
    assert (row.version, row.op) == (8, "A")
    assert ratio < 1.5, f"{ratio:.1f}"
