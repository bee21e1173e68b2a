"""Makes a served store equal to a nightly dump, each night a version of a log.

    python examples/publish_nightly.py STORE LOG DUMP...           the dump, of one file or more, in any RDF syntax
    python examples/publish_nightly.py STORE LOG --back-to 3       the store is what it was at version 3

STORE is a location that Dataset.open takes, such as http://localhost:3030/ds or tdb2:served. The script may die at any moment,
and may be run again. The guide in docs/publish.md goes through it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import jellybridge


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("store")
    arguments.add_argument("log", type=Path, help="the folder of the log, made where it is not there")
    arguments.add_argument("dumps", type=Path, nargs="*")
    arguments.add_argument("--base", help="from where relative IRIs of the dumps go; without, from the files themselves")
    arguments.add_argument("--back-to", type=int, metavar="VERSION")
    given = arguments.parse_args()
    if not given.log.exists():
        jellybridge.PatchLog.create(given.log).close()
    how = {"base": given.base} if given.base else {}
    with jellybridge.Dataset.open(given.store) as store, tempfile.TemporaryDirectory() as folder:
        if given.back_to is not None:
            state = Path(folder, "then.nq")
            with jellybridge.PatchLog.open(given.log) as log:
                log.state(state, version=given.back_to)
            report = store.publish(state, log=given.log, blank_nodes="label")
        else:
            # An export that lost a fifth of the records is none that anybody should see.
            report = store.publish(given.dumps, log=given.log, max_delete="20%", **how)
        if report.changed:
            print(f"version {report.version}: +{report.added} -{report.deleted}, {report.quads} quads")
        else:
            print(f"nothing new, {report.quads} quads")


if __name__ == "__main__":
    main()
