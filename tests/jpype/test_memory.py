"""Files larger than the JVM, through columns: memory does not grow with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_HEAP = "48m"
_ROWS = 1_000_000

_SCRIPT = """
import resource, sys
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
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def test_columns_of_a_large_file_pass_through_a_small_jvm(tmp_path: Path) -> None:
    file = tmp_path / "large.jellyp"
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(file), str(_ROWS)],
        env={**os.environ, "JELLYBRIDGE_HEAP": _HEAP}, capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    size = file.stat().st_size
    assert size > 200 << 20
    peak = int(done.stdout)
    assert peak < size + (100 << 20), f"{peak >> 20} MiB for a file of {size >> 20} MiB, written and read"
