"""The data source ``rdf-patch-log``, in batch and in Structured Streaming."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List, Tuple

import pytest
from pyspark.sql import DataFrame, SparkSession

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, PatchLog

pytestmark = pytest.mark.settings


@pytest.fixture
def log(spark: SparkSession, tmp_path: Path) -> PatchLog:
    made = PatchLog.create(tmp_path / "log")
    append(made, tmp_path, *range(1, 8))
    return made


def append(log: PatchLog, folder: Path, *numbers: int) -> None:
    file = folder / "some.jellyp"
    for number in numbers:
        jellybridge.write_patch(file, [
            ChangeRow(op=op, **terms) for op, terms in (
                ("TX", {}), ("A", {"subject": "<urn:s>", "predicate": "<urn:p>", "object": f'"{number}"'}), ("TC", {}),
            )
        ])
        log.append(file)


def read(spark: SparkSession, folder: Path, **options: Any) -> DataFrame:
    return spark.read.format("rdf-patch-log").options(**options).load(str(folder / "log"))


def added(rows: DataFrame) -> List[Tuple[int, str]]:
    return sorted((row.patch, row.object) for row in rows.where("op = 'A'").collect())


def stream(spark: SparkSession, folder: Path, out: str, **options: Any) -> List[int]:
    """Runs a stream up to the end of the log; the versions of each of its batches, as first and last."""
    batches: List[int] = []

    def take(rows: DataFrame, number: int) -> None:
        rows.write.mode("append").parquet(str(folder / out))
        batches.append(rows.select("patch").distinct().count())

    source = spark.readStream.format("rdf-patch-log").options(**options).load(str(folder / "log"))
    query = source.writeStream.foreachBatch(take).option("checkpointLocation", str(folder / "checkpoint")).trigger(
        availableNow=True).start()
    query.awaitTermination()
    return batches


def test_a_batch_read_has_all_rows_in_order(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    rows = read(spark, tmp_path, patchesPerPartition=2)
    assert rows.columns == spark.createDataFrame([], CHANGES_SCHEMA).columns
    assert rows.rdd.getNumPartitions() == 4
    assert added(rows) == [(number, f'"{number}"') for number in range(1, 8)]
    one = [(row.row, row.op, row.tx, row.name) for row in rows.where("patch = 2").orderBy("row").collect()]
    assert one == [(0, "H", None, "id"), (1, "H", None, "prev"), (2, "H", None, "time"),
                   (3, "H", None, "chain"), (4, "TX", 0, None), (5, "A", 0, None), (6, "TC", 0, None)]
    assert rows.select("object").where("object is not null").count() == 7
    assert rows.count() == 48


def test_all_scans_of_a_query_read_the_same_versions(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    rows = read(spark, tmp_path, patchesPerPartition=2)

    def plan(frame: DataFrame) -> List[List[str]]:
        """The partitions of each scan, planned twice, while the log grows."""
        leaves = frame._jdf.queryExecution().optimizedPlan().collectLeaves()  # type: ignore[operator]
        scans = [leaves.apply(i).scan() for i in range(leaves.size()) if "ScanRelation" in leaves.apply(i).nodeName()]
        planned = []
        for number, scan in enumerate((*scans, scans[0])):
            planned.append([part.toString() for part in scan.toBatch().planInputPartitions()])
            append(log, tmp_path, 8 + number)
        return planned

    committed = read(spark, tmp_path, patchesPerPartition=2, committedOnly=True)
    first, *others = plan(jellybridge.net_effect(rows).select("subject").union(committed.select("subject")))
    assert len(first) == 4 and len(others) > 4 and others == [first] * len(others)
    some, more, _ = plan(read(spark, tmp_path, patchesPerPartition=100).union(read(spark, tmp_path, patchesPerPartition=99)))
    assert some == more and len(some) == 1
    assert len(plan(rows)[0]) > 4, "another query reads what is there then"


def test_a_range_is_cut_out(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    some = read(spark, tmp_path, startingVersion=3, endingVersion=5, patchesPerPartition=2)
    assert [version for version, _ in added(some)] == [3, 4, 5]
    assert added(read(spark, tmp_path, startingVersion=99)) == []
    assert len(added(read(spark, tmp_path, startingVersion=2, patchesPerPartition=2**63 - 1))) == 6


def test_a_stream_goes_on_where_it_ended_in_batches_of_a_size(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    assert stream(spark, tmp_path, "out", maxPatchesPerTrigger=3) == [3, 3, 1]
    append(log, tmp_path, 8, 9)
    assert stream(spark, tmp_path, "out", maxPatchesPerTrigger=3) == [2]
    assert added(spark.read.parquet(str(tmp_path / "out"))) == [(number, f'"{number}"') for number in range(1, 10)]


def test_a_checkpoint_of_another_log_is_refused(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    stream(spark, tmp_path, "out")
    (tmp_path / "log").rename(tmp_path / "before")
    append(PatchLog.create(tmp_path / "log"), tmp_path, *range(1, 10))
    with pytest.raises(Exception, match="use a new checkpoint"):
        stream(spark, tmp_path, "out")


def test_a_checkpoint_of_a_log_whose_history_was_rewritten_is_refused(
    spark: SparkSession, tmp_path: Path, log: PatchLog
) -> None:
    stream(spark, tmp_path, "out")
    (tmp_path / "log" / "00000000000000000007.jellyp").unlink()
    # The log ends before the checkpoint, then at its version, with another patch, then beyond it.
    for more, says in ([], "ends at version 6"), ([17], "has .* as that version"), ([18], "has .* as that version"):
        append(PatchLog.open(tmp_path / "log"), tmp_path, *more)
        with pytest.raises(Exception, match=f"the checkpoint is at version 7 of the patch log .*{says}: its history was"):
            stream(spark, tmp_path, "out")
    assert added(spark.read.parquet(str(tmp_path / "out"))) == [(number, f'"{number}"') for number in range(1, 8)]


def test_a_stream_that_starts_beyond_the_head_waits_for_its_version(
    spark: SparkSession, tmp_path: Path, log: PatchLog
) -> None:
    assert stream(spark, tmp_path, "out", startingVersion=9) == [0]
    append(log, tmp_path, 8)
    assert stream(spark, tmp_path, "out", startingVersion=9) == []
    append(log, tmp_path, 9, 10)
    assert stream(spark, tmp_path, "out", startingVersion=9) == [2]
    assert added(spark.read.parquet(str(tmp_path / "out"))) == [(9, '"9"'), (10, '"10"')]


def damage(folder: Path) -> None:
    damaged = folder / "log" / "00000000000000000004.jellyp"
    damaged.write_bytes(damaged.read_bytes()[:-2])


def test_a_poison_patch_stops_the_read_or_goes_into_quarantine(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    damage(tmp_path)
    with pytest.raises(jellybridge.PatchFormatError, match="00000000000000000004.jellyp"):
        read(spark, tmp_path).collect()
    aside = tmp_path / "aside"
    rows = read(spark, tmp_path, onError="quarantine", quarantinePath=str(aside), patchesPerPartition=2)
    assert [version for version, _ in added(rows)] == [1, 2, 3, 5, 6, 7]
    assert "P-125" in (aside / "4.reason.txt").read_text()


def test_the_quarantine_goes_by_the_settings_of_hadoop_in_spark(spark: SparkSession, tmp_path: Path, log: PatchLog) -> None:
    damage(tmp_path)
    settings = spark.sparkContext._jsc.sc().conf()  # type: ignore[attr-defined]
    mount = "spark.hadoop.fs.viewfs.mounttable.jellybridge.link./aside"
    settings.set(mount, (tmp_path / "aside").as_uri())
    try:
        assert len(added(read(spark, tmp_path, onError="quarantine", quarantinePath="viewfs://jellybridge/aside"))) == 6
    finally:
        settings.remove(mount)
    assert "P-125" in (tmp_path / "aside" / "4.reason.txt").read_text()


@pytest.mark.parametrize("options", [
    {"maxPatches": 3}, {"maxPatchesPerTrigger": 0}, {"startingVersion": "first"}, {"onError": "ignore"},
    {"onError": "quarantine"}, {"startingVersion": "latest"},
])
def test_a_wrong_option_is_refused_by_name(
    spark: SparkSession, tmp_path: Path, log: PatchLog, options: Any
) -> None:
    with pytest.raises(Exception, match=f"option.* '?{next(iter(options))}"):
        read(spark, tmp_path, **options).collect()
