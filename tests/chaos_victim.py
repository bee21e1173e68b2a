"""One run of a sync, to be killed: checks what the runs before it left, then follows the log.

    python chaos_victim.py DATASET LOG

Exits with 3 when the dataset is not exactly what the patches up to its position make of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import FrozenSet, Iterator, List, Optional, Tuple

from jellybridge import ChangeRow, Dataset, JellybridgeError, write_patch

PREDICATE = "<urn:p>"
WRONG = 3


def identifier(number: int) -> str:
    return f"<urn:patch:{number}>"


def changes(number: int, rows: int) -> Iterator[Tuple[str, str]]:
    """The operations of a patch: applied twice, left out or in another order, they leave another dataset."""
    yield "D", f"<urn:counter> {PREDICATE} \"{number - 1}\""
    yield "A", f"<urn:counter> {PREDICATE} \"{number}\""
    for i in range(rows):
        yield "A", f"<urn:item{number}-{i}> {PREDICATE} \"{i}\""
    for i in range(0, rows, 2):
        yield "D", f"<urn:item{number - 5}-{i}> {PREDICATE} \"{i}\""
    yield ("A" if number % 2 else "D"), f"<urn:flip> {PREDICATE} \"x\""


def expected(position: Optional[str], rows: int, last: int) -> FrozenSet[str]:
    """The dataset when it has applied all patches up to the one with that id."""
    quads = set()
    if position is not None:
        for number in range(1, last + 1):
            for op, quad in changes(number, rows):
                quads.add(quad) if op == "A" else quads.discard(quad)
            if position == identifier(number):
                return frozenset(quads)
        raise AssertionError(f"the dataset is at {position}, which is no patch of the log")
    return frozenset()


def write_log(folder: Path, patches: int, rows: int) -> None:
    """Writes the log: a file a patch."""
    folder.mkdir()
    for number in range(1, patches + 1):
        lines: List[ChangeRow] = [ChangeRow(op="H", name="id", value=identifier(number))]
        if number > 1:
            lines.append(ChangeRow(op="H", name="prev", value=identifier(number - 1)))
        lines.append(ChangeRow(op="TX"))
        for op, quad in changes(number, rows):
            subject, predicate, obj = quad.split(" ", 2)
            lines.append(ChangeRow(op=op, subject=subject, predicate=predicate, object=obj))
        lines.append(ChangeRow(op="TC"))
        write_patch(folder / f"{number:06}.jellyp", lines)


def found(dataset: Dataset) -> FrozenSet[str]:
    return frozenset(
        f"{row['s']} {row['p']} {row['o']}" for row in dataset.query("SELECT ?s ?p ?o { ?s ?p ?o }")  # type: ignore
    )


def main(location: str, log: str, rows: int, last: int) -> int:
    # A server needs longer to start again than a sync tries by default.
    options = {"attempts": 8} if location.startswith("http") else None
    with Dataset.open(location, options=options) as dataset:
        position = dataset.position()
        if found(dataset) != expected(position, rows, last):
            print(f"the dataset is not what the patches up to {position} make of it", file=sys.stderr)
            return WRONG
        print("checked", flush=True)
        report = dataset.sync(log, batch_rows=4 * rows, progress=False)
        if report.position != identifier(last) or found(dataset) != expected(report.position, rows, last):
            print(f"the sync ended at {report.position} with a wrong dataset", file=sys.stderr)
            return WRONG
    print("done", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    except JellybridgeError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
