"""Runs the tests of the door without Spark, each file in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).resolve().parent / "jpype").glob("test_*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_without_spark(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(file)], cwd=file.parents[2], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
