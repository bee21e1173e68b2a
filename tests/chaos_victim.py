"""One run of a sync, of publications, or of work on a log, to be killed: checks what the runs before it left, then follows the
log, or publishes the states that the patches come to, one after the other, or appends them.

    python chaos_victim.py sync|publish DATASET LOG ROWS PATCHES
    python chaos_victim.py keep LOG - ROWS PATCHES

Exits with 3 when the dataset is not exactly what the patches up to its position make of it. Publications go to the log too,
where one is named (``-`` is none); the dataset says by its content how far they are.
"""

from __future__ import annotations

import os
import random
import sys
import uuid
from pathlib import Path
from typing import FrozenSet, Iterator, List, Optional, Tuple

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, write_patch

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


def keep(log: str, rows: int, last: int) -> Optional[str]:
    """Appends to a log, captures into it, compacts it, makes checkpoints and prunes it; says what is wrong with what is there."""
    said = Path(f"{log}.said")  # the last version that an append or a capture acknowledged
    with Dataset.open("mem:") as dataset, dataset.capture(log, position=None):
        pass  # completes what a capture left that was killed
    with PatchLog.open(log) as opened:
        wrong = wrong_in(opened, int(said.read_text()) if said.exists() else 0, Path(f"{log}.nq"), rows, last)
        if wrong is not None:
            return wrong
        print("checked", flush=True)
        head = opened.head.version
        while head < last:
            work = random.choice(["append"] * 4 + ["capture", "compact", "checkpoint", "prune"])
            if work == "append":
                opened.append(patch(Path(f"{log}.jellyp"), head + 1, rows))
                head = acknowledge(said, head + 1)
            elif work == "capture":
                with Dataset.open("mem:") as dataset, dataset.capture(log, position=None):
                    for _ in range(min(3, last - head)):
                        dataset.apply(patch(Path(f"{log}.jellyp"), head + 1, rows))
                        head = acknowledge(said, head + 1)
            elif work == "compact":
                opened.compact()
            elif head:
                opened.checkpoint(progress=False)
                if work == "prune":
                    opened.prune(before=head)
        return wrong_in(opened, last, Path(f"{log}.nq"), rows, last)


def wrong_in(log: PatchLog, acknowledged: int, state: Path, rows: int, last: int) -> Optional[str]:
    """Checks a log: its files, its state and that nothing is lost or twice."""
    head = log.head.version
    if head < acknowledged:
        return f"version {acknowledged} was acknowledged, and the log ends with {head}"
    faults = [fault for fault in log.check() if fault.kind != "UNFINISHED"]
    if faults or not log.verify(progress=False).ok:
        return f"the log has faults: {faults} {log.verify(progress=False)}"
    if head:
        log.state(state, progress=False)
        quads = {line[: -len(" .")] for line in state.read_text().splitlines()}
        if quads != expected(identifier(head), rows, last):
            return f"the state at version {head} is another"
    return None


def patch(file: Path, number: int, rows: int) -> Path:
    """Writes the patch of a number, whose id is the same each time."""
    lines = [ChangeRow(op="H", name="id", value=f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, str(number))}>"), ChangeRow(op="TX")]
    for op, quad in changes(number, rows):
        subject, predicate, obj = quad.split(" ", 2)
        lines.append(ChangeRow(op=op, subject=subject, predicate=predicate, object=obj))
    write_patch(file, [*lines, ChangeRow(op="TC")])
    return file


def acknowledge(said: Path, version: int) -> int:
    made = said.with_suffix(".making")
    made.write_text(str(version))
    os.replace(made, said)
    return version


def main(does: str, location: str, log: str, rows: int, last: int) -> int:
    if does == "keep":
        return ended(keep(location, rows, last))
    # A server needs longer to start again than a sync tries by default.
    options = {"attempts": 8} if location.startswith("http") else None
    with Dataset.open(location, options=options) as dataset:
        done = sync(dataset, log, rows, last) if does == "sync" else publish(dataset, None if log == "-" else log, rows, last)
    return ended(done)


def ended(wrong: Optional[str]) -> int:
    if wrong is not None:
        print(wrong, file=sys.stderr)
        return WRONG
    print("done", flush=True)
    return 0


def sync(dataset: Dataset, log: str, rows: int, last: int) -> Optional[str]:
    """Follows the log; says what is wrong."""
    position = dataset.position()
    if found(dataset) != expected(position, rows, last):
        return f"the dataset is not what the patches up to {position} make of it"
    print("checked", flush=True)
    report = dataset.sync(log, batch_rows=4 * rows, progress=False)
    if report.position != identifier(last) or found(dataset) != expected(report.position, rows, last):
        return f"the sync ended at {report.position} with a wrong dataset"
    return None


def publish(dataset: Dataset, log: Optional[str], rows: int, last: int) -> Optional[str]:
    """Publishes the states that are left; says what is wrong."""
    done = state_of(dataset)
    if found(dataset) != expected(identifier(done) if done else None, rows, last):
        return f"the dataset is neither state {done} nor any other"
    print("checked", flush=True)
    for number in range(done + 1, last + 1):
        snapshot = "".join(f"{quad} .\n" for quad in expected(identifier(number), rows, last)).encode()
        report = dataset.publish(snapshot, format="ntriples", log=log, progress=False)
        if state_of(dataset) != number or report.quads != len(dataset):
            return f"state {number} was published, and the dataset is {state_of(dataset)}: {report}"
    if log is not None:
        with PatchLog.open(log) as opened, Dataset.open("mem:") as replica:
            if len(list(opened.entries())) != last or replica.sync(log).patches != last or found(replica) != found(dataset):
                return f"the log has {opened.head.version} versions of {last}, or they come to something else"
    return None


def state_of(dataset: Dataset) -> int:
    """Which of the states the dataset says that it is."""
    counter = dataset.query(f"SELECT ?o {{ <urn:counter> {PREDICATE} ?o }}")
    return int(counter[0]["o"].strip('"')) if counter else 0  # type: ignore


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
    except JellybridgeError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
