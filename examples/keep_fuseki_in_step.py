"""Keeps a Fuseki in step with a Spark job: snapshots → differences on Spark → a log of patches → the server.

    python examples/keep_fuseki_in_step.py http://localhost:3030/ds LOG SNAPSHOT SNAPSHOT ...

A snapshot is a file of N-Quads or N-Triples, as a nightly job writes one; the oldest comes first. Each difference to the
one before becomes a patch with an id in the folder LOG; then the server follows the log. The script may die at any moment,
and may be run again: what is in the log stays, and what the server has is not sent twice. The guide in docs/sync.md goes
through it.
"""

from __future__ import annotations

import argparse
import uuid
from pathlib import Path
from typing import Optional

import jellybridge
from pyspark.sql import SparkSession

NAMESPACE = uuid.UUID("4f2a5d4e-9a0c-4bb5-93a1-6f3f1d0b8c11")


def patch_id(snapshot: Path) -> str:
    """The id of the patch that leads to a snapshot: the same whenever it is made."""
    return f"<urn:uuid:{uuid.uuid5(NAMESPACE, snapshot.name)}>"


def write_patches(spark: SparkSession, snapshots: list[Path], log: Path) -> None:
    """Writes the patches that the log does not have yet."""
    log.mkdir(exist_ok=True)
    old = spark.createDataFrame([], jellybridge.QUADS_SCHEMA)
    before: Optional[Path] = None
    for number, snapshot in enumerate(snapshots, start=1):
        new = spark.read.format("nquads").load(str(snapshot))
        file = log / f"{number:06}.jellyp"
        if not file.exists():
            changes = jellybridge.diff(old, new, id=patch_id(snapshot), prev=patch_id(before) if before else None)
            folder = log / f"_{number:06}"  # a name that a sync passes over
            changes.write.mode("overwrite").format("jelly-patch").save(str(folder))
            next(folder.glob("*.jellyp")).rename(file)  # whole, or not there
        old, before = new, snapshot


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("dataset", help="http://host:3030/name, or another location that Dataset.open takes")
    arguments.add_argument("log", type=Path)
    arguments.add_argument("snapshots", type=Path, nargs="+")
    given = arguments.parse_args()
    spark = jellybridge.configure_spark(SparkSession.builder.master("local[2]")).getOrCreate()
    write_patches(spark, given.snapshots, given.log)
    with jellybridge.Dataset.open(given.dataset) as dataset:
        report = dataset.sync(given.log)
        print(f"{report.patches} patches applied, {report.skipped} were there: +{report.added} -{report.deleted}, "
              f"now at {report.position}")


if __name__ == "__main__":
    main()
