"""Spark shows what we do: names of functions, examples, sizes of scans, metrics and descriptions of jobs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, Dict, List

import pyspark
import pytest
from conftest import spark_settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import ChangeRow, PatchLog, write_patch
from jellybridge.functions import __all__ as FUNCTIONS
from jellybridge.functions import rdf_value

CATALOG = "io.jellybridge.spark.catalog.JellyCatalog"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with three versions, and a checkpoint of the second."""
    place = tmp_path_factory.mktemp("ui")
    with PatchLog.create(place / "log") as log:
        for number in (1, 2, 3):
            write_patch(place / "one.jellyp", [
                ChangeRow(op="H", name="time", value=f'"2026-01-0{number}T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'),
                ChangeRow(op="TX"), ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"'),
                *([ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object='"1"')] if number == 3 else []),
                ChangeRow(op="TC"), ChangeRow(op="TX"),
                ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"aborted"'), ChangeRow(op="TA"),
            ])
            log.append(place / "one.jellyp")
        log.checkpoint(2, progress=False)
    return place


# --- functions


@pytest.mark.parametrize("name", [name for name in FUNCTIONS])
def test_a_function_is_described_with_an_example_that_runs(spark: SparkSession, name: str) -> None:
    said = "\n".join(row[0] for row in spark.sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect())
    assert f"Usage: {name}(" in said
    example = re.search(r"> SELECT (.*);\n +(.*)\n", said)
    assert example is not None and name in example[1]
    found = spark.sql(f"SELECT CAST({example[1]} AS STRING)").first()
    assert found is not None and found[0] == example[2]


def test_plans_and_columns_have_the_names_of_functions(spark: SparkSession) -> None:
    terms = spark.createDataFrame([("<urn:s>",)], "term STRING")
    plan = plan_of(terms.select(rdf_value("term").alias("value")).where("value <> 'x'"))
    assert "rdf_value(term#" in plan and "applyfunction" not in plan.lower()
    terms.createOrReplaceTempView("terms")
    assert spark.sql("SELECT rdf_value(term), upper(rdf_kind(term)) FROM terms").columns == ["rdf_value(term)", "upper(rdf_kind(term))"]


def plan_of(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().toString())


# --- sizes


def test_a_small_log_is_broadcast_in_a_join(spark: SparkSession, folder: Path) -> None:
    log = spark.read.format("rdf-patch-log").load(str(folder / "log"))
    assert 0 < size(log) < 100_000
    large = spark.range(1 << 30).withColumn("subject", F.concat(F.lit("<urn:"), "id", F.lit(">")))
    with spark_settings(spark, {"spark.sql.adaptive.enabled": "false", "spark.sql.autoBroadcastJoinThreshold": "10MB"}):
        assert "BroadcastHashJoin" in plan_of(large.join(log, "subject"))
    assert size(spark.read.format("rdf-patch-log").option("startingVersion", 3).load(str(folder / "log"))) < size(log)


def test_the_size_of_a_log_has_the_state_that_it_begins_with(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "state.nt").write_text("<urn:s> <urn:p> <urn:o> .\n")
    reader = spark.read.format("rdf-patch-log").option("startingVersion", "state")
    with PatchLog.create(tmp_path / "log", state=tmp_path / "state.nt", progress=False) as log:
        begun = size(reader.load(str(tmp_path / "log")))
        log.append(write(tmp_path))
        assert 100 < begun < size(reader.load(str(tmp_path / "log"))) < 100_000


@pytest.mark.skipif(tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 3), reason="Spark asks such scans from 4.3 on")
def test_a_state_says_its_size(spark: SparkSession, folder: Path) -> None:
    for version in (1, 2, 3):
        state = spark.read.format("rdf-dataset").option("versionAsOf", version).load(str(folder / "log"))
        assert 0 < size(state) < 100_000


def size(frame: DataFrame) -> int:
    return int(str(frame._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))


# --- metrics and jobs


def metrics(spark: SparkSession) -> Dict[str, str]:
    """The metrics of the newest execution that counts change rows, by their names."""
    store: Any = spark._jsparkSession.sharedState().statusStore()  # type: ignore[attr-defined]
    spark._jsc.sc().listenerBus().waitUntilEmpty()  # type: ignore[attr-defined]
    listed = store.executionsList()
    for index in reversed(range(listed.size())):
        names = listed.apply(index).metrics()
        ids = {names.apply(i).name(): names.apply(i).accumulatorId() for i in range(names.size())}
        if "change rows" in ids:
            values = store.executionMetrics(listed.apply(index).executionId())
            return {name: str(values.get(number).get()) for name, number in ids.items() if values.contains(number)}
    raise AssertionError("no execution counts change rows")


def test_scans_and_writes_count_rows_and_patches(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    count = spark.read.format("rdf-patch-log").load(str(folder / "log")).count()
    scanned = metrics(spark)
    assert (scanned["change rows"], scanned["patches"], scanned["patches set aside"]) == (str(count), "3", "0")
    with PatchLog.create(tmp_path / "written"):
        pass
    rows = spark.createDataFrame([(0, "A", "<urn:s>", "<urn:p>", "<urn:o>")],
                                 "row BIGINT, op STRING, subject STRING, predicate STRING, object STRING")
    rows.write.format("rdf-patch-log").mode("append").save(str(tmp_path / "written"))
    written = metrics(spark)
    assert (written["change rows"], written["patches"]) == ("1", "1") and "patches set aside" not in written


def test_a_scan_counts_what_it_sets_aside(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "log", tmp_path / "log")
    damaged = tmp_path / "log" / f"{2:020}.jellyp"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(content)
    read = spark.read.format("rdf-patch-log").option("onError", "quarantine").option("quarantinePath", str(tmp_path / "aside"))
    assert read.load(str(tmp_path / "log")).select("patch").distinct().count() == 2
    scanned = metrics(spark)
    assert (scanned["patches"], scanned["patches set aside"]) == ("2", "1")


def test_jobs_that_run_when_a_call_is_made_are_described(spark: SparkSession) -> None:
    old = spark.createDataFrame([("_:a", "<urn:p>", '"1"', None)], jellybridge.QUADS_SCHEMA)
    new = spark.createDataFrame([("_:b", "<urn:p>", '"2"', None)], jellybridge.QUADS_SCHEMA)
    first = jobs_of(spark)
    spark.sparkContext.setJobDescription("mine")
    jellybridge.diff(old, new, blank_nodes="structure")
    assert spark.sparkContext.getLocalProperty("spark.job.description") == "mine"
    spark.sparkContext.setLocalProperty("spark.job.description", None)  # type: ignore[arg-type]
    rows = spark.createDataFrame([(0, 0, "H", "id", "<urn:id:1>")], "patch BIGINT, row BIGINT, op STRING, name STRING, value STRING")
    with jellybridge.Dataset.open("mem:", spark=spark) as dataset:
        dataset.apply(rows, progress=False)
        dataset.sync(rows, progress=False)
        dataset.sync(rows, progress=False)  # now looks what is new
    assert {"match blank nodes", "write changes to apply", "find new changes", "write changes to sync"} <= {
        each.removeprefix("jellybridge: ") for each in described(spark, first)}


def described(spark: SparkSession, first: int) -> List[str]:
    """The descriptions of the jobs from a number on."""
    spark._jsc.sc().listenerBus().waitUntilEmpty()  # type: ignore[attr-defined]
    store = spark._jsc.sc().statusStore()  # type: ignore[attr-defined]
    found = [store.job(number).description() for number in range(first, jobs_of(spark))]
    return [str(each.get()) for each in found if each.isDefined()]


def jobs_of(spark: SparkSession) -> int:
    """The number of jobs that were started so far."""
    return int(spark._jsc.sc().dagScheduler().numTotalJobs())  # type: ignore[attr-defined]


# --- the catalog


@pytest.mark.parametrize("name", ["rdf", "jelly", "jena", "nquads", "parquet", "json"])
def test_a_catalog_is_not_called_as_a_data_source(spark: SparkSession, folder: Path, name: str) -> None:
    with spark_settings(spark, {f"spark.sql.catalog.{name}": CATALOG}):
        with pytest.raises(Exception, match=f"can't be called {name}, as a data source is"):
            spark.sql(f"SELECT * FROM {name}.`{folder}/log`")


def test_a_log_has_tables_of_versions_and_checkpoints(spark: SparkSession, folder: Path) -> None:
    spark.conf.set("spark.sql.catalog.kg", CATALOG)
    log = f"kg.`{folder}/log`"
    found = spark.sql(f"SELECT version, id, date_format(to_utc_timestamp(time, current_timezone()), 'dd'), added, deleted FROM {log}.versions").collect()
    with PatchLog.open(folder / "log") as opened:
        ids = [entry.id for entry in opened.entries()]
    assert [tuple(row) for row in found] == [(1, ids[0], "01", 1, 0), (2, ids[1], "02", 1, 0), (3, ids[2], "03", 1, 1)]
    assert spark.sql(f"SELECT count(*) FROM {log}.versions WHERE version > 1 AND added = 1").collect() == [(2,)]
    [made] = spark.sql(f"SELECT * FROM {log}.checkpoints").collect()
    assert (made.version, made.id, made.quads) == (2, ids[1], 2) and made.bytes > 0 and re.fullmatch("[0-9a-f]{64}", made.hash)
    for wrong in (f"{log}.other", f"{log}.versions VERSION AS OF 1", f"kg.`{folder}/none`.versions"):
        with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND|cannot be found"):
            spark.sql(f"SELECT * FROM {wrong}").collect()


def test_logs_of_a_folder_and_their_tables_are_shown(spark: SparkSession, folder: Path) -> None:
    spark.conf.set("spark.sql.catalog.kg", CATALOG)
    assert [row.tableName for row in spark.sql(f"SHOW TABLES IN kg.`{folder}`").collect()] == ["log"]
    assert [row.tableName for row in spark.sql(f"SHOW TABLES IN kg.`{folder}/log`").collect()] == ["versions", "checkpoints"]
    assert spark.sql(f"SHOW TABLES IN kg.`{folder}/none`").collect() == []
    assert spark.sql(f"SELECT count(*) FROM kg.`{folder}`.log").collect() == [(2,)]


def test_a_log_that_begins_with_a_state_has_it_as_version_1(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "state.nt").write_text("<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o2> .\n")
    with PatchLog.create(tmp_path / "log", state=tmp_path / "state.nt", progress=False) as log:
        log.append(write(tmp_path))
    spark.conf.set("spark.sql.catalog.kg", CATALOG)
    found = spark.sql(f"SELECT version, added, deleted FROM kg.`{tmp_path}/log`.versions").collect()
    assert [tuple(row) for row in found] == [(1, 2, 0), (2, 1, 0)]


def write(folder: Path) -> Path:
    write_patch(folder / "one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"more"')])
    return folder / "one.jellyp"
