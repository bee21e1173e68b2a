"""Replicates a dataset: what changes in one is captured, and another follows.

    python examples/replicate.py tdb2:PRIMARY LOG tdb2:REPLICA UPDATE.ru ...

Runs the SPARQL updates on the primary, records every change in the folder LOG, and has the replica follow it. The replica
may be anywhere that Dataset.open reaches, and at any time later: it goes on where it is. The guide in docs/sync.md goes
through it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import jellybridge


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("primary")
    arguments.add_argument("log", type=Path)
    arguments.add_argument("replica")
    arguments.add_argument("updates", type=Path, nargs="*")
    given = arguments.parse_args()
    with jellybridge.Dataset.open(given.primary) as primary:
        with primary.capture(given.log):
            for update in given.updates:
                primary.update(update.read_text())
        size = len(primary)
    with jellybridge.Dataset.open(given.replica) as replica:
        report = replica.sync(given.log)
        print(f"{report.patches} patches applied, {report.skipped} were there, now at {report.position}")
        print(f"the primary holds {size} quads, the replica {len(replica)}")


if __name__ == "__main__":
    main()
