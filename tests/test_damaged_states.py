"""A state of a log is read whole or not at all; so are the versions that a read begins with."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Set

import pyspark
import pytest
from conftest import spark_settings
from log_histories import Quad, quads, state
from pyspark.errors import IllegalArgumentException
from pyspark.sql import DataFrame, SparkSession

import jellybridge
from jellybridge import QUADS_SCHEMA, ChangeRow, Dataset, PatchLog, write_patch

pytestmark = pytest.mark.settings

HAS_CHANGES = tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 2)
STATE: Set[Quad] = {(f"<urn:s{number}>", "<urn:p>", f'"{number}"', None) for number in range(40)}
NEW: Quad = ("<urn:new>", "<urn:p>", '"o"', None)


@pytest.fixture(autouse=True)
def session(spark: SparkSession) -> Iterator[None]:
    """A session that ignores damaged and missing files, and three tasks."""
    settings = {"spark.sql.catalog.kg": "io.jellybridge.spark.catalog.JellyCatalog", "spark.sql.shuffle.partitions": "3",
                "spark.sql.adaptive.coalescePartitions.enabled": "false",
                "spark.sql.files.ignoreCorruptFiles": "true", "spark.sql.files.ignoreMissingFiles": "true"}
    with spark_settings(spark, settings):
        yield


def append(log: PatchLog, folder: Path, *new: Quad) -> None:
    write_patch(folder / "one.jellyp", [
        ChangeRow(op="TX"), *(ChangeRow(op="A", subject=s, predicate=p, object=o, graph=g) for s, p, o, g in new),
        ChangeRow(op="TC")])
    log.append(folder / "one.jellyp")


@pytest.fixture
def begun(spark: SparkSession, tmp_path: Path) -> Path:
    """A log that begins with a state of three files, and has one patch."""
    with PatchLog.create(tmp_path / "log", state=spark.createDataFrame(sorted(STATE, key=str), QUADS_SCHEMA)) as log:
        append(log, tmp_path, NEW)
    return tmp_path / "log"


@pytest.fixture
def pruned(tmp_path: Path) -> Path:
    """A log of eight patches, of which the first six are a checkpoint alone."""
    with PatchLog.create(tmp_path / "pruned") as log:
        for number in range(1, 9):
            append(log, tmp_path, (f"<urn:s{number}>", "<urn:p>", '"o"', None))
        log.checkpoint(6, progress=False)
        log.prune(before=7)
    return tmp_path / "pruned"


def part(folder: Path, number: int = 1) -> Path:
    return folder / "checkpoints" / f"{1:020}" / f"part-{number:05}.jelly"


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def other(file: Path) -> None:
    """Another one that is as good a file."""
    shutil.copyfile(file.with_name("part-00000.jelly"), file)


def flipped(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-4] ^= 1
    file.write_bytes(content)


def additional(file: Path) -> None:
    shutil.copyfile(file, file.with_name("part-00003.jelly"))


def described_otherwise(file: Path) -> None:
    """By the description of another state of this version."""
    description = file.with_name("checkpoint.json")
    with PatchLog.create(file.parents[3] / "other", state=file) as log:
        text = (file.parents[3] / "other" / "checkpoints" / f"{1:020}" / "checkpoint.json").read_text()
        with PatchLog.open(file.parents[2]) as ours:
            head = next(ours.entries())
            assert log.head.id is not None and head.prev is not None
            mine = description.read_text().split('"log":"')[1].split('"')[0]
            theirs = text.split('"log":"')[1].split('"')[0]
            description.write_text(text.replace(log.head.id, head.prev).replace(theirs, mine))


DAMAGES: List[Callable[[Path], None]] = [Path.unlink, cut, flipped, described_otherwise]
MORE_DAMAGES: List[Callable[[Path], None]] = [empty, other, additional]


@pytest.mark.parametrize("damage", [*DAMAGES, *(pytest.param(damage, marks=pytest.mark.full("files")) for damage in MORE_DAMAGES)],
                         ids=lambda damage: damage.__name__)
def test_a_state_whose_files_are_others_is_refused_at_every_door(
    spark: SparkSession, begun: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    with PatchLog.open(begun) as log, Dataset.open("mem:") as dataset:
        assert state(log.as_of(spark)) == STATE | {NEW} and log.verify(progress=False).ok
        planned = log.as_of(spark, version=1)
        damage(part(begun))
        doors: List[Callable[[], Any]] = [
            lambda: log.as_of(spark).collect(), lambda: log.as_of(spark, version=1).collect(),
            lambda: log.as_of(spark).count(), lambda: log.as_of(spark, version=1).where("subject = '<urn:s1>'").collect(),
            planned.collect, lambda: log.history(spark, subject="<urn:s1>").collect(),
            lambda: spark.read.format("rdf-dataset").option("versionAsOf", 1).load(str(begun)).select("subject").collect(),
            lambda: spark.sql(f"SELECT count(*) FROM kg.`{begun}` VERSION AS OF 1").collect(),
            lambda: spark.read.format("rdf-patch-log").option("startingVersion", "state").load(str(begun)).collect(),
            lambda: log.state(tmp_path / "state.nq", progress=False), lambda: dataset.sync(begun),
        ]
        if HAS_CHANGES:
            doors.append(lambda: spark.sql(f"SELECT * FROM kg.`{begun}` CHANGES FROM VERSION 1").collect())
        for door in doors:
            with pytest.raises(Exception, match="make the checkpoint anew"):
                door()
        assert len(dataset) == 0
        kinds = {fault.kind for fault in log.verify(progress=False).faults}
        assert "DAMAGED" in kinds and kinds <= {"DAMAGED", "FORK"}  # the patches don't follow another state
        assert state(log.as_of(spark, version=0)) == set()


def test_what_lies_beside_the_files_of_a_state_is_no_matter(spark: SparkSession, begun: Path) -> None:
    for name in (".part-00000.jelly.crc", "_SUCCESS", "notes.jelly", "part-00000.jelly.bak"):
        part(begun).with_name(name).write_bytes(b"other")
    with PatchLog.open(begun) as log:
        assert state(log.as_of(spark)) == STATE | {NEW} and log.verify(progress=False).ok


def test_filters_and_columns_of_a_state_are_those_of_its_rows(spark: SparkSession, begun: Path) -> None:
    with PatchLog.open(begun) as log:
        frame = log.as_of(spark, version=1)
        assert frame.where("graph IS NULL AND predicate = '<urn:p>'").count() == len(STATE)
        assert frame.where("predicate <> '<urn:p>'").count() == frame.where("graph = '<urn:g>'").count() == 0
        assert {row.object for row in frame.select("object").where("subject LIKE '%s3%'").collect()} == {
            quad[2] for quad in STATE if "s3" in quad[0]}
        assert len(frame.limit(5).collect()) == 5


# --- where a read begins


def streamed(spark: SparkSession, folder: Path, **options: Any) -> List[Quad]:
    """What a stream adds, by its order."""
    rows: Dict[Any, Quad] = {}

    def take(batch: DataFrame, number: int) -> None:
        rows.update({(row.patch, row.row): (row.subject, row.predicate, row.object, row.graph)
                     for row in batch.where("op = 'A'").collect()})

    reader = spark.readStream.format("rdf-patch-log").options(**options).load(str(folder))
    reader.writeStream.foreachBatch(take).option("checkpointLocation", str(folder.parent / "checkpoint")).trigger(
        availableNow=True).start().awaitTermination()
    return [rows[place] for place in sorted(rows)]


@pytest.mark.parametrize("options", [{}, {"startingVersion": 1}, {"startingVersion": 4}, {"startingVersion": 6}], ids=str)
def test_versions_that_were_pruned_are_not_passed_over(
    spark: SparkSession, pruned: Path, options: Dict[str, Any]
) -> None:
    missing = "version 6" if options.get("startingVersion") == 6 else f"the versions {options.get('startingVersion', 1)} to 6"
    says = f"no patch of {missing}: its patches begin with version 7"
    with pytest.raises(Exception, match=f"{says}.*startingVersion=7.*startingVersion=state"):
        streamed(spark, pruned, **options)
    with pytest.raises(IllegalArgumentException, match=says):
        spark.read.format("rdf-patch-log").options(**options).load(str(pruned)).count()
    for start in ("earliest", 7):
        assert [quad[0] for quad in streamed(spark, pruned, startingVersion=start)] in (["<urn:s7>", "<urn:s8>"], [])
        found = spark.read.format("rdf-patch-log").option("startingVersion", start).load(str(pruned))
        assert found.where("op = 'A'").count() == 2


def test_a_stream_whose_next_version_was_pruned_stops(spark: SparkSession, pruned: Path, tmp_path: Path) -> None:
    assert len(streamed(spark, pruned, startingVersion=8)) == 1
    with PatchLog.open(pruned) as log:
        for number in (9, 10, 11):
            append(log, tmp_path, (f"<urn:s{number}>", "<urn:p>", '"o"', None))
        log.checkpoint(10, progress=False)
        log.prune(before=11)
    advice = "a stream needs a new checkpoint: begin it with an empty target and startingVersion=state, or with startingVersion=11"
    with pytest.raises(Exception, match=f"has no patch of the versions 9 to 10: its patches.*{advice}"):
        streamed(spark, pruned, startingVersion=8)


def test_a_log_that_begins_with_a_state_is_read_with_it_or_by_an_option(spark: SparkSession, begun: Path) -> None:
    says = "no patch of version 1: its patches begin with version 2"
    with pytest.raises(Exception, match=says):
        streamed(spark, begun)
    with pytest.raises(IllegalArgumentException, match=says):
        spark.read.format("rdf-patch-log").load(str(begun)).count()
    assert spark.read.format("rdf-patch-log").option("startingVersion", "earliest").load(str(begun)).where(
        "op = 'A'").count() == 1


@pytest.mark.parametrize("size", [None, 1])
def test_the_state_comes_first_as_a_patch_that_the_next_one_follows(
    spark: SparkSession, begun: Path, tmp_path: Path, size: Any
) -> None:
    options = {"startingVersion": "state", **({} if size is None else {"maxPatchesPerTrigger": size})}
    assert set(streamed(spark, begun, **options)) == STATE | {NEW}
    assert streamed(spark, begun, **options) == []
    with PatchLog.open(begun) as log:
        append(log, tmp_path, ("<urn:newer>", "<urn:p>", '"o"', None))
        assert [quad[0] for quad in streamed(spark, begun, **options)] == ["<urn:newer>"]
        [second, third] = log.entries()
    rows = spark.read.format("rdf-patch-log").option("startingVersion", "state").load(str(begun))
    heads = {(row.patch, row.name): row.value for row in rows.where("op = 'H'").collect()}
    assert heads[1, "id"] == heads[2, "prev"] and (1, "prev") not in heads and (1, "time") in heads
    assert rows.where("patch = 1").groupBy().agg({"row": "max"}).collect()[0][0] == len(STATE) + 3
    assert jellybridge.apply_changes(spark.createDataFrame([], QUADS_SCHEMA), rows).count() == len(STATE) + 2
    until = spark.read.format("rdf-patch-log").options(startingVersion="state", endingVersion=1).load(str(begun))
    assert set(quads(until.where("op = 'A'"))) == STATE


def fill(spark: SparkSession, log: Path, store: str) -> None:
    """Runs a stream of the sink that begins with the state of a log."""
    spark.readStream.format("rdf-patch-log").option("startingVersion", "state").load(str(log)).writeStream.format(
        "jena").option("target", store).option("checkpointLocation", str(log.parent / "sink")).trigger(
        availableNow=True).start().awaitTermination()


def test_the_state_of_a_pruned_log_fills_a_dataset_by_the_sink(spark: SparkSession, pruned: Path, tmp_path: Path) -> None:
    store = f"tdb2:{tmp_path / 'store'}"
    fill(spark, pruned, store)
    with Dataset.open(store) as dataset:
        assert len(dataset) == 8


@pytest.mark.parametrize("is_pruned", [False, True])
def test_a_first_batch_that_failed_has_the_same_state_in_the_next_run_or_stops(
    spark: SparkSession, pruned: Path, tmp_path: Path, is_pruned: bool
) -> None:
    store = f"tdb2:{tmp_path / 'store'}"
    with Dataset.open(store):
        with pytest.raises(Exception, match="open in this process already"):
            fill(spark, pruned, store)
    with PatchLog.open(pruned) as log:
        for number in (9, 10):
            append(log, tmp_path, (f"<urn:s{number}>", "<urn:p>", '"o"', None))
        log.checkpoint(9, progress=False)
        if is_pruned:
            log.prune(before=10)
    if is_pruned:
        with pytest.raises(Exception, match="no patch of the versions 7 to 8"):
            fill(spark, pruned, store)
    else:
        fill(spark, pruned, store)
    with Dataset.open(store) as dataset:
        assert len(dataset) == (0 if is_pruned else 10)


def test_without_a_checkpoint_the_state_is_what_was_before_the_first_patch(spark: SparkSession, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        append(log, tmp_path, NEW)
    assert streamed(spark, tmp_path / "log", startingVersion="state") == [NEW]


def test_a_stream_has_no_end(spark: SparkSession, begun: Path) -> None:
    with pytest.raises(Exception, match="option 'endingVersion' is for batch reads"):
        streamed(spark, begun, startingVersion=2, endingVersion=2)
    if HAS_CHANGES:
        reader = spark.readStream.option("startingVersion", 2).option("endingVersion", 2)
        with pytest.raises(Exception, match="no end|ending"):
            reader.changes(f"kg.`{begun}`").writeStream.format("noop").option(
                "checkpointLocation", str(begun.parent / "c")).trigger(availableNow=True).start().awaitTermination()


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_changes_from_a_time_before_what_is_known_are_not_passed_over(
    spark: SparkSession, begun: Path, pruned: Path
) -> None:
    long_ago = spark.read.option("startingTimestamp", "2001-01-01 00:00:00")
    assert long_ago.changes(f"kg.`{begun}`").where("_commit_version = 1").count() == len(STATE)
    with pytest.raises(Exception, match="does not have version 0 any more: .* ask for version 6 or a later one"):
        long_ago.changes(f"kg.`{pruned}`").collect()
