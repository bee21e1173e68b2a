"""Runs a suite of conformance cases, and reports what became of each."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import List, Optional

from . import Outcome, check, earl_report, load_cases

_FAILED = 1
_USAGE = 2


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit status: 0 all passed, 1 a case failed, 2 there is no suite to run."""
    parser = argparse.ArgumentParser(
        prog="python -m jellybridge.conformance",
        description="Runs every case of a suite for Jelly-Patch and Jelly-RDF. The last line is the sum.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the suite: a folder with a cases.tsv")
    parser.add_argument("--earl", type=Path, metavar="FILE", help="write a report in EARL, as Turtle")
    options = parser.parse_args(arguments)
    try:
        cases = load_cases(options.folder.absolute())
    except (OSError, ValueError) as e:
        print(f"error: {e}", file=sys.stderr)
        return _USAGE

    outcomes = []
    for case in cases:
        outcomes.append(Outcome(case, check(case)))
        if outcomes[-1].problem is not None:
            print(f"FAILED {case.id}: {outcomes[-1].problem}")
    if options.earl is not None:
        try:
            _write_whole(options.earl, earl_report(outcomes, datetime.now(timezone.utc)))
        except OSError as e:
            print(f"error: can't write the report: {e}", file=sys.stderr)
            return _USAGE
    failed = sum(outcome.problem is not None for outcome in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return _FAILED if failed else 0


def _write_whole(target: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
