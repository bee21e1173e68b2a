"""Damaged compressed files: the command line, plain Python and Spark say the same of each, all an error or all the same
rows."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import jellybridge

QUADS = [f'<urn:s{n}> <urn:p> "{n}" .\n' for n in range(40)]
ADDED = [f"A {quad}" for quad in QUADS]


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True))


def flipped(data: bytes, at: int, bit: int = 0x20) -> bytes:
    changed = bytearray(data)
    changed[at] ^= bit
    return bytes(changed)


def archives(pack: Callable[[bytes], bytes], lines: List[str]) -> Dict[str, Tuple[bytes, Optional[int]]]:
    """Archives of two members, whole or damaged: each with the number of its rows, or ``None`` where it is refused."""
    texts = ["".join(lines[:20]).encode(), "".join(lines[20:]).encode()]
    first, second = map(pack, texts)
    return {
        "whole": (first + second, 40),
        "one": (first, 20),
        "three": (first + pack(b"") + second, 40),
        "second-magic-1": (first + flipped(second, 0), None),
        "second-magic-2": (first + flipped(second, 1), None),
        "second-1-byte": (first + second[:1], None),
        "second-2-bytes": (first + second[:2], None),
        "second-3-bytes": (first + second[:3], None),
        "second-4-bytes": (first + second[:4], None),
        "second-5-bytes": (first + second[:5], None),
        "second-half": (first + second[:len(second) // 2], None),
        "second-but-1": (first + second[:-1], None),
        "second-but-4": (first + second[:-4], None),
        "second-middle": (first + flipped(second, len(second) // 2), None),
        "garbage-1": (first + b"x", None),
        "garbage-10": (first + b"0123456789", None),
        "garbage-line": (first + second + b"\n", None),
        "text-after": (first + texts[1], None),
        "first-but-1": (first[:-1], None),
        "other-way": (first + (zstd if pack is gzip.compress else gzip.compress)(texts[1]), None),
        "not-packed": (texts[0], None),
        "zeros-after": (first + second + bytes(512), 40 if pack is gzip.compress else None),
        "zeros-between": (first + bytes(3) + second, 40 if pack is gzip.compress else None),
    }


#: Those of ``make test``. In Java, CompressedDataTest tries every cut and every wrong byte.
FEW = {"whole.rdfp.gz", "second-half.nq.gz", "second-middle.rdfp.zst", "zeros-after.nq.zst"}
CASES = [
    pytest.param(suffix, data, rows, id=f"{name}{suffix}", marks=[] if f"{name}{suffix}" in FEW else pytest.mark.full("files"))
    for packed, pack in ((".gz", gzip.compress), (".zst", zstd))
    for suffix, lines in ((f".rdfp{packed}", ADDED), (f".nq{packed}", QUADS))
    for name, (data, rows) in archives(pack, lines).items()
]


def count(read: Callable[[], int]) -> Optional[int]:
    try:
        return read()
    except Exception as e:
        # What is wrong in the middle may be seen before the checksum is.
        assert any(says in str(e) for says in ("the compressed data", "[RDF Patch]", "[N-Quads]")), e
        return None


@pytest.fixture(scope="module")
def validated(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Optional[int]]:
    """What the command line says of each archive; all in one process."""
    folder = tmp_path_factory.mktemp("archives")
    for case in CASES:
        (folder / str(case.id)).write_bytes(case.values[1])
    files = [str(folder / str(case.id)) for case in CASES]
    done = subprocess.run([sys.executable, "-m", "jellybridge", "validate", "--json", *files],
                          capture_output=True, text=True, timeout=300)
    found: Dict[str, Optional[int]] = {}
    for report in map(json.loads, done.stdout.splitlines()):
        total = report["rows"]["total"] if "rows" in report else report["statements"]
        found[Path(report["file"]).name] = total if report["valid"] else None
    return found


@pytest.mark.parametrize("suffix, data, rows", CASES)
def test_all_agree_on_an_archive(
    spark: SparkSession, tmp_path: Path, validated: Dict[str, Optional[int]], request: pytest.FixtureRequest,
    suffix: str, data: bytes, rows: Optional[int],
) -> None:
    file = tmp_path / f"in{suffix}"
    file.write_bytes(data)
    name = "rdf-patch" if suffix.startswith(".rdfp") else "nquads"
    assert count(lambda: len(spark.read.format(name).load(str(file)).select("object").collect())) == rows
    if name == "rdf-patch":
        assert count(lambda: len(list(jellybridge.read_patch(file)))) == rows
    assert validated[request.node.callspec.id] == rows
