"""Random histories of a log, and what they come to by a model in plain Python; checkpoints as the log's folder has them."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import List, Optional, Set, Tuple

from frames import local_frame
from pyspark.sql import DataFrame, SparkSession

from jellybridge import QUADS_SCHEMA, ChangeRow, PatchLog, read_patch, write_patch

Quad = Tuple[str, str, str, Optional[str]]
#: What changed: the quad, ``insert`` or ``delete``, and the version that did it.
Change = Tuple[Quad, str, int]

SUBJECTS = ("<urn:s>", "<http://example.org/a%20b>", "_:b0", "_:B.1")
OBJECTS = (
    "<urn:o>", "_:b0", '""', '"o"', r'"say \"hi\"\\ \n"', '"naïve 🙂"', '"chat"@fr', '"chat"@en-gb', '"x"@ar--rtl',
    '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '<<( <urn:s> <urn:p> "o" )>>',
    "<<( _:b0 <urn:p> <<( <urn:s> <urn:p> _:b0 )>> )>>",
)
GRAPHS = (None, "<urn:g>", "_:g")


class History:
    """A log with random patches in it: redundant additions and deletions, aborted transactions, prefixes, statements outside
    of transactions, and a time that sometimes goes back."""

    def __init__(self, folder: Path, seed: int, versions: int = 9, apart: bool = False) -> None:
        self.random = random.Random(seed)
        self.folder = folder / "log"
        self.log = PatchLog.create(self.folder)
        #: By version, from 0: what was there, and what the patch said and committed.
        self.states: List[Set[Quad]] = [set()]
        self.said: List[List[Tuple[str, Quad]]] = [[]]
        #: By version: the minute that the patch says, or ``None`` where it says no time in our form.
        self.minutes: List[Optional[int]] = [None]
        patches = [self.patch(version) for version in range(1, versions + 1)]
        for rows in patches if apart else [[row for rows in patches for row in rows]]:
            write_patch(folder / "history.jellyp", rows, rdf_star=True)
            self.log.append(folder / "history.jellyp")

    def quad(self) -> Quad:
        choose = self.random.choice
        # Of few, so that the same are added and deleted again.
        return (choose(SUBJECTS[:3]), choose(("<urn:p>", "<urn:q>")), choose(OBJECTS), choose(GRAPHS))

    def patch(self, version: int) -> List[ChangeRow]:
        minute = version if self.random.random() < 0.7 else self.random.choice((None, version - 2))
        self.minutes.append(minute if minute is None or minute > 0 else 0)
        said_time = '"soon"' if self.minutes[-1] is None else f'"{moment(self.minutes[-1])}"{DATE_TIME}'
        rows = [ChangeRow(version, op="H", name="time", value=said_time)]
        state, said = set(self.states[-1]), []
        for _ in range(self.random.randrange(1, 4)):
            ends = self.random.choice(("TC", "TC", "TA", None))
            operations = [(self.random.choice("AAD"), self.quad()) for _ in range(self.random.randrange(12))]
            rows += [ChangeRow(version, op="TX")] if ends else []
            rows.append(ChangeRow(version, op="PA", name="ex", value="<http://example.org/>"))
            rows += [ChangeRow(version, None, None, op, *quad) for op, quad in operations]
            rows += [ChangeRow(version, op=ends)] if ends else []
            if ends != "TA":
                said += operations
                for op, quad in operations:
                    (state.add if op == "A" else state.discard)(quad)
        self.states.append(state)
        self.said.append(said)
        return rows

    def changes(self, first: int, last: int) -> Set[Change]:
        """What each version of a range changed."""
        return {
            change for version in range(first, last + 1)
            for change in difference(self.states[version - 1], self.states[version], version)
        }

    def net(self, first: int, last: int) -> Set[Tuple[Quad, str]]:
        return {(quad, kind) for quad, kind, _ in difference(self.states[first - 1], self.states[last], 0)}

    def version_at(self, minute: int) -> Optional[int]:
        """The last version whose time, which does not go back, is not after a minute."""
        found, now = None, None
        for version, said in enumerate(self.minutes):
            now = said if now is None or said is not None and said > now else now
            found = version if now is not None and now <= minute else found
        return found


def difference(old: Set[Quad], new: Set[Quad], version: int) -> List[Change]:
    return [(quad, "insert", version) for quad in new - old] + [(quad, "delete", version) for quad in old - new]


DATE_TIME = "^^<http://www.w3.org/2001/XMLSchema#dateTime>"


def moment(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00.000Z"


def checkpoint(spark: SparkSession, folder: Path, version: int, state: Set[Quad]) -> None:
    """Makes a checkpoint, in two files."""
    with PatchLog.open(folder) as log:
        [entry] = log.entries(version, version)
        one = folder.parent / f"version-{version}.jellyp"
        log.fetch(one, version, version)
        [chain] = [row.value.strip('"') for row in read_patch(one) if row.name == "chain" and row.value is not None]
        said = {
            "format": 3, "log": log.id, "version": version, "id": entry.id, "chain": chain, "quads": len(state),
            "hash": 64 * "0",
        }
    made = folder / "checkpoints" / f"{version:020}"
    made.parent.mkdir(exist_ok=True)
    rows = local_frame(spark, sorted(state, key=str), QUADS_SCHEMA).repartition(2)
    rows.write.format("jelly").option("rdfStar", True).save(str(made))
    parts = []
    for number, file in enumerate(sorted(made.glob("part-*.jelly"))):
        there = spark.read.format("jelly").load(str(file)).count()
        content = file.rename(made / f"part-{number:05}.jelly").read_bytes()
        parts.append({"quads": there, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    (made / "checkpoint.json").write_text(json.dumps({**said, "parts": parts}))


def quads(frame: DataFrame) -> List[Quad]:
    return [(row.subject, row.predicate, row.object, row.graph) for row in frame.collect()]


def state(frame: DataFrame) -> Set[Quad]:
    """The quads of a DataFrame, which has each once."""
    found = quads(frame)
    assert len(set(found)) == len(found)
    return set(found)
