"""The main job of jellybridge, end to end, over snapshots of an RDF dataset.

Reads the snapshots on Spark, compares each with the one before, writes the changes as a Jelly-Patch log, reads the log
back as a DataFrame, applies it to a Jena dataset, and checks that the dataset equals the last snapshot.

    python examples/demo.py
    python examples/demo.py --data FOLDER --store tdb2:DIR --keep FOLDER

The exit status is 0 when the replica equals the last snapshot, 1 when it does not, and 2 when the demo can't begin.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import ApplyReport, ChangeRow

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE / "snapshots"
OPS = ("H", "TX", "PA", "PD", "D", "A", "TC", "TA")
# The prefix rows and the aborted transaction that the example has beside its snapshots, each a patch of its own that
# comes after the difference that leads to the snapshot of this index.
OLD_SCHEMA, SCHEMA = "<https://library.example/terms/>", "<https://library.example/schema/>"
EXAMPLE_EXTRAS: Dict[int, List[List[ChangeRow]]] = {
    0: [[ChangeRow(op="TX"), ChangeRow(op="PA", name="lib", value=OLD_SCHEMA), ChangeRow(op="TC")]],
    2: [
        [
            ChangeRow(op="TX"),
            ChangeRow(op="PD", name="lib"),
            ChangeRow(op="PA", name="lib", value=SCHEMA),
            ChangeRow(op="TC"),
        ],
        [
            ChangeRow(op="TX"),
            ChangeRow(
                op="A", subject="<https://library.example/book/5>", predicate="<http://purl.org/dc/terms/title>",
                object='"Catalogued by mistake"@en', graph="<https://library.example/graph/catalogue>",
            ),
            ChangeRow(
                op="D", subject="<https://library.example/book/1>", predicate="<http://purl.org/dc/terms/creator>",
                object="<https://library.example/person/okafor>", graph="<https://library.example/graph/catalogue>",
            ),
            ChangeRow(op="TA"),
        ],
    ],
}


class DemoError(Exception):
    """The demo can't begin; the message says why and what to do."""


@dataclass(frozen=True)
class Snapshot:
    """One state of the dataset, in a file of N-Triples or N-Quads."""

    version: str
    file: Path


def main(arguments: Sequence[str]) -> int:
    options = parse(arguments)
    try:
        snapshots = find_snapshots(options.data)
        with tempfile.TemporaryDirectory(prefix="jellybridge-demo-") as scratch:
            folder = options.keep or Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            store = options.store or f"tdb2:{Path(scratch) / 'replica'}"
            return run(snapshots, options.data, folder, store)
    except DemoError as e:
        print(f"demo: {e}", file=sys.stderr)
        return 2


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The main job of jellybridge over snapshots of an RDF dataset.")
    parser.add_argument(
        "--data", type=Path, default=EXAMPLE, metavar="FOLDER",
        help="the snapshots: .nt or .nq files, also .gz, one a version, in the order of the versions in their names",
    )
    parser.add_argument(
        "--store", metavar="URI", help="an empty dataset to apply to: mem: or tdb2:DIR (default: a temporary TDB2)"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the log goes, to stay there")
    return parser.parse_args(arguments)


def run(snapshots: List[Snapshot], data: Path, folder: Path, store: str) -> int:
    started = time.monotonic()
    spark = make_session()
    try:
        # Opened before the work, which would be in vain for a dataset that is refused.
        with jellybridge.Dataset.open(store) as dataset:
            if len(dataset):
                raise DemoError(f"{store} holds {len(dataset):,} quads already: choose an empty dataset")

            step("Reading the snapshots on Spark")
            states = [spark.read.format("nquads").load(str(snapshot.file)).cache() for snapshot in snapshots]
            quads = [state.count() for state in states]
            for snapshot, count in zip(snapshots, quads):
                print(f"  {snapshot.file.name}: {count:,} quads")

            step("Comparing each with the one before, and writing the changes as a log")
            patches = make_patches(spark, states, EXAMPLE_EXTRAS if data == EXAMPLE else {})
            log = write_log(patches, folder)
            log_size = log.stat().st_size
            print(f"  {log.name}: {len(patches)} patches, {log_size:,} bytes")

            step("Reading the log back as a DataFrame of change rows")
            changes = spark.read.format("jelly-patch").load(str(log))
            show_counts(changes)

            step(f"Applying it to a Jena dataset ({store.partition(':')[0]})")
            report = dataset.apply(changes)
            print(f"  {len(dataset):,} quads")

            step("Comparing the replica with the last snapshot")
            replica = dataset.to_dataframe(spark).cache()
            missing = rows_only_in(states[-1], replica)
            surplus = rows_only_in(replica, states[-1])

        show_report(snapshots, quads, report, log_size, time.monotonic() - started)
        return verdict(replica.count(), missing, surplus)
    finally:
        spark.stop()


def make_session() -> SparkSession:
    # Not a terminal: a progress bar would only litter the log.
    bars = str(sys.stderr.isatty()).lower()
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("jellybridge demo")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", bars)
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={(HERE / 'log4j2.properties').as_uri()}")
    )
    return jellybridge.configure_spark(builder).getOrCreate()


def step(sentence: str) -> None:
    print(f"{sentence} ...", flush=True)


# --- the snapshots


def find_snapshots(folder: Path) -> List[Snapshot]:
    """The snapshots of a folder, oldest first: one file a version, N-Triples where a version has both formats."""
    if not folder.is_dir():
        raise DemoError(f"{folder} is no folder: --data takes one that holds .nt or .nq files")
    by_version: Dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        name = re.fullmatch(r"(.+)\.(nt|nq)(\.gz)?", file.name)
        if name is None:
            continue
        version = name.group(1)
        other = by_version.get(version)
        if other is None:
            by_version[version] = file
            continue
        chosen, skipped = (file, other) if name.group(2) == "nt" else (other, file)
        by_version[version] = chosen
        print(f"{skipped.name} is left out: {chosen.name} is of the same version")
    if not by_version:
        raise DemoError(f"{folder} holds no .nt or .nq file")
    return [Snapshot(version, by_version[version]) for version in sorted(by_version, key=natural_order)]


def natural_order(version: str) -> List[Tuple[int, int, str]]:
    """A key by which 9.0 comes before 10.0."""
    parts = re.findall(r"\d+|\D+", version)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def gzipped_size(file: Path) -> int:
    if file.suffix == ".gz":
        return file.stat().st_size
    return len(gzip.compress(file.read_bytes()))


# --- the log


def make_patches(
    spark: SparkSession, states: List[DataFrame], extras: Dict[int, List[List[ChangeRow]]]
) -> List[DataFrame]:
    """A patch a snapshot, the first against an empty one; and what the example has beside them."""
    patches: List[DataFrame] = []
    before = spark.createDataFrame([], jellybridge.QUADS_SCHEMA)
    for index, state in enumerate(states):
        patches.append(jellybridge.diff(before, state, patch=len(patches)))
        for rows in extras.get(index, []):
            numbered = [row._replace(patch=len(patches), row=number) for number, row in enumerate(rows)]
            patches.append(spark.createDataFrame(numbered, jellybridge.CHANGES_SCHEMA))
        before = state
    return patches


def write_log(patches: List[DataFrame], folder: Path) -> Path:
    """Writes all patches, in their order, to one file."""
    parts, log = folder / "changes.parts", folder / "changes.jellyp"
    changes = reduce(DataFrame.unionByName, patches).transform(jellybridge.in_order)
    changes.write.format("jelly-patch").mode("overwrite").save(str(parts))
    (part,) = parts.glob("*.jellyp")
    os.replace(part, log)
    shutil.rmtree(parts)
    return log


def show_counts(changes: DataFrame) -> None:
    counts = changes.groupBy("patch").pivot("op", list(OPS)).count().na.fill(0).orderBy("patch").collect()
    used = [op for op in OPS if any(row[op] for row in counts)]
    show_table([["patch", *used], *([str(row["patch"]), *(f"{row[op]:,}" for op in used)] for row in counts)])


# --- the check and the report


def rows_only_in(one: DataFrame, other: DataFrame) -> List[str]:
    """The quads of one that the other does not have; subtract takes both for sets, and two nulls for the same."""
    columns = ["subject", "predicate", "object", "graph"]
    found = one.select(columns).subtract(other.select(columns)).orderBy("graph", *columns[:3]).collect()
    return [" ".join(term for term in row if term is not None) + " ." for row in found]


def show_report(
    snapshots: List[Snapshot], quads: List[int], report: ApplyReport, log_size: int, seconds: float
) -> None:
    texts = sum(gzipped_size(snapshot.file) for snapshot in snapshots)
    print()
    show_table([
        ["snapshots", f"{len(snapshots)}"],
        ["quads in all of them", f"{sum(quads):,}"],
        ["patches applied", f"{report.patches}"],
        ["transactions committed", f"{report.transactions}"],
        ["transactions aborted", f"{report.aborted}"],
        ["quads added", f"{report.added:,}"],
        ["quads deleted", f"{report.deleted:,}"],
        ["the log, bytes", f"{log_size:,}"],
        ["the snapshots, gzipped, bytes", f"{texts:,}"],
        ["seconds", f"{seconds:.1f}"],
    ])
    print()


def show_table(rows: List[List[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *others in rows:
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
        print("  " + "  ".join([first.ljust(widths[0]), *numbers]))


def verdict(quads: int, missing: List[str], surplus: List[str]) -> int:
    if not missing and not surplus:
        print(f"The replica equals the last snapshot: {quads:,} quads, 0 missing, 0 surplus.")
        return 0
    for sign, differing in (("-", missing), ("+", surplus)):
        for quad in differing:
            print(f"{sign} {quad}")
    counts = f"{quads:,} quads, {len(missing)} missing, {len(surplus)} surplus"
    print(f"The replica differs from the last snapshot: {counts}.")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
