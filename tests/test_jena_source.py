"""The source ``jena``: the quads of a dataset as a DataFrame, of one moment."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from conftest import jvm_warnings, spark_settings
from fuseki_server import FusekiServer
from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, Dataset, JellybridgeError, UnreachableError
from jellybridge._doors import find_door

pytestmark = pytest.mark.settings

Quad = Tuple[str, str, str, Any]
INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>"
DATA = """
INSERT DATA {
  <urn:a> <urn:p> <urn:o> , "text" , "a \\"quoted\\" one" , "chat"@en-GB , 7 , "\u00e9" .
  GRAPH <urn:g> { <urn:a> <urn:p> <urn:o> . <urn:b> <urn:q> "text" , _:b . _:b <urn:q> 7 }
  GRAPH <urn:h> { <http://example.org/1> <urn:p> 7 . <http://example.org/2> <urn:r> "text" }
}
"""


@pytest.fixture(scope="module", params=[
    "tdb2", "fuseki", "fuseki with module", pytest.param("fuseki over tdb2", marks=pytest.mark.full("stores"))
])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dataset with some quads, and with a position, which is no data."""
    folder = tmp_path_factory.mktemp("source")
    if request.param == "tdb2":
        fill(f"tdb2:{folder / 'tdb2'}")
        yield f"tdb2:{folder / 'tdb2'}"
        return
    database = folder / "tdb2" if "tdb2" in request.param else None
    with FusekiServer(module="module" in request.param, database=database, log=folder / "fuseki.log") as server:
        fill(server.url)
        yield server.url


def fill(target: str) -> None:
    with Dataset.open(target, positions=True) as dataset:
        dataset.update(DATA)
        dataset.update("INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:k> <urn:jellybridge:position> <urn:1> } }")


def read(spark: SparkSession, target: str, **options: Any) -> DataFrame:
    return spark.read.format("jena").option("target", target).options(**options).load()


def rows(frame: DataFrame) -> List[Quad]:
    return sorted((tuple(row) for row in frame.collect()), key=str)  # type: ignore[arg-type]


def plan(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().toString())


def test_the_quads_of_a_dataset_are_rows(spark: SparkSession, target: str) -> None:
    frame = read(spark, target)
    assert frame.schema.simpleString() == spark.createDataFrame([], QUADS_SCHEMA).schema.simpleString()
    with Dataset.open(target) as dataset:
        there = rows(dataset.to_dataframe(spark))
    assert rows(frame) == there and len(there) == 12
    assert frame.count() == 12
    assert rows(frame.select("graph").distinct()) == [("<urn:g>",), ("<urn:h>",), (None,)]


def test_what_filters_ask_is_asked_of_the_dataset_and_the_rows_are_those_that_spark_finds(
    spark: SparkSession, target: str
) -> None:
    frame = read(spark, target)
    everything = frame.localCheckpoint()
    blank = next(row.subject for row in everything.collect() if row.subject.startswith("_:"))
    conditions = [
        F.col("subject") == "<urn:a>", F.col("subject") == blank, F.col("object") == '"text"', F.col("object") == '"\u00e9"',
        F.col("object") == '"a \\"quoted\\" one"', F.col("object") == '"chat"@en-gb', F.col("object") == '"7"' + INTEGER,
        F.col("object") == '"07"' + INTEGER, F.col("object").isin("<urn:o>", '"7"' + INTEGER, blank),
        F.col("graph").isNull(), F.col("graph").isNotNull(), F.col("graph") == "<urn:g>",
        F.col("graph").eqNullSafe(F.lit(None)), F.col("graph").eqNullSafe(F.lit("<urn:h>")),
        F.col("graph") == "<urn:jellybridge:sync>", F.col("graph") == "<urn:x-arq:UnionGraph>",
        F.col("graph") == "<urn:x-arq:DefaultGraph>", F.col("graph").isin("<urn:g>", "<urn:h>", "<urn:none>"),
        F.col("subject").startswith("<http://example.org/"), F.col("object").startswith('"te'),
        F.col("subject") == '"no subject"', F.col("subject") == "no term", F.col("predicate") == "",
        (F.col("subject") == "<urn:a>") & (F.col("subject") == "<urn:b>"),
        (F.col("subject") == "<urn:a>") & (F.col("predicate") == "<urn:p>") & F.col("graph").isNull(),
        (F.col("graph").isNull()) | (F.col("graph") == "<urn:g>"), F.col("object") != '"text"',
        F.col("object").isin(*[f'"{n}"' for n in range(2000)], '"text"'), F.lower("subject") == "<urn:a>",
    ]
    # One query for all: which conditions each row meets.
    met = everything.select("*", *(condition.alias(f"meets{n}") for n, condition in enumerate(conditions))).collect()
    for n, condition in enumerate(conditions):
        assert rows(frame.where(condition)) == sorted((tuple(row[:4]) for row in met if row[f"meets{n}"]), key=str), condition
    named = frame.where((F.col("graph") == "<urn:g>") & F.col("object").startswith('"t')).select("subject")
    assert rows(named) == [("<urn:b>",)]
    assert "PushedFilters: [" in plan(named) and "EqualTo(graph,<urn:g>)" in plan(named)
    assert "StringStartsWith(object,\"t)" in plan(named)
    assert "Filter" not in plan(named).split("== Physical Plan ==")[1].replace("PushedFilters", "")


def test_a_plan_has_the_rows_of_one_moment_and_says_so_when_it_runs_again(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"

    def add(number: int) -> None:
        with Dataset.open(target) as dataset:
            dataset.update(f'INSERT DATA {{ <urn:{number}> <urn:p> "o" }}')

    add(1)
    frame = read(spark, target)
    kept = read(spark, target).persist()
    with jvm_warnings(spark) as warnings:
        assert len(frame.collect()) == frame.count() == kept.count() == 1
        assert "rows are those of" not in warnings()
        add(2)
        assert kept.count() == 1
        assert frame.count() == frame.select("subject").count() == 2 and "rows are those of" not in warnings()
        assert len(frame.collect()) == 1
        if spark.sparkContext.master.startswith("local["):  # executors have logs of their own
            assert f"jena {target}: the rows are those of 20" in warnings()
    assert len(read(spark, target).collect()) == 2
    kept.unpersist()


def test_a_limit_stops_the_reading(spark: SparkSession, target: str) -> None:
    frame = read(spark, target)
    assert frame.limit(3).count() == 3 and frame.where("graph IS NULL").limit(100).count() == 6
    assert frame.where(F.col("object").startswith('"t')).limit(2).count() == 2
    assert "PushedLimit: LIMIT 3" in plan(frame.limit(3)).replace("PushedTopN", "")
    assert frame.where(F.length("subject") > 7).limit(2).count() == 2


def test_to_explain_a_read_is_not_to_read(spark: SparkSession, tmp_path: Path) -> None:
    frame = read(spark, f"tdb2:{tmp_path / 'none'}").where("graph = '<urn:g>'")
    assert "PushedFilters" in plan(frame)
    with pytest.raises(JellybridgeError, match="there is no TDB2 database in .*none on the driver's disk"):
        frame.collect()
    assert not (tmp_path / "none").exists()


def test_what_can_not_be_read_is_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(JellybridgeError, match="there is no TDB2 database"):
        (tmp_path / "empty").mkdir()
        read(spark, f"tdb2:{tmp_path / 'empty'}").collect()
    assert not list((tmp_path / "empty").iterdir())
    with pytest.raises(JellybridgeError, match="is no TDB2 database"):
        read(spark, f"tdb2:{Path(__file__).parent}").collect()
    with pytest.raises(UnreachableError):
        read(spark, "http://localhost:9/ds", attempts=1).collect()
    with pytest.raises(IllegalArgumentException, match="'target' is missing"):
        spark.read.format("jena").load()
    with pytest.raises(IllegalArgumentException, match="none that Spark reads or writes"):
        read(spark, "mem:")
    with pytest.raises(IllegalArgumentException, match="a path is given"):
        spark.read.format("jena").option("target", f"tdb2:{tmp_path}").load("somewhere")
    with pytest.raises(IllegalArgumentException, match="unknown option 'tagret'"):
        spark.read.format("jena").option("tagret", "x").load()


def test_a_database_that_is_open_in_the_driver_is_read_beside_it(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"
    with Dataset.open(target, positions=True) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> GRAPH <urn:jellybridge:sync> { <urn:k> <urn:p> <urn:o> } }")
        assert rows(read(spark, target)) == [("<urn:s>", "<urn:p>", "<urn:o>", None)]
        with pytest.raises(JellybridgeError, match="is open in this process already"):
            Dataset.open(target)
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o2> }")
        assert read(spark, target).count() == 2
    assert read(spark, target).count() == 2


def test_a_close_that_failed_can_be_repeated(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"
    dataset = Dataset.open(target)
    reader = find_door(spark).java_class("io.jellybridge.jena.dataset.DatasetStore").openThere(target)
    with pytest.raises(JellybridgeError, match="has transactions that are running"):
        dataset.close()
    assert not dataset.closed
    reader.close()
    dataset.close()
    assert dataset.closed
    Dataset.open(target).close()


def test_a_read_that_failed_leaves_nothing_open(spark: SparkSession, tmp_path: Path) -> None:
    target, no_folder = f"tdb2:{tmp_path / 'tdb2'}", tmp_path / "file"
    no_folder.touch()
    with Dataset.open(target) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        with pytest.raises(JellybridgeError):
            read(spark, target, stagingDir=str(no_folder)).collect()
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o2> }")
    Dataset.open(target).close()


def test_a_setting_of_the_session_stands_for_the_option_of_a_staging_folder(spark: SparkSession, tmp_path: Path) -> None:
    target, no_folder = f"tdb2:{tmp_path / 'tdb2'}", tmp_path / "file"
    no_folder.touch()
    with Dataset.open(target) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
    with spark_settings(spark, {"spark.jellybridge.stagingDir": str(no_folder)}):
        with pytest.raises(JellybridgeError, match=str(no_folder)):
            read(spark, target).collect()
        assert read(spark, target, stagingDir=str(tmp_path / "staging")).count() == 1


def test_a_database_that_is_open_in_another_process_is_named(spark: SparkSession, tmp_path: Path) -> None:
    with FusekiServer(module=False, database=tmp_path / "tdb2", log=tmp_path / "fuseki.log"):
        with pytest.raises(JellybridgeError, match="is open in another process"):
            read(spark, f"tdb2:{tmp_path / 'tdb2'}").collect()


def test_a_read_is_of_one_moment_while_a_writer_goes_on(spark: SparkSession, tmp_path: Path) -> None:
    with FusekiServer(module=True, database=tmp_path / "tdb2", log=tmp_path / "fuseki.log") as server:
        with Dataset.open(server.url) as dataset:
            numbers = "\n".join(f"<urn:{n}> <urn:p> {n % 2} ." for n in range(5000))
            dataset.update(f"INSERT DATA {{ {numbers} }}")
            stop = threading.Event()

            def turn() -> None:
                with Dataset.open(server.url) as writer:
                    while not stop.is_set():
                        writer.update("DELETE { ?s ?p ?o } INSERT { ?s ?p ?n } WHERE { ?s ?p ?o BIND (1 - ?o AS ?n) }")

            writing = threading.Thread(target=turn)
            writing.start()
            try:
                for _ in range(5):
                    counted = read(spark, server.url).groupBy("object").count().collect()
                    counts = {row.object: row["count"] for row in counted}
                    assert counts == {'"0"' + INTEGER: 2500, '"1"' + INTEGER: 2500}
            finally:
                stop.set()
                writing.join()


def test_a_sink_writes_while_a_frame_is_read_and_what_was_read_stays(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"
    Dataset.open(target).close()
    with Dataset.open(target) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> 1 }")
    pairs = read(spark, target).rdd.map(tuple)
    assert pairs.count() == 1
    more = [ChangeRow(0, None, 0, "A", "<urn:s>", "<urn:p>", '"2"')]
    spark.createDataFrame(more, CHANGES_SCHEMA).write.format("jena").mode("append").option("target", target).save()
    assert pairs.count() == 1  # its tasks, run again, read the same
    assert read(spark, target).count() == 2


def test_what_waits_for_tasks_goes_when_nobody_wants_it(spark: SparkSession, tmp_path: Path) -> None:
    target, staging = f"tdb2:{tmp_path / 'tdb2'}", tmp_path / "staging"
    with Dataset.open(target) as dataset:
        dataset.update("INSERT DATA { <urn:s> <urn:p> 1 }")
    assert read(spark, target, stagingDir=str(staging)).count() == 1
    assert spark._jvm is not None
    for _ in range(50):
        spark._jvm.System.gc()
        if not list(staging.iterdir()):
            break
        threading.Event().wait(0.1)
    assert list(staging.iterdir()) == []


def test_sql_reads_a_dataset_as_a_table(spark: SparkSession, target: str) -> None:
    spark.sql(f"CREATE TEMPORARY VIEW served USING jena OPTIONS (target '{target}')")
    try:
        assert spark.sql("SELECT count(*) FROM served WHERE graph = '<urn:h>'").collect()[0][0] == 2
    finally:
        spark.catalog.dropTempView("served")


def test_a_literal_that_is_longer_than_a_frame_comes_whole(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"
    (tmp_path / "in.nt").write_text(f'<urn:s> <urn:p> "{"é" * (9 << 20)}" .\n', encoding="utf-8")
    with Dataset.open(target) as dataset:
        dataset.load(tmp_path / "in.nt", max_frame_bytes=1 << 25)
    assert read(spark, target).select(F.length("object")).collect()[0][0] == (9 << 20) + 2


def test_the_temporary_folder_may_have_a_space_in_its_name(spark: SparkSession, tmp_path: Path) -> None:
    target = f"tdb2:{tmp_path / 'tdb2'}"
    Dataset.open(target).close()
    (tmp_path / "a b").mkdir()
    assert spark._jvm is not None
    before = spark._jvm.System.setProperty("java.io.tmpdir", str(tmp_path / "a b"))
    try:
        assert read(spark, target).count() == 0
    finally:
        spark._jvm.System.setProperty("java.io.tmpdir", before)
    assert {each.name for each in tmp_path.iterdir()} == {"tdb2", "a b"}
