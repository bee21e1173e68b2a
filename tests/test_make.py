"""What the commands of the project run."""

from __future__ import annotations

import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def test_a_part_that_is_named_is_not_handed_to_the_other_tests_of_jena_6() -> None:
    run = ["make", "--dry-run", "test-jena6", "PART=jena6"]
    printed = subprocess.run(run, cwd=PROJECT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    runs = [line for line in printed.splitlines() if "JENA=6" in line and "pytest" in line]
    assert ["--part jena6" in line for line in runs] == [False, True]
