"""Much data in a small JVM: files that are larger than it, and a transaction of a million rows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Union

import pytest

pytestmark = pytest.mark.full("long")

_ROWS = 1_000_000

_COLUMNS_SCRIPT = """
import re, sys
import pyarrow as pa
from jellybridge import read_patch, write_patch

file, rows, step = sys.argv[1], int(sys.argv[2]), 10_000
fields = ("op", "subject", "predicate", "object")

def batches():
    for start in range(0, rows, step):
        numbers = range(start, start + step)
        objects = ['"' + format(n * 2654435761 % 2**61, "x") * 15 + '"' for n in numbers]
        yield pa.record_batch([["A"] * step, [f"<urn:s{n}>" for n in numbers], ["<urn:p>"] * step, objects], names=fields)

schema = pa.schema([(field, pa.string()) for field in fields])
assert write_patch(file, pa.RecordBatchReader.from_batches(schema, batches())).rows == rows
assert sum(batch.num_rows for batch in read_patch(file).to_arrow()) == rows
# Linux hands the peak of the process that forked on, as that of this one, in getrusage.
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) * 1024)
"""


_TRANSACTION_SCRIPT = """
import sys
from jellybridge import Dataset, write_patch

file, store, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])

def transaction():
    yield {"op": "TX"}
    for n in range(rows - 2):
        yield {"op": "A", "subject": f"<urn:s{n // 5}>", "predicate": f"<urn:p{n % 50}>", "object": f'"text {n}"',
               "graph": f"<urn:g{n % 7}>"}
    yield {"op": "TC"}

write_patch(file, transaction())
with Dataset.open("tdb2:" + store) as dataset:
    report = dataset.apply(file)
    assert (report.transactions, report.added) == (1, rows - 2), report
    assert len(dataset) == rows - 2
"""


_SPLIT_SCRIPT = """
import sys
from jellybridge import changes, write_patch

file, rows = sys.argv[1], int(sys.argv[2])
write_patch(file, ({"op": "A", "subject": f"<urn:s{n}>", "predicate": "<urn:p>", "object": '"' + str(n).zfill(600) + '"'} for n in range(rows)))
assert sum(row.op == "A" for row in changes.split(file, rows=rows)) == rows
"""


def test_columns_of_a_large_file_pass_through_a_small_jvm(tmp_path: Path) -> None:
    file = tmp_path / "large.jellyp"
    done = _run(_COLUMNS_SCRIPT, "48m", file, _ROWS)
    assert done.returncode == 0, done.stderr
    size = file.stat().st_size
    assert size > 200 << 20
    peak = int(done.stdout)
    assert peak < size + (100 << 20), f"{peak >> 20} MiB for a file of {size >> 20} MiB, written and read"


def test_a_transaction_of_a_million_rows_is_applied_to_tdb2_in_512_mb(tmp_path: Path) -> None:
    done = _run(_TRANSACTION_SCRIPT, "512m", tmp_path / "large.jellyp", tmp_path / "store", _ROWS)
    assert done.returncode == 0, done.stderr


def test_a_part_of_a_patch_may_be_larger_than_memory(tmp_path: Path) -> None:
    done = _run(_SPLIT_SCRIPT, "48m", tmp_path / "large.jellyp", _ROWS // 8)
    assert done.returncode == 0, done.stderr


def _run(script: str, heap: str, *arguments: Union[Path, int]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "JELLYBRIDGE_HEAP": heap}, capture_output=True, text=True, timeout=300,
    )
