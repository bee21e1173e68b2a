"""Runs a suite of conformance cases against an implementation, and reports what became of each."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import datetime, timezone
from fnmatch import fnmatchcase
from pathlib import Path
from typing import List, Optional

from . import Case, Command, Outcome, Subject, check, earl_report, load_cases

_FAILED = 1
_USAGE = 2


def main(arguments: Optional[List[str]] = None, subject: Optional[Subject] = None) -> int:
    """Returns the exit status: 0 none failed, 1 a case failed, 2 there is no suite, or nothing, to run.

    Args:
        subject: what is on trial, without ``--command``.
    """
    options = _parser(subject is None).parse_args(arguments)
    try:
        cases = [case for case in load_cases(options.folder.absolute()) if fnmatchcase(case.id, options.cases)]
        if not cases:
            raise ValueError(f"no case of {options.folder} is like {options.cases}")
        if subject is None:
            subject = Command(
                options.command, iri=options.subject, name=options.name or options.subject, seconds=options.seconds
            )
        outcomes = _run(cases, subject, options.jobs)
        if options.earl is not None:
            _write_whole(options.earl, earl_report(subject, outcomes, datetime.now(timezone.utc)))
    except (OSError, ValueError) as e:
        print(f"error: {e}", file=sys.stderr)
        return _USAGE
    passed, failed, untested = (
        sum(outcome.result == result for outcome in outcomes) for result in ("passed", "failed", "untested")
    )
    print(f"{passed} passed, {failed} failed" + (f", {untested} untested" if untested else ""))
    return _FAILED if failed else 0


def _parser(needs_command: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m jelly_conformance",
        description="Runs every case of a suite for Jelly-Patch and Jelly-RDF against an implementation. Prints what "
        "failed; the last line is the sum.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the suite: a folder with a cases.tsv")
    if needs_command:
        parser.add_argument(
            "--command", required=True, metavar="'tool {input}'",
            help="prints the events of the file {input}, or ends with another status than 0",
        )
        parser.add_argument("--subject", default=Subject.iri, metavar="IRI", help="names the implementation in the report")
        parser.add_argument("--name", help="likewise, for people")
        parser.add_argument("--seconds", type=float, default=60, help="how long a command may take; 60 unless told")
    parser.add_argument("--earl", type=Path, metavar="FILE", help="write a report in EARL, as Turtle")
    parser.add_argument("--cases", default="*", metavar="PATTERN", help="run only these, such as 'own/P-1*'")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run so many at once; 1 unless told")
    return parser


def _run(cases: List[Case], subject: Subject, jobs: int) -> List[Outcome]:
    with ThreadPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        outcomes = []
        for outcome in (map if pool is None else pool.map)(lambda case: check(case, subject), cases):
            outcomes.append(outcome)
            if outcome.result == "failed":
                print(f"FAILED {outcome.case.id}: {outcome.problem}")
    return outcomes


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
