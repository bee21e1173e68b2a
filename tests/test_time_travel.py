"""A log as a dataset with versions: the format ``rdf-dataset``, the catalog, and what changed."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path
from typing import Any, Iterator, List, Optional, Set, Tuple

import pyspark
import pytest
from log_histories import History, Quad, checkpoint, moment, quads, state
from pyspark.sql import DataFrame, SparkSession

import jellybridge
from jellybridge import QUADS_SCHEMA, ChangeRow, PatchLog

pytestmark = pytest.mark.settings

RELEASES = ("9.0", "13.0", "22.0", "24.0", "26.0", "27.0", "28.0", "28.1")
HAS_CHANGES = tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 2)
CATALOG = "io.jellybridge.spark.catalog.JellyCatalog"


@pytest.fixture(autouse=True)
def catalog(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.catalog.kg", CATALOG)
    yield


def read(spark: SparkSession, folder: Path, **options: Any) -> DataFrame:
    return spark.read.format("rdf-dataset").options(**options).load(str(folder))


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.full("long")), 2])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> History:
    """A history; the second has a checkpoint, the third two, and one of nothing."""
    history = History(tmp_path_factory.mktemp("history"), 10 + request.param)
    for version in ((), (4,), (3, 6))[request.param]:
        history.log.checkpoint(version, progress=False)
    return history


# --- states


def test_the_state_at_each_version_is_that_of_the_model(spark: SparkSession, made: History) -> None:
    for version, expected in enumerate(made.states):
        assert state(read(spark, made.folder, versionAsOf=version)) == expected, version
    assert state(read(spark, made.folder)) == made.states[-1]


def test_an_id_is_a_version_too(spark: SparkSession, made: History) -> None:
    for entry in made.log.entries(3, 5):
        for options in ({"idAsOf": entry.id}, {"versionAsOf": entry.id}, {"idAsOf": f"urn:uuid:{entry.id}"}):
            assert state(read(spark, made.folder, **options)) == made.states[entry.version]
        assert state(made.log.as_of(spark, id=entry.id)) == made.states[entry.version]


def test_a_time_is_the_last_version_by_then_though_clocks_go_back(spark: SparkSession, made: History) -> None:
    for minute in range(11):
        version = made.version_at(minute)
        if version is not None:
            # Without a zone, it is in UTC, whatever the session's is.
            at = datetime.datetime(2026, 1, 1, 0, minute)
            assert state(made.log.as_of(spark, time=at)) == made.states[version]
        if version is None:
            with pytest.raises(Exception, match="ask for that time or later, or for a version"):
                read(spark, made.folder, timestampAsOf=moment(minute)).collect()
            continue
        assert state(read(spark, made.folder, timestampAsOf=moment(minute))) == made.states[version]
    for late in (datetime.datetime(2027, 1, 1), "2027-01-01T00:00:00+02:00"):
        assert state(made.log.as_of(spark, time=late)) == made.states[-1]
    with pytest.raises(ValueError, match="must be a time such as"):
        made.log.as_of(spark, time="soon")


def test_filters_and_columns_give_what_they_give_of_the_whole_state(spark: SparkSession, made: History) -> None:
    whole = spark.createDataFrame(sorted(made.states[-1], key=str), QUADS_SCHEMA)
    frame = made.log.as_of(spark)
    conditions = (
        "graph = '<urn:g>'", "graph IS NULL", "graph <=> null AND subject = '_:b0'", "object LIKE '\"chat%'",
        "object IN ('\"o\"', '\"say \\\\\"hi\\\\\"\\\\\\\\ \\\\n\"')", "NOT (graph = '<urn:g>' OR predicate <> '<urn:p>')",
        "length(object) > 5", "object > '<' AND subject < '_'", "contains(object, '🙂') OR endswith(object, '>')",
    )
    # One query for all: which conditions each quad meets.
    met = whole.selectExpr("*", *conditions).collect()
    for n, condition in enumerate(conditions):
        expected = {tuple(row[:4]) for row in met if row[4 + n]}
        assert state(frame.where(condition)) == expected, condition
        assert frame.where(condition).count() == len(expected), condition
    assert frame.count() == len(made.states[-1])
    assert sorted(frame.select("object").collect()) == sorted(whole.select("object").collect())
    joined = frame.alias("a").join(frame.alias("b"), "subject").groupBy("subject").count()
    assert sorted(joined.collect()) == sorted(
        whole.alias("a").join(whole.alias("b"), "subject").groupBy("subject").count().collect())


def test_what_is_planned_is_not_run_and_says_what_it_reads(
    spark: SparkSession, made: History, capsys: pytest.CaptureFixture[str]
) -> None:
    spark.sparkContext.setJobGroup("planning", "no job is to come of it")
    try:
        made.log.as_of(spark, version=5).where("graph IS NULL").select("object").explain(True)
        assert list(spark.sparkContext.statusTracker().getJobIdsForGroup("planning")) == []
        said = f"Scan rdf-dataset {made.folder} version 5 [object#"
        assert said in capsys.readouterr().out
    finally:
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]


def test_a_table_keeps_its_version_while_the_log_grows(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 77, versions=4)
    frame = made.log.as_of(spark)
    jellybridge.write_patch(tmp_path / "more.jellyp", [
        jellybridge.ChangeRow(op="A", subject="<urn:new>", predicate="<urn:p>", object="<urn:o>")])
    made.log.append(tmp_path / "more.jellyp")
    assert state(frame) == made.states[-1]
    assert state(made.log.as_of(spark)) == made.states[-1] | {("<urn:new>", "<urn:p>", "<urn:o>", None)}


def test_a_version_that_went_since_it_was_planned_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 78, versions=3, apart=True)
    planned = [made.log.as_of(spark), made.log.as_of(spark, version=2)]
    if HAS_CHANGES:
        planned.append(spark.sql(f"SELECT * FROM kg.`{made.folder}` CHANGES FROM VERSION 1 TO VERSION 3"))
    (made.folder / f"{3:020}.jellyp").unlink()  # as in an older copy
    for frame in planned[::2]:
        with pytest.raises(Exception, match="has no version 3; its head is version 2"):
            frame.collect()
    assert state(planned[1]) == made.states[2]


# --- checkpoints


def test_patches_before_a_checkpoint_are_not_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "odd [name]*").mkdir()
    made = History(tmp_path / "odd [name]*", 5, apart=True)
    made.log.checkpoint(5, progress=False)
    for version in range(2, 6):
        (made.folder / f"{version:020}.jellyp").write_bytes(b"damaged")
    for version in range(6, 10):
        assert state(read(spark, made.folder, versionAsOf=version)) == made.states[version]
    with pytest.raises(Exception, match="00000000000000000002.jellyp"):
        read(spark, made.folder, versionAsOf=4).collect()


def test_a_checkpoint_of_another_log_or_history_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = History(tmp_path / "a", 1), History(tmp_path / "b", 2)
    other.log.checkpoint(3, progress=False)
    shutil.copytree(other.folder / "checkpoints", one.folder / "checkpoints")
    with pytest.raises(Exception, match="is a checkpoint of the patch log .* remove this checkpoint"):
        read(spark, one.folder, versionAsOf=4).collect()
    shutil.rmtree(one.folder / "checkpoints")
    one.log.checkpoint(3, progress=False)
    described = one.folder / "checkpoints" / f"{3:020}" / "checkpoint.json"
    [entry] = one.log.entries(4, 4)
    [right] = one.log.entries(3, 3)
    described.write_text(described.read_text().replace(str(right.id), str(entry.id)))
    with pytest.raises(Exception, match="one of the two was replaced"):
        read(spark, one.folder, versionAsOf=4).collect()
    described.write_text("{")
    with pytest.raises(Exception, match="checkpoint.json can't be read"):
        read(spark, one.folder, versionAsOf=4).collect()
    assert state(read(spark, one.folder, versionAsOf=2)) == one.states[2]


def test_a_pruned_log_has_the_states_from_its_checkpoint_on(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 6, apart=True)
    [before, at] = made.log.entries(3, 4)
    made.log.checkpoint(4, progress=False)
    made.log.prune(before=5)
    for version in range(4, 10):
        assert state(read(spark, made.folder, versionAsOf=version)) == made.states[version]
    assert state(read(spark, made.folder, idAsOf=at.id)) == made.states[4]
    with pytest.raises(Exception, match=f"has no patch {before.id}|does not have version 3 any more"):
        read(spark, made.folder, idAsOf=before.id).collect()
    with pytest.raises(Exception, match="does not have version 3 any more: its patches begin with version 5"):
        read(spark, made.folder, versionAsOf=3).collect()
    if HAS_CHANGES:
        log = f"kg.`{made.folder}`"
        assert changed(spark.sql(f"SELECT * FROM {log} CHANGES FROM VERSION 5")) == made.changes(5, 9)
        with pytest.raises(Exception, match="does not have version 3 any more"):
            spark.sql(f"SELECT * FROM {log} CHANGES FROM VERSION 4").collect()


# --- what is refused


@pytest.mark.parametrize("options, says", [
    ({"versionAsOf": 10}, "has no version 10; its head is version 9"),
    ({"versionAsOf": -1}, "has no version -1"),
    ({"versionAsOf": "nine"}, "'nine' is no version; it must be a number, or the UUID of a patch"),
    ({"idAsOf": "00000000-0000-4000-8000-000000000000"}, "has no patch 00000000-0000"),
    ({"timestampAsOf": "yesterday-ish"}, "option 'timestampAsOf' of rdf-dataset is 'yesterday-ish'"),
    ({"versionAsOf": 1, "idAsOf": "x"}, "each say which version is meant"),
    ({"versionAsOff": 1}, "unknown option 'versionAsOff' .* did you mean 'versionAsOf'"),
    ({"user": "me"}, "has no options"),
])
def test_what_the_log_does_not_have_is_refused(spark: SparkSession, made: History, options: Any, says: str) -> None:
    with pytest.raises(Exception, match=says):
        read(spark, made.folder, **options).collect()


def test_a_folder_that_is_no_log_is_said_to_be_none(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="is no patch log"):
        read(spark, tmp_path / "nothing")
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        spark.sql(f"SELECT * FROM kg.`{tmp_path / 'nothing'}`")


def test_as_of_takes_one_of_its_arguments(spark: SparkSession, made: History) -> None:
    with pytest.raises(ValueError, match="one of version, id and time"):
        made.log.as_of(spark, version=1, id="x")


# --- SQL


def test_sql_reads_versions_and_times(spark: SparkSession, made: History) -> None:
    log = f"kg.`{made.folder}`"
    assert state(spark.sql(f"SELECT * FROM {log}")) == made.states[-1]
    assert state(spark.sql(f"SELECT * FROM {log} VERSION AS OF 4")) == made.states[4]
    [entry] = made.log.entries(2, 2)
    assert state(spark.sql(f"SELECT * FROM {log} VERSION AS OF '{entry.id}'")) == made.states[2]
    version = made.version_at(7)
    assert version is not None
    asked = spark.sql(f"SELECT * FROM {log} TIMESTAMP AS OF '{moment(7)}' WHERE graph IS NULL")
    assert state(asked) == {quad for quad in made.states[version] if quad[3] is None}
    gone = spark.sql(f"SELECT * FROM {log} VERSION AS OF 3 EXCEPT SELECT * FROM {log}")
    assert state(gone) == made.states[3] - made.states[-1]
    with pytest.raises(Exception, match="has no version 99"):
        spark.sql(f"SELECT * FROM {log} VERSION AS OF 99").collect()
    assert state(spark.read.option("versionAsOf", entry.id).table(log)) == made.states[2]
    for option, says in (("idAsOf", "where versionAsOf takes an id too"), ("versionAsOff", "did you mean 'versionAsOf'")):
        with pytest.raises(Exception, match=f"unknown option '{option}' of .*{says}"):
            spark.read.option(option, entry.id).table(log).collect()


def test_the_catalog_has_functions_beside_logs_and_takes_no_tables(spark: SparkSession, made: History) -> None:
    [row] = spark.sql("SELECT kg.rdf_kind('<urn:s>') AS kind").collect()
    assert row.kind == "iri"
    assert spark.sql("SHOW TABLES IN kg").collect() == []
    with pytest.raises(Exception):
        spark.sql("CREATE TABLE kg.t (subject STRING)")
    with pytest.raises(Exception, match="not dropped from here"):
        spark.sql(f"DROP TABLE kg.`{made.folder}`")
    assert state(spark.sql(f"SELECT * FROM kg.`{made.folder}`")) == made.states[-1]


# --- what changed

Changed = Set[Tuple[Quad, str, int]]


def changed(frame: DataFrame) -> Changed:
    rows = frame.collect()
    found = {((row.subject, row.predicate, row.object, row.graph), row._change_type, row._commit_version) for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_changes_of_a_range_are_those_of_the_model(spark: SparkSession, made: History) -> None:
    log = f"kg.`{made.folder}`"
    for first, last in ((1, 9), (3, 7), (5, 5)):
        asked = f"SELECT * FROM {log} CHANGES FROM VERSION {first} TO VERSION {last}"
        assert changed(spark.sql(asked)) == made.changes(first, last), (first, last)
        assert changed(spark.sql(f"{asked} WITH (deduplicationMode = 'none')")) == made.changes(first, last)
        net = changed(spark.sql(f"{asked} WITH (deduplicationMode = 'netChanges')"))
        assert {(quad, kind) for quad, kind, _ in net} == made.net(first, last)
        assert net <= made.changes(first, last)
        old, new = (made.log.as_of(spark, version=version) for version in (first - 1, last))
        operations = jellybridge.diff(old, new).where("op in ('A', 'D')").collect()
        assert {(quad, {"insert": "A", "delete": "D"}[kind]) for quad, kind in made.net(first, last)} == {
            ((row.subject, row.predicate, row.object, row.graph), row.op) for row in operations}
    exclusive = f"SELECT * FROM {log} CHANGES FROM VERSION 3 EXCLUSIVE TO VERSION 7 EXCLUSIVE"
    assert changed(spark.sql(exclusive)) == made.changes(4, 6)
    assert changed(spark.sql(f"SELECT * FROM {log} CHANGES FROM VERSION 6")) == made.changes(6, 9)
    with pytest.raises(Exception, match="unknown option 'endingVersoin' of .*did you mean 'endingVersion'"):
        spark.read.option("startingVersion", 1).option("endingVersoin", 3).changes(log).collect()
    some = spark.sql(f"SELECT * FROM {log} CHANGES FROM VERSION 1 WHERE graph IS NULL AND _change_type = 'delete'")
    assert changed(some) == {change for change in made.changes(1, 9) if change[0][3] is None and change[1] == "delete"}


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_changes_of_times_are_those_of_the_versions_by_then(spark: SparkSession, made: History) -> None:
    reader = spark.read.option("startingTimestamp", moment(4)).option("endingTimestamp", moment(8))
    before, last = made.version_at(3), made.version_at(8)
    assert last is not None
    found = reader.changes(f"kg.`{made.folder}`")
    assert changed(found) == made.changes((before or 0) + 1, last)
    for row in found.select("_commit_version", "_commit_timestamp").distinct().collect():
        minute = (row._commit_timestamp.timestamp() - 1767225600) / 60
        assert 4 <= minute <= 8 and row._commit_version <= (made.version_at(int(minute)) or 0)


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_changes_are_streamed_as_patches_say_them(spark: SparkSession, made: History, tmp_path: Path) -> None:
    def run() -> Set[int]:
        batches: Set[int] = set()

        def take(rows: DataFrame, number: int) -> None:
            rows.write.mode("append").parquet(str(tmp_path / "out"))
            batches.add(number)

        source = spark.readStream.option("startingVersion", 3).option("maxPatchesPerTrigger", 2)
        source.changes(f"kg.`{made.folder}`").writeStream.foreachBatch(take).option(
            "checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start().awaitTermination()
        return batches

    assert len(run()) == 4 and run() == set()
    said: List[Tuple[int, str, Quad]] = [
        (version, {"A": "insert", "D": "delete"}[op], quad)
        for version, operations in enumerate(made.said) for op, quad in operations if version >= 3
    ]
    rows = spark.read.parquet(str(tmp_path / "out")).collect()
    found = [(row._commit_version, row._change_type, (row.subject, row.predicate, row.object, row.graph)) for row in rows]
    assert sorted(found, key=str) == sorted(said, key=str)
    times: dict[int, Optional[datetime.datetime]] = {row._commit_version: row._commit_timestamp for row in rows}
    for version, time in times.items():
        minute = made.minutes[version]
        assert (time and time.timestamp()) == (None if minute is None else 1767225600 + 60 * minute)


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_a_stream_of_changes_goes_on_though_its_first_version_was_pruned(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 6, versions=5, apart=True)
    [third] = made.log.entries(3, 3)

    def run(start: Any, checkpoint: str) -> Set[int]:
        versions: Set[int] = set()
        spark.readStream.option("startingVersion", start).changes(f"kg.`{made.folder}`").writeStream.foreachBatch(
            lambda rows, _: versions.update(row._commit_version for row in rows.collect())).option(
            "checkpointLocation", str(tmp_path / checkpoint)).trigger(availableNow=True).start().awaitTermination()
        return versions

    for start, checkpoint in ((3, "by number"), (third.id, "by id")):
        assert run(start, checkpoint) == {version for version in (3, 4, 5) if made.said[version]}
    made.log.checkpoint(4, progress=False)
    made.log.prune(before=5)
    jellybridge.write_patch(tmp_path / "next.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"next"')])
    made.log.append(tmp_path / "next.jellyp")
    (made.folder / ".index").unlink()  # it knows the ids of pruned patches
    for start, checkpoint in ((3, "by number"), (third.id, "by id")):
        assert run(start, checkpoint) == {6}
    with pytest.raises(Exception, match="version 3 is no patch that a stream could say, the first one is version 5"):
        run(3, "anew")
    with pytest.raises(Exception, match=f"has no patch {third.id}"):
        run(third.id, "anew by id")


@pytest.mark.skipif(not HAS_CHANGES, reason="Spark has CHANGES since 4.2")
def test_net_changes_without_an_end_are_refused(spark: SparkSession, made: History, tmp_path: Path) -> None:
    source = spark.readStream.option("startingVersion", 3).option("deduplicationMode", "netChanges")
    with pytest.raises(Exception, match="net changes are those of a range that has an end"):
        source.changes(f"kg.`{made.folder}`").writeStream.format("noop").option(
            "checkpointLocation", str(tmp_path / "checkpoint")).start().awaitTermination()


# --- real releases


@pytest.fixture(scope="module")
def releases(shared_dir: Path) -> List[Path]:
    folder = shared_dir / "data" / "schemaorg"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return [folder / f"{name}.nt.gz" for name in RELEASES]


@pytest.mark.full("long")
def test_each_release_is_the_state_at_its_version(
    spark: SparkSession, releases: List[Path], tmp_path: Path
) -> None:
    frames = [spark.read.format("nquads").load(str(file)) for file in releases]
    with PatchLog.create(tmp_path / "log") as log:
        before = spark.createDataFrame([], QUADS_SCHEMA)
        for number, frame in enumerate(frames):
            changes = jellybridge.diff(before, frame)
            changes.write.format("rdf-patch-log").mode("append").save(str(tmp_path / "log"))
            before = frame
            if number == 4:
                checkpoint(spark, tmp_path / "log", 5, set(quads(frame)))
        for version, frame in enumerate(frames, 1):
            found = log.as_of(spark, version=version)
            assert jellybridge.diff(found, frame).where("op in ('A', 'D')").count() == 0, version
            assert found.count() == frame.distinct().count()
        if HAS_CHANGES:
            net = spark.sql(f"SELECT * FROM kg.`{tmp_path / 'log'}` CHANGES FROM VERSION 3 TO VERSION 7 "
                            "WITH (deduplicationMode = 'netChanges')")
            expected = jellybridge.diff(frames[1], frames[6]).where("op in ('A', 'D')")
            assert {(quad, kind) for quad, kind, _ in changed(net)} == {
                ((row.subject, row.predicate, row.object, row.graph), {"A": "insert", "D": "delete"}[row.op])
                for row in expected.collect()}
